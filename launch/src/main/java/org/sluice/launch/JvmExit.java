package org.sluice.launch;

/**
 * Ends a JVM with the status of what it waited for, where nothing else ends it. While a signal does, the status is the
 * signal's: but JDK 17's exit with another one, once all shutdown hooks have run, would still take its place.
 * <i>Thread</i>: any. <i>Proof</i>: {@code JvmExitProcessTest}.
 */
public final class JvmExit {
    private JvmExit() {}

    /** Returns where this JVM is ending already: who is called by it should return too. */
    public static void with(int status) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {}, "sluice-exit"));
        } catch (IllegalStateException e) {
            // It says so by nothing else.
            return;
        }
        System.exit(status);
    }
}
