package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Waiting;

/** A device that fails while its program goes on, and never closes it: its peers hear of it at once. */
interface FailedDeviceCases extends DeviceCases {
    int MANY = 10_000;

    /** As where an invariant of it breaks in a round. */
    static void fail(Device device) {
        DeviceParts parts = ((HybridDevice) device).parts;
        parts.engine().lock();
        try {
            parts.exchange().fail(new IllegalStateException("provoked by the test"));
        } finally {
            parts.engine().unlock();
        }
    }

    @Test
    default void peersOfADeviceThatFailedHearOfItAtOnce() {
        try (DeviceJob job = open(2)) {
            Flag heard = job.flag();
            job.run(
                    device -> {
                        Request before = device.isend(pattern(1, 100), 1, 1);
                        if (hasRoomForEager()) {
                            before.waitFor();
                        }
                        device.recv(new byte[1], 1, 3);
                        fail(device);
                        assertFails(ErrorCode.DEVICE_FAILED, () -> device.send(new byte[8], 1, 1));
                        assertFails(ErrorCode.DEVICE_FAILED, () -> device.recv(new byte[8], 1, 1));
                        assertTrue(heard.await(20), "the peer hears of it although this device stays open");
                    },
                    device -> {
                        Request named = device.irecv(new byte[8], 0, 2);
                        Request any = device.irecv(new byte[8], ANY_SOURCE, 2);
                        device.send(new byte[1], 0, 3);
                        SluiceException failure = assertFails(ErrorCode.PEER_DEAD, named::waitFor);
                        assertEquals(0, failure.peer());
                        assertTrue(failure.getMessage().contains("device failed"), failure.getMessage());
                        assertFails(ErrorCode.PEER_DEAD, any::waitFor);
                        assertFails(ErrorCode.PEER_DEAD, () -> device.send(new byte[8], 0, 1));
                        if (hasRoomForEager()) {
                            byte[] before = new byte[100];
                            device.recv(before, 0, 1);
                            assertArrayEquals(pattern(1, 100), before, "what came before stays receivable");
                        }
                        heard.raise();
                    });
        }
    }

    @Test
    default void aLongMessageOnItsWayToADeviceThatFailsEnds() {
        try (DeviceJob job = open(2)) {
            Flag heard = job.flag();
            job.run(
                    device -> {
                        device.recv(new byte[1], 1, 3);
                        fail(device);
                        assertTrue(heard.await(20), "the peer hears of it although this device stays open");
                    },
                    device -> {
                        Request send = device.isend(new byte[LARGE], 0, 2);
                        Request ssend = device.issend(new byte[4], 0, 2);
                        device.send(new byte[1], 0, 3);
                        assertFails(ErrorCode.PEER_DEAD, send::waitFor);
                        assertFails(ErrorCode.PEER_DEAD, ssend::waitFor);
                        heard.raise();
                    });
        }
    }

    @Test
    default void soDoesAPeerForWhichThereIsNoRoom() {
        try (DeviceJob job = open(2)) {
            Flag failed = job.flag();
            Flag heard = job.flag();
            job.run(
                    device -> {
                        device.recv(new byte[1], 1, 3);
                        for (int i = 0; i < MANY; i++) {
                            device.isend(new byte[100], 1, 1);
                        }
                        fail(device);
                        failed.raise();
                        assertTrue(heard.await(20), "the peer hears of it although this device stays open");
                    },
                    device -> {
                        device.send(new byte[1], 0, 3);
                        // No progress of its own until then: whatever bounds what is on the way is used up.
                        assertTrue(failed.await(20), job::state);
                        assertFails(ErrorCode.PEER_DEAD, () -> device.recv(new byte[8], 0, 2));
                        heard.raise();
                    });
        }
    }

    @Test
    default void aPeekEndsWhenItsDeviceHasFailed() {
        try (DeviceJob job = open(1, "sluice.peek", "on")) {
            Device device = job.device(0);
            fail(device);
            assertFails(ErrorCode.DEVICE_FAILED, () -> device.peek(Duration.ofSeconds(20)));
        }
    }

    /** Whatever it is: a request that was in the hands of the call, and is in no list any more, is over too. */
    @Test
    default void anErrorThatLeavesACallEndsTheDevice() {
        try (DeviceJob job = open(1)) {
            Device device = job.device(0);
            Request waiting = device.irecv(new byte[8], 0, 1);
            Error fault = new InternalError("by this test");
            Completion inHand = new Completion((Waiting) device) {
                @Override
                public Object operation() {
                    throw fault;
                }
            };
            assertSame(fault, assertThrows(InternalError.class, inHand::cancel));
            for (Request each : List.of(inHand, waiting)) {
                assertTrue(each.isDone());
                assertEquals(ErrorCode.DEVICE_FAILED, each.error());
                assertSame(
                        fault,
                        assertFails(ErrorCode.DEVICE_FAILED, each::waitFor).getCause());
            }
            assertFails(ErrorCode.DEVICE_FAILED, () -> device.send(new byte[8], 0, 1));
        }
    }
}
