package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.option.Options;
import org.sluice.jni.verbs.VerbsCalls;

/** Ranks of one JVM that write to each other's landing rings. */
final class LandingRanks {
    /** More than it takes to get a ring. */
    private static final int MANY = 150;

    private LandingRanks() {}

    /** @param more options and their values, one after the other */
    static Options options(String eager, String... more) {
        Map<String, String> given = new HashMap<>(Map.of("sluice.ib.eager", eager));
        for (int i = 0; i < more.length; i += 2) {
            given.put(more[i], more[i + 1]);
        }
        return VerbsRanks.options(given);
    }

    /** Joined, and the first two write to each other. */
    static TestRank[] writing(int count, Options options, VerbsCalls verbs) {
        TestRank[] ranks = VerbsRanks.joined(count, options, verbs);
        warmUp(ranks[0], ranks[1]);
        return ranks;
    }

    static long sum(TestRank rank, Counter counter) {
        long sum = 0;
        for (var counters : VerbsRanks.channel(rank).counters()) {
            sum += counters.get(counter);
        }
        return sum;
    }

    /** Sends until both write. */
    static void warmUp(TestRank one, TestRank other) {
        long ones = sum(one, Counter.LANDING_WRITES);
        long others = sum(other, Counter.LANDING_WRITES);
        for (int i = 0;
                i < MANY && (sum(one, Counter.LANDING_WRITES) == ones || sum(other, Counter.LANDING_WRITES) == others);
                i++) {
            one.send(other.rank, i, new byte[8]);
            other.receive();
            other.send(one.rank, i, new byte[8]);
            one.receive();
        }
        assertTrue(
                sum(one, Counter.LANDING_WRITES) > ones && sum(other, Counter.LANDING_WRITES) > others,
                "no landing ring: " + one.channel + ", " + other.channel);
    }
}
