package org.sluice.tcp.stream;

import java.nio.ByteBuffer;
import org.sluice.device.memory.Memory;

/**
 * Memory of one device for bytes on their way to and from the kernel, in blocks of one size. A connection has one only
 * while something of it is there: one that is idle costs none.
 *
 * <p><i>Thread</i>: any, unless a call says otherwise. <i>Owns</i>: the blocks that nobody has. <i>Proof</i>:
 * {@code TcpChannelTest}.
 */
public final class Blocks {
    /** What a pool keeps; the rest is the collector's. */
    private static final int MOST_KEPT = 64;

    private Block free;
    private int kept;
    /** For whoever reads next, under the progress lock: most looks at a socket find nothing. */
    private Block reading;

    /** One block; its buffer holds what is there between position and limit. */
    static final class Block {
        ByteBuffer buffer;
        long address;
        Block next;
    }

    /** As {@link #take}, under the progress lock. */
    Block takeToRead() {
        Block block = reading;
        if (block == null) {
            return take();
        }
        reading = null;
        block.buffer.position(0).limit(0);
        return block;
    }

    /** As {@link #give}, under the progress lock. */
    void giveRead(Block block) {
        if (reading == null) {
            reading = block;
        } else {
            give(block);
        }
    }

    synchronized Block take() {
        Block block = free;
        if (block == null) {
            block = new Block();
            block.buffer = ByteBuffer.allocateDirect(Outbound.BLOCK_BYTES);
            block.address = Memory.address(block.buffer);
        } else {
            free = block.next;
            kept--;
        }
        block.next = null;
        block.buffer.position(0).limit(0);
        return block;
    }

    synchronized void give(Block block) {
        if (kept < MOST_KEPT) {
            block.next = free;
            free = block;
            kept++;
        }
    }
}
