package org.sluice.shm.segment;

import org.sluice.device.channel.ChannelConformance;
import org.sluice.device.channel.TestRank;

final class SegmentChannelTest extends ChannelConformance {
    @Override
    protected TestRank[] open(int count) {
        return Segments.open(count, Segments.options(), Segments.os());
    }
}
