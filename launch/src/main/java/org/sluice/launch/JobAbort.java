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
        try {
            Options options = Options.of(Map.of());
            boolean isOfPmix = Job.isOfPmix(options);
            String ranks = isOfPmix
                    ? PmixJob.ofThisJvm().ranks()
                    : RankList.range(options.count(Option.JOB_RANK), options.count(Option.JOB_JVM_RANKS));
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
