package org.sluice.shm.segment;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.sluice.device.channel.GetCases;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;

/** The same with no native library, and with the smallest rings, which wrap all the time. */
@Tag("conformance")
final class SegmentChannelWithoutOsTest extends GetCases {
    @Override
    protected TestRank[] open(int count) {
        return Segments.open(
                count,
                Segments.options("sluice.shm.ring.cells", "64", "sluice.shm.ring.bytes", "16k"),
                Segments.noOs());
    }

    @Override
    protected ByteBuffer readable(TestRank rank, int bytes) {
        return Memory.view(Segments.channel(rank).allocate(bytes), bytes, null);
    }
}
