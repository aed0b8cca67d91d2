package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Handler;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;

/** Messages that a handler keeps or sends on, wherever they lie: what each transport runs. */
interface KeptPlacesCases extends DeviceCases {
    int ID = HandlerCases.ID;
    int OTHER_ID = HandlerCases.OTHER_ID;

    static byte[] content(int i) {
        return pattern(i, SIZES[i % SIZES.length]);
    }

    /** Each size out of an array, then out of a message buffer, and given; the seed of a message is its number. */
    static List<Request> sendAll(Device device, int dest, int id) {
        List<Request> sends = new ArrayList<>();
        for (int i = 0; i < 3 * SIZES.length; i++) {
            Object message = content(i);
            if (i >= SIZES.length) {
                MessageBuffer buffer = device.handlers().allocate(content(i).length);
                buffer.byteBuffer().put(content(i));
                message = buffer;
            }
            sends.add(
                    i < 2 * SIZES.length
                            ? device.handlers().isend(dest, id, message)
                            : device.handlers().give(dest, id, (MessageBuffer) message, content(i).length));
        }
        return sends;
    }

    static void waitFor(Device device, List<Request> requests) {
        device.waitAll(requests.toArray(new Request[0]));
    }

    static void stop(Device device, int... dests) {
        for (int dest : dests) {
            device.handlers().syncSend(dest, HandlerCases.STOP_ID, null);
        }
    }

    static void assertAll(List<Lease> messages) {
        assertEquals(3 * SIZES.length, messages.size());
        for (int i = 0; i < messages.size(); i++) {
            assertEquals(content(i).length, messages.get(i).bytes());
            assertArrayEquals(content(i), HandlerCases.copy(messages.get(i)), "message " + i);
        }
    }

    @Test
    default void whatIsKeptIsReadUntilItIsClosed() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        List<Request> sends = sendAll(device, 1, ID);
                        stop(device, 1);
                        waitFor(device, sends);
                        device.barrier();
                    },
                    device -> {
                        List<Lease> kept = new CopyOnWriteArrayList<>();
                        AtomicReference<Throwable> wrong = new AtomicReference<>();
                        device.handlers().register(ID, (source, message) -> {
                            try {
                                Lease own = message.keep();
                                kept.add(own);
                                assertSame(own, own.keep());
                                assertThrows(IllegalStateException.class, message::buffer);
                                assertThrows(IllegalStateException.class, message::keep);
                                assertEquals(0, own.status().source());
                                assertEquals(ID, own.status().tag());
                            } catch (Throwable e) {
                                wrong.compareAndSet(null, e);
                            }
                        });
                        HandlerCases.serve(device);
                        assertNull(wrong.get());
                        assertAll(kept);
                        Lease number = kept.get(2);
                        assertEquals(number.buffer().getLong(), number.getLong(0));
                        assertEquals(number.buffer().getDouble(), number.getDouble(0));
                        assertEquals(number.buffer().getInt(4), number.getInt(4));
                        assertEquals((char) number.buffer().getShort(2), number.getChar(2));
                        assertThrows(IndexOutOfBoundsException.class, () -> number.getByte(8));
                        for (Lease each : kept) {
                            each.close();
                            each.close();
                            assertThrows(IllegalStateException.class, each::buffer);
                        }
                        device.barrier();
                    });
        }
    }

    /** From rank 0 to 1, from there to 2, and from there back to 1, with the same bytes in the same order. */
    @Test
    default void messagesGoOnAndBack() {
        try (DeviceJob job = open(3)) {
            job.run(
                    device -> {
                        List<Request> sends = sendAll(device, 1, ID);
                        waitFor(device, sends);
                        device.barrier();
                    },
                    device -> {
                        List<Request> sends = new CopyOnWriteArrayList<>();
                        List<Lease> back = new CopyOnWriteArrayList<>();
                        device.handlers()
                                .register(
                                        ID,
                                        (source, message) ->
                                                sends.add(device.handlers().forward(2, ID, message)));
                        device.handlers().register(OTHER_ID, (source, message) -> {
                            assertEquals(2, source);
                            back.add(message.keep());
                            if (back.size() == 3 * SIZES.length) {
                                device.handlers().stop();
                            }
                        });
                        device.handlers().serve();
                        assertAll(back);
                        back.forEach(Lease::close);
                        waitFor(device, sends);
                        device.barrier();
                    },
                    device -> {
                        List<Request> sends = new CopyOnWriteArrayList<>();
                        Handler echo = (source, message) -> {
                            sends.add(device.handlers().forward(source, OTHER_ID, message));
                            assertThrows(IllegalStateException.class, message::buffer);
                        };
                        device.handlers().register(ID, echo);
                        while (sends.size() < 3 * SIZES.length) {
                            device.progress();
                        }
                        waitFor(device, sends);
                        device.barrier();
                        assertEquals(0, device.counters().get("handlers.failed"));
                    });
        }
    }

    /** A slot that is kept is free again when its message is closed, or has gone on. */
    @Test
    default void slotsOfRoutesAreKeptAndSentOn() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        List<byte[]> back = new CopyOnWriteArrayList<>();
                        device.handlers().register(OTHER_ID, (source, message) -> back.add(HandlerCases.copy(message)));
                        try (PersistentRoute route = device.handlers().openRoute(1, ID, 20_000, 2)) {
                            for (int i = 0; i < 8; i++) {
                                route.send(pattern(i, 20_000));
                            }
                        }
                        HandlerCases.serve(device);
                        for (int i = 0; i < 8; i++) {
                            assertArrayEquals(pattern(i, 20_000), back.get(i), "message " + i);
                        }
                        device.barrier();
                    },
                    device -> {
                        List<Lease> kept = new CopyOnWriteArrayList<>();
                        device.handlers().register(ID, (source, message) -> {
                            kept.add(message.keep());
                            if (kept.size() == 8) {
                                device.handlers().stop();
                            }
                        });
                        device.handlers().serve();
                        List<Request> sends = new ArrayList<>();
                        kept.forEach(each -> sends.add(device.handlers().forward(0, OTHER_ID, each)));
                        waitFor(device, sends);
                        stop(device, 0);
                        device.barrier();
                    });
        }
    }
}
