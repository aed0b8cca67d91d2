package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** This guest's end of the wire to the other: cuts it, and mends it. Whoever tests in a guest is root there. */
final class Wire {
    private static final String INTERFACE = "d0";

    private Wire() {
    }

    /** @param netem as tc-netem takes it: {@code loss 1%}. It is done to what leaves here. */
    private static void spoil(String netem) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tc", "qdisc", "replace", "dev", INTERFACE, "root", "netem", "limit", "20000"));
        command.addAll(Arrays.asList(netem.split(" ")));
        run(command);
    }

    static void mend() throws IOException, InterruptedException {
        spoil("loss 0%");
    }

    /** Nothing leaves any more. Taking the interface down instead would leave the device unable to connect after it is up again. */
    static void cut() throws IOException, InterruptedException {
        spoil("loss 100%");
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + said);
        return said;
    }
}
