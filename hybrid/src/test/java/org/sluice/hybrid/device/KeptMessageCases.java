package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/** Messages that a handler keeps for longer than it runs, sends on, or sends back. */
interface KeptMessageCases extends KeptPlacesCases {
    /** Its sender has its memory back when the lease is closed, and not before. */
    @Test
    default void whatIsKeptInTheSendersMemoryIsTheSendersOnceItIsClosed() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        try (MessageBuffer buffer = device.allocate(LARGE)) {
                            buffer.putLong(LARGE - 8, 5);
                            Request request = device.handlers().isend(1, ID, buffer);
                            device.recv(null, 1, 9);
                            assertFalse(readsInPlace() && request.isDone(), "it is being read");
                            device.send(null, 1, 9);
                            request.waitFor();
                        }
                    },
                    device -> {
                        AtomicReference<Lease> kept = new AtomicReference<>();
                        device.handlers().register(ID, (source, message) -> {
                            kept.set(message.keep());
                            device.handlers().stop();
                        });
                        device.handlers().serve();
                        device.send(null, 0, 9);
                        device.recv(null, 0, 9);
                        assertEquals(readsInPlace(), kept.get().inPlace());
                        assertEquals(5, kept.get().getLong(LARGE - 8));
                        kept.get().close();
                    });
        }
    }

    /** What is kept counts for its receiver, and doesn't hold its sender up. */
    @Test
    default void theShareIsTheSendersAgain() {
        int messages = many(400);
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        for (int i = 0; i < messages; i++) {
                            device.handlers().syncSend(1, ID, pattern(i, 16_000));
                        }
                        KeptPlacesCases.stop(device, 1);
                        device.barrier();
                    },
                    device -> {
                        List<Lease> kept = new CopyOnWriteArrayList<>();
                        device.handlers().register(ID, (source, message) -> kept.add(message.keep()));
                        HandlerCases.serve(device);
                        for (int i = 0; i < messages; i++) {
                            try (Lease each = kept.get(i)) {
                                assertArrayEquals(pattern(i, 16_000), HandlerCases.copy(each), "message " + i);
                            }
                        }
                        device.barrier();
                    });
        }
    }

    /** Later, from outside of handlers, to another handler of the rank itself, and as leases of receives. */
    @Test
    default void whatIsKeptGoesOnLater() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        List<Lease> back = new CopyOnWriteArrayList<>();
                        device.handlers().register(OTHER_ID, (source, message) -> back.add(message.keep()));
                        List<Request> sends = KeptPlacesCases.sendAll(device, 1, ID);
                        KeptPlacesCases.stop(device, 1);
                        HandlerCases.serve(device);
                        KeptPlacesCases.assertAll(back);
                        back.forEach(Lease::close);
                        KeptPlacesCases.waitFor(device, sends);
                        device.send(pattern(3, LARGE), 1, 4);
                        device.barrier();
                    },
                    device -> {
                        List<Lease> kept = new CopyOnWriteArrayList<>();
                        List<Lease> own = new CopyOnWriteArrayList<>();
                        device.handlers().register(ID, (source, message) -> kept.add(message.keep()));
                        device.handlers().register(OTHER_ID, (source, message) -> {
                            assertEquals(1, source);
                            own.add(message.keep());
                        });
                        HandlerCases.serve(device);
                        List<Request> sends = new ArrayList<>();
                        kept.forEach(each -> sends.add(device.handlers().forward(1, OTHER_ID, each)));
                        assertThrows(
                                IllegalStateException.class, () -> kept.get(1).getByte(0));
                        while (own.size() < 3 * SIZES.length) {
                            device.progress();
                        }
                        own.forEach(each -> sends.add(device.handlers().forward(0, OTHER_ID, each)));
                        KeptPlacesCases.stop(device, 0);
                        KeptPlacesCases.waitFor(device, sends);
                        Lease received = device.recvInPlace(0, 4);
                        Request toItself = device.handlers().forward(1, OTHER_ID, received);
                        while (own.size() == 3 * SIZES.length) {
                            device.progress();
                        }
                        try (Lease last = own.get(3 * SIZES.length)) {
                            assertArrayEquals(pattern(3, LARGE), HandlerCases.copy(last));
                        }
                        toItself.waitFor();
                        device.barrier();
                    });
        }
    }

    @Test
    default void whatCannotBeSentOnIsRefusedAndStaysOpen() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        device.handlers().syncSend(1, ID, pattern(1, 200));
                        KeptPlacesCases.stop(device, 1);
                        device.send(new byte[3], 1, 4);
                        device.barrier();
                    },
                    device -> {
                        AtomicReference<Lease> shown = new AtomicReference<>();
                        AtomicReference<Throwable> wrong = new AtomicReference<>();
                        device.handlers().register(ID, (source, message) -> {
                            shown.set(message);
                            try {
                                assertThrows(
                                        IllegalArgumentException.class,
                                        () -> device.handlers().forward(2, ID, message));
                                assertThrows(
                                        IllegalArgumentException.class,
                                        () -> device.handlers().forward(0, -1, message));
                                assertArrayEquals(pattern(1, 200), HandlerCases.copy(message));
                            } catch (Throwable e) {
                                wrong.compareAndSet(null, e);
                            }
                        });
                        HandlerCases.serve(device);
                        assertNull(wrong.get());
                        HandlerCases.awaitEnd(shown.get());
                        assertThrows(
                                IllegalStateException.class, () -> shown.get().keep());
                        assertThrows(
                                IllegalStateException.class,
                                () -> device.handlers().forward(0, ID, shown.get()));
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> device.handlers().forward(0, ID, null));
                        try (Lease lease = device.recvInPlace(0, 4)) {
                            try (DeviceJob other = DeviceJob.open(1, options())) {
                                other.run(alone -> assertThrows(
                                        IllegalArgumentException.class,
                                        () -> alone.handlers().forward(0, ID, lease)));
                            }
                            assertEquals(3, lease.bytes());
                            lease.close();
                            assertThrows(
                                    IllegalStateException.class,
                                    () -> device.handlers().forward(0, ID, lease));
                        }
                        device.barrier();
                    });
        }
    }

    /** Leases that nobody closes end with their device, and whoever sent them has its memory. */
    @Test
    default void whatIsKeptEndsWithItsDevice() {
        try (DeviceJob job = open(3)) {
            job.run(
                    device -> {
                        List<Request> sends = KeptPlacesCases.sendAll(device, 1, ID);
                        device.recv(null, 1, 1);
                        KeptPlacesCases.stop(device, 1);
                        for (Request each : sends) {
                            try {
                                each.waitFor();
                            } catch (SluiceException e) {
                                assertEquals(ErrorCode.PEER_CLOSED, e.code());
                            }
                        }
                    },
                    device -> {
                        List<Lease> kept = new CopyOnWriteArrayList<>();
                        device.handlers().register(ID, (source, message) -> {
                            kept.add(message.keep());
                            if (kept.size() == 3 * SIZES.length) {
                                device.isend(null, 0, 1);
                            }
                        });
                        HandlerCases.serve(device);
                        device.recv(null, 2, 2);
                        // Of these one goes to a rank that is gone.
                        Lease toNobody = kept.remove(0);
                        while (true) {
                            try {
                                device.handlers().syncSend(2, ID, null);
                            } catch (SluiceException e) {
                                break;
                            }
                        }
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> device.handlers().forward(2, ID, toNobody).waitFor());
                        assertThrows(IllegalStateException.class, toNobody::buffer);
                        device.close();
                        kept.forEach(each -> assertThrows(IllegalStateException.class, each::buffer));
                        assertTrue(kept.size() > 1);
                    },
                    device -> {
                        device.send(null, 1, 2);
                        device.close();
                    });
        }
    }
}
