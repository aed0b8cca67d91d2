package org.sluice.cli.doctor;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import org.sluice.jni.Errno;
import org.sluice.jni.os.OsCalls;

/**
 * Finds out whether threads may be bound to processors, by doing it: a thread of its own binds itself to each that it
 * may use, one after the other. Binding ends with that thread, so nobody else is moved.
 *
 * <p>Thread: one.
 *
 * <p>Fails: never; what went wrong is in the finding.
 *
 * <p>Proof: {@code PinningTest}.
 */
final class Pinning {
    private static final String TOPIC = "processors";
    private static final String WITHOUT =
            "allow sched_setaffinity (a container's seccomp profile may forbid it); until then the kernel chooses"
                    + " where ranks run, and a benchmark needs --no-pin";

    private final OsCalls os;

    Pinning(OsCalls os) {
        this.os = os;
    }

    Finding examine() {
        CompletableFuture<String> refusal = new CompletableFuture<>();
        Thread trial = new Thread(() -> refusal.complete(refusal()), "sluice-pinning-trial");
        trial.setDaemon(true);
        trial.start();
        String reason = refusal.join();
        return reason.isEmpty()
                ? Finding.ok(TOPIC, "ranks may be pinned, one to each (tried)")
                : Finding.slower(TOPIC, "ranks can't be pinned: " + reason + " (tried)", WITHOUT);
    }

    private String refusal() {
        long[] allowed = new long[OsCalls.MASK_WORDS];
        int result = os.schedGetaffinity(0, allowed);
        if (result < 0) {
            return Errno.describe("sched_getaffinity", result);
        }
        for (int core : BitSet.valueOf(allowed).stream().toArray()) {
            long[] one = new long[OsCalls.MASK_WORDS];
            one[core / Long.SIZE] = 1L << core;
            result = os.schedSetaffinity(0, one);
            if (result < 0) {
                return "processor " + core + ": " + Errno.describe("sched_setaffinity", result);
            }
            long[] now = new long[OsCalls.MASK_WORDS];
            if (os.schedGetaffinity(0, now) < 0 || !Arrays.equals(one, now)) {
                return "processor " + core + ": sched_setaffinity was accepted and changed nothing";
            }
        }
        return "";
    }
}
