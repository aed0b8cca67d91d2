package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.jni.verbs.Verbs;
import org.sluice.jni.verbs.VerbsCalls;

/** Ranks of one JVM that are joined by the RDMA device of this machine. */
final class VerbsRanks {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    private VerbsRanks() {}

    static VerbsCalls verbs() {
        assertTrue(Verbs.available(), Verbs.unavailableReason());
        return Verbs.calls();
    }

    /** A library whose devices say that they are SoftRoCE. */
    static VerbsCalls softRoce(VerbsCalls verbs) {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, called, arguments) -> {
                    try {
                        Object result = called.invoke(verbs, arguments);
                        if (called.getName().equals("queryDevice")) {
                            ((long[]) arguments[1])[VerbsCalls.DEVICE_VENDOR_ID] = VerbsCalls.VENDOR_SOFT_ROCE;
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /**
     * Long messages are read unless something else is given: SoftRoCE's own way is {@link IbChannel}'s to choose, and
     * tested by itself.
     */
    static Options options(Map<String, String> given) {
        Map<String, String> options = new HashMap<>(Map.of("sluice.ib.rendezvous", "read"));
        // A guest may have a tenth of a core.
        int patience = Integer.getInteger("sluice.test.patience", 1);
        if (patience > 1) {
            options.put("sluice.ib.connect.timeout.ms", Integer.toString(patience * CONNECT_TIMEOUT_MS));
        }
        options.putAll(given);
        return Options.of(options);
    }

    /** Knows of each other, not yet connected. */
    static TestRank[] apart(int count, Options options, VerbsCalls verbs) {
        return apart(count, count, options, verbs);
    }

    /** The first of a job that has more. */
    static TestRank[] apart(int count, int job, Options options, VerbsCalls verbs) {
        TestRank[] ranks = new TestRank[count];
        for (int rank = 0; rank < count; rank++) {
            ranks[rank] = rank(rank, job, options, verbs, null);
        }
        introduce(ranks);
        TestRank.together(ranks);
        return ranks;
    }

    /** One that knows nobody yet. */
    static TestRank rank(int rank, int job, Options options, VerbsCalls verbs, WaitWord.Waker waker) {
        ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
        WaitWord word = new WaitWord(Memory.address(memory), memory, waker);
        return new TestRank(rank, new IbChannel(rank, job, job - 1, Unguessable.uuid(), word, options, verbs), word);
    }

    static void introduce(TestRank... ranks) {
        for (TestRank each : ranks) {
            for (TestRank other : ranks) {
                if (other != each) {
                    channel(each).add(other.rank, channel(other).facts());
                }
            }
        }
    }

    static IbChannel channel(TestRank rank) {
        return (IbChannel) rank.channel;
    }

    /** Each pair is connected. */
    static TestRank[] joined(int count, Options options, VerbsCalls verbs) {
        TestRank[] ranks = apart(count, options, verbs);
        for (TestRank each : ranks) {
            for (TestRank other : ranks) {
                if (other.rank > each.rank) {
                    join(each, other);
                }
            }
        }
        return ranks;
    }

    static void join(TestRank one, TestRank other) {
        channel(one).want(other.rank);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (channel(one).state(other.rank) != ConnectionState.READY
                || channel(other).state(one.rank) != ConnectionState.READY) {
            one.drive();
            other.drive();
            assertTrue(
                    System.nanoTime() < deadline,
                    "no connection: " + channel(one) + " and " + channel(other) + ", failures " + one.listener.failures
                            + other.listener.failures);
        }
    }

    /** Notes what comes, in order: "packet" with its tag, and "failed". */
    static RecordingListener ordering(List<String> order) {
        return new RecordingListener() {
            @Override
            public void onPacket(
                    int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
                order.add("packet " + tag);
            }

            @Override
            public void onPeerFailed(int peer, boolean corrupt, String reason) {
                order.add("failed");
            }
        };
    }
}
