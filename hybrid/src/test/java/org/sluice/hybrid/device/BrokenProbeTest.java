package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.WaitLog;
import org.sluice.hybrid.request.AsyncCalls;
import org.sluice.hybrid.request.Callback;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Goal;
import org.sluice.hybrid.request.Waiting;

/** Calls that wait for a message to take, and in which something is thrown: they take none afterwards. */
final class BrokenProbeTest {
    /** As a coroutine's, for which there is no memory to be called back. */
    private static final class Call extends Completion implements Callback {
        Call(Waiting device) {
            super(device, false);
        }

        @Override
        public boolean attach(Callback added) {
            throw new OutOfMemoryError("by this test");
        }

        @Override
        public void ended(Completion completion) {
            throw new AssertionError("it never began");
        }

        @Override
        public void failed(Throwable cause) {
            throw new AssertionError("it never began", cause);
        }
    }

    @Test
    void aSearchThatDidNotBeginTakesNothing() {
        try (DeviceJob job = DeviceJob.open(1, Map.of())) {
            job.run(device -> {
                Waiting waiting = (Waiting) device;
                AsyncCalls.Search search = waiting.async().search(new Call(waiting), 0, 1, 0, true);
                assertFalse(search.now());
                try {
                    search.begin();
                    throw new AssertionError("there was no memory for it");
                } catch (OutOfMemoryError e) {
                    assertEquals("by this test", e.getMessage());
                }
                assertTrue(device.toString().contains("0 probes"), device::toString);
                device.send(new byte[] {7}, 0, 1);
                assertNotNull(device.iprobe(0, 1), "the one that never began has taken it");
                byte[] into = new byte[1];
                device.recv(into, 0, 1);
                assertEquals(7, into[0]);
            });
        }
    }

    /** The JVM says somewhere later that a page was gone. */
    private static final class Missing implements WaitLog.Listener {
        @Override
        public Object began(Goal goal, String waiter) {
            throw new InternalError("a fault occurred in an unsafe memory access operation");
        }

        @Override
        public void ended(Object began, Goal goal) {
            throw new AssertionError("it never began");
        }
    }

    @Test
    void aPageThatIsMissedAsAProbeBeginsToWaitEndsTheDevice() {
        try (DeviceJob job = DeviceJob.open(2, Map.of())) {
            job.run(device -> {}, device -> {
                watch(device, new Missing());
                DeviceCases.assertFails(ErrorCode.DEVICE_FAILED, () -> device.mprobe(0, 1));
                assertTrue(device.toString().contains("0 probes"), device::toString);
                DeviceCases.assertFails(ErrorCode.DEVICE_FAILED, () -> device.send(null, 0, 1));
                assertThrows(RuntimeException.class, () -> device.recvInPlace(0, 1));
            });
        }
    }

    private static void watch(Device device, WaitLog.Listener listener) {
        ProgressEngine engine = ((HybridDevice) device).parts.engine();
        engine.lock();
        try {
            engine.waits().tell(listener);
        } finally {
            engine.unlock();
        }
    }
}
