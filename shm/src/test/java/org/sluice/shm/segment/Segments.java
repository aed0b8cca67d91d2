package org.sluice.shm.segment;

import java.util.stream.IntStream;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.jni.os.OsCalls;

/** Opens connected segment channels inside one JVM. */
final class Segments {
    private Segments() {
    }

    static TestRank[] open(int count, Options options, OsCalls os) {
        SegmentChannel[] channels = new SegmentChannel[count];
        for (int rank = 0; rank < count; rank++) {
            int self = rank;
            int[] others = IntStream.range(0, count).filter(each -> each != self).toArray();
            channels[rank] = SegmentChannel.create(rank, count, others, options, os);
        }
        for (int rank = 0; rank < count; rank++) {
            for (int peer = 0; peer < count; peer++) {
                if (peer != rank) {
                    channels[rank].connect(peer, channels[peer].facts());
                }
            }
        }
        for (SegmentChannel channel : channels) {
            channel.unlink();
        }
        return IntStream.range(0, count).mapToObj(rank -> new TestRank(rank, channels[rank], channels[rank].waitWord()))
                .toArray(TestRank[]::new);
    }

    static SegmentChannel channel(TestRank rank) {
        return (SegmentChannel) rank.channel;
    }
}
