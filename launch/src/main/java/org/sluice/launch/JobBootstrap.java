package org.sluice.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.jvm.FileLimit;

/**
 * A rank's connection to the {@link JobServer} of its job.
 *
 * <p>Thread: as {@link Bootstrap}; a thread of its own reads what the server sends.
 *
 * <p>Owns: the connection, until {@link #close} returns, and the reading thread, which ends with it.
 *
 * <p>Fails: with {@link SluiceException}; the reader never throws, it leaves the cause for the next call.
 *
 * <p>Proof: {@code JobServerTest}.
 */
final class JobBootstrap implements Bootstrap {
    /** The server notices a late rank itself; only a server that hangs is noticed here. */
    private static final long SERVER_SLACK_MS = 5000;

    private static final long GOODBYE_PATIENCE_MS = 1000;
    /** Between looks for what the caller does meanwhile. */
    private static final long LOOK_MS = 1;

    private final int rank;
    private final int size;
    private final ServerLine line;
    private final Thread reader;
    private final List<Map<String, byte[]>> values;
    private final RankNews lost = new RankNews();
    private final RankNews closedRanks = new RankNews();
    /** What was put since the last fence, and goes with the next: the caller's thread only. */
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();

    private final PutBudget budget = new PutBudget();
    private long fencesAsked;
    private long fencesDone;
    private boolean closingPassedOn;
    private String fenceFailure;
    private String connectionFailure;
    private boolean closed;
    /** Reachable as long as the reader lives. */
    private volatile Object kept;

    private JobBootstrap(int rank, int size, ServerLine line) {
        this.rank = rank;
        this.size = size;
        this.line = line;
        this.values = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            values.add(new HashMap<>());
        }
        reader = new Reader();
        reader.start();
    }

    static JobBootstrap connect(JobAddress address, int rank, int size, long timeoutMs) {
        return connect(address, rank, size, timeoutMs, SluiceVersion.CURRENT);
    }

    /** With a version of its own, for the test of mixed ones. */
    static JobBootstrap connect(JobAddress address, int rank, int size, long timeoutMs, String version) {
        ServerLine line = null;
        FileLimit.read();
        try {
            line = ServerLine.join(address, Hello.frame(Hello.ROLE_RANK, rank, 1, size, version), timeoutMs);
            return new JobBootstrap(rank, size, line);
        } catch (ServerLine.Refused e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    "rank " + rank + " was refused by its job's launcher at " + address + ": " + e.getMessage());
        } catch (SocketTimeoutException e) {
            throw new SluiceException(
                    ErrorCode.TIMEOUT,
                    -1,
                    "the job's launcher at " + address + " does not answer within " + timeoutMs
                            + " ms (sluice.open.timeout.ms): it may be stopped, or a firewall be between",
                    e);
        } catch (IOException e) {
            if (FileLimit.isReached(e)) {
                throw FileLimit.failure("rank " + rank + " can't reach its job's launcher", e);
            }
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    "the job's launcher at " + address
                            + " can't be reached (" + e.getMessage()
                            + "): it has ended, it listens elsewhere (--listen), or SLUICE_JOB_ADDRESS is left over"
                            + " from an older job; start ranks with ./sluice run",
                    e);
        } catch (Throwable e) {
            // Also where there is no memory, or no thread that reads: the launcher would wait for a rank that isn't
            // there.
            if (line != null) {
                line.close();
            }
            throw e;
        }
    }

    String jobId() {
        return line.welcome();
    }

    @Override
    public void put(String key, byte[] value) {
        budget.take(key, value);
        failIfBroken();
        unsent.writeBytes(new Frame.Writer(Frame.PUT).text(key).bytes(value).finish());
    }

    @Override
    public void fence(long timeoutMs) {
        if (timeoutMs < 1) {
            throw new IllegalArgumentException("timeoutMs is " + timeoutMs + "; it must be at least 1");
        }
        unsent.writeBytes(new Frame.Writer(Frame.FENCE).longNumber(timeoutMs).finish());
        byte[] frames = unsent.toByteArray();
        unsent.reset();
        budget.fence();
        send(frames);
        synchronized (this) {
            long number = ++fencesAsked;
            long patienceMs = timeoutMs > Long.MAX_VALUE - SERVER_SLACK_MS ? timeoutMs : timeoutMs + SERVER_SLACK_MS;
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
            while (fencesDone < number) {
                failIfBroken();
                long leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (leftMs <= 0) {
                    throw new SluiceException(
                            ErrorCode.TIMEOUT,
                            "the job's launcher does not answer within " + patienceMs + " ms; is it stopped?");
                }
                waitFor(leftMs);
            }
        }
    }

    private void waitFor(long milliseconds) {
        try {
            wait(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SluiceException(ErrorCode.OPEN_FAILED, -1, "interrupted while waiting for the other ranks", e);
        }
    }

    private synchronized void failIfBroken() {
        if (closed && fenceFailure == null) {
            throw new IllegalStateException("the bootstrap of rank " + rank + " is closed");
        }
        failIfLost();
    }

    private synchronized void failIfLost() {
        if (fenceFailure != null) {
            throw new SluiceException(ErrorCode.OPEN_FAILED, fenceFailure);
        }
        if (connectionFailure != null) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED, "rank " + rank + " lost its job's launcher: " + connectionFailure);
        }
    }

    @Override
    public synchronized byte[] get(int ofRank, String key) {
        byte[] value = values.get(Objects.checkIndex(ofRank, size)).get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public void onRankLost(IntConsumer listener) {
        lost.listen(listener);
    }

    @Override
    public boolean tellClosing(BitSet ranks, long patienceMs, Runnable meanwhile) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        if (!line.writeWithin(new Frame.Writer(Frame.CLOSING).ranks(ranks).finish(), patienceMs)) {
            return false;
        }
        while (isToBePassedOn() && System.nanoTime() - end < 0) {
            meanwhile.run();
        }
        return isPassedOn();
    }

    /**
     * Waits for the answer for a moment.
     *
     * @return whether it may still come
     */
    private synchronized boolean isToBePassedOn() {
        if (!closingPassedOn && connectionFailure == null) {
            try {
                wait(LOOK_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return !closingPassedOn && connectionFailure == null;
    }

    private synchronized boolean isPassedOn() {
        return closingPassedOn;
    }

    @Override
    public void onRankClosed(IntConsumer listener) {
        closedRanks.listen(listener);
    }

    @Override
    public void keep(Object device) {
        kept = device;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            notifyAll();
        }
        try {
            if (line.writeWithin(Frame.empty(Frame.BYE), GOODBYE_PATIENCE_MS)) {
                // The server answers by closing: then this rank may open again.
                ServerLine.join(reader, GOODBYE_PATIENCE_MS);
            }
        } finally {
            // A server that is stopped reads the goodbye once it goes on, if there was room for it; one that is gone
            // takes nobody's end for a death.
            line.close();
        }
    }

    /** In one write, and the server answers each: so nothing waits in the socket for more to come. */
    private void send(byte[] frames) {
        failIfBroken();
        try {
            line.write(frames);
        } catch (IOException e) {
            // Where the server said why it ended the connection, that is the reason.
            failIfLost();
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED, -1, "rank " + rank + " lost its job's launcher: " + e.getMessage(), e);
        }
    }

    private void readAll() {
        String how = "the thread that reads from it failed";
        try {
            while (true) {
                ByteBuffer frame = line.read(Frame.VALUES_LIMIT_BYTES, ServerLine.NEVER);
                if (frame.get(0) == Frame.DEAD) {
                    lost.tell(rankOf(frame.position(1)));
                } else if (frame.get(0) == Frame.CLOSED) {
                    takeClosed(frame.position(1));
                } else {
                    take(frame);
                }
            }
        } catch (IOException e) {
            how = e.getMessage() == null ? "it closed the connection" : e.getMessage();
        } finally {
            // However it ended: who waits for the server would wait until the time is up.
            synchronized (this) {
                connectionFailure = how;
                notifyAll();
            }
            line.close();
        }
    }

    private synchronized void take(ByteBuffer frame) throws IOException {
        byte kind = Frame.flag(frame);
        switch (kind) {
            case Frame.VALUES -> {
                takeValues(frame);
                fencesDone++;
            }
            case Frame.PASSED_ON -> closingPassedOn = true;
            case Frame.FENCE_FAILED -> fenceFailure = Printable.text(Frame.text(frame, Frame.TEXT_LIMIT_BYTES));
            case Frame.REFUSED ->
                throw new Frame.Malformed("it refused: " + Printable.text(Frame.text(frame, Frame.TEXT_LIMIT_BYTES)));
            default -> throw new Frame.Malformed("it sent a frame of unknown kind " + kind);
        }
        notifyAll();
    }

    private void takeValues(ByteBuffer frame) throws IOException {
        int count = Frame.number(frame);
        for (int i = 0; i < count; i++) {
            int ofRank = rankOf(frame);
            values.get(ofRank).put(Frame.text(frame, KEY_LIMIT_BYTES), Frame.bytes(frame, VALUE_LIMIT_BYTES));
        }
    }

    private int rankOf(ByteBuffer frame) throws IOException {
        int number = Frame.number(frame);
        if (number < 0 || number >= size) {
            throw new Frame.Malformed("it spoke of rank " + number + " in a job of " + size);
        }
        return number;
    }

    private void takeClosed(ByteBuffer frame) throws IOException {
        BitSet ranks = Frame.ranks(frame, size);
        Frame.end(frame);
        for (int rank = ranks.nextSetBit(0); rank >= 0; rank = ranks.nextSetBit(rank + 1)) {
            closedRanks.tell(rank);
        }
    }

    /** Runs until the connection ends. */
    private final class Reader extends Thread {
        Reader() {
            super(null, null, "sluice-bootstrap-" + rank, 0, false);
            setDaemon(true);
        }

        @Override
        public void run() {
            readAll();
        }
    }
}
