package org.sluice.launch;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Tells of an exception that left a program's main method as the JVM would, but says whose it is, and in one piece:
 * ranks that fail together write to the same terminal.
 *
 * <p>Thread: any.
 *
 * <p>Proof: {@code UncaughtTest}, {@code LauncherProcessTest}, {@code MainProcessTest}.
 */
public final class Uncaught {
    /** Who calls a program's main method. */
    private static final Set<String> CALLERS = Set.of(
            RankMain.class.getName(), InPlace.class.getName(), "org.sluice.cli.ExecCommand", "org.sluice.cli.Main");

    private static final String THEIR_COMMAND_LINE = "picocli.";

    private Uncaught() {}

    /** Of a program that runs in the JVM of {@code ./sluice exec}, as a rank of whatever job there is. */
    public static void inPlace(Throwable failure) {
        tell(whose("thread \"" + Thread.currentThread().getName() + "\""), failure);
    }

    /** Which rank or process of a job this is; {@code alone}, if it is in none. */
    static String whose(String alone) {
        try {
            return whose(Options.of(Map.of()), System.getenv(), alone);
        } catch (RuntimeException e) {
            // The job's options can't be read, or libpmix can't: what there is to tell is told all the same, and may
            // well be of that.
            return alone;
        }
    }

    static void inRank(int rank, Throwable failure) {
        tell("rank " + rank, failure);
    }

    private static String whose(Options options, Map<String, String> environment, String alone) {
        if (Job.isOfPmix(options)) {
            int rank = PmixJob.ofThisJvm().joinedAs();
            return rank < 0 ? "process " + environment.get(PmixLauncher.RANK) : "rank " + rank;
        }
        return Job.severalBy(options, environment).isPresent() ? "rank " + options.text(Option.JOB_RANK) : alone;
    }

    private static void tell(String whose, Throwable failure) {
        Thread self = Thread.currentThread();
        if (self.getUncaughtExceptionHandler() == self.getThreadGroup()
                && Thread.getDefaultUncaughtExceptionHandler() == null) {
            LastLines.print(text(whose, failure));
        } else {
            self.getUncaughtExceptionHandler().uncaughtException(self, failure);
        }
    }

    static String text(String whose, Throwable failure) {
        leaveOutCallers(failure);
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        String advice = MpiDialect.advice(failure);
        return "Exception in " + whose + " " + text
                + (advice.isEmpty() ? "" : "sluice: " + advice + System.lineSeparator());
    }

    /** What stands below the program's main method says nothing of the program. */
    private static void leaveOutCallers(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> next = new ArrayDeque<>(List.of(failure));
        while (!next.isEmpty()) {
            for (Throwable link = next.poll(); link != null && seen.add(link); link = link.getCause()) {
                StackTraceElement[] frames = link.getStackTrace();
                link.setStackTrace(Arrays.copyOf(frames, end(frames)));
                next.addAll(List.of(link.getSuppressed()));
            }
        }
    }

    private static int end(StackTraceElement[] frames) {
        int end = frames.length;
        for (int i = frames.length - 1; i >= 0; i--) {
            String name = frames[i].getClassName();
            if (CALLERS.contains(name) || name.startsWith(THEIR_COMMAND_LINE)) {
                end = i;
            } else if (!name.equals(Thread.class.getName())) {
                break;
            }
        }
        return end;
    }
}
