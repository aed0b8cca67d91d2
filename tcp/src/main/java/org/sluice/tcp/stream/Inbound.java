package org.sluice.tcp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;

/**
 * What comes from one peer: frames, checked before they are believed, and bytes of long messages, which the kernel
 * copies to their place.
 *
 * <p><i>Thread</i>: under the progress lock; {@link #toldConsumed} any, under the monitor of the {@link Outbound};
 * {@link #tell} any. <i>Owns</i>: the block with the beginning of a frame whose rest has not come. <i>Fails</i>: by
 * {@link #fault}, after all that had come whole was handed up. <i>Proof</i>: {@code TcpChannelTest},
 * {@code HostileTcpTest}.
 */
public final class Inbound {
    /** News of what was consumed goes by itself, where no frame took it along before. */
    private static final int CREDIT_BYTES = Outbound.WINDOW_BYTES / 4;
    /** The same, now and then. */
    private static final int TOLD_BYTES = 8 << 10;
    /** Of ETIMEDOUT and EHOSTUNREACH, which keep-alives end with. */
    private static final List<String> UNREACHED = List.of("Connection timed out", "No route to host");
    /** What one poll reads for one peer at most, so that others come to their turn. */
    private static final int READS = 16;

    private final int peer;
    private final Blocks blocks;
    private final Offers offers;
    private final Outbound outbound;
    private Wire wire;

    private Blocks.Block block;
    private int expected = 1;
    /** Where the bytes of a put go, while they come. */
    private ByteBuffer landing;

    private Offers.Offer landingOffer;
    /** Bytes of counted frames that were handed up. */
    private volatile int consumed;

    private volatile int told;
    /** Reads that brought something. */
    private volatile long heard;

    private String fault;
    private boolean isCorrupt;
    private boolean isEnded;
    private boolean isOver;
    private boolean isPolling;
    /** The last read took all that there was. */
    private boolean isDry;
    /** The last poll has ended at its limit. */
    private boolean isCut;

    public Inbound(int peer, Blocks blocks, Offers offers, Outbound outbound) {
        this.peer = peer;
        this.blocks = blocks;
        this.offers = offers;
        this.outbound = outbound;
    }

    public void open(Wire newWire) {
        wire = newWire;
    }

    /** What a header says now, which goes to the peer. */
    int toldConsumed() {
        int now = consumed;
        told = now;
        return now;
    }

    /** Tells the peer what was consumed, if that is much for one that closes and waits for it. Any thread. */
    public void tell() {
        if (consumed - told >= TOLD_BYTES) {
            outbound.credit();
        }
    }

    /** Whether something may be handed up without a look at the socket. */
    public boolean hasMore() {
        return isCut && block != null && block.buffer.hasRemaining() || wire.hasMore();
    }

    /** Whether the last poll has taken all that the socket had. */
    public boolean isDry() {
        return isDry;
    }

    /**
     * Hands up what is there.
     *
     * @return how many packets
     */
    public int poll(ChannelListener listener, int limit) {
        int handed = 0;
        int reads = 0;
        isPolling = true;
        isDry = false;
        try {
            while (!isOver && fault == null && handed < limit) {
                if (landingOffer != null) {
                    if (reads++ >= READS || !land()) {
                        break;
                    }
                } else if (block != null && isWhole()) {
                    handed += take(listener);
                } else if (fault == null && (isEnded || isDry || reads++ >= READS || !read())) {
                    break;
                }
            }
        } finally {
            isPolling = false;
        }
        isCut = handed >= limit && fault == null;
        if (isOver) {
            giveBack();
        } else if (block != null && !block.buffer.hasRemaining()) {
            giveBlock();
        }
        if (!isOver && fault == null && (consumed - told >= CREDIT_BYTES)) {
            outbound.credit();
        }
        return handed;
    }

    /** Whether a whole frame is there, or the header of a put. */
    private boolean isWhole() {
        int there = block.buffer.remaining();
        if (there < FrameHeader.BYTES) {
            return false;
        }
        long at = block.address + block.buffer.position();
        int kind = Memory.getInt(at + FrameHeader.KIND);
        int bytes = Memory.getInt(at + FrameHeader.LENGTH);
        String wrong = FrameHeader.fault(kind, bytes, Memory.getLong(at + FrameHeader.OFFSET));
        int sequence = Memory.getInt(at + FrameHeader.SEQUENCE);
        if (wrong == null && sequence != expected) {
            wrong = "frame " + sequence + " in the place of frame " + expected;
        }
        if (wrong != null) {
            corrupt(wrong);
            return false;
        }
        return kind == FrameHeader.PUT || there - FrameHeader.BYTES >= bytes;
    }

    private void corrupt(String wrong) {
        fault = "it sent " + wrong;
        isCorrupt = true;
    }

    private int take(ChannelListener listener) {
        ByteBuffer buffer = block.buffer;
        long at = block.address + buffer.position();
        int kind = Memory.getInt(at + FrameHeader.KIND);
        int contextId = Memory.getInt(at + FrameHeader.CONTEXT_ID);
        int tag = Memory.getInt(at + FrameHeader.TAG);
        int bytes = Memory.getInt(at + FrameHeader.LENGTH);
        if (!outbound.consumed(Memory.getInt(at + FrameHeader.CONSUMED))) {
            corrupt("news of more bytes than were sent to it");
            return 0;
        }
        expected++;
        buffer.position(buffer.position() + FrameHeader.BYTES);
        if (kind == FrameHeader.PUT) {
            begin(contextId, tag, Memory.getLong(at + FrameHeader.OFFSET), bytes);
            return 0;
        }
        buffer.position(buffer.position() + bytes);
        if (kind == FrameHeader.CREDIT) {
            return 0;
        }
        listener.onPacket(peer, kind, contextId, tag, at + FrameHeader.BYTES, bytes, null);
        consumed += FrameHeader.BYTES + bytes;
        return 1;
    }

    private void begin(int index, int generation, long offset, int bytes) {
        Offers.Offer offer = offers.find(peer, index, generation, offset, bytes);
        if (offer == null) {
            corrupt("bytes for memory that was not offered to it");
            return;
        }
        landingOffer = offer;
        landing = offer.view(landing, offset, bytes);
    }

    /**
     * Bytes of a put go to their place: those that were read already, then from the kernel.
     *
     * @return false where none are there now
     */
    private boolean land() {
        if (block != null && block.buffer.hasRemaining()) {
            int there = Math.min(block.buffer.remaining(), landing.remaining());
            int end = block.buffer.limit();
            block.buffer.limit(block.buffer.position() + there);
            landing.put(block.buffer);
            block.buffer.limit(end);
        }
        boolean moves = true;
        if (landing.hasRemaining()) {
            moves = !isDry && read(landing);
        }
        if (!landing.hasRemaining()) {
            landingOffer = null;
            landing = Memory.view(landing, 0, 0, null);
        }
        return moves;
    }

    private boolean read() {
        if (block == null) {
            block = blocks.takeToRead();
        }
        ByteBuffer buffer = block.buffer;
        if (!buffer.hasRemaining()) {
            buffer.position(0).limit(0);
        } else if (buffer.position() > Outbound.BLOCK_BYTES / 2) {
            // A frame begins where it has room to end.
            buffer.compact().flip();
        }
        int from = buffer.position();
        int end = buffer.limit();
        buffer.limit(Outbound.BLOCK_BYTES).position(end);
        boolean any = read(buffer);
        buffer.limit(buffer.position()).position(from);
        return any;
    }

    private boolean read(ByteBuffer into) {
        try {
            int read = wire.read(into);
            if (read < 0) {
                end("it ended the connection");
            } else if (read == 0) {
                isDry = true;
                if (outbound.fault() != null) {
                    // What it had sent is all taken.
                    end(broken("writing to it failed: ", outbound.fault()));
                }
            }
            if (read <= 0) {
                return false;
            }
            // Another look would find nothing, as a rule: that is the next poll's.
            isDry = into.hasRemaining();
            heard = heard + 1;
            return true;
        } catch (IOException e) {
            end(broken("the connection broke: ", e.getMessage() == null ? e.toString() : e.getMessage()));
            return false;
        }
    }

    /** The kernel has words for a machine that is silent which say nothing of one. */
    private static String broken(String what, String said) {
        return UNREACHED.stream().anyMatch(said::contains)
                ? "its machine has not answered for as long as " + Option.TCP_KEEPALIVE_MS.property() + " says (" + said
                        + ")"
                : what + said;
    }

    private void end(String why) {
        isEnded = true;
        fault = why;
    }

    /** Differs where something has come since. Any thread. */
    public long heard() {
        return heard;
    }

    /** Why nothing comes any more; null while it may. */
    public String fault() {
        return fault;
    }

    public boolean isCorrupt() {
        return isCorrupt;
    }

    /** The peer may fill this no more. */
    public void takeBack(Offers.Offer offer) {
        if (landingOffer == offer) {
            landingOffer = null;
            if (!isOver && fault == null) {
                corrupt("the end of a message before its bytes");
            }
        }
        offers.remove(offer);
    }

    /** Nothing is taken any more. */
    public void close() {
        isOver = true;
        landingOffer = null;
        if (!isPolling) {
            giveBack();
        }
    }

    private void giveBack() {
        giveBlock();
        if (wire != null) {
            wire.closeInput();
        }
    }

    private void giveBlock() {
        if (block != null) {
            blocks.giveRead(block);
            block = null;
        }
    }
}
