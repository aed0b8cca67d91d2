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
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;

/**
 * Aeron IPC: one exclusive publication each way. The media driver runs in rank 0's JVM and sleeps: messages between two
 * processes of one machine don't pass through it.
 */
final class AeronExchange implements Exchange {
    private static final String CHANNEL = "aeron:ipc";
    private static final int FIRST_STREAM = 1001;
    /** A message may be at most an eighth of a term. */
    private static final int TERM_SHARE = 8;

    private static final int TERM_LEAST = 1 << 20;
    /** The largest that Aeron allows; its default of 1408 B is made for networks. */
    private static final int MTU = 65_504;

    private static final int ANSWER_BYTES = 1;

    private final MediaDriver driver;
    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final FragmentHandler assembler = new FragmentAssembler(this::arrived);
    private final Payloads payloads;
    private final UnsafeBuffer outgoing = new UnsafeBuffer(0, 0);
    private int size;
    private int targetOffset;
    private boolean arrived;

    AeronExchange(Path folder, long largest, int rank, BufferKind kind) {
        payloads = new Payloads(kind, null);
        driver = rank == 0 ? launch(folder, largest) : null;
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(folder.toString()));
        publication = aeron.addExclusivePublication(CHANNEL, FIRST_STREAM + rank);
        subscription = aeron.addSubscription(CHANNEL, FIRST_STREAM + 1 - rank);
    }

    private static MediaDriver launch(Path folder, long largest) {
        long term = Math.max(TERM_LEAST, Long.highestOneBit(Math.max(1, largest * TERM_SHARE * 2 - 1)));
        return MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(folder.toString())
                .dirDeleteOnStart(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                .ipcTermBufferLength((int) term)
                .ipcMtuLength(MTU)
                .termBufferSparseFile(true));
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
            position = publication.offer(outgoing, offset, length);
        }
    }

    @Override
    public void expect(int rank, int slot) {
        await(slot * size);
    }

    private void await(int offset) {
        targetOffset = offset;
        arrived = false;
        while (!arrived) {
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
