package org.sluice.shm.segment;

import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Reads what a reference of a peer names, after a check that it can be meant: arena memory where it is mapped, other memory through the
 * kernel. <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code SegmentChannelTest}, {@code KernelCopyTest}.
 */
final class RemoteReads {
    private final KernelCopy kernelCopy;
    private final Counters counters = new Counters();

    RemoteReads(KernelCopy kernelCopy) {
        this.kernelCopy = kernelCopy;
    }

    Counters counters() {
        return counters;
    }

    /** @return false when the reference is invalid or the memory can't be read */
    boolean read(PeerSegment segment, RemoteReference from, long offset, Object base, long address, int bytes) {
        long begin = from.address + offset;
        if (bytes < 0 || offset < 0 || ((from.address ^ begin) & (offset ^ begin)) < 0) {
            return false;
        }
        if (from.key == SegmentChannel.ARENA) {
            return segment.copyFromArena(begin, base, address, bytes);
        }
        if (from.key != SegmentChannel.PROCESS_MEMORY) {
            return false;
        }
        int crossings = kernelCopy.read(segment.facts().pid(), begin, base, address, bytes);
        if (crossings > 0) {
            counters.increment(Counter.KERNEL_COPIES);
            counters.add(Counter.NATIVE_CROSSINGS, crossings);
        }
        return crossings >= 0;
    }
}
