package org.sluice.jni.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.jni.ChildJvm;
import org.sluice.jni.Errno;

/** What the calls do with arguments that they must refuse, and on a machine without any adapter. */
final class VerbsArgumentsTest {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final int SWEEPS = 2_000;

    /** Calls to which 0 or -1 is no wrong argument, or is one of the kernel's to name. */
    private static final Map<String, Long> NO_HANDLE = Map.of(
            "createBell",
            1L,
            "lockedMemoryLimit",
            1L,
            "createEventChannel",
            1L,
            "ring",
            (long) -Errno.EBADF,
            "hush",
            (long) -Errno.EBADF,
            "closeBell",
            (long) -Errno.EBADF);

    private final VerbsCalls verbs = Verbs.calls();

    @BeforeEach
    void isBuilt() {
        BuiltVerbs.assume();
    }

    @Test
    void wrongArgumentsAreEinval() {
        for (boolean arrays : new boolean[] {false, true}) {
            Map<String, Long> results = EveryVerbsCall.withArguments(verbs, -1, arrays);
            results.forEach((name, result) -> {
                if (arrays && (name.equals("deviceNames") || name.equals("openDevice"))) {
                    return;
                }
                Long other = NO_HANDLE.get(name);
                if (other == null) {
                    assertEquals(-Errno.EINVAL, result, name);
                } else if (other < 0) {
                    assertEquals(other, result, name);
                }
            });
            verbs.closeBell(results.get("createBell").intValue());
        }
    }

    @Test
    void namesOfDevicesHaveToEnd() {
        assertEquals(-Errno.EINVAL, verbs.openDevice("rxe0".getBytes(StandardCharsets.UTF_8)));
        assertEquals(-Errno.EINVAL, verbs.openDevice("rxe0\0\0".getBytes(StandardCharsets.UTF_8)));
        assertEquals(-Errno.EINVAL, verbs.openDevice(new byte[1]));
        assertEquals(-Errno.EINVAL, verbs.openDevice(new byte[65]));
        assertEquals(-Errno.ENODEV, verbs.openDevice("nobody\0".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void withoutAdaptersThereAreErrorsAndNoCrashes() throws IOException {
        assumeNoDevice();
        byte[] names = {7, 7};
        assertEquals(0, verbs.deviceNames(names));
        assertArrayEquals(new byte[] {7, 7}, names);
        long channel = verbs.createEventChannel();
        assertTrue(channel < 0, "an event channel: " + channel);
        assertTrue(Errno.describe("createEventChannel", channel).contains(", "), "no words for " + channel);
    }

    @Test
    void aBellEndsAWait() throws Exception {
        int bell = verbs.createBell();
        int silent = verbs.createBell();
        Thread ringer = new Thread(() -> {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            verbs.ring(bell);
        });
        ringer.start();
        assertEquals(2, verbs.waitReady(new int[] {silent, bell}, 60_000));
        ringer.join();
        assertEquals(0, verbs.hush(bell));
        assertEquals(0, verbs.waitReady(new int[] {silent, bell}, 10));
        assertEquals(0, verbs.closeBell(bell));
        assertEquals(0, verbs.closeBell(silent));
    }

    @Test
    void sweepsLeaveNothingOpen() throws IOException {
        EveryVerbsCall.sweep(verbs);
        long descriptors = descriptors();
        for (int i = 0; i < SWEEPS; i++) {
            EveryVerbsCall.sweep(verbs);
        }
        assertEquals(descriptors, descriptors(), "open descriptors");
    }

    @Test
    void aQuietJvmUnderJniChecks() throws Exception {
        try (ChildJvm child = ChildJvm.start(EveryVerbsCall.class, "-Xcheck:jni")) {
            String output = child.restOfOutput();
            assertEquals(0, child.waitFor(), output);
            assertEquals("done\n", output);
        }
    }

    static void assumeNoDevice() throws IOException {
        if (Files.isDirectory(DEVICES)) {
            try (Stream<Path> devices = Files.list(DEVICES)) {
                Assumptions.assumeTrue(devices.findAny().isEmpty(), "there is an RDMA device here");
            }
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }
}
