package org.sluice.hybrid.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.sluice.device.SluiceException;

/** How a rank's program speaks with its test: lines out, lines in. <i>Thread</i>: any may print, one listens. */
public final class Say {
    private static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in));

    private Say() {}

    public static void line(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Waits for the test to say exactly this. */
    public static void awaitTest(String expected) {
        try {
            String line = IN.readLine();
            if (!expected.equals(line)) {
                throw new IllegalStateException("the test said '" + line + "' and not '" + expected + "'");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What another thread does, and throws what it threw. */
    static void await(FutureTask<Void> task) throws Exception {
        try {
            task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SluiceException) {
                throw (SluiceException) e.getCause();
            }
            throw e;
        }
    }

    /** Runs what has to fail and prints: what, code, peer, when by the machine's clock, time, message. */
    public static SluiceException failure(String what, Runnable action) {
        long start = System.nanoTime();
        try {
            action.run();
        } catch (SluiceException e) {
            long now = System.nanoTime();
            line(what + " failed " + e.code() + " " + e.peer() + " at " + now + " after " + (now - start) / 1_000_000
                    + " ms: " + e.getMessage().replace('\n', ' '));
            return e;
        }
        line(what + " did not fail");
        throw new IllegalStateException(what + " did not fail");
    }

    public static void check(boolean condition, String what) {
        if (!condition) {
            line("wrong: " + what);
            throw new IllegalStateException(what);
        }
    }
}
