package org.sluice.device.buffer;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.sluice.device.memory.Memory;

/**
 * Buffers of the program that map a file. Whoever may write to the file can cut it short at any time, or use up the
 * file system's room: then an access faults that was right when the buffer was checked. So what touches such memory
 * asks afterwards, and before anybody believes the bytes.
 *
 * <p>HotSpot reports a fault as {@link InternalError}, at once or later, anywhere ({@link Memory#settle}), and doesn't
 * say where it was. Who may have met it in one of several places looks at the program's first: {@link #isGone}.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code MappedMemoryTest}.
 */
public final class MappedMemory {
    private static final long PAGE = 4096;

    private MappedMemory() {}

    /** @param bufferOrOwner as the program passed it, or what {@link MemoryOwner#of} said of it; null for neither */
    public static boolean isMapped(Object bufferOrOwner) {
        if (bufferOrOwner instanceof ByteBuffer) {
            return bufferOrOwner instanceof MappedByteBuffer && Memory.isOfFile((MappedByteBuffer) bufferOrOwner);
        }
        if (bufferOrOwner instanceof Buffer) {
            Buffer typed = (Buffer) bufferOrOwner;
            return typed.isDirect() && Memory.isOfFile(typed);
        }
        return bufferOrOwner != null
                && !(bufferOrOwner instanceof MessageMemory)
                && !bufferOrOwner.getClass().isArray()
                && ChronicleBuffers.isMapped(bufferOrOwner);
    }

    /**
     * Whether some of these bytes can't be reached: touches every page. For after a fault.
     *
     * @param writing the bytes are the device's to write, as those of a receive are: a page may be there to be read and
     *     have no room in its file system
     */
    public static boolean isGone(long address, long bytes, boolean writing) {
        // The one that is looked for.
        settleQuietly();
        try {
            touchAll(address, bytes, writing);
            Memory.settle();
            return false;
        } catch (InternalError e) {
            // It may have been thrown before the second of two was noted.
            settleQuietly();
            return true;
        }
    }

    /** Of its own, as a fault in a compiled loop was seen to come out past the catch block of the same method. */
    private static void touchAll(long address, long bytes, boolean writing) {
        for (long at = address; at < address + bytes; at = (at & -PAGE) + PAGE) {
            if (writing) {
                Memory.rewrite(at);
            } else {
                Memory.touch(at);
            }
        }
    }

    private static void settleQuietly() {
        try {
            Memory.settle();
        } catch (InternalError e) {
            // Of the same pages.
        }
    }

    /** Copies what is to be sent out of such memory, so that nobody has to touch it any more. */
    static void copyOut(Object buffer, long from, byte[] to, int bytes) {
        settleQuietly();
        try {
            Memory.copy(null, from, to, Memory.arrayOffset(to), bytes);
            Memory.settle();
        } catch (InternalError e) {
            settleQuietly();
            throw new BufferLostException(buffer, e);
        }
    }

    /** Copies what was received to such memory. */
    static void copyIn(Object buffer, Object from, long to, long bytes) {
        settleQuietly();
        try {
            Memory.copy(from, Memory.arrayOffset(from), null, to, bytes);
            Memory.settle();
        } catch (InternalError e) {
            settleQuietly();
            throw new BufferLostException(buffer, e);
        }
    }

    /** Throws where an access to this memory, which a message was just copied to, has failed. */
    static void checkReceived(Object buffer, long address, long bytes) {
        try {
            Memory.settle();
        } catch (InternalError e) {
            throw lost(buffer, address, bytes, e);
        }
    }

    /**
     * What to throw of a fault that came while a message was copied to this memory: nothing else where it is the
     * program's own.
     */
    static BufferLostException lost(Object buffer, long address, long bytes, InternalError fault) {
        if (!isGone(address, bytes, true)) {
            throw fault;
        }
        return new BufferLostException(buffer, fault);
    }
}
