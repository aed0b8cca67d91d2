package org.sluice.bench.rank;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;

/**
 * Aeron, with one exclusive publication each way. By IPC the media driver runs in rank 0's JVM and sleeps: messages
 * between two processes of one machine don't pass through it. By UDP each rank has a driver of its own, and runs it
 * itself while it waits: beside two ranks that spin two more threads would have no cores.
 */
final class AeronExchange implements Exchange {
    private static final String IPC = "aeron:ipc";
    private static final String UDP = "aeron:udp?endpoint=";
    /** Between two steps nobody runs a driver, and none may be taken for dead meanwhile. */
    private static final long IDLE_NS = TimeUnit.HOURS.toNanos(1);

    private static final int FIRST_STREAM = 1001;
    /** A message may be at most an eighth of a term. */
    private static final int TERM_SHARE = 8;

    private static final int TERM_LEAST = 1 << 20;
    /** The largest that Aeron allows; its default of 1408 B is made for networks. */
    private static final int MTU = 65_504;

    private static final int ANSWER_BYTES = 1;

    private final MediaDriver driver;
    /** Null where it runs by itself. */
    private final AgentInvoker turns;

    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final FragmentHandler assembler = new FragmentAssembler(this::arrived);
    private final Payloads payloads;
    private final UnsafeBuffer outgoing = new UnsafeBuffer(0, 0);
    private int size;
    private int targetOffset;
    private boolean arrived;

    private AeronExchange(Path folder, MediaDriver driver, BufferKind kind, String outwards, String inwards, int rank) {
        payloads = new Payloads(kind, null);
        this.driver = driver;
        turns = outwards.equals(IPC) ? null : driver.sharedAgentInvoker();
        Aeron.Context context = new Aeron.Context().aeronDirectoryName(folder.toString());
        if (turns != null) {
            context.useConductorAgentInvoker(true)
                    .driverAgentInvoker(turns)
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(IDLE_NS));
        }
        aeron = Aeron.connect(context);
        publication = aeron.addExclusivePublication(outwards, FIRST_STREAM + rank);
        subscription = aeron.addSubscription(inwards, FIRST_STREAM + 1 - rank);
    }

    /** @param folder that both ranks share */
    static AeronExchange ipc(Path folder, long largest, int rank, BufferKind kind) {
        MediaDriver driver = rank > 0
                ? null
                : MediaDriver.launch(new MediaDriver.Context()
                        .aeronDirectoryName(folder.toString())
                        .dirDeleteOnStart(true)
                        .threadingMode(ThreadingMode.SHARED)
                        .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                        .ipcTermBufferLength(term(largest))
                        .ipcMtuLength(MTU)
                        .termBufferSparseFile(true));
        return new AeronExchange(folder, driver, kind, IPC, IPC, rank);
    }

    /** @param place {@code folder,endpoint,peer's endpoint}, of which the folder is this rank's alone */
    static AeronExchange udp(String place, long largest, int rank, BufferKind kind) {
        String[] words = place.split(",");
        Path folder = Path.of(words[0]);
        MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(folder.toString())
                .dirDeleteOnStart(true)
                .threadingMode(ThreadingMode.INVOKER)
                .publicationTermBufferLength(term(largest))
                .termBufferSparseFile(true)
                .clientLivenessTimeoutNs(IDLE_NS)
                .imageLivenessTimeoutNs(IDLE_NS)
                .publicationConnectionTimeoutNs(IDLE_NS)
                .publicationUnblockTimeoutNs(2 * IDLE_NS));
        return new AeronExchange(folder, driver, kind, UDP + words[2], UDP + words[1], rank);
    }

    private static int term(long largest) {
        return (int) Math.max(TERM_LEAST, Long.highestOneBit(Math.max(1, largest * TERM_SHARE * 2 - 1)));
    }

    private void driveOn() {
        if (turns != null) {
            turns.invoke();
            aeron.conductorAgentInvoker().invoke();
        }
    }

    private void arrived(DirectBuffer buffer, int offset, int length, io.aeron.logbuffer.Header header) {
        arrived = true;
        if (targetOffset >= 0) {
            if (length != size) {
                throw new IllegalStateException("received " + length + " B where " + size + " B were sent");
            }
            buffer.getBytes(offset, payloads.incoming(), targetOffset, length);
        }
    }

    @Override
    public void prepare(Step step) {
        payloads.prepare(step);
        outgoing.wrap(payloads.outgoing());
        size = step.size();
    }

    @Override
    public ByteBuffer outgoing() {
        return payloads.outgoing();
    }

    @Override
    public ByteBuffer incoming() {
        return payloads.incoming();
    }

    @Override
    public void post(int rank, int slot) {
        offer(slot * size, size);
    }

    private void offer(int offset, int length) {
        long position = publication.offer(outgoing, offset, length);
        while (position < 0) {
            if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
                throw new IllegalStateException("Aeron's offer returned " + Publication.errorString(position));
            }
            driveOn();
            position = publication.offer(outgoing, offset, length);
        }
        driveOn();
    }

    @Override
    public void expect(int rank, int slot) {
        await(slot * size);
    }

    private void await(int offset) {
        targetOffset = offset;
        arrived = false;
        while (!arrived) {
            driveOn();
            subscription.poll(assembler, 1);
        }
    }

    @Override
    public void finish() {
        // All is done when post and expect return.
    }

    @Override
    public void acknowledge(int rank) {
        offer(0, ANSWER_BYTES);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        await(-1);
    }

    @Override
    public void close() {
        payloads.close();
        aeron.close();
        if (driver != null) {
            driver.close();
        }
    }
}
