package org.sluice.shm.segment;

import java.lang.ref.Cleaner;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.ring.MemoryFaults;

/**
 * Keeps a mapping of the native library alive, as a MappedByteBuffer does one of the JDK's: it is undone once nobody
 * can reach this object any more, so that no thread can still read there. <i>Proof</i>: {@code NativeMappingTest}.
 */
final class NativeMapping {
    private static final Cleaner CLEANER = Cleaner.create();

    private final OsCalls os;
    private final long address;

    NativeMapping(OsCalls os, long address, long bytes) {
        this.os = os;
        this.address = address;
        CLEANER.register(this, new Unmapping(os, address, bytes));
    }

    /** True once somebody touched a page of it that was gone: then it is zeros, and nobody else's. */
    boolean isLost() {
        int lost = os.lostPages(address);
        // Not watched, or not to be replaced by zeros: then the JVM has answered, and its error may be pending.
        boolean isPending = lost != 0 && MemoryFaults.settle();
        return lost == 1 || isPending;
    }

    private record Unmapping(OsCalls os, long address, long bytes) implements Runnable {
        @Override
        public void run() {
            os.munmap(address, bytes);
        }
    }
}
