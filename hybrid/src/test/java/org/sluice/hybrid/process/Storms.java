package org.sluice.hybrid.process;

import java.util.concurrent.ThreadLocalRandom;
import org.sluice.device.option.Option;

/**
 * A storm between ranks of several JVMs, some of them threads of one: a wildcard receive takes what comes first, whichever channel it comes by. A JVM with
 * a memory file system of its own in the place of /dev/shm is on another node, as far as channels go, as in a container.
 */
final class Storms {
    private static final long PATIENCE_MS = 150_000;

    private final RankJvms jvms;
    private final long seed = ThreadLocalRandom.current().nextLong();
    private final int messages;

    Storms(RankJvms jvms, int messages) {
        this.jvms = jvms;
        this.messages = messages;
        jvms.option(Option.CHANNELS_SHOW, "on");
    }

    /** Ranks that are threads of one JVM of this node. */
    void start(int first, int count) throws Exception {
        jvms.option(first, Option.JOB_JVM_RANKS, count);
        jvms.start(first, StormRanks.class, Integer.toString(first), Integer.toString(count), Long.toString(seed), Integer.toString(messages));
    }

    /** The same, where no memory is shared with others. */
    void startApart(int first, int count) throws Exception {
        jvms.prefix(first, "unshare", "--mount", "sh", "-c", "mount -t tmpfs none /dev/shm && mkdir " + jvms.segments() + " && exec \"$@\"", "sh");
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
            jvms.allEndWell(PATIENCE_MS);
        } catch (AssertionError e) {
            throw withSeed(e);
        }
    }

    private AssertionError withSeed(AssertionError e) {
        return new AssertionError("seed " + seed + ", " + messages + " messages from each rank to each: " + e.getMessage(), e);
    }
}
