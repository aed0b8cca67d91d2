package org.sluice.device.buffer;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.sluice.device.memory.Memory;

/**
 * Says what direct memory belongs to. An address says nothing about that: it may have been freed and given to somebody
 * else meanwhile, while an object that is reachable is the same as before.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code MemoryOwnerTest}.
 */
public final class MemoryOwner {
    /** When the memory of an owner is freed. */
    public enum Life {
        /**
         * When the owner is collected, and not before; a program that invokes a cleaner itself takes its memory away
         * under its user.
         */
        COLLECTED,
        /** By {@link MessageMemory#close()} at the latest, of which its {@link MessageAllocator} is told first. */
        CLOSED,
        /** At any time, by somebody who tells nobody. */
        UNKNOWN
    }

    private MemoryOwner() {}

    /**
     * The object that the memory of a direct buffer belongs to; all views of one memory have the same, as far as they
     * say whose views they are.
     *
     * @param buffer as the program passed it
     * @param held what {@link UserBuffer#hold} returned for it
     * @return null for memory in the heap, and for no memory
     */
    public static Object of(Object buffer, Object held) {
        if (buffer instanceof MessageMemory) {
            return buffer;
        }
        if (buffer instanceof Buffer) {
            return ((Buffer) buffer).isDirect() ? of((Buffer) buffer) : null;
        }
        return held == null ? null : ChronicleBuffers.owner(held);
    }

    /**
     * What a direct buffer is a view of; null where that is no message buffer. One load of a field where it is no view
     * at all.
     */
    static MessageMemory messageMemory(Buffer buffer) {
        if (!buffer.isDirect() || Memory.attachment(buffer) == null) {
            return null;
        }
        Object owner = of(buffer);
        return owner instanceof MessageMemory ? (MessageMemory) owner : null;
    }

    private static Object of(Buffer buffer) {
        Buffer outermost = buffer;
        while (true) {
            Object next = Memory.attachment(outermost);
            if (next instanceof MessageMemory) {
                return next;
            }
            if (!(next instanceof ByteBuffer)) {
                return outermost;
            }
            outermost = (ByteBuffer) next;
        }
    }

    /** Where the memory of an owner begins. */
    public static long address(Object owner) {
        return owner instanceof MessageMemory
                ? ((MessageMemory) owner).address()
                : owner instanceof Buffer ? Memory.address((Buffer) owner) : ChronicleBuffers.ownedAddress(owner);
    }

    /** How much memory an owner has. */
    public static long bytes(Object owner) {
        return owner instanceof MessageMemory
                ? ((MessageMemory) owner).bytes()
                : owner instanceof Buffer
                        ? (long) ((Buffer) owner).capacity() * UserBuffer.elementSize(owner)
                        : ChronicleBuffers.ownedBytes(owner);
    }

    public static Life life(Object owner) {
        if (owner instanceof MessageMemory) {
            return Life.CLOSED;
        }
        return owner instanceof ByteBuffer
                        && Memory.attachment((ByteBuffer) owner) == null
                        && Memory.isFreedWhenCollected((ByteBuffer) owner)
                ? Life.COLLECTED
                : Life.UNKNOWN;
    }
}
