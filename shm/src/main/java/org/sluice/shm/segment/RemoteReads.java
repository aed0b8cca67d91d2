package org.sluice.shm.segment;

import org.sluice.device.buffer.MappedMemory;
import org.sluice.device.channel.Channel;
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

    /** As {@link Channel#get}. */
    int read(
            PeerSegment segment,
            RemoteReference from,
            long offset,
            Object owner,
            Object base,
            long address,
            int bytes) {
        long begin = from.address + offset;
        if (bytes < 0 || offset < 0 || ((from.address ^ begin) & (offset ^ begin)) < 0) {
            return Channel.GET_FAILED;
        }
        if (from.key == SegmentChannel.ARENA) {
            return segment.copyFromArena(begin, MappedMemory.isMapped(owner), base, address, bytes);
        }
        if (HeapArrays.isArray(from)) {
            return readArray(segment, from, begin, base, address, bytes);
        }
        return from.key == SegmentChannel.PROCESS_MEMORY
                ? readProcess(segment.facts().pid(), begin, base, address, bytes)
                : Channel.GET_FAILED;
    }

    private int readArray(PeerSegment segment, RemoteReference from, long begin, Object base, long address, int bytes) {
        int result = Channel.GET_BY_STREAM;
        if (HeapArrays.isUnmoved(from, segment)) {
            result = readProcess(segment.facts().pid(), begin, base, address, bytes);
            if (result != Channel.GET_DONE || HeapArrays.isUnmoved(from, segment)) {
                counters.add(Counter.ARRAY_PIECES, result == Channel.GET_DONE ? 1 : 0);
                return result;
            }
        }
        // Perhaps of what lies there now: the peer knows where its array is.
        counters.increment(Counter.ARRAYS_MOVED);
        return Channel.GET_BY_STREAM;
    }

    private int readProcess(int pid, long begin, Object base, long address, int bytes) {
        int crossings = kernelCopy.read(pid, begin, base, address, bytes);
        if (crossings > 0) {
            counters.increment(Counter.KERNEL_COPIES);
            counters.add(Counter.NATIVE_CROSSINGS, crossings);
        }
        return switch (crossings) {
            // Its owner finds the same when it has to touch it, and says so, or streams what this rank is not let read.
            case KernelCopy.SOURCE_LOST -> Channel.GET_BY_STREAM;
            case KernelCopy.TARGET_LOST -> Channel.GET_TARGET_LOST;
            case KernelCopy.FAILED -> Channel.GET_FAILED;
            default -> Channel.GET_DONE;
        };
    }
}
