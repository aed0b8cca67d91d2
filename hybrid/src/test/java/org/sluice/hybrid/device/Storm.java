package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.device.Device.WHOLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Random traffic between all ranks of a job, itself included, each sending and receiving at once. Both ends derive every message from the seed, so the
 * receiver knows what the n-th message of a sender in a context has to be, and notices any that is lost, doubled, damaged or overtaken.
 */
public final class Storm {
    private static final int CONTEXTS = 2;
    private static final int TAGS = 4;
    private static final int LONGEST = 300_000;
    private static final int SHORT_WAIT_US = 300;
    /** Behind those of the messages: whether there is another round. */
    private static final int ROUNDS_CONTEXT = CONTEXTS;
    private static final long NEXT_SEED = 0x9E3779B97F4A7C15L;

    private final Device device;
    private final int ranks;
    private final long seed;
    private final int messages;

    private Storm(Device device, long seed, int messages) {
        this.device = device;
        ranks = device.size();
        this.seed = seed;
        this.messages = messages;
    }

    /** One rank's part. @param messages from each rank to each */
    public static void on(Device device, long seed, int messages) throws Exception {
        Storm storm = new Storm(device, seed, messages);
        ProbeCases.threads(2, thread -> {
            if (thread == 0) {
                storm.send();
            } else {
                storm.receive();
            }
        });
    }

    /**
     * One rank's part of one storm after the other, until a time is up, each with a seed of its own; one at least.
     *
     * @return how many there were
     */
    public static int forSeconds(Device device, long seed, int messages, int seconds) throws Exception {
        long begin = System.nanoTime();
        int round = 0;
        do {
            try {
                on(device, seed + round * NEXT_SEED, messages);
            } catch (Exception | Error e) {
                throw new AssertionError("in round " + round + ": " + e.getMessage(), e);
            }
            round++;
            // A message of the next would come to whoever is still in this one.
            device.barrier();
        } while (isAnother(device, System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds)));
        return round;
    }

    /** Rank 0's clock decides. */
    private static boolean isAnother(Device device, boolean wanted) {
        boolean[] word = {wanted};
        if (device.rank() == 0) {
            for (int to = 1; to < device.size(); to++) {
                device.send(word, 0, WHOLE, to, 0, ROUNDS_CONTEXT);
            }
        } else {
            device.recv(word, 0, WHOLE, 0, 0, ROUNDS_CONTEXT, new Status());
        }
        return word[0];
    }

    /** A message of a sender to a receiver. */
    private record Planned(int contextId, int tag, int bytes, int way, int number) {
    }

    /** What a sender sends to a receiver, as a list that both can make. */
    private List<Planned> plan(int from, int to) {
        Random random = new Random(seed * 31 + from * ranks + to);
        List<Planned> plan = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            int bytes = random.nextInt(4) == 0 ? random.nextInt(LONGEST) : random.nextInt(random.nextBoolean() ? 100 : 6000);
            plan.add(new Planned(random.nextInt(CONTEXTS), random.nextInt(TAGS), bytes, random.nextInt(6), i));
        }
        return plan;
    }

    private byte[] content(Planned message, int from, int to) {
        return DeviceCases.pattern(((long) from * ranks + to) * 1_000_003 + message.number(), message.bytes());
    }

    private void send() {
        List<List<Planned>> plans = new ArrayList<>();
        for (int to = 0; to < ranks; to++) {
            plans.add(plan(device.rank(), to));
        }
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            for (int to = 0; to < ranks; to++) {
                Planned message = plans.get(to).get(i);
                byte[] body = content(message, device.rank(), to);
                // None blocks: a receiver may well ask first for what its sender sends last.
                requests.add(message.way() < 2 ? device.issend(body, 0, WHOLE, to, message.tag(), message.contextId())
                        : device.isend(body, 0, WHOLE, to, message.tag(), message.contextId()));
            }
        }
        device.waitAll(requests.toArray(new Request[0]));
    }

    private void receive() {
        Expected expected = new Expected();
        Random random = new Random(seed + device.rank());
        while (expected.left > 0) {
            int contextId = expected.contextWithMessages(random);
            int way = random.nextInt(7);
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
            } else if (way == 2 || way == 3) {
                byte[] into = new byte[LONGEST];
                Request request = device.irecv(into, 0, WHOLE, ANY_SOURCE, random.nextInt(TAGS), contextId);
                boolean hasEnded = way == 3 && request.waitFor(SHORT_WAIT_US, TimeUnit.MICROSECONDS) != null;
                if (!hasEnded && request.cancel()) {
                    continue;
                }
                expected.check(request.waitFor(), into);
            } else {
                Planned next = expected.some(contextId, random);
                byte[] into = new byte[LONGEST];
                int source = way == 4 ? ANY_SOURCE : expected.sourceOf(next);
                int tag = way == 5 ? ANY_TAG : next.tag();
                expected.check(device.recv(into, 0, WHOLE, source, tag, contextId, new Status()), into);
            }
        }
    }

    /** What a receiver still has to get; from each sender, context and tag in the order sent. */
    private final class Expected {
        private final List<List<Planned>> bySource = new ArrayList<>();
        private int left = ranks * messages;

        Expected() {
            for (int from = 0; from < ranks; from++) {
                bySource.add(plan(from, device.rank()));
            }
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
            int first = random.nextInt(ranks);
            for (int i = 0; i < ranks; i++) {
                for (Planned each : bySource.get((first + i) % ranks)) {
                    if (each.contextId() == contextId) {
                        return each;
                    }
                }
            }
            throw new AssertionError("nothing is left in context " + contextId);
        }

        int sourceOf(Planned message) {
            for (int from = 0; from < ranks; from++) {
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
            byte[] sent = content(message, status.source(), device.rank());
            assertEquals(-1, java.util.Arrays.mismatch(sent, 0, sent.length, got, 0, sent.length), () -> message + " was damaged");
        }
    }
}
