package org.sluice.shm.segment;

import java.util.UUID;
import org.sluice.device.memory.Memory;
import org.sluice.shm.ring.MemoryFaults;

/** Compares a mapped header with what has to stand there. */
final class HeaderCheck {
    private HeaderCheck() {
    }

    /**
     * What is wrong, with what was found and what was expected, or null. Touches the last page too, in case the file
     * was cut short.
     */
    static String find(long address, SegmentLayout layout, int rank, UUID nonce) {
        String wrong;
        try {
            wrong = compare(address, layout, rank, nonce);
        } catch (InternalError e) {
            wrong = cutShort(rank);
        }
        String cut = touch(address + layout.bytes() - Long.BYTES, rank);
        return cut != null ? cut : wrong;
    }

    /**
     * Looks whether there is still a page at this address of a rank's segment, and behind all that was looked at
     * before.
     */
    static String touch(long address, int rank) {
        boolean lost;
        try {
            Memory.getLongVolatile(address);
            lost = MemoryFaults.settle();
        } catch (InternalError e) {
            MemoryFaults.settle();
            lost = true;
        }
        return lost ? cutShort(rank) : null;
    }

    private static String cutShort(int rank) {
        return "the segment of rank " + rank + " was cut short while in use";
    }

    private static String compare(long address, SegmentLayout layout, int rank, UUID nonce) {
        String wrong = differs("magic number", Memory.getLongVolatile(address + SegmentLayout.MAGIC_AT),
                SegmentLayout.MAGIC);
        wrong = or(wrong, differs("protocol version", Memory.getInt(address + SegmentLayout.VERSION_AT),
                SegmentLayout.PROTOCOL_VERSION));
        wrong = or(wrong, differs("cells of a ring", Memory.getInt(address + SegmentLayout.CELLS_AT),
                layout.size().cells()));
        wrong = or(wrong, differs("payload bytes of a ring", Memory.getInt(address + SegmentLayout.PAYLOAD_AT),
                layout.size().payloadBytes()));
        wrong = or(wrong, differs("rings", Memory.getInt(address + SegmentLayout.SLOTS_AT), layout.slots()));
        wrong = or(wrong, differs("rank", Memory.getInt(address + SegmentLayout.RANK_AT), rank));
        wrong = or(wrong, differs("nonce", Memory.getLong(address + SegmentLayout.NONCE_AT),
                nonce.getMostSignificantBits()));
        wrong = or(wrong, differs("nonce", Memory.getLong(address + SegmentLayout.NONCE_AT + Long.BYTES),
                nonce.getLeastSignificantBits()));
        return wrong == null ? null : "the header of rank " + rank + "'s segment has " + wrong;
    }

    private static String or(String first, String second) {
        return first != null ? first : second;
    }

    private static String differs(String what, long found, long expected) {
        return found == expected ? null : what + " " + found + " instead of " + expected;
    }
}
