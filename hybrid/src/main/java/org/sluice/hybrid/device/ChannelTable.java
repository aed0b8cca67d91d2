package org.sluice.hybrid.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluice.launch.RankList;

/** Which channel reaches which ranks, in a line for people. */
final class ChannelTable {
    private ChannelTable() {}

    /**
     * @param channels of each rank by its number; the own rank's counts as "itself"
     * @param noShm by rank: why it is not reached through shared memory, although it might have been; empty where there
     *     is nothing to say
     * @param verbsReason why there is no ib; empty where there is
     */
    static String text(int self, String[] channels, String[] noShm, String verbsReason) {
        List<String> parts = new ArrayList<>();
        for (String channel : List.of(ChannelChoice.THREADS, ChannelChoice.SHM, ChannelChoice.IB, ChannelChoice.TCP)) {
            List<Integer> ranks = new ArrayList<>();
            for (int rank = 0; rank < channels.length; rank++) {
                if (rank != self && channels[rank].equals(channel)) {
                    ranks.add(rank);
                }
            }
            if (!ranks.isEmpty()) {
                parts.add(RankList.text(ranks) + " by " + channel);
            }
        }
        return "sluice: rank " + self + " of " + channels.length + " reaches "
                + (parts.isEmpty() ? "itself alone" : String.join(", ", parts)) + noShm(noShm)
                + (verbsReason.isEmpty() ? "" : "; no ib: " + verbsReason);
    }

    private static String noShm(String[] reasons) {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < reasons.length; rank++) {
            if (!reasons[rank].isEmpty()) {
                ranks.computeIfAbsent(reasons[rank], reason -> new ArrayList<>())
                        .add(rank);
            }
        }
        StringBuilder text = new StringBuilder();
        ranks.forEach((reason, those) -> text.append("; no shm to ")
                .append(RankList.text(those))
                .append(": ")
                .append(reason));
        return text.toString();
    }
}
