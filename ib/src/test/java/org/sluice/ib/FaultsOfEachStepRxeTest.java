package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * The steps of a connection's life one by one. Whatever library calls a step makes when all goes well are counted; then each fails, at each place
 * up to {@link #MOST_PLACES}: nothing is kept, nothing hangs, and what is told has the errno.
 */
@Tag("verbs")
final class FaultsOfEachStepRxeTest {
    private static final int BYTES = 60_000;
    private static final int MOST_PLACES = 3;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    /** How often they are called depends on time: their first places are all that can be meant. */
    private static final Set<String> WATCHING = Set.of("waitReady", "poll", "connectionEvent", "hush", "ring", "asyncEvent");
    /** What only reads what an object holds can't fail. */
    private static final Set<String> READING = Set.of("completionChannelFd", "eventChannelFd", "cmContext", "cmPort", "cmGid", "localPort",
            "lockedMemoryLimit");

    private final VerbsCalls verbs = VerbsRanks.verbs();

    /** What rank 0, whose calls fail, does with rank 1. */
    private interface Step {
        void take(Life life);
    }

    private static Options options(String rendezvous) {
        return VerbsRanks.options(Map.of("sluice.ib.slots", "32", "sluice.ib.body.bytes", "512", "sluice.ib.send.slots", "64",
                "sluice.ib.window", "4", "sluice.ib.mtu", "512", "sluice.ib.connect.timeout.ms", "1500", "sluice.close.timeout.ms", "1000",
                "sluice.ib.rendezvous", rendezvous));
    }

    /** Two ranks, of which one has verbs that may fail. */
    private final class Life {
        private final TestRank[] ranks = new TestRank[2];
        private final ByteBuffer ours = ByteBuffer.allocateDirect(BYTES);
        private final ByteBuffer theirs = ByteBuffer.allocateDirect(BYTES);
        private String failure;

        Life(VerbsCalls calls, Options options) {
            ranks[0] = VerbsRanks.rank(0, 2, options, calls, null);
            ranks[1] = VerbsRanks.rank(1, 2, options, verbs, null);
            VerbsRanks.introduce(ranks);
        }

        /** Progress of both until it is so, or rank 0 has failed. */
        void until(BooleanSupplier isDone) {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (failure == null && !isDone.getAsBoolean()) {
                try {
                    ranks[0].channel.poll(ranks[0].listener, 10);
                } catch (IllegalStateException e) {
                    failure = e.getMessage();
                }
                ranks[1].channel.poll(ranks[1].listener, 10);
                if (!ranks[0].listener.failures.isEmpty()) {
                    failure = ranks[0].listener.failures.get(0).reason();
                }
                assertTrue(System.nanoTime() < deadline, () -> "stuck: " + VerbsRanks.channel(ranks[0]) + " and " + VerbsRanks.channel(ranks[1]));
            }
        }

        void send(int packets) {
            int[] sent = {0};
            int before = ranks[1].listener.packets.size();
            until(() -> {
                int result = Channel.SENT;
                while (sent[0] < packets && result == Channel.SENT) {
                    result = ranks[0].trySend(1, PacketKind.EAGER, 0, sent[0], new byte[20], null);
                    sent[0] += result == Channel.SENT ? 1 : 0;
                }
                return ranks[1].listener.packets.size() == before + packets;
            });
        }

        void close() {
            ranks[0].channel.close();
            ranks[1].channel.close();
        }
    }

    private static void bundle(Life life) {
        life.until(() -> {
            life.ranks[0].channel.gather(1);
            int result = Channel.SENT;
            for (int i = 0; i < 5 && result == Channel.SENT; i++) {
                result = life.ranks[0].trySend(1, PacketKind.EAGER, 0, i, new byte[20], null);
            }
            int flushed = life.ranks[0].channel.flush(1);
            return result == Channel.SENT && flushed == Channel.SENT;
        });
    }

    private static void read(Life life) {
        RemoteReference from = new RemoteReference();
        assertTrue(life.ranks[1].channel.describe(0, life.theirs, null, Memory.address(life.theirs), BYTES, from));
        int[] result = {Channel.NO_RESOURCE};
        life.until(() -> {
            if (result[0] == Channel.NO_RESOURCE) {
                result[0] = life.ranks[0].channel.get(1, from, 0, life.ours, null, Memory.address(life.ours), BYTES, "ticket");
            }
            // Memory that can't be registered is no error: then the bytes are streamed.
            return result[0] == Channel.GET_BY_STREAM || !life.ranks[0].listener.gets.isEmpty();
        });
    }

    private static void write(Life life) {
        RemoteReference described = new RemoteReference();
        RemoteReference offered = new RemoteReference();
        if (!life.ranks[0].channel.describe(1, life.ours, null, Memory.address(life.ours), BYTES, described)) {
            return;
        }
        assertTrue(life.ranks[1].channel.offer(0, life.theirs, null, Memory.address(life.theirs), BYTES, offered));
        RemoteReference to = new RemoteReference();
        to.set(offered.key, offered.address, null);
        int[] result = {Channel.NO_RESOURCE};
        life.until(() -> {
            if (result[0] == Channel.NO_RESOURCE) {
                result[0] = life.ranks[0].channel.put(1, described, Memory.address(life.ours), BYTES, to, 0, "ticket");
            }
            return !life.ranks[0].listener.puts.isEmpty();
        });
        life.ranks[1].channel.takeBack(0, offered.lease);
    }

    /** @param readies what comes before the step, without a fault */
    private void failEverywhere(String name, String rendezvous, Step readies, Step step) {
        Map<String, int[]> places = new TreeMap<>();
        CountingVerbs good = new CountingVerbs(verbs);
        Life life = new Life(good.calls(), options(rendezvous));
        readies.take(life);
        Map<String, Integer> before = good.allCalls();
        step.take(life);
        Map<String, Integer> after = good.allCalls();
        if (!name.equals("close")) {
            life.close();
        }
        assertEquals(null, life.failure, name + " without any fault");
        after.forEach((method, calls) -> {
            int first = before.getOrDefault(method, 0);
            if (calls > first && !READING.contains(method)) {
                places.put(method, new int[] {first, Math.min(calls - first, WATCHING.contains(method) ? 1 : MOST_PLACES)});
            }
        });
        Set<String> failed = new TreeSet<>();
        places.forEach((method, range) -> {
            for (int n = 1; n <= range[1]; n++) {
                failOne(name + ", " + method + " " + (range[0] + n), rendezvous, readies, step, method, range[0] + n);
                failed.add(method);
            }
        });
        assertEquals(places.keySet(), failed, name);
        assertTrue(failed.size() > 1, name + " " + failed);
        System.out.println("FaultsOfEachStepRxeTest: " + name + " " + failed);
    }

    private void failOne(String where, String rendezvous, Step readies, Step step, String method, int place) {
        CountingVerbs living = new CountingVerbs(verbs);
        Life life = new Life(FailingVerbs.failing(living.calls(), method, place, Errno.EIO), options(rendezvous));
        try {
            readies.take(life);
            if (life.failure == null) {
                step.take(life);
            }
            if (life.failure != null) {
                assertTrue(life.failure.contains("EIO") && life.failure.matches("(?s).*(rdma_|ibv_).*"), where + ": " + life.failure);
            }
        } finally {
            life.close();
        }
        assertEquals(Map.of(), living.living(), where);
    }

    private static void nothing(Life life) {
    }

    private static void connect(Life life) {
        life.send(2);
    }

    @Test
    void connectingAndSending() {
        failEverywhere("connecting", "read", FaultsOfEachStepRxeTest::nothing, FaultsOfEachStepRxeTest::connect);
        failEverywhere("sending", "read", FaultsOfEachStepRxeTest::connect, life -> life.send(12));
    }

    @Test
    void messagesThatShareAPacket() {
        failEverywhere("coalescing", "read", FaultsOfEachStepRxeTest::connect, FaultsOfEachStepRxeTest::bundle);
    }

    @Test
    void rendezvousByReadAndByWrite() {
        failEverywhere("reading", "read", FaultsOfEachStepRxeTest::connect, FaultsOfEachStepRxeTest::read);
        failEverywhere("writing", "write", FaultsOfEachStepRxeTest::connect, FaultsOfEachStepRxeTest::write);
    }

    @Test
    void closing() {
        failEverywhere("close", "read", FaultsOfEachStepRxeTest::connect, Life::close);
    }
}
