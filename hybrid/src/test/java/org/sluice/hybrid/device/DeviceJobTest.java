package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the tests of devices rely on: a hang ends a test, and nothing else does. */
@Tag("once")
final class DeviceJobTest {
    @Test
    void aStopOfTheWholeProcessIsNoHang() {
        long pid = ProcessHandle.current().pid();
        try (DeviceJob job = DeviceJob.open(1, Map.of())) {
            job.run(2, device -> {
                String stop = "kill -STOP " + pid + "; sleep 3; kill -CONT " + pid;
                assertEquals(0, new ProcessBuilder("sh", "-c", stop).start().waitFor());
            });
        }
    }

    @Test
    void aRankThatDoesNotReturnHangs() {
        CountDownLatch end = new CountDownLatch(1);
        try (DeviceJob job = DeviceJob.open(1, Map.of())) {
            AssertionError hang = assertThrows(AssertionError.class, () -> job.run(1, device -> end.await()));
            assertTrue(hang.getMessage().startsWith("after 1 s some rank hangs"), hang.getMessage());
            end.countDown();
        }
    }
}
