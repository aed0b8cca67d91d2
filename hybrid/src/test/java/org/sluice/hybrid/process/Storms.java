package org.sluice.hybrid.process;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.sluice.device.option.Option;

/**
 * A storm between ranks of several JVMs, some of them threads of one: a wildcard receive takes what comes first,
 * whichever channel it comes by.
 */
final class Storms {
    private static final long PATIENCE_MS = 150_000;

    private final RankJvms jvms;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final int messages;
    private final int seconds;

    /**
     * @param messages from each rank to each in a round
     * @param seconds in which rounds begin; 0: there is one
     */
    Storms(RankJvms jvms, int messages, int seconds) {
        this.jvms = jvms;
        this.messages = messages;
        this.seconds = seconds;
        System.out.println(this);
        jvms.option(Option.CHANNELS_SHOW, "on");
    }

    /** Ranks that are threads of one JVM of this node. */
    void start(int first, int count) throws Exception {
        jvms.option(first, Option.JOB_JVM_RANKS, count);
        jvms.start(
                first,
                StormRanks.class,
                Integer.toString(first),
                Integer.toString(count),
                Long.toString(seed),
                Integer.toString(messages),
                Integer.toString(seconds));
    }

    /** The same, where no memory is shared with others. */
    void startApart(int first, int count) throws Exception {
        jvms.apart(first);
        start(first, count);
    }

    void expect(int jvm, String table) throws Exception {
        try {
            jvms.rank(jvm).await(table, PATIENCE_MS);
        } catch (AssertionError e) {
            throw withSeed(e);
        }
    }

    void end() throws Exception {
        try {
            jvms.allEndWell(PATIENCE_MS + TimeUnit.SECONDS.toMillis(seconds));
        } catch (AssertionError e) {
            throw withSeed(e);
        }
    }

    private AssertionError withSeed(AssertionError e) {
        return new AssertionError(this + ": " + e.getMessage(), e);
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + messages + " messages from each rank to each"
                + (seconds == 0 ? "" : " again and again for " + seconds + " s");
    }
}
