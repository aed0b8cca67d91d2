package org.sluice.shm.segment;

import org.sluice.device.buffer.MappedMemory;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.Reading;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;

/**
 * Reads what a reference of a peer names, after a check that it can be meant: arena memory where it is mapped, other
 * memory through the kernel. <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code SegmentChannelTest},
 * {@code KernelCopyTest}.
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

    /** As {@link Reading#get}. */
    GetResult read(
            PeerSegment segment,
            RemoteReference from,
            long offset,
            Object owner,
            Object base,
            long address,
            int bytes) {
        long begin = from.address + offset;
        if (bytes < 0 || offset < 0 || ((from.address ^ begin) & (offset ^ begin)) < 0) {
            return GetResult.FAILED;
        }
        if (from.key == SegmentChannel.ARENA) {
            return segment.copyFromArena(begin, MappedMemory.isMapped(owner), base, address, bytes);
        }
        if (HeapArrays.isArray(from)) {
            return readArray(segment, from, begin, base, address, bytes);
        }
        return from.key == SegmentChannel.PROCESS_MEMORY
                ? readProcess(segment.facts().pid(), begin, base, address, bytes)
                : GetResult.FAILED;
    }

    private GetResult readArray(
            PeerSegment segment, RemoteReference from, long begin, Object base, long address, int bytes) {
        GetResult result = GetResult.BY_STREAM;
        if (HeapArrays.isUnmoved(from, segment)) {
            result = readProcess(segment.facts().pid(), begin, base, address, bytes);
            if (result != GetResult.DONE || HeapArrays.isUnmoved(from, segment)) {
                counters.add(Counter.ARRAY_PIECES, result == GetResult.DONE ? 1 : 0);
                return result;
            }
        }
        // Perhaps of what lies there now: the peer knows where its array is.
        counters.increment(Counter.ARRAYS_MOVED);
        return GetResult.BY_STREAM;
    }

    private GetResult readProcess(int pid, long begin, Object base, long address, int bytes) {
        int crossings = kernelCopy.read(pid, begin, base, address, bytes);
        if (crossings > 0) {
            counters.increment(Counter.KERNEL_COPIES);
            counters.add(Counter.NATIVE_CROSSINGS, crossings);
        }
        return switch (crossings) {
            // Its owner finds the same when it has to touch it, and says so, or streams what this rank is not let read.
            case KernelCopy.SOURCE_LOST -> GetResult.BY_STREAM;
            case KernelCopy.TARGET_LOST -> GetResult.TARGET_LOST;
            case KernelCopy.FAILED -> GetResult.FAILED;
            default -> GetResult.DONE;
        };
    }
}
