package org.sluice.launch;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection to a job's server, from the side of its ranks: frames out, frames in. A server that is stopped takes no
 * more than the sockets have room for: then a write ends when the connection is closed.
 *
 * <p>Thread: any may write or close; one at a time reads. Interrupts end nothing and are kept.
 *
 * <p>Owns: the socket.
 *
 * <p>Proof: {@code StoppedServerTest}, {@code StrangersTest}.
 */
final class ServerLine implements Closeable {
    static final long NEVER = Long.MAX_VALUE;

    private static final long SLICE_MS = 50;
    private static final long RETRY_MS = 100;
    private static final long FULL_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The JDK copies as much into memory of its own at once, and keeps that. */
    private static final int SLICE_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer length = ByteBuffer.allocate(Frame.HEADER_BYTES);
    private final ReentrantLock writing = new ReentrantLock();
    private String welcome;
    private volatile boolean isLooking;

    /** That the server said no, and why. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(String reason) {
            super(reason);
        }
    }

    private ServerLine(SocketChannel channel) throws IOException {
        this.channel = channel;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.register(selector, SelectionKey.OP_READ);
    }

    /**
     * Connects, and says hello. The launcher of a job over several nodes may be started after the ranks that are
     * elsewhere, and may drop one that has not proved yet that it belongs to the job when many want to come: they try
     * again until their time is over.
     *
     * @throws Refused where the server says no, or isn't this job's
     * @throws SocketTimeoutException where it doesn't answer within that time
     */
    static ServerLine join(JobAddress address, byte[] hello, long patienceMs) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(patienceMs, TimeUnit.DAYS.toMillis(365)));
        while (true) {
            boolean reached = false;
            try {
                SocketChannel channel = address.connect(end);
                reached = channel != null;
                if (reached) {
                    return greeted(new ServerLine(channel), address.secret(), hello, end);
                }
            } catch (Refused | Frame.Malformed | SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                boolean again = reached ? !address.isLocal() : e instanceof ConnectException && address.mayComeLater();
                if (!again || leftMs(end) <= 0) {
                    throw e;
                }
            }
            if (leftMs(end) <= 0) {
                throw new SocketTimeoutException("it takes no connection");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MS));
        }
    }

    private static ServerLine greeted(ServerLine line, JobSecret secret, byte[] hello, long endNanos)
            throws IOException {
        boolean isGreeted = false;
        try {
            line.greet(secret, hello, endNanos);
            isGreeted = true;
            return line;
        } finally {
            if (!isGreeted) {
                line.close();
            }
        }
    }

    private void greet(JobSecret secret, byte[] hello, long endNanos) throws IOException {
        if (secret == null) {
            write(hello);
        } else {
            byte[] nonce = JobSecret.nonce();
            write(new Frame.Writer(Frame.CHALLENGE)
                    .number(Frame.MAGIC)
                    .bytes(nonce)
                    .finish());
            ByteBuffer answer = answer(Frame.PROOF_OF_LAUNCHER, Frame.HELLO_LIMIT_BYTES, endNanos);
            byte[] its = Frame.exactly(answer, JobSecret.NONCE_BYTES);
            byte[] proof = Frame.exactly(answer, JobSecret.PROOF_BYTES);
            int port = ((InetSocketAddress) channel.getRemoteAddress()).getPort();
            if (!JobSecret.same(secret.proof(JobSecret.OF_LAUNCHER, port, nonce, its), proof)) {
                throw new Refused(
                        "who listens there doesn't know this rank's secret (SLUICE_JOB_SECRET_FILE), or listens at"
                                + " another port than this one, and was told nothing: it is another's program, its"
                                + " secret is another, or a port is forwarded, which must be the same at both ends");
            }
            // Before the hello, in one write: the server reads it only once it believes.
            byte[] own = new Frame.Writer(Frame.PROOF_OF_RANK)
                    .bytes(secret.proof(JobSecret.OF_RANK, port, nonce, its))
                    .finish();
            write(ByteBuffer.allocate(own.length + hello.length)
                    .put(own)
                    .put(hello)
                    .array());
        }
        welcome = Frame.text(answer(Frame.WELCOME, Frame.TEXT_LIMIT_BYTES, endNanos), Frame.TEXT_LIMIT_BYTES);
    }

    private ByteBuffer answer(byte kind, int limitBytes, long endNanos) throws IOException {
        ByteBuffer answer = read(limitBytes, endNanos);
        byte said = Frame.flag(answer);
        if (said == Frame.REFUSED) {
            throw new Refused(Printable.text(Frame.text(answer, limitBytes)));
        }
        if (said != kind) {
            throw new Frame.Malformed("it answered with a frame of kind " + said);
        }
        return answer;
    }

    /** What it said to the hello. */
    String welcome() {
        return welcome;
    }

    static long leftMs(long endNanos) {
        return TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    }

    void write(byte[] frames) throws IOException {
        boolean interrupted = false;
        writing.lock();
        try {
            ByteBuffer left = ByteBuffer.wrap(frames);
            while (left.position() < frames.length) {
                left.limit(Math.min(frames.length, left.position() + SLICE_BYTES));
                if (channel.write(left) == 0) {
                    LockSupport.parkNanos(FULL_NANOS);
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            writing.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The next frame, kind and body.
     *
     * @param endNanos when to give up with a SocketTimeoutException; or {@link #NEVER}
     */
    ByteBuffer read(int limitBytes, long endNanos) throws IOException {
        length.clear();
        fill(length, endNanos);
        ByteBuffer frame = ByteBuffer.allocate(Frame.checkedLength(length.getInt(0), limitBytes));
        fill(frame, endNanos);
        return frame.flip();
    }

    private void fill(ByteBuffer buffer, long endNanos) throws IOException {
        int capacity = buffer.capacity();
        boolean interrupted = false;
        try {
            while (buffer.position() < capacity) {
                buffer.limit(Math.min(capacity, buffer.position() + SLICE_BYTES));
                int got = channel.read(buffer);
                if (got < 0) {
                    throw new EOFException("it closed the connection");
                }
                if (got == 0) {
                    interrupted |= await(endNanos);
                }
            }
        } catch (ClosedSelectorException e) {
            throw new EOFException("the connection was closed");
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** @return whether the thread was interrupted meanwhile, which it then isn't any more */
    private boolean await(long endNanos) throws IOException {
        long leftMs = endNanos == NEVER ? 0 : leftMs(endNanos);
        if (endNanos != NEVER && leftMs <= 0) {
            throw new SocketTimeoutException("it says nothing");
        }
        if (isLooking) {
            LockSupport.parkNanos(LOOK_NANOS);
        } else {
            selector.select(leftMs);
            selector.selectedKeys().clear();
        }
        return Thread.interrupted();
    }

    /**
     * From now on who reads looks from time to time what has come, and does not sleep in the kernel: for as long as a
     * thread does that, a JVM that ends waits for it, 0.3 s.
     */
    void look() {
        isLooking = true;
        selector.wakeup();
    }

    /**
     * As {@link #write}, for so long at most: it may find no room, or wait for one that found none. What should have
     * been waited counts, not what was: a JVM that was stopped meanwhile tries again. Interrupts end no wait and are
     * kept.
     *
     * @return whether it has gone by then
     */
    boolean writeWithin(byte[] frame, long patienceMs) {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(patienceMs);
        boolean interrupted = false;
        boolean isLocked = writing.tryLock();
        for (; !isLocked && leftNanos > 0; isLocked = writing.tryLock()) {
            LockSupport.parkNanos(FULL_NANOS);
            interrupted |= Thread.interrupted();
            leftNanos -= FULL_NANOS;
        }
        ByteBuffer left = ByteBuffer.wrap(frame);
        if (isLocked) {
            try {
                for (channel.write(left); left.hasRemaining() && leftNanos > 0; channel.write(left)) {
                    LockSupport.parkNanos(FULL_NANOS);
                    interrupted |= Thread.interrupted();
                    leftNanos -= FULL_NANOS;
                }
                if (left.position() > 0 && left.hasRemaining()) {
                    // Whatever came next would be taken for the rest of it.
                    close();
                }
            } catch (IOException e) {
                left.rewind();
            } finally {
                writing.unlock();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !left.hasRemaining();
    }

    /**
     * In slices, each of which counts for what it should have taken: a JVM that was stopped meanwhile has missed one of
     * them only. Interrupts end no wait and are kept.
     */
    static void join(Thread thread, long patienceMs) {
        boolean interrupted = false;
        for (long left = patienceMs; left > 0 && thread.isAlive(); left -= SLICE_MS) {
            try {
                thread.join(SLICE_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was written is still read there. */
    @Override
    public void close() {
        try {
            channel.close();
            // With it the socket, which the selector holds until then.
            selector.close();
        } catch (IOException e) {
            // A socket that can't be closed is closed by the end of the process.
            return;
        }
    }
}
