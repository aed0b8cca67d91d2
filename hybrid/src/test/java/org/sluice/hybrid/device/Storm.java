package org.sluice.hybrid.device;

import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.device.Device.WHOLE;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.Message;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.hybrid.device.StormPlan.Planned;

/**
 * Random traffic between all ranks of a job, itself included, each sending and receiving at once, and withdrawing some
 * of both. Both ends derive every message from the seed ({@link StormPlan}), and each sender says in the end which it
 * withdrew, so the receiver notices any that is lost, doubled, damaged or overtaken ({@link StormArrivals}). If there
 * are {@link SuspendedForms}, half of the calls of ranks of odd numbers are of coroutines, which are cancelled or time
 * out; the others' devices have no thread that coroutines start.
 */
public final class Storm {
    private static final int SHORT_WAIT_US = 300;
    private static final int LONGEST_TIMEOUT_MS = 20;
    /** Behind those of the messages: what was sent, and whether there is another round. */
    private static final int VERDICTS_CONTEXT = StormPlan.CONTEXTS;

    private static final int ROUNDS_CONTEXT = StormPlan.CONTEXTS + 1;
    private static final int SEND_FORMS = 6;
    private static final long NEXT_SEED = 0x9E3779B97F4A7C15L;

    private final Device device;
    private final StormPlan plan;
    /** Null: all calls of this rank are those of Java. */
    private final SuspendedForms suspended;

    private Storm(Device device, StormPlan plan) {
        this.device = device;
        this.plan = plan;
        suspended = device.rank() % 2 == 1 ? SuspendedForms.ofClassPath() : null;
    }

    /**
     * One rank's part.
     *
     * @param messages from each rank to each
     */
    public static void on(Device device, long seed, int messages) throws Exception {
        Storm storm = new Storm(device, new StormPlan(seed, device.size(), messages));
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

    private void send() {
        Random random = new Random(plan.seed() - 1 - device.rank());
        List<List<Planned>> plans = new ArrayList<>();
        for (int to = 0; to < plan.ranks(); to++) {
            plans.add(plan.of(device.rank(), to));
        }
        StormSend[][] sends = new StormSend[plan.ranks()][plan.messages()];
        List<StormSend> uncertain = new ArrayList<>();
        for (int i = 0; i < plan.messages(); i++) {
            for (int to = 0; to < plan.ranks(); to++) {
                Planned message = plans.get(to).get(i);
                sends[to][i] = begin(message, random);
                if (!message.isCertain()) {
                    uncertain.add(sends[to][i]);
                }
                if (!uncertain.isEmpty() && random.nextInt(4) == 0) {
                    uncertain.remove(random.nextInt(uncertain.size())).cancel();
                }
            }
        }
        for (int to = 0; to < plan.ranks(); to++) {
            boolean[] sent = new boolean[plan.messages()];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = sends[to][i].wasSent();
            }
            device.send(sent, 0, WHOLE, to, 0, VERDICTS_CONTEXT);
        }
    }

    /** None blocks: a receiver may well ask first for what its sender sends last. */
    private StormSend begin(Planned message, Random random) {
        byte[] body = plan.content(message);
        if (suspended != null && random.nextBoolean()) {
            return suspended.send(
                    device,
                    body,
                    message,
                    message.isCertain() || random.nextBoolean() ? 0 : 1 + random.nextInt(LONGEST_TIMEOUT_MS));
        }
        return switch (random.nextInt(SEND_FORMS)) {
            case 0 -> lend(body, message, random.nextBoolean());
            case 1 -> {
                ByteBuffer direct = ByteBuffer.allocateDirect(body.length).put(body);
                yield send(direct.clear(), 0, WHOLE, message);
            }
            case 2 -> {
                byte[] longer = new byte[body.length + 2];
                System.arraycopy(body, 0, longer, 1, body.length);
                yield send(longer, 1, body.length, message);
            }
            default -> send(body, 0, WHOLE, message);
        };
    }

    private StormSend send(Object buffer, long offset, long count, Planned message) {
        return StormSend.of(
                message.isSynchronous()
                        ? device.issend(buffer, offset, count, message.to(), message.tag(), message.contextId())
                        : device.isend(buffer, offset, count, message.to(), message.tag(), message.contextId()));
    }

    /** Out of memory that peers can read where it lies; perhaps for good. */
    private StormSend lend(byte[] body, Planned message, boolean forGood) {
        MessageBuffer buffer = device.allocate(Math.max(1, body.length));
        buffer.byteBuffer().put(body);
        if (forGood && !message.isSynchronous()) {
            return StormSend.of(device.give(buffer, body.length, message.to(), message.tag(), message.contextId()));
        }
        StormSend send = send(buffer, 0, body.length, message);
        return new StormSend() {
            @Override
            public void cancel() {
                send.cancel();
            }

            @Override
            public boolean wasSent() {
                try (buffer) {
                    return send.wasSent();
                }
            }
        };
    }

    private void receive() {
        boolean[][] sent = new boolean[plan.ranks()][plan.messages()];
        Request[] verdicts = new Request[plan.ranks()];
        for (int from = 0; from < verdicts.length; from++) {
            verdicts[from] = device.irecv(sent[from], 0, WHOLE, from, 0, VERDICTS_CONTEXT);
        }
        Random random = new Random(plan.seed() + device.rank());
        StormArrivals arrivals = new StormArrivals(plan, device.rank());
        SuspendedForms.Receives receives = suspended == null ? null : suspended.receives(device);
        for (Planned certain = arrivals.certain(random); certain != null; certain = arrivals.certain(random)) {
            if (receives != null && random.nextBoolean()) {
                SuspendedForms.Arrival arrival = receives.one(certain, random);
                if (arrival != null) {
                    arrivals.check(arrival.status, arrival.body);
                }
            } else {
                receive(certain, arrivals, random);
            }
        }
        receiveRest(arrivals, verdicts);
        for (int from = 0; from < verdicts.length; from++) {
            arrivals.checkVerdict(from, sent[from]);
        }
    }

    /** What others withdraw nobody may wait for: only where a message will come does this wait. */
    private void receive(Planned certain, StormArrivals arrivals, Random random) {
        int contextId = certain.contextId();
        byte[] into = new byte[StormPlan.LONGEST];
        int way = random.nextInt(10);
        if (way >= 7) {
            receiveElsewhere(way, certain, arrivals);
        } else if (way == 0) {
            arrivals.check(device.mprobe(ANY_SOURCE, ANY_TAG, contextId).recv(into), into);
        } else if (way == 1) {
            Status seen = device.iprobe(ANY_SOURCE, ANY_TAG, contextId);
            if (seen != null) {
                receiveInTime(seen.source(), seen.tag(), contextId, SHORT_WAIT_US, arrivals);
            }
        } else if (way == 2 || way == 3) {
            receiveInTime(
                    ANY_SOURCE, random.nextInt(StormPlan.TAGS), contextId, way == 2 ? 0 : SHORT_WAIT_US, arrivals);
        } else {
            int source = way == 4 ? ANY_SOURCE : certain.from();
            int tag = way == 5 ? ANY_TAG : certain.tag();
            arrivals.check(device.recv(into, 0, WHOLE, source, tag, contextId, new Status()), into);
        }
    }

    /** Into memory outside the heap, in place, and by a future, beside which somebody has to make progress. */
    private void receiveElsewhere(int way, Planned certain, StormArrivals arrivals) {
        int contextId = certain.contextId();
        byte[] into = new byte[StormPlan.LONGEST];
        if (way == 7) {
            CompletableFuture<Status> came = device.irecv(into, 0, WHOLE, ANY_SOURCE, certain.tag(), contextId)
                    .toFuture();
            while (!came.isDone()) {
                if (!device.progress()) {
                    Thread.yield();
                }
            }
            arrivals.check(came.join(), into);
        } else if (way == 8) {
            ByteBuffer direct = ByteBuffer.allocateDirect(StormPlan.LONGEST);
            Request request = device.irecv(direct, 0, WHOLE, certain.from(), certain.tag(), contextId);
            device.waitAny(request);
            Status status = request.waitFor();
            direct.get(0, into, 0, (int) status.bytes());
            arrivals.check(status, into);
        } else {
            try (Lease lease = device.mprobe(certain.from(), ANY_TAG, contextId).recvInPlace()) {
                lease.buffer().get(into, 0, (int) lease.bytes());
                arrivals.check(lease.status(), into);
            }
        }
    }

    private void receiveInTime(int source, int tag, int contextId, long micros, StormArrivals arrivals) {
        byte[] into = new byte[StormPlan.LONGEST];
        Request request = device.irecv(into, 0, WHOLE, source, tag, contextId);
        boolean hasEnded = micros > 0 && request.waitFor(micros, TimeUnit.MICROSECONDS) != null;
        if (hasEnded || !request.cancel()) {
            arrivals.check(request.waitFor(), into);
        }
    }

    private void receiveRest(StormArrivals arrivals, Request[] verdicts) {
        byte[] into = new byte[StormPlan.LONGEST];
        boolean isAll;
        do {
            // What was sent was sent before its sender says so.
            isAll = Arrays.stream(verdicts).allMatch(Request::isDone);
            for (int contextId = 0; contextId < StormPlan.CONTEXTS; contextId++) {
                for (Message message = next(contextId); message != null; message = next(contextId)) {
                    arrivals.check(message.recv(into), into);
                }
            }
        } while (!isAll);
        device.waitAll(verdicts);
    }

    private Message next(int contextId) {
        return device.improbe(ANY_SOURCE, ANY_TAG, contextId);
    }
}
