package org.sluice.bench.rank;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Step;

/**
 * The floor between two processes: a mailbox in one mapped file, a copy in and a copy out, and nothing else: no
 * matching, no flow control, no second message. A short payload lies in the cache line of the sequence number that
 * announces it.
 *
 * <pre>
 * direction d (0: from rank 0, 1: from rank 1) starts at d * directionBytes
 *   mail i of 64, at i * 64:   0 sequence   8 payload up to 56 B
 *   4096:                       larger payloads, place i at i * size
 * </pre>
 *
 * Mails are used in turn: a line that was used long ago is written without a race for the line that the reader watches.
 * Larger payloads have as many places as the window; the answer to each window is what frees mails and places again.
 */
final class MailboxExchange implements Exchange {
    static final int MAILS = 64;
    private static final int LINE_MASK = MAILS - 1;
    static final int LINE = 64;
    static final int PAYLOAD = Long.BYTES;
    static final int INLINE_MOST = LINE - PAYLOAD;
    static final int DATA = MAILS * LINE;
    private static final int PAGE = 4096;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer file;
    private final Payloads payloads;
    private final int out;
    private final int in;
    private int size;
    /** Window - 1, where a window is a power of two: a division would be seen in the floor. */
    private int mask;

    private long sent;
    private long received;

    MailboxExchange(Path path, int largest, BufferKind kind, int rank) throws IOException {
        int direction = (int) directionBytes(largest);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * direction);
        }
        file.order(ByteOrder.nativeOrder());
        payloads = new Payloads(kind, null);
        out = rank == 0 ? 0 : direction;
        in = rank == 0 ? direction : 0;
    }

    /** @param largest bytes of payload in flight at once: size times window */
    static long directionBytes(long largest) {
        return (DATA + largest + PAGE - 1) / PAGE * PAGE;
    }

    static long fileBytes(long largest) {
        return 2 * directionBytes(largest);
    }

    @Override
    public void prepare(Step step) {
        payloads.prepare(step);
        size = step.size();
        mask = step.window() - 1;
        // Sequence numbers never go back, so what earlier steps left in the mails is never taken for news.
        long next = Math.max(sent, received);
        sent = (next | LINE_MASK) + 1;
        received = sent;
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
        int mail = (int) (sent & LINE_MASK);
        ByteBuffer from = payloads.outgoing();
        if (size > INLINE_MOST) {
            file.put(out + DATA + (mail & mask) * size, from, slot * size, size);
        } else if (size == Long.BYTES) {
            file.putLong(out + mail * LINE + PAYLOAD, from.getLong(slot * size));
        } else if (size > 0) {
            file.put(out + mail * LINE + PAYLOAD, from, slot * size, size);
        }
        sent++;
        // Publishes the payload to the acquire in expect.
        WORD.setRelease(file, out + mail * LINE, sent);
    }

    @Override
    public void expect(int rank, int slot) {
        int mail = (int) (received & LINE_MASK);
        received++;
        // Waits for the release in post. The hint makes the floor a quarter lower: without it the processor has reads
        // of the line
        // under way that it must throw away when the line changes.
        while ((long) WORD.getAcquire(file, in + mail * LINE) != received) {
            Thread.onSpinWait();
        }
        ByteBuffer to = payloads.incoming();
        if (size > INLINE_MOST) {
            to.put(slot * size, file, in + DATA + (mail & mask) * size, size);
        } else if (size == Long.BYTES) {
            to.putLong(slot * size, file.getLong(in + mail * LINE + PAYLOAD));
        } else if (size > 0) {
            to.put(slot * size, file, in + mail * LINE + PAYLOAD, size);
        }
    }

    @Override
    public void finish() {
        // All is done when post and expect return.
    }

    @Override
    public void acknowledge(int rank) {
        sent++;
        WORD.setRelease(file, out, sent);
    }

    @Override
    public void awaitAcknowledge(int rank) {
        received++;
        while ((long) WORD.getAcquire(file, in) != received) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        payloads.close();
    }
}
