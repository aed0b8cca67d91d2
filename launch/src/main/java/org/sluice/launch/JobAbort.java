package org.sluice.launch;

import java.util.Map;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Ends the whole job, not only the rank that asks for it: at once under mpirun and srun, after the grace under
 * {@code ./sluice run}, whose {@code --survive} has the others live on.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: where the launcher doesn't answer this JVM ends all the same, and the launcher
 * does what it does at the end of one. <i>Proof</i>: {@code MpirunProcessTest}.
 */
public final class JobAbort {
    private static final int HIGHEST_STATUS = 255;

    private JobAbort() {}

    /**
     * Never returns. Under mpirun and srun the launcher ends all processes (PMIx_Abort); under {@code ./sluice run} it
     * sees this one fail: the others are told, have the grace, and are ended. Shutdown hooks don't run.
     *
     * @param status of this JVM, 1 to 255; mpirun and {@code ./sluice run} exit with it too
     * @param reason for people, printed with the rank
     * @throws IllegalArgumentException for another status
     */
    public static void abort(int status, String reason) {
        if (status < 1 || status > HIGHEST_STATUS) {
            throw new IllegalArgumentException(
                    "status is " + status + "; a job that is aborted ends with 1 to " + HIGHEST_STATUS);
        }
        abort("", status, reason);
    }

    /**
     * As the other, of one of the ranks of this JVM.
     *
     * @param anyStatus any: its lowest 8 bits, or 1 where these are 0
     */
    public static void abort(int rank, int anyStatus, String reason) {
        int status = anyStatus & HIGHEST_STATUS;
        abort("rank " + rank, status == 0 ? 1 : status, reason);
    }

    /** @param known whose wish it is; empty: that of all ranks of this JVM */
    private static void abort(String known, int status, String reason) {
        try {
            Options options = Options.of(Map.of());
            boolean isOfPmix = Job.isOfPmix(options);
            String ranks = known;
            if (ranks.isEmpty()) {
                ranks = isOfPmix
                        ? PmixJob.ofThisJvm().ranks()
                        : RankList.range(options.count(Option.JOB_RANK), options.count(Option.JOB_JVM_RANKS));
            }
            System.out.flush();
            LastLines.print("sluice: " + ranks + " aborted the job: " + reason + System.lineSeparator());
            if (isOfPmix) {
                PmixJob.ofThisJvm().abort(status, ranks + " aborted the job: " + reason);
            }
        } catch (RuntimeException e) {
            LastLines.print("sluice: the launcher could not be asked to end the others: " + e.getMessage()
                    + System.lineSeparator());
        } finally {
            Runtime.getRuntime().halt(status);
        }
        throw new SluiceException(ErrorCode.DEVICE_FAILED, "a JVM that was halted goes on");
    }
}
