package org.sluice.hybrid.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What each rank of a storm sends to each, as a list that both ends make from the seed. */
record StormPlan(long seed, int ranks, int messages) {
    static final int CONTEXTS = 2;
    static final int TAGS = 4;
    static final int LONGEST = 300_000;
    /** So long that no two have the same content. */
    private static final int SHORTEST_UNCERTAIN = 8;

    /**
     * A message of a sender to a receiver.
     *
     * @param isCertain false: its sender may withdraw it
     */
    record Planned(
            int from,
            int to,
            int number,
            int contextId,
            int tag,
            int bytes,
            boolean isSynchronous,
            boolean isCertain) {}

    List<Planned> of(int from, int to) {
        Random random = new Random(seed * 31 + from * ranks + to);
        List<Planned> plan = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            boolean isCertain = random.nextInt(3) > 0;
            int bytes = random.nextInt(4) == 0
                    ? random.nextInt(LONGEST)
                    : random.nextInt(random.nextBoolean() ? 100 : 6000);
            plan.add(new Planned(
                    from,
                    to,
                    i,
                    random.nextInt(CONTEXTS),
                    random.nextInt(TAGS),
                    isCertain ? bytes : Math.max(bytes, SHORTEST_UNCERTAIN),
                    random.nextInt(3) == 0,
                    isCertain));
        }
        return plan;
    }

    byte[] content(Planned message) {
        return DeviceCases.pattern(
                ((long) message.from() * ranks + message.to()) * 1_000_003 + message.number(), message.bytes());
    }
}
