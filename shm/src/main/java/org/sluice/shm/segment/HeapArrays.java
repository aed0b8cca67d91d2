package org.sluice.shm.segment;

import org.sluice.device.channel.RemoteReference;
import org.sluice.device.memory.Memory;
import org.sluice.jni.os.OsCalls;

/**
 * Arrays of this JVM, for peers to read where they lie. An array stays there until the next collection, which the JVM
 * counts in a word of this rank's segment before it moves anything: a peer that finds the same count after its copy as
 * the sender before it had taken the address has copied the array.
 *
 * <p>That holds where collections that stop all threads are all that moves arrays, and where the JVM tells of all of
 * them: not for ZGC and Shenandoah, nor where a JDK before 25 keeps silent about what a heap dump or a class histogram
 * collects with Parallel and Serial (docs/project/adr/0085-arrays-in-one-copy.md).
 *
 * <p><i>Thread</i>: {@link #describe} under any peer's send lock, {@link #close} when nobody sends. <i>Owns</i>: the
 * counting. <i>Proof</i>: {@code HeapArraysTest}, {@code ArrayCopyProcessTest}.
 */
final class HeapArrays {
    /** With Parallel and Serial. */
    private static final int ALL_ARE_TOLD_OF_FROM = 25;
    /** A count of 0 is what a segment has in which nobody counts. */
    private static final long FIRST = 1;

    private static final int KIND_BITS = 3;
    private static final long KIND = (1 << KIND_BITS) - 1;

    private final OsCalls os;
    private final OwnSegment own;
    /** Null before the first array. */
    private volatile Boolean isCounting;

    HeapArrays(OsCalls os, OwnSegment own) {
        this.os = os;
        this.own = own;
    }

    /** As {@link org.sluice.device.channel.Reading#describe}. */
    boolean describe(Object array, long address, RemoteReference into) {
        Boolean before = isCounting;
        if (!(before == null ? begin() : before)) {
            return false;
        }
        // Before the address: what is collected in between is found by the reader.
        long count = Memory.getLongVolatile(own.at(SegmentLayout.COLLECTIONS_AT));
        long elements = os.arrayAddress(array);
        if (elements <= 0 || count == 0) {
            return false;
        }
        into.set(
                SegmentChannel.HEAP_ARRAY | count << KIND_BITS, elements + (address - Memory.arrayOffset(array)), null);
        return true;
    }

    static boolean isArray(RemoteReference reference) {
        return (reference.key & KIND) == SegmentChannel.HEAP_ARRAY && reference.key >> KIND_BITS != 0;
    }

    /**
     * Whether an array of a peer is where it was when the peer described it; asked after the copy, whether that is the
     * array's.
     */
    static boolean isUnmoved(RemoteReference reference, PeerSegment segment) {
        // What was copied before this is older than the count; pairs with the fence of who counts.
        Memory.loadFence();
        return Memory.getLongVolatile(segment.at(SegmentLayout.COLLECTIONS_AT)) == reference.key >> KIND_BITS;
    }

    private synchronized boolean begin() {
        if (isCounting == null) {
            isCounting = isToldOfAll(os.collector(), Runtime.version().feature()) && count();
        }
        return isCounting;
    }

    static boolean isToldOfAll(int collector, int javaVersion) {
        return collector == OsCalls.COLLECTOR_G1
                || (collector == OsCalls.COLLECTOR_PARALLEL || collector == OsCalls.COLLECTOR_SERIAL)
                        && javaVersion >= ALL_ARE_TOLD_OF_FROM;
    }

    private boolean count() {
        long word = own.at(SegmentLayout.COLLECTIONS_AT);
        Memory.putLongRelease(word, FIRST);
        return own.keepAlive() instanceof NativeMapping mapping && mapping.countCollections(word);
    }

    /** Before the segment's memory is given back. */
    synchronized void close() {
        isCounting = false;
        if (own.keepAlive() instanceof NativeMapping mapping) {
            mapping.endCounting();
        }
    }
}
