package org.sluice.shm.threads;

import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.sluice.device.channel.ChannelConformance;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.option.Options;
import org.sluice.shm.Words;

final class ThreadChannelTest extends ChannelConformance {
    @Override
    protected TestRank[] open(int count) {
        String job = UUID.randomUUID().toString();
        int[] all = IntStream.range(0, count).toArray();
        return IntStream.range(0, count).mapToObj(rank -> {
            WaitWord word = Words.inDirectMemory();
            return new TestRank(rank, ThreadChannel.open(job, rank, all, word, Options.of(Map.of())), word);
        }).toArray(TestRank[]::new);
    }

    @Override
    protected boolean carriesObjects() {
        return true;
    }
}
