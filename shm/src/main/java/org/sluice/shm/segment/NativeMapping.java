package org.sluice.shm.segment;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.ring.MemoryFaults;

/**
 * Keeps a mapping of the native library alive, as a MappedByteBuffer does one of the JDK's: its addresses are undone
 * once nobody can reach this object any more, so that no thread can still read there. <i>Proof</i>:
 * {@code NativeMappingTest}.
 */
final class NativeMapping {
    private static final Cleaner CLEANER = Cleaner.create();

    private final OsCalls os;
    private final long address;
    private final long bytes;
    private final Unmapping unmapping;

    NativeMapping(OsCalls os, long address, long bytes) {
        this.os = os;
        this.address = address;
        this.bytes = bytes;
        this.unmapping = new Unmapping(os, address, bytes);
        CLEANER.register(this, unmapping);
    }

    /**
     * Has the JVM count its collections in a word of this mapping, until {@link #endCounting} or until it is unmapped.
     *
     * @return whether it does; once
     */
    boolean countCollections(long word) {
        // Only where the library watches the mapping: else the collector would die if the file were cut short.
        return os.lostPages(word) == 0 && unmapping.countCollections(word);
    }

    void endCounting() {
        unmapping.endCounting();
    }

    /**
     * Gives the memory back at once. A thread that is late meets zeros and no crash, as the addresses stay; if the
     * kernel refuses, the memory goes with them.
     */
    void giveBack() {
        os.mmapZeros(address, bytes);
        Reference.reachabilityFence(this);
    }

    /** True once somebody touched a page of it that was gone: then it is zeros, and nobody else's. */
    boolean isLost() {
        int lost = os.lostPages(address);
        // Not watched, or not to be replaced by zeros: then the JVM has answered, and its error may be pending.
        boolean isPending = lost != 0 && MemoryFaults.settle();
        return lost == 1 || isPending;
    }

    private static final class Unmapping implements Runnable {
        private final OsCalls os;
        private final long address;
        private final long bytes;
        /** What ends it; 0 where nothing is counted. */
        private long counting;

        Unmapping(OsCalls os, long address, long bytes) {
            this.os = os;
            this.address = address;
            this.bytes = bytes;
        }

        synchronized boolean countCollections(long word) {
            counting = Math.max(0, os.countCollections(word));
            return counting != 0;
        }

        synchronized void endCounting() {
            if (counting != 0) {
                os.endCounting(counting);
                counting = 0;
            }
        }

        @Override
        public void run() {
            endCounting();
            os.munmap(address, bytes);
        }
    }
}
