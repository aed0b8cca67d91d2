package org.sluice.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.tcp.connect.ConnectionState;
import org.sluice.tcp.connect.PeerAddress;

/** Ranks of one JVM that are joined by the loopback interface. */
final class TcpRanks {
    private TcpRanks() {}

    /** Options given as name, value, name, value. */
    static Options options(String... given) {
        Map<String, String> map =
                new HashMap<>(Map.of("sluice.tcp.interface", "127.0.0.1", "sluice.close.timeout.ms", "100"));
        for (int i = 0; i < given.length; i += 2) {
            map.put(given[i], given[i + 1]);
        }
        return Options.of(map);
    }

    static TcpChannel channel(TestRank rank) {
        return (TcpChannel) rank.channel;
    }

    /** One that knows nobody yet. */
    static TestRank rank(int rank, int job, Options options) {
        return rank(rank, job, Os.calls(), options);
    }

    /** As {@link #rank}, with these native calls. */
    static TestRank rank(int rank, int job, OsCalls os, Options options) {
        ByteBuffer memory = ByteBuffer.allocateDirect(WaitWord.BYTES);
        WaitWord word = new WaitWord(Memory.address(memory), memory, null);
        return new TestRank(rank, TcpChannel.create(rank, job, word, os, options), word);
    }

    /** Of a rank 1 that listens there, and that nobody is. */
    static byte[] factsAt(int port) {
        return TcpFacts.encode(new PeerAddress(
                1, List.of(InetAddress.getLoopbackAddress()), port, new byte[TcpFacts.SECRET_BYTES], null));
    }

    /** Know of each other, not yet connected. */
    static TestRank[] apart(int count, Options options) {
        TestRank[] ranks = new TestRank[count];
        for (int rank = 0; rank < count; rank++) {
            ranks[rank] = rank(rank, count, options);
        }
        introduce(ranks);
        TestRank.together(ranks);
        return ranks;
    }

    static void introduce(TestRank... ranks) {
        for (TestRank each : ranks) {
            for (TestRank other : ranks) {
                if (other != each) {
                    channel(each).add(other.rank, channel(other).facts());
                }
            }
        }
        for (TestRank each : ranks) {
            channel(each).start();
        }
    }

    /** Each pair is connected. */
    static TestRank[] joined(int count, Options options) {
        TestRank[] ranks = apart(count, options);
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
        awaitReady(one, other);
    }

    static void awaitReady(TestRank one, TestRank other) {
        long deadline = System.nanoTime() + TestRank.PATIENCE_NANOS;
        while (channel(one).state(other.rank) != ConnectionState.READY
                || channel(other).state(one.rank) != ConnectionState.READY) {
            one.drive();
            other.drive();
            assertTrue(
                    System.nanoTime() < deadline,
                    "no connection: " + channel(one) + " and " + channel(other) + ", failures " + one.listener.failures
                            + other.listener.failures);
            Thread.onSpinWait();
        }
    }
}
