package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.SluiceException;

/** One message to a handler of several ranks. */
interface BroadcastCases extends DeviceCases {
    int ID = HandlerCases.ID;

    /** What comes from now on, until a rank says that it is through, and so ends a call that serves. */
    private static List<byte[]> kept(Device device) {
        List<byte[]> seen = new CopyOnWriteArrayList<>();
        device.handlers().register(ID, (source, message) -> seen.add(HandlerCases.copy(message)));
        device.handlers()
                .register(
                        HandlerCases.STOP_ID,
                        (source, message) -> device.handlers().stop());
        return seen;
    }

    @Test
    default void allOthersHaveEachMessageInOrder() {
        try (DeviceJob job = open(4)) {
            job.runAll(device -> {
                if (device.rank() == 1) {
                    device.handlers().register(ID, (source, message) -> assertTrue(source != 1, "not to itself"));
                    for (int i = 0; i < SIZES.length; i++) {
                        device.handlers().broadcast(ID, pattern(i, SIZES[i] + 2), 1, SIZES[i]);
                        device.handlers().syncSend(2, ID, new byte[] {(byte) i});
                    }
                    try (MessageBuffer buffer = device.allocate(LARGE)) {
                        buffer.byteBuffer().put(pattern(77, LARGE));
                        device.handlers().broadcast(ID, buffer);
                    }
                    device.handlers().broadcast(HandlerCases.STOP_ID, null);
                } else {
                    List<byte[]> seen = kept(device);
                    device.handlers().serve();
                    int of = device.rank() == 2 ? 2 : 1;
                    for (int i = 0; i < SIZES.length; i++) {
                        byte[] sent = pattern(i, SIZES[i] + 2);
                        assertArrayEquals(Arrays.copyOfRange(sent, 1, SIZES[i] + 1), seen.get(i * of));
                    }
                    assertArrayEquals(pattern(77, LARGE), seen.get(SIZES.length * of));
                    assertEquals(SIZES.length * of + 1, seen.size());
                }
                assertEquals(0, device.counters().get("handlers.failed"));
                device.barrier();
            });
        }
    }

    @Test
    default void ranksThatAreNamedHaveItAsOftenAsTheyAre() {
        try (DeviceJob job = open(3)) {
            job.runAll(device -> {
                List<byte[]> seen = kept(device);
                if (device.rank() == 0) {
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> device.handlers().broadcast(new int[] {1, 3}, ID, new byte[1], 0, 1));
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> device.handlers().broadcast(null, ID, new byte[1], 0, 1));
                    assertThrows(
                            IndexOutOfBoundsException.class,
                            () -> device.handlers().broadcast(ID, new byte[1], 0, 2));
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> device.handlers().broadcast(-1, new byte[1]));
                    device.handlers().broadcast(new int[0], ID, new byte[1], 0, 1);
                    device.handlers().broadcast(new int[] {2, 0, 2}, ID, pattern(1, LARGE / 8), 0, Device.WHOLE);
                    device.handlers().broadcast(new int[] {2, 0, 1}, HandlerCases.STOP_ID, null, 0, 0);
                }
                int expected = device.rank() == 1 ? 0 : device.rank() == 2 ? 2 : 1;
                device.handlers().serve();
                assertEquals(expected, seen.size());
                device.barrier();
            });
        }
    }

    /** Within handlers nothing waits, also where all send to all more than they have room for. */
    @Test
    default void handlersBroadcastToEachOther() {
        int rounds = many(20);
        try (DeviceJob job = open(3)) {
            job.runAll(device -> {
                AtomicInteger left = new AtomicInteger(3 * rounds * 2);
                device.handlers().register(ID, (source, message) -> {
                    int round = message.getInt(0);
                    if (source == device.rank() && round < rounds) {
                        int[] next = new int[round % 2 == 0 ? 100 : LARGE / 4];
                        next[0] = round + 1;
                        device.handlers().broadcast(new int[] {0, 1, 2}, ID, next, 0, Device.WHOLE);
                        device.handlers().broadcast(new int[] {0, 1, 2}, HandlerCases.OTHER_ID, next, 0, 100);
                    }
                    if (round > 0 && left.decrementAndGet() == 0) {
                        device.handlers().stop();
                    }
                });
                device.handlers().register(HandlerCases.OTHER_ID, (source, message) -> {
                    assertEquals(400, message.bytes());
                    if (left.decrementAndGet() == 0) {
                        device.handlers().stop();
                    }
                });
                device.handlers().syncSend(device.rank(), ID, new int[1]);
                device.handlers().serve();
                assertEquals(0, device.counters().get("handlers.failed"));
                device.barrier();
            });
        }
    }

    /** A rank that has closed is told of when the others have it. */
    @Test
    default void theOthersHaveWhatOneCannotGet() {
        try (DeviceJob job = open(3)) {
            job.runAll(device -> {
                if (device.rank() == 1) {
                    device.close();
                } else if (device.rank() == 2) {
                    List<byte[]> seen = kept(device);
                    device.handlers().serve();
                    assertArrayEquals(pattern(5, 100), seen.get(seen.size() - 2));
                    assertArrayEquals(pattern(6, LARGE), seen.get(seen.size() - 1));
                } else {
                    while (true) {
                        try {
                            device.handlers().syncSend(1, ID, null);
                        } catch (SluiceException e) {
                            break;
                        }
                    }
                    SluiceException failure = assertFails(
                            ErrorCode.PEER_CLOSED, () -> device.handlers().broadcast(ID, pattern(5, 100)));
                    assertEquals(1, failure.peer());
                    assertFails(ErrorCode.PEER_CLOSED, () -> device.handlers().broadcast(ID, pattern(6, LARGE)));
                    device.handlers().syncSend(2, HandlerCases.STOP_ID, null);
                }
            });
        }
    }
}
