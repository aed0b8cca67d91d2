package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * A sender gave up, or failed, and its program has its memory again, before the receiver came to read it: the
 * description of the message stands in the ring before the news of the sender's end.
 */
interface WithdrawnCases extends DeviceCases {
    int BYTES = 8000;

    @ParameterizedTest
    @EnumSource
    default void whatASenderGaveUpIsNotReceivedOutOfItsMessageBuffer(End end) {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "200")) {
            MessageBuffer[] buffer = new MessageBuffer[1];
            givenUp(
                    job,
                    end,
                    device -> {
                        buffer[0] = device.allocate(BYTES);
                        buffer[0].byteBuffer().put(pattern(1, BYTES));
                        return buffer[0];
                    },
                    () -> buffer[0].byteBuffer().put(pattern(2, BYTES)));
        }
    }

    @ParameterizedTest
    @EnumSource
    default void whatASenderGaveUpIsNotReceivedOutOfItsDirectBuffer(End end) {
        List<String> options = new ArrayList<>(List.of(byKernel()));
        options.addAll(List.of("sluice.close.timeout.ms", "200"));
        try (DeviceJob job = open(2, options.toArray(new String[0]))) {
            ByteBuffer buffer =
                    ByteBuffer.allocateDirect(BYTES).put(pattern(1, BYTES)).flip();
            givenUp(job, end, device -> buffer, () -> buffer.duplicate().put(pattern(2, BYTES)));
        }
    }

    @ParameterizedTest
    @EnumSource
    default void whatASenderGaveUpIsNotReceivedOutOfItsArray(End end) {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "200")) {
            byte[] buffer = pattern(1, BYTES);
            givenUp(job, end, device -> buffer, () -> System.arraycopy(pattern(2, BYTES), 0, buffer, 0, BYTES));
        }
    }

    /** How the sender ends, and what its request and its peer are told. */
    enum End {
        GAVE_UP(ErrorCode.DEVICE_CLOSED, ErrorCode.PEER_CLOSED) {
            @Override
            void of(Device device) {
                assertEquals(1, assertFails(ErrorCode.TIMEOUT, device::close).peer());
            }
        },
        FAILED(ErrorCode.DEVICE_FAILED, ErrorCode.PEER_DEAD) {
            @Override
            void of(Device device) {
                FailedDeviceCases.fail(device);
            }
        };

        private final ErrorCode toRequest;
        private final ErrorCode toPeer;

        End(ErrorCode toRequest, ErrorCode toPeer) {
            this.toRequest = toRequest;
            this.toPeer = toPeer;
        }

        abstract void of(Device device);
    }

    /** What a rank sends. */
    interface Source {
        Object in(Device device);
    }

    private void givenUp(DeviceJob job, End end, Source source, Runnable useAgain) {
        Flag closed = job.flag();
        job.run(
                device -> {
                    Object buffer = source.in(device);
                    // So that the receiver has mapped what can be mapped, and needs nothing of the sender any more.
                    device.ssend(buffer, 1, 2);
                    device.recv(new byte[1], 1, 2);
                    Request request = device.issend(buffer, 1, 1);
                    end.of(device);
                    assertFails(end.toRequest, request::waitFor);
                    useAgain.run();
                    closed.raise();
                },
                device -> {
                    byte[] into = new byte[BYTES];
                    device.recv(into, 0, 2);
                    assertArrayEquals(pattern(1, BYTES), into);
                    device.send(new byte[1], 0, 2);
                    assertTrue(closed.await(20), job::state);
                    SluiceException gone = assertFails(end.toPeer, () -> device.recv(into, 0, 1));
                    assertEquals(0, gone.peer());
                    assertFails(end.toPeer, () -> device.recv(into, 0, 1));
                });
    }

    /**
     * Several messages are described before the sender gives up: none of them, and what came eagerly before is received
     * all the same.
     */
    @Test
    default void whatCameBeforeIsReceivedAllTheSame() {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "200")) {
            Flag closed = job.flag();
            boolean eager = hasRoomForEager();
            job.run(
                    device -> {
                        if (eager) {
                            device.send(pattern(5, 100), 1, 5);
                        }
                        MessageBuffer buffer = device.allocate(BYTES);
                        for (int i = 0; i < 3; i++) {
                            device.issend(buffer, 1, 1);
                        }
                        assertFails(ErrorCode.TIMEOUT, device::close);
                        closed.raise();
                    },
                    device -> {
                        assertTrue(closed.await(20), job::state);
                        for (int i = 0; i < 3; i++) {
                            assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(new byte[BYTES], 0, 1));
                        }
                        if (eager) {
                            byte[] into = new byte[100];
                            device.recv(into, 0, 5);
                            assertArrayEquals(pattern(5, 100), into);
                        }
                    });
        }
    }
}
