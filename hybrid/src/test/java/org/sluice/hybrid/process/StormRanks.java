package org.sluice.hybrid.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.sluice.device.Device;
import org.sluice.hybrid.device.Storm;

/**
 * Ranks of one JVM, as threads, in a storm: called with the first, how many, the seed, how many messages go from each
 * rank to each in a round, and for how many seconds rounds begin.
 */
final class StormRanks {
    private StormRanks() {}

    public static void main(String[] args) throws Exception {
        int first = Integer.parseInt(args[0]);
        int count = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        int messages = Integer.parseInt(args[3]);
        int seconds = Integer.parseInt(args[4]);
        List<FutureTask<Void>> ranks = new ArrayList<>();
        for (int rank = first; rank < first + count; rank++) {
            int self = rank;
            FutureTask<Void> task = new FutureTask<>(() -> {
                try (Device device = Device.open(self, Map.of())) {
                    int rounds = Storm.forSeconds(device, seed, messages, seconds);
                    Say.line("counters of " + self + " after " + rounds + " rounds: " + device.counters());
                }
                return null;
            });
            ranks.add(task);
            Thread thread = new Thread(task, "rank-" + self);
            thread.setDaemon(true);
            thread.start();
        }
        for (FutureTask<Void> rank : ranks) {
            rank.get();
        }
        Say.line("all came");
    }
}
