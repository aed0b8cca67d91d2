package org.sluice.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A JVM of another machine, seen through its {@link RemoteNode}. */
final class RemoteProcess extends RankProcess {
    /** That of a JVM of which nobody knows how it ended. */
    static final int LOST_STATUS = 255;

    private final RemoteNode node;
    private final Stream out = new Stream(false);
    private final Stream err = new Stream(true);
    /** Of standard input, where it has that. */
    private final StreamWindow input = new StreamWindow();

    private final List<LinePump> pumps = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile long pid;
    private volatile int status;
    /** Why nobody knows; null while somebody does. */
    private volatile String lost;

    RemoteProcess(RemoteNode node, int firstRank, int jvmRanks, RankOutput output) {
        super(firstRank, jvmRanks);
        this.node = node;
        pumps.add(pump("sluice-out-" + firstRank, out, output, false));
        pumps.add(pump("sluice-err-" + firstRank, err, output, true));
    }

    private LinePump pump(String name, Stream stream, RankOutput output, boolean error) {
        RankOutput.Text text = output.of(firstRank(), jvmRanks(), error);
        return output.takesPieces() ? LinePump.startPieces(name, stream, text) : LinePump.start(name, stream, text);
    }

    void started(long newPid) {
        pid = newPid;
    }

    /** Waits until it is known to run. */
    void awaitStarted() throws IOException {
        node.awaitStarted(this);
    }

    /** @param bytes none where that is its end */
    void printed(boolean error, byte[] bytes) {
        (error ? err : out).put(bytes);
    }

    void ended(int newStatus) {
        if (end.getCount() > 0) {
            status = newStatus;
            end.countDown();
        }
    }

    StreamWindow input() {
        return input;
    }

    void lost(String why) {
        if (end.getCount() > 0) {
            lost = why;
            ended(LOST_STATUS);
        }
        out.put(Stream.END);
        err.put(Stream.END);
        input.open();
    }

    @Override
    JvmEnd end(int endStatus, MemoryKills memoryKills) {
        return lost == null
                ? new JvmEnd(firstRank(), jvmRanks(), endStatus).because("on " + node.name())
                : JvmEnd.lost(firstRank(), jvmRanks(), endStatus, "as " + node.name() + " is lost: " + lost);
    }

    @Override
    long pid() {
        return pid;
    }

    @Override
    int waitFor() throws InterruptedException {
        end.await();
        return status;
    }

    @Override
    boolean isAlive() {
        return end.getCount() > 0;
    }

    @Override
    boolean isOutOfReach() {
        return lost != null;
    }

    @Override
    void terminate() {
        node.tell(NodeWire.TERMINATE, firstRank());
    }

    @Override
    void endNow() {
        node.tell(NodeWire.KILL, firstRank());
    }

    @Override
    void giveUp() {
        node.giveUp();
    }

    @Override
    List<LinePump> pumps() {
        return pumps;
    }

    /** What comes in pieces, to be read; the agent sends no more than was. */
    private final class Stream extends InputStream {
        private static final byte[] END = new byte[0];

        private final boolean isError;
        private final BlockingQueue<byte[]> chunks = new LinkedBlockingQueue<>();
        private byte[] chunk = END;
        private int at;
        private boolean isOver;
        private volatile boolean isClosed;

        Stream(boolean isError) {
            this.isError = isError;
        }

        void put(byte[] bytes) {
            chunks.add(bytes);
            if (isClosed) {
                drop();
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                while (at == chunk.length && !isOver) {
                    chunk = chunks.take();
                    at = 0;
                    isOver = chunk.length == 0;
                    node.taken(firstRank(), isError, chunk.length);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            if (isOver) {
                return -1;
            }
            int count = Math.min(length, chunk.length - at);
            System.arraycopy(chunk, at, bytes, offset, count);
            at += count;
            return count;
        }

        @Override
        public int available() {
            byte[] next = chunks.peek();
            return chunk.length - at + (next == null ? 0 : Math.max(1, next.length));
        }

        /** Nobody reads any more: what comes is dropped, so that the rank can go on. */
        @Override
        public void close() {
            isClosed = true;
            drop();
        }

        private void drop() {
            for (byte[] left = chunks.poll(); left != null; left = chunks.poll()) {
                node.taken(firstRank(), isError, left.length);
            }
        }
    }
}
