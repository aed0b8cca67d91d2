package org.sluice.bench.reuse;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.sluice.device.Device;
import org.sluice.device.counter.Counter;

/**
 * The main class of two ranks that send direct buffers to and fro, each a few times before the next, in a ring that is
 * longer than what stays registered. Rank 0 says what a message took. Arguments: milliseconds, then sizes.
 */
public final class ReuseRank {
    private static final int TAG = 1;
    /** At least so many buffers of each are timed, however long they take. */
    private static final int BUFFERS_LEAST = 3;

    private static final byte GO_ON = 1;
    private static final byte LAST = 2;

    private final Device device;
    private final List<ByteBuffer> ring;
    private int next;

    private ReuseRank(Device device, List<ByteBuffer> ring) {
        this.device = device;
        this.ring = ring;
    }

    public static void main(String[] args) throws Exception {
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[0]));
        try (Device device = Device.open()) {
            for (String word : Arrays.asList(args).subList(1, args.length)) {
                int size = Integer.parseInt(word);
                List<ByteBuffer> ring = Stream.generate(() -> ByteBuffer.allocateDirect(size))
                        .limit(Math.max(2, ReuseRun.RING_BYTES / size))
                        .toList();
                ReuseRank rank = new ReuseRank(device, ring);
                for (int uses : ReuseBench.USES) {
                    // Compiled, and as full as it gets.
                    rank.measure(uses, nanos / 2);
                    ReuseReading reading = rank.measure(uses, nanos);
                    if (device.rank() == 0) {
                        System.out.println(reading.encode());
                    }
                }
            }
        }
    }

    /** It goes on with the buffer behind the last one: one that has been used has to go round before it comes again. */
    private ReuseReading measure(int uses, long nanos) {
        long[] took = new long[ring.size()];
        int count = 0;
        int other = 1 - device.rank();
        long registered = registrations();
        long end = System.nanoTime() + nanos;
        byte said;
        do {
            ByteBuffer buffer = ring.get(next);
            next = (next + 1) % ring.size();
            long began = System.nanoTime();
            for (int i = 0; i < uses; i++) {
                if (device.rank() == 0) {
                    boolean isLast = i == uses - 1 && count >= BUFFERS_LEAST && began - end > 0;
                    buffer.put(0, isLast ? LAST : GO_ON);
                    device.send(buffer, other, TAG);
                    device.recv(buffer, other, TAG);
                } else {
                    device.recv(buffer, other, TAG);
                    device.send(buffer, other, TAG);
                }
            }
            said = buffer.get(0);
            took = count < took.length ? took : Arrays.copyOf(took, 2 * took.length);
            took[count++] = (System.nanoTime() - began) / (2L * uses);
        } while (said == GO_ON);
        Arrays.sort(took, 0, count);
        return new ReuseReading(ring.get(0).capacity(), uses, took[count / 2], count, registrations() - registered);
    }

    private long registrations() {
        return device.counters().get(Counter.REGISTRATIONS.key());
    }
}
