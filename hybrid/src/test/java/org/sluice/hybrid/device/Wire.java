package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * This guest's end of the wire to the other: makes it bad, counts what it did, and mends it. Whoever tests in a guest
 * is root there.
 */
final class Wire {
    private static final String INTERFACE = "d0";
    private static final Path COUNTERS = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters");

    private Wire() {}

    /** @param netem as tc-netem takes it: {@code loss 1%}. It is done to what leaves here. */
    static void spoil(String netem) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("tc", "qdisc", "replace", "dev", INTERFACE, "root", "netem", "limit", "20000"));
        command.addAll(Arrays.asList(netem.split(" ")));
        run(command);
    }

    static void mend() throws IOException, InterruptedException {
        spoil("loss 0%");
    }

    /**
     * Nothing leaves any more. Taking the interface down instead would leave SoftRoCE unable to connect after it is up
     * again.
     */
    static void cut() throws IOException, InterruptedException {
        spoil("loss 100%");
    }

    /**
     * Packets that netem threw away since it was first told to do something: what it is told later doesn't begin its
     * counts anew.
     */
    static long lost() throws IOException, InterruptedException {
        Matcher said = Pattern.compile("dropped (\\d+)").matcher(state());
        if (!said.find()) {
            throw new AssertionError("tc doesn't say how many packets were dropped");
        }
        return Long.parseLong(said.group(1));
    }

    /** What the kernel does to the packets that leave here, and has done, in its words. */
    static String state() throws IOException, InterruptedException {
        return run(List.of("tc", "-s", "qdisc", "show", "dev", INTERFACE));
    }

    /** What the device counts under that name, from the beginning of the guest. */
    static long counter(String name) throws IOException {
        return Long.parseLong(Files.readString(COUNTERS.resolve(name)).strip());
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + said);
        return said;
    }
}
