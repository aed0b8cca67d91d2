package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.device.Device.WHOLE;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Random traffic between three ranks, each sending and receiving at once. Both ends derive every message from the seed, so the receiver
 * knows what the n-th message of a sender in a context has to be, and notices any that is lost, doubled, damaged or overtaken.
 */
interface StormCases extends DeviceCases {
    int RANKS = 3;
    int CONTEXTS = 2;
    int TAGS = 4;
    int LONGEST = 300_000;

    @Test
    default void randomTrafficArrivesWholeAndInOrder() {
        storm(seed(), many(250));
    }

    @Test
    @Tag("long")
    default void muchRandomTrafficArrivesWholeAndInOrder() {
        for (int i = 0; i < 10; i++) {
            storm(seed(), many(2000));
        }
    }

    private void storm(long seed, int messages) {
        try (DeviceJob job = open(RANKS)) {
            job.run(60, senderAndReceiver(seed, messages), senderAndReceiver(seed, messages), senderAndReceiver(seed, messages));
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ", " + messages + " messages: " + e.getMessage(), e);
        }
    }

    private static RankBody senderAndReceiver(long seed, int messages) {
        return device -> ProbeCases.threads(2, thread -> {
            if (thread == 0) {
                send(device, seed, messages);
            } else {
                receive(device, seed, messages);
            }
        });
    }

    /** What a sender sends to a receiver, as a list that both can make. */
    record Planned(int contextId, int tag, int bytes, int way, int number) {
        static List<Planned> all(long seed, int from, int to, int messages) {
            Random random = new Random(seed * 31 + from * RANKS + to);
            List<Planned> plan = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                int bytes = random.nextInt(4) == 0 ? random.nextInt(LONGEST) : random.nextInt(random.nextBoolean() ? 100 : 6000);
                plan.add(new Planned(random.nextInt(CONTEXTS), random.nextInt(TAGS), bytes, random.nextInt(6), i));
            }
            return plan;
        }

        byte[] content(int from, int to) {
            return DeviceCases.pattern(((long) from * RANKS + to) * 1_000_003 + number, bytes);
        }
    }

    private static void send(Device device, long seed, int messages) {
        List<List<Planned>> plans = new ArrayList<>();
        for (int to = 0; to < RANKS; to++) {
            plans.add(Planned.all(seed, device.rank(), to, messages));
        }
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            for (int to = 0; to < RANKS; to++) {
                Planned message = plans.get(to).get(i);
                byte[] body = message.content(device.rank(), to);
                // None blocks: a receiver may well ask first for what its sender sends last.
                requests.add(message.way() < 2 ? device.issend(body, 0, WHOLE, to, message.tag(), message.contextId())
                        : device.isend(body, 0, WHOLE, to, message.tag(), message.contextId()));
            }
        }
        device.waitAll(requests.toArray(new Request[0]));
    }

    private static void receive(Device device, long seed, int messages) {
        Expected expected = new Expected(device.rank(), seed, messages);
        Random random = new Random(seed + device.rank());
        while (expected.left > 0) {
            int contextId = expected.contextWithMessages(random);
            int way = random.nextInt(6);
            if (way == 0) {
                Message message = device.mprobe(ANY_SOURCE, ANY_TAG, contextId);
                byte[] into = new byte[(int) message.status().bytes()];
                expected.check(message.recv(into), into);
            } else if (way == 1) {
                Status seen = device.iprobe(ANY_SOURCE, ANY_TAG, contextId);
                if (seen != null) {
                    byte[] into = new byte[(int) seen.bytes()];
                    expected.check(device.recv(into, 0, WHOLE, seen.source(), seen.tag(), contextId, new Status()), into);
                }
            } else if (way == 2) {
                byte[] into = new byte[LONGEST];
                Request request = device.irecv(into, 0, WHOLE, ANY_SOURCE, random.nextInt(TAGS), contextId);
                if (!request.cancel()) {
                    expected.check(request.waitFor(), into);
                }
            } else {
                Planned next = expected.some(contextId, random);
                byte[] into = new byte[LONGEST];
                int source = way == 3 ? ANY_SOURCE : expected.sourceOf(next);
                int tag = way == 4 ? ANY_TAG : next.tag();
                expected.check(device.recv(into, 0, WHOLE, source, tag, contextId, new Status()), into);
            }
        }
    }

    /** What a receiver still has to get; from each sender, context and tag in the order sent. */
    final class Expected {
        private final int rank;
        private final List<List<Planned>> bySource = new ArrayList<>();
        private int left;

        Expected(int rank, long seed, int messages) {
            this.rank = rank;
            for (int from = 0; from < RANKS; from++) {
                bySource.add(new ArrayList<>(Planned.all(seed, from, rank, messages)));
            }
            left = RANKS * messages;
        }

        int contextWithMessages(Random random) {
            int first = random.nextInt(CONTEXTS);
            for (int i = 0; i < CONTEXTS; i++) {
                int contextId = (first + i) % CONTEXTS;
                if (bySource.stream().anyMatch(list -> list.stream().anyMatch(each -> each.contextId() == contextId))) {
                    return contextId;
                }
            }
            throw new AssertionError("nothing is left");
        }

        /** The oldest message that some sender has in this context. */
        Planned some(int contextId, Random random) {
            int first = random.nextInt(RANKS);
            for (int i = 0; i < RANKS; i++) {
                for (Planned each : bySource.get((first + i) % RANKS)) {
                    if (each.contextId() == contextId) {
                        return each;
                    }
                }
            }
            throw new AssertionError("nothing is left in context " + contextId);
        }

        int sourceOf(Planned message) {
            for (int from = 0; from < RANKS; from++) {
                for (Planned each : bySource.get(from)) {
                    if (each == message) {
                        return from;
                    }
                }
            }
            throw new AssertionError(message + " came already");
        }

        void check(Status status, byte[] got) {
            List<Planned> list = bySource.get(status.source());
            int at = 0;
            while (at < list.size() && (list.get(at).contextId() != status.contextId() || list.get(at).tag() != status.tag())) {
                at++;
            }
            assertTrue(at < list.size(), "nobody sent " + status);
            Planned message = list.remove(at);
            left--;
            assertEquals(message.bytes(), status.bytes(), () -> message + " came as " + status);
            byte[] sent = message.content(status.source(), rank);
            assertEquals(-1, java.util.Arrays.mismatch(sent, 0, sent.length, got, 0, sent.length), () -> message + " was damaged");
        }
    }

    /** A send that returned before the close refused it is received, whichever thread it was on. */
    @Test
    default void whatWasSentWhileAnotherThreadClosesArrives() throws Exception {
        int rounds = Math.max(2, many(40));
        for (int round = 0; round < rounds; round++) {
            AtomicLong sent = new AtomicLong();
            AtomicLong received = new AtomicLong();
            try (DeviceJob job = open(2)) {
                job.run(device -> {
                    Thread[] senders = new Thread[4];
                    for (int i = 0; i < senders.length; i++) {
                        senders[i] = new Thread(() -> sendUntilRefused(device, sent));
                        senders[i].start();
                    }
                    Thread.sleep(5);
                    device.close();
                    for (Thread sender : senders) {
                        sender.join(20_000);
                        assertFalse(sender.isAlive(), job::state);
                    }
                }, device -> {
                    byte[] into = new byte[8];
                    assertFails(ErrorCode.PEER_CLOSED, () -> {
                        while (true) {
                            device.recv(into, 0, 1);
                            received.incrementAndGet();
                        }
                    });
                });
            }
            assertEquals(sent.get(), received.get(), "in round " + round);
        }
    }

    private static void sendUntilRefused(Device device, AtomicLong sent) {
        assertFails(ErrorCode.DEVICE_CLOSED, () -> {
            while (true) {
                device.send(new byte[8], 1, 1);
                sent.incrementAndGet();
            }
        });
    }
}
