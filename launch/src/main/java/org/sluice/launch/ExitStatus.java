package org.sluice.launch;

import java.util.Map;

/**
 * A process's exit status in words. Statuses above 128 are those of signals: a JVM that a signal ends says so in the
 * same number.
 */
final class ExitStatus {
    private static final int SIGNAL_BASE = 128;
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(10, "SIGUSR1"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(12, "SIGUSR2"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"),
            Map.entry(24, "SIGXCPU"),
            Map.entry(25, "SIGXFSZ"),
            Map.entry(31, "SIGSYS"));

    private ExitStatus() {}

    /** @param processes, or ranks, that it is said of */
    static String text(int status, int processes) {
        String signal = SIGNALS.get(status - SIGNAL_BASE);
        return signal == null
                ? "exited with status " + status
                : (processes == 1 ? "was" : "were") + " ended by " + signal + " (status " + status + ")";
    }
}
