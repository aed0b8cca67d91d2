package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose status a JVM ends with. */
@Timeout(60)
final class JvmExitProcessTest {
    private static final long PATIENCE_S = 30;

    /** Ends with one status, and is told another while it does. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> JvmExit.with(9)));
            System.exit(Integer.parseInt(args[0]));
        }
    }

    /** Nothing else ends it. */
    static final class Alone {
        private Alone() {}

        public static void main(String[] args) {
            JvmExit.with(7);
        }
    }

    private static int statusOf(Class<?> main, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                JavaHome.current().command(), "-cp", System.getProperty("java.class.path"), main.getName());
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(new File("/dev/null"))
                .start();
        try {
            assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS), "it waits for its own end");
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 130})
    void whoEndsItFirstSaysTheStatus(int status) throws Exception {
        assertEquals(status, statusOf(Main.class, Integer.toString(status)));
    }

    @Test
    void elseItEndsWithWhatIsGiven() throws Exception {
        assertEquals(7, statusOf(Alone.class));
    }
}
