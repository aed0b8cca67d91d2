package org.sluice.tcp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Coalescing;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.Writing;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;

/**
 * What goes to one peer: frames that the socket takes at once, and, in order, what it did not take. Its length is
 * bounded by credit: the peer says in each of its frames how much it has taken.
 *
 * <p><i>Thread</i>: any, under its own monitor: senders under the send lock, the poller, and the helper for what the
 * socket did not take. It is held over no wait. <i>Owns</i>: its blocks; <i>lends</i> nothing: the source of a
 * {@link #put} is read by the kernel inside of {@link #flush}, until that has all of it. <i>Fails</i>: what the socket
 * throws is kept as {@link #fault}. <i>Proof</i>: {@code TcpChannelTest}, {@code TcpPutTest}.
 */
public final class Outbound {
    /** Longest body of a packet. */
    public static final int BODY_BYTES = 64 << 10;

    static final int BLOCK_BYTES = 2 * (BODY_BYTES + FrameHeader.BYTES);
    /** Most bytes of one put: while they are on their way nothing else goes to the peer. */
    public static final int PIECE_BYTES = 256 << 10;
    /** Bytes of packets that a peer may not have taken yet. */
    static final int WINDOW_BYTES = 1 << 20;
    /** The same, of control packets alone. */
    private static final int CONTROL_BYTES = 128 * (FrameHeader.BYTES + PacketKind.CONTROL_BODY_LIMIT);
    /** More than this is written although more may follow. */
    private static final int GATHER_BYTES = 16 << 10;
    /**
     * A message that comes within this time of a write, with no poll in between, waits for others: the next poll writes
     * it, or the next message after this time, or the helper. Some round trips of a fast network.
     */
    private static final long BURST_NANOS = 20_000;
    /** One that is longer than this waits for none. */
    private static final int BURST_BODY_BYTES = 1 << 10;

    private static final int MOST_BUFFERS = 8;

    private final Blocks blocks;
    private final Counters counters;
    private final ByteBuffer[] buffers = new ByteBuffer[MOST_BUFFERS];
    private Wire wire;
    /** Frames of the other direction, whose consumption each header tells. */
    private Inbound inbound;

    private Blocks.Block head;
    private Blocks.Block tail;
    /** Stands in the chain in the place of a put's bytes. */
    private final Blocks.Block direct = new Blocks.Block();

    private ByteBuffer source;
    private Object directTicket;
    private boolean isDirect;
    /** Of the last put, once the socket has all of it. */
    private Object finishedTicket;

    private volatile boolean isFinished;
    private volatile boolean isStuck;
    /** Something waits for what may follow, or the next poll. */
    private volatile boolean isKept;
    /** Nobody has polled since the last write. */
    private volatile boolean isBurst;

    private long writtenNanos;
    /** Calls that wrote something, or tried. */
    private volatile long written;

    private volatile String fault;
    private boolean closed;

    private int sequence;
    private long produced;
    private long consumed;
    private boolean isGathering;

    public Outbound(Blocks blocks, Counters counters) {
        this.blocks = blocks;
        this.counters = counters;
    }

    /** Before anything is sent. */
    public synchronized void open(Wire newWire, Inbound newInbound) {
        wire = newWire;
        inbound = newInbound;
    }

    /** As {@link Channel#trySend}. */
    public synchronized int trySend(int kind, int contextId, int tag, Object base, long address, int bytes) {
        if (closed || fault != null) {
            return Channel.PEER_FAILED;
        }
        int frame = FrameHeader.BYTES + bytes;
        if (produced + frame - consumed > (PacketKind.isControl(kind) ? WINDOW_BYTES + CONTROL_BYTES : WINDOW_BYTES)) {
            counters.increment(Counter.CREDIT_STALLS);
            return Channel.NO_RESOURCE;
        }
        long at = header(kind, bytes, frame);
        FrameHeader.envelope(at, contextId, tag, 0);
        Memory.copy(base, address, null, at + FrameHeader.BYTES, bytes);
        produced += frame;
        if (!isStuck && !waits(kind, bytes)) {
            write();
        }
        return Channel.SENT;
    }

    private boolean waits(int kind, int bytes) {
        if (tail.buffer.remaining() > GATHER_BYTES) {
            return false;
        }
        if (isGathering) {
            return true;
        }
        if (kind != PacketKind.EAGER || bytes > BURST_BODY_BYTES) {
            return false;
        }
        long now = System.nanoTime();
        if (isBurst && now - writtenNanos < BURST_NANOS) {
            if (!isKept) {
                isKept = true;
            }
            return true;
        }
        isBurst = true;
        writtenNanos = now;
        return false;
    }

    /**
     * Begins a frame at the end of what waits.
     *
     * @param bytes of its body
     * @param there how much of it, with the header, gets its place here
     */
    private long header(int kind, int bytes, int there) {
        if (tail == null || tail == direct || BLOCK_BYTES - tail.buffer.limit() < there) {
            append(blocks.take());
        }
        long at = tail.address + tail.buffer.limit();
        tail.buffer.limit(tail.buffer.limit() + there);
        FrameHeader.put(at, ++sequence, kind, bytes, inbound.toldConsumed());
        return at;
    }

    private void append(Blocks.Block block) {
        block.next = null;
        if (head == null) {
            head = block;
        } else {
            tail.next = block;
        }
        tail = block;
    }

    /** As {@link Coalescing#gather}. */
    public synchronized void gather() {
        isGathering = true;
    }

    /** Writes what waits. */
    public synchronized void flush() {
        isGathering = false;
        if (!closed && fault == null && head != null) {
            write();
        }
    }

    /** Tells the peer what was consumed. */
    public synchronized void credit() {
        if (!closed && fault == null) {
            counters.increment(Counter.CREDIT_PACKETS);
            FrameHeader.envelope(header(FrameHeader.CREDIT, 0, FrameHeader.BYTES), 0, 0, 0);
            write();
        }
    }

    /**
     * As {@link Writing#put}, one at a time.
     *
     * @param where which offer, of which generation: as the peer has named it
     */
    public synchronized PutResult put(long where, long offset, Object owner, long address, int bytes, Object ticket) {
        if (closed || fault != null || isDirect || finishedTicket != null) {
            return PutResult.NO_RESOURCE;
        }
        long at = header(FrameHeader.PUT, bytes, FrameHeader.BYTES);
        FrameHeader.envelope(at, (int) (where >>> Integer.SIZE), (int) where, offset);
        isDirect = true;
        source = Memory.view(source, address, bytes, owner);
        direct.buffer = source;
        directTicket = ticket;
        append(direct);
        if (!isStuck) {
            write();
        }
        return PutResult.STARTED;
    }

    /** Writes what the socket did not take before, if it does now, and what waits for more; by who polls. */
    public void push() {
        if (isBurst) {
            isBurst = false;
        }
        if (isStuck || isKept) {
            pushOn();
        }
    }

    /** As {@link #push}, by the helper. */
    public synchronized void pushOn() {
        if (isStuck || isKept && !isGathering) {
            write();
        }
    }

    private void write() {
        written = written + 1;
        isKept = false;
        try {
            while (head != null || wire.isUnsent()) {
                counters.increment(Counter.NATIVE_CROSSINGS);
                counters.increment(Counter.SOCKET_WRITES);
                int count = 0;
                for (Blocks.Block each = head; each != null && count < MOST_BUFFERS; each = each.next) {
                    buffers[count++] = each.buffer;
                }
                counters.add(Counter.SOCKET_BYTES, wire.write(buffers, count));
                boolean isFull = wire.isUnsent() || count > 0 && buffers[count - 1].hasRemaining();
                while (head != null && !head.buffer.hasRemaining()) {
                    removeHead();
                }
                if (isFull) {
                    counters.increment(Counter.SOCKET_STALLS);
                    break;
                }
            }
        } catch (IOException e) {
            fault = e.getMessage() == null ? e.toString() : e.getMessage();
        }
        isStuck = (head != null || wire.isUnsent()) && fault == null;
    }

    private void removeHead() {
        Blocks.Block gone = head;
        head = gone.next;
        if (head == null) {
            tail = null;
        }
        if (gone == direct) {
            endDirect();
        } else {
            blocks.give(gone);
        }
    }

    private void endDirect() {
        isDirect = false;
        source = Memory.view(source, 0, 0, null);
        direct.buffer = null;
        finishedTicket = directTicket;
        directTicket = null;
        isFinished = true;
    }

    /** What was written goes, and the peer sees that nothing follows. */
    public synchronized void end() {
        try {
            wire.endOutput();
        } catch (IOException e) {
            // It is broken already: its end is what the peer sees.
        }
    }

    /** The ticket of a put that has ended since, or null; under the progress lock. */
    public Object takeFinished() {
        if (!isFinished) {
            return null;
        }
        synchronized (this) {
            isFinished = false;
            Object ticket = finishedTicket;
            finishedTicket = null;
            return ticket;
        }
    }

    /** The ticket of a put whose bytes may not all have gone, and never will. */
    public synchronized Object takeUnfinished() {
        Object ticket = directTicket;
        directTicket = null;
        return ticket;
    }

    /** @param segments that the kernel has sent again so far, of this connection */
    public synchronized void retransmitted(long segments) {
        counters.add(Counter.SOCKET_RETRANSMITS, segments - counters.get(Counter.SOCKET_RETRANSMITS));
    }

    /** Differs where something was written since. Any thread. */
    public long written() {
        return written;
    }

    /** Whether the bytes of a put are on their way out of the program's memory. Any thread. */
    public synchronized boolean isDirect() {
        return isDirect;
    }

    /** Whether something waits that the next poll writes. Any thread. */
    public boolean isKept() {
        return isKept;
    }

    /** Whether something waits that the socket did not take. Any thread. */
    public boolean isStuck() {
        return isStuck;
    }

    /** Why nothing can be written any more, or null. Any thread. */
    public String fault() {
        return fault;
    }

    /**
     * The peer has consumed more.
     *
     * @param lowHalf of the count of bytes
     * @return false where that can't be
     */
    synchronized boolean consumed(int lowHalf) {
        long more = lowHalf - (int) consumed & 0xffffffffL;
        if (more > produced - consumed) {
            return false;
        }
        consumed += more;
        return true;
    }

    /** Bytes that the peer may not have taken yet. */
    public synchronized long unconsumed() {
        return produced - consumed;
    }

    /** Whether there would be room for a packet of this rank's. */
    public synchronized boolean hasRoom() {
        return produced - consumed < WINDOW_BYTES - BODY_BYTES;
    }

    /** Nothing goes any more, and no source is read. */
    public synchronized void close() {
        closed = true;
        isStuck = false;
        isKept = false;
        while (head != null) {
            Blocks.Block next = head.next;
            if (head != direct) {
                blocks.give(head);
            }
            head = next;
        }
        tail = null;
        direct.buffer = null;
        if (wire != null) {
            wire.closeOutput();
        }
    }

    @Override
    public synchronized String toString() {
        return produced + " bytes sent, " + (produced - consumed) + " not taken; "
                + counters.get(Counter.SOCKET_WRITES) + " writes of " + counters.get(Counter.SOCKET_BYTES) + " bytes, "
                + counters.get(Counter.SOCKET_STALLS) + " stalls, " + counters.get(Counter.SOCKET_RETRANSMITS)
                + " segments sent again" + (isStuck ? ", stuck" : "");
    }
}
