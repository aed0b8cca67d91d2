package org.sluice.device.jvm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class UpInterfacesTest {
    private static final String NAME = "sluice-ui" + ProcessHandle.current().pid() % 100_000;

    private static int ip(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip", "link"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), String.join(" ", command));
        return process.exitValue();
    }

    @Test
    void loopbackIsUp() throws Exception {
        boolean hasLoopback = false;
        for (NetworkInterface each : UpInterfaces.list()) {
            hasLoopback |= each.isLoopback();
        }
        assertTrue(hasLoopback, "no loopback among " + UpInterfaces.list());
    }

    /** As containers that come and go beside a job do. */
    @Test
    void oneThatIsTakenAwayMeanwhileSpoilsNothing() throws Exception {
        boolean isMade;
        try {
            isMade = ip("add", NAME, "type", "veth", "peer", "name", NAME + "p") == 0;
        } catch (IOException e) {
            isMade = false;
        }
        Assumptions.assumeTrue(isMade, "only root can make interfaces, with iproute2, and not in every container");
        Thread coming = new Thread(() -> {
            try {
                for (int i = 0; i < 100; i++) {
                    ip("del", NAME);
                    ip("add", NAME, "type", "veth", "peer", "name", NAME + "p");
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        coming.start();
        try {
            while (coming.isAlive()) {
                assertFalse(UpInterfaces.list().isEmpty());
            }
        } finally {
            coming.join();
            ip("del", NAME);
        }
    }
}
