package org.sluice.shm.segment;

import java.util.Map;
import org.sluice.device.channel.ChannelConformance;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.jni.os.Os;

final class SegmentChannelTest extends ChannelConformance {
    @Override
    protected TestRank[] open(int count) {
        return Segments.open(count, Options.of(Map.of()), Os.calls());
    }

    @Override
    protected boolean carriesObjects() {
        return false;
    }
}
