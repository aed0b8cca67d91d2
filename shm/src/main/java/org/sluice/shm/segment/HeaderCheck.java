package org.sluice.shm.segment;

import java.util.UUID;
import org.sluice.device.arena.Extent;
import org.sluice.device.memory.Memory;
import org.sluice.shm.ring.MemoryFaults;

/** Compares a mapped header with what has to stand there. */
final class HeaderCheck {
    private HeaderCheck() {}

    /**
     * What is wrong, with what was found and what was expected, or null. Touches the last page too, in case the file
     * was cut short.
     */
    static String find(Extent memory, SegmentLayout layout, int rank, UUID nonce) {
        String wrong;
        try {
            wrong = compare(memory.address(), layout, rank, nonce);
        } catch (InternalError e) {
            wrong = cutShort(memory, rank);
        }
        String cut = touch(memory, rank);
        return cut != null ? cut : wrong;
    }

    /**
     * Looks whether the last page of this part of a rank's segment is still there, and all that were touched before.
     */
    static String touch(Extent part, int rank) {
        boolean lost;
        try {
            Memory.touch(part.address() + part.bytes() - 1);
            lost = isLost(part);
        } catch (InternalError e) {
            MemoryFaults.settle();
            lost = true;
        }
        return lost ? cutShort(part, rank) : null;
    }

    /** Whether pages were gone that this thread has touched. */
    static boolean isLost(Extent part) {
        Object mapping = part.keepAlive();
        return mapping instanceof NativeMapping ? ((NativeMapping) mapping).isLost() : MemoryFaults.settle();
    }

    private static String cutShort(Extent part, int rank) {
        return "the segment of rank " + rank + " was cut short while in use: its file has to keep its "
                + (part.offset() + part.bytes())
                + " bytes until the job ends. Find out who truncated it, and start the job again";
    }

    private static String compare(long address, SegmentLayout layout, int rank, UUID nonce) {
        String wrong =
                differs("magic number", Memory.getLongVolatile(address + SegmentLayout.MAGIC_AT), SegmentLayout.MAGIC);
        wrong = or(
                wrong,
                differs(
                        "protocol version",
                        Memory.getInt(address + SegmentLayout.VERSION_AT),
                        SegmentLayout.PROTOCOL_VERSION));
        wrong = or(
                wrong,
                differs(
                        "cells of a ring",
                        Memory.getInt(address + SegmentLayout.CELLS_AT),
                        layout.size().cells()));
        wrong = or(
                wrong,
                differs(
                        "payload bytes of a ring",
                        Memory.getInt(address + SegmentLayout.PAYLOAD_AT),
                        layout.size().payloadBytes()));
        wrong = or(wrong, differs("rings", Memory.getInt(address + SegmentLayout.SLOTS_AT), layout.slots()));
        wrong = or(wrong, differs("rank", Memory.getInt(address + SegmentLayout.RANK_AT), rank));
        wrong = or(
                wrong,
                differs("nonce", Memory.getLong(address + SegmentLayout.NONCE_AT), nonce.getMostSignificantBits()));
        wrong = or(
                wrong,
                differs(
                        "nonce",
                        Memory.getLong(address + SegmentLayout.NONCE_AT + Long.BYTES),
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
