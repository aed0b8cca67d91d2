package org.sluice.launch;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluice.device.option.Options;

/**
 * Ranks without devices that meet; then the one with number 1 dies, and the others say what their launcher tells them.
 */
public final class LauncherNewsRanks {
    private static final int OPEN_TIMEOUT_MS = 60_000;
    private static final int PATIENCE_S = 20;
    private static final int STATUS = 3;

    private LauncherNewsRanks() {}

    /** @param args {@code signal} or {@code status}: how it dies */
    public static void main(String[] args) throws IOException, InterruptedException {
        Job job = Job.find(Options.of(Map.of()), -1);
        CountDownLatch told = new CountDownLatch(1);
        job.bootstrap().onRankLost(lost -> {
            System.out.println("rank " + job.rank() + " was told: " + lost + " is lost");
            told.countDown();
        });
        job.bootstrap().fence(OPEN_TIMEOUT_MS);
        if (job.rank() != 1) {
            if (!told.await(PATIENCE_S, TimeUnit.SECONDS)) {
                System.out.println("rank " + job.rank() + " was told nothing in " + PATIENCE_S + " s");
            }
            // Nothing is open that would have to be closed.
            Runtime.getRuntime().halt(0);
        }
        if (args[0].equals("signal")) {
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        }
        Runtime.getRuntime().halt(STATUS);
    }
}
