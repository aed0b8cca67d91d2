package org.sluice.launch;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One accepted connection of the {@link JobServer}: frames in, frames out, and who is at the other end.
 *
 * <p>Thread: the server's only.
 *
 * <p>Owns: the socket.
 *
 * <p>Proof: {@code JobServerTest}.
 */
final class JobConnection {
    private static final int NOBODY = -1;
    private static final int DRAINED_AT_ONCE_BYTES = 16 << 10;
    /** More than a rank can have said before it learns that it was refused, which is all that it puts for a fence. */
    private static final int DRAINED_IN_ALL_BYTES = Bootstrap.FENCE_LIMIT_BYTES + 2 * Frame.PUT_LIMIT_BYTES;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer length = ByteBuffer.allocate(Frame.HEADER_BYTES);
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    private ByteBuffer body;
    /** What had not gone when it came to its last fence; null: nothing. */
    private ByteBuffer untaken;

    private int limitBytes = Frame.HELLO_LIMIT_BYTES;
    private boolean endsWhenSent;
    private int drainedBytes;

    /** That it is of the job's user, or knows its secret. */
    boolean isBelieved;
    /** What it has to prove that with; null where it has not asked for ours yet. */
    byte[] wantedProof;
    /** Of a rank, known after HELLO. */
    int rank = NOBODY;
    /** Of a JVM, known after HELLO. */
    int firstRank;

    int jvmRanks;
    JobRound round;
    boolean greeted;
    /** Also where what it said was refused. */
    boolean saidClosing;
    /** What the rank may leave behind should it die: see {@link Bootstrap#LEFT_OVER}; null while it said nothing. */
    String leftOver;
    /** Until when it must have said hello, or, when it was refused, must have gone. */
    long deadlineNanos;
    /** Of the fence that it waits in. */
    long fenceDeadlineNanos;

    long fenceTimeoutMs;

    /** @param believed that the kernel says who it is */
    JobConnection(SocketChannel channel, SelectionKey key, boolean believed) {
        isBelieved = believed;
        this.channel = channel;
        this.key = key;
        key.attach(this);
    }

    /** The server's, over a network. */
    int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    boolean isRank() {
        return rank != NOBODY;
    }

    boolean isJvmOf(int aRank) {
        return aRank >= firstRank && aRank < firstRank + jvmRanks;
    }

    void greet() {
        greeted = true;
        limitBytes = Frame.PUT_LIMIT_BYTES;
    }

    /** The next whole frame, or null when more bytes must come first. */
    ByteBuffer read() throws IOException {
        if (body == null) {
            if (!fill(length)) {
                return null;
            }
            body = ByteBuffer.allocate(Frame.checkedLength(length.flip().getInt(), limitBytes));
            length.clear();
        }
        if (!fill(body)) {
            return null;
        }
        ByteBuffer frame = body.flip();
        body = null;
        return frame;
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int got = channel.read(buffer);
            if (got < 0) {
                throw new EOFException("the connection was closed");
            }
            if (got == 0) {
                return false;
            }
        }
        return true;
    }

    /** Never waits: what the socket does not take now is kept. */
    void send(byte[] frame) throws IOException {
        unsent.add(ByteBuffer.wrap(frame));
        flush();
    }

    /**
     * @throws Frame.Malformed where what it was told before its last fence is still here: who reads nothing must not be
     *     told ever more
     */
    void checkFence() throws Frame.Malformed {
        if (untaken != null && untaken == unsent.peek()) {
            throw new Frame.Malformed("a second fence by one who has taken nothing since the first");
        }
        untaken = unsent.peek();
    }

    /** As {@link #send}, where it is a rank that listens. */
    void tell(byte[] frame) {
        try {
            if (isRank() && !ending()) {
                send(frame);
            }
        } catch (IOException e) {
            // The next read fails too and says that the rank is lost; here a list of connections is being walked
            // through.
            unsent.clear();
        }
    }

    /**
     * Throws away what a refused connection still says: an end that left it unread could reach the other side before
     * the refusal does. Takes little at a time, because the server has only this thread, and little in all.
     */
    void drain() throws IOException {
        int got = channel.read(ByteBuffer.allocate(DRAINED_AT_ONCE_BYTES));
        if (got < 0) {
            throw new EOFException("the connection was closed");
        }
        drainedBytes += got;
        if (drainedBytes > DRAINED_IN_ALL_BYTES) {
            throw new EOFException("it went on talking after it was refused");
        }
    }

    /** Sends a last frame; the connection is closed once it is out. */
    void sendLast(byte[] frame) throws IOException {
        endsWhenSent = true;
        send(frame);
    }

    void flush() throws IOException {
        while (!unsent.isEmpty()) {
            ByteBuffer first = unsent.peek();
            channel.write(first);
            if (first.hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            unsent.remove();
        }
        if (endsWhenSent) {
            channel.shutdownOutput();
        }
        key.interestOps(SelectionKey.OP_READ);
    }

    boolean ending() {
        return endsWhenSent;
    }

    /** It has not said hello yet, or was refused. */
    boolean isNew() {
        return !greeted || ending();
    }

    void removeLeftOver() {
        if (leftOver != null) {
            try {
                LeftOver.remove(leftOver);
            } catch (IOException e) {
                // Nobody is left who could be told; ./sluice doctor finds it.
                leftOver = null;
            }
        }
    }

    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing more can be done about a socket that does not close.
        }
    }
}
