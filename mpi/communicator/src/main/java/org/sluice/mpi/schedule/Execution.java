package org.sluice.mpi.schedule;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerListener;
import org.sluice.device.layer.LayerRequest;
import org.sluice.device.memory.Memory;

/**
 * Carries out a schedule: on the thread that calls, which waits, or round by round on whichever thread finds that the
 * last one is over. Used again and again, by one call at a time; allocates nothing once it was as large before.
 *
 * <p><i>Thread</i>: {@link #run} one; {@link #begin} one, then whichever leaves the device. <i>Owns</i>: its requests.
 * <i>Fails</i>: as the device's calls; what is on its way then is withdrawn, or waited for.
 */
public final class Execution implements LayerListener {
    private static final int FEW = 4;

    private final Layer layer;
    private final Ranks ranks;
    private final Computation computation;
    private Schedule schedule = new Schedule();
    private final Object[] buffers = new Object[Schedule.BUFFERS];
    private final long[] starts = new long[Schedule.BUFFERS];
    /** Of the buffers' elements: their bytes as a power of two. */
    private final int[] shifts = new int[Schedule.BUFFERS];

    private final Status status = new Status();
    private LayerRequest[] waiting = new LayerRequest[0];
    private LayerRequest[] told = new LayerRequest[0];
    /** Steps that the requests of this round are of. */
    private int[] stepOf = new int[FEW];

    private int begun;
    private int context;
    private int tag;
    private int expectedTag;

    /** Of the one that nobody waits for: the round that is on its way. */
    private int round;

    private Runnable end;
    private Throwable failure;
    /** Requests of this round that are not over, and one for who begins them. */
    private final AtomicInteger open = new AtomicInteger();

    public Execution(Layer layer, Ranks ranks, Computation computation) {
        this.layer = layer;
        this.ranks = ranks;
        this.computation = computation;
    }

    /** To be written before it is carried out. */
    public Schedule schedule() {
        return schedule;
    }

    /** Has it carry out another schedule, while it carries out none. */
    public void use(Schedule other) {
        if (schedule != other) {
            schedule = other;
        }
    }

    /** @param start in bytes from the buffer's first element */
    public void buffer(int number, Object buffer, long start) {
        if (buffers[number] != buffer) {
            buffers[number] = buffer;
            shifts[number] = Integer.numberOfTrailingZeros(UserBuffer.elementSize(buffer));
        }
        starts[number] = start;
    }

    /** @param newTag what this rank says of its call, as all others are to say it */
    public void envelope(int newContext, int newTag) {
        context = newContext;
        tag = newTag;
        expectedTag = Device.ANY_TAG;
    }

    /** As {@link #envelope}, beside others in the same context: messages with another tag are theirs. */
    public void envelopeOfTag(int newContext, int newTag) {
        envelope(newContext, newTag);
        expectedTag = newTag;
    }

    private void takeTemps() {
        for (int temp = Schedule.TEMP; temp < Schedule.BUFFERS; temp++) {
            long bytes = schedule.tempBytes(temp);
            if (bytes > 0) {
                buffer(temp, computation.temp(temp - Schedule.TEMP, bytes), 0);
            }
        }
    }

    /** Nothing of the caller's is kept for longer than its call. */
    public void forget() {
        for (int i = 0; i < Schedule.TEMP; i++) {
            if (buffers[i] != null) {
                buffers[i] = null;
            }
        }
    }

    // --- on the calling thread ---------------------------------------------------------------------------------------

    /** Returns when this rank has done its part. */
    public void run() {
        takeTemps();
        for (int from = 0; from < schedule.steps; ) {
            from = runRound(from) + 1;
        }
    }

    /** @return the step that ends the round */
    private int runRound(int from) {
        int sends = 0;
        int receives = 0;
        int sent = 0;
        int received = 0;
        boolean computes = false;
        int to = from;
        for (; to < schedule.steps; to++) {
            byte kind = schedule.kinds[to];
            if (kind == Schedule.SENDS) {
                sends++;
                sent = to;
            } else if (kind == Schedule.RECEIVES) {
                receives++;
                received = to;
            } else if (kind == Schedule.ENDS_ROUND) {
                break;
            } else {
                computes = true;
            }
        }
        // One message is waited for where that is fastest.
        if (receives == 0 && sends == 1) {
            send(sent);
        } else if (sends == 0 && receives == 1) {
            receive(received);
        } else if (sends + receives > 0) {
            exchange(from, to, receives > 0 ? received : sent);
        }
        if (computes) {
            compute(from, to);
        }
        return to;
    }

    /** @param last is begun last, and waited for in its call */
    private void exchange(int from, int to, int last) {
        begun = 0;
        try {
            for (int step = from; step < to; step++) {
                if (schedule.kinds[step] == Schedule.RECEIVES && step != last) {
                    receive(waiting(), step);
                }
            }
            for (int step = from; step < to; step++) {
                if (schedule.kinds[step] == Schedule.SENDS && step != last) {
                    send(waiting(), step);
                }
            }
            if (schedule.kinds[last] == Schedule.RECEIVES) {
                receive(last);
            } else {
                send(last);
            }
            for (int i = 0; i < begun; i++) {
                check(waiting[i], stepOf[i]);
            }
        } catch (Throwable e) {
            withdraw(waiting);
            throw e;
        }
    }

    private LayerRequest waiting() {
        if (begun == waiting.length) {
            waiting = larger(waiting, false);
        }
        return waiting[begun];
    }

    private LayerRequest[] larger(LayerRequest[] requests, boolean listens) {
        LayerRequest[] larger = Arrays.copyOf(requests, Math.max(FEW, 2 * requests.length));
        for (int i = requests.length; i < larger.length; i++) {
            larger[i] = listens ? layer.request(this) : layer.request();
        }
        if (larger.length > stepOf.length) {
            stepOf = Arrays.copyOf(stepOf, larger.length);
        }
        return larger;
    }

    private boolean send(LayerRequest request, int step) {
        int number = schedule.fromBuffer(step);
        Object buffer = buffers[number];
        int shift = shifts[number];
        stepOf[begun] = step;
        boolean isOver = layer.isend(
                request,
                buffer,
                starts[number] + schedule.from[step] >> shift,
                schedule.bytes[step] >> shift,
                ranks.inDevice(schedule.peers[step]),
                tag,
                context);
        begun++;
        return isOver;
    }

    private void send(int step) {
        int number = schedule.fromBuffer(step);
        Object buffer = buffers[number];
        int shift = shifts[number];
        layer.send(
                buffer,
                starts[number] + schedule.from[step] >> shift,
                schedule.bytes[step] >> shift,
                ranks.inDevice(schedule.peers[step]),
                tag,
                context);
    }

    private boolean receive(LayerRequest request, int step) {
        int number = schedule.toBuffer(step);
        Object buffer = buffers[number];
        int shift = shifts[number];
        stepOf[begun] = step;
        boolean isOver = layer.irecv(
                request,
                buffer,
                starts[number] + schedule.to[step] >> shift,
                schedule.bytes[step] >> shift,
                ranks.inDevice(schedule.peers[step]),
                expectedTag,
                context);
        begun++;
        return isOver;
    }

    private void receive(int step) {
        int number = schedule.toBuffer(step);
        Object buffer = buffers[number];
        int shift = shifts[number];
        try {
            layer.recv(
                    buffer,
                    starts[number] + schedule.to[step] >> shift,
                    schedule.bytes[step] >> shift,
                    ranks.inDevice(schedule.peers[step]),
                    expectedTag,
                    context,
                    status);
        } catch (SluiceException e) {
            throw explained(e, step);
        }
        check(status.tag(), status.bytes(), step);
    }

    /** Waits until it is over. */
    private void check(LayerRequest request, int step) {
        try {
            request.waitFor(status);
        } catch (SluiceException e) {
            throw explained(e, step);
        }
        if (schedule.kinds[step] == Schedule.RECEIVES) {
            check(request.tag(), request.bytes(), step);
        }
    }

    /** A message of another length than is expected is one of another call. */
    private RuntimeException explained(SluiceException failed, int step) {
        boolean cameAllTheSame = failed.code() == ErrorCode.TRUNCATED || failed.code() == ErrorCode.ELEMENT_MISMATCH;
        return cameAllTheSame && failed.status() != null
                ? new MismatchException(schedule.peers[step], failed.status().tag())
                : failed;
    }

    private void check(int tagOfMessage, long bytesOfMessage, int step) {
        if (tagOfMessage != tag || bytesOfMessage != schedule.bytes[step]) {
            throw new MismatchException(schedule.peers[step], tagOfMessage);
        }
    }

    /** Afterwards no buffer is in flight. */
    private void withdraw(LayerRequest[] requests) {
        for (int i = 0; i < begun; i++) {
            if (!requests[i].isOver()) {
                requests[i].cancel();
            }
        }
        for (int i = 0; i < begun; i++) {
            try {
                requests[i].waitFor(status);
            } catch (SluiceException e) {
                // It is over, which is all that is asked for.
                continue;
            }
        }
    }

    private void compute(int from, int to) {
        for (int step = from; step < to; step++) {
            byte kind = schedule.kinds[step];
            if (kind == Schedule.COPIES) {
                copy(step);
            } else if (kind == Schedule.REDUCES) {
                int left = schedule.fromBuffer(step);
                int right = schedule.toBuffer(step);
                computation.reduce(
                        buffers[left],
                        starts[left] + schedule.from[step],
                        buffers[right],
                        starts[right] + schedule.to[step],
                        schedule.bytes[step]);
            }
        }
    }

    private void copy(int step) {
        int source = schedule.fromBuffer(step);
        int dest = schedule.toBuffer(step);
        Memory.copy(
                UserBuffer.base(buffers[source]),
                UserBuffer.address(buffers[source], 0, false) + starts[source] + schedule.from[step],
                UserBuffer.base(buffers[dest]),
                UserBuffer.address(buffers[dest], 0, true) + starts[dest] + schedule.to[step],
                schedule.bytes[step]);
    }

    // --- round by round ----------------------------------------------------------------------------------------------

    /**
     * Begins, and returns.
     *
     * @param newEnd run once when this rank has done its part or {@link #failure} is there; perhaps before this returns
     */
    public void begin(Runnable newEnd) {
        end = newEnd;
        failure = null;
        round = 0;
        try {
            takeTemps();
        } catch (Throwable e) {
            failure = e;
            newEnd.run();
            return;
        }
        advance();
    }

    /** Why it failed, or null. */
    public Throwable failure() {
        return failure;
    }

    @Override
    public void ended(LayerRequest request) {
        if (open.decrementAndGet() == 0) {
            finishRound();
            advance();
        }
    }

    /** Begins rounds for as long as they are over at once. */
    private void advance() {
        while (failure == null && round < schedule.steps) {
            int to = schedule.roundEnd(round);
            open.set(1);
            try {
                beginRound(round, to);
            } catch (Throwable e) {
                failure = e;
                withdrawTold();
            }
            if (open.decrementAndGet() != 0) {
                return;
            }
            finishRound();
        }
        if (failure != null || round >= schedule.steps) {
            Runnable told = end;
            end = null;
            if (told != null) {
                told.run();
            }
        }
    }

    private void beginRound(int from, int to) {
        begun = 0;
        for (int step = from; step < to; step++) {
            byte kind = schedule.kinds[step];
            if (kind == Schedule.RECEIVES || kind == Schedule.SENDS) {
                if (begun == told.length) {
                    told = larger(told, true);
                }
                open.incrementAndGet();
                boolean isOver = true;
                try {
                    LayerRequest request = told[begun];
                    isOver = kind == Schedule.SENDS ? send(request, step) : receive(request, step);
                } finally {
                    if (isOver) {
                        open.decrementAndGet();
                    }
                }
            }
        }
    }

    private void withdrawTold() {
        for (int i = 0; i < begun; i++) {
            if (!told[i].isOver()) {
                told[i].cancel();
            }
        }
    }

    private void finishRound() {
        int to = schedule.roundEnd(round);
        try {
            for (int i = 0; i < begun; i++) {
                check(told[i], stepOf[i]);
            }
            if (failure == null) {
                compute(round, to);
            }
        } catch (Throwable e) {
            failure = failure == null ? e : failure;
        }
        round = to + 1;
    }
}
