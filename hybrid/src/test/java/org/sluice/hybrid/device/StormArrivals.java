package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.sluice.device.Status;
import org.sluice.hybrid.device.StormPlan.Planned;

/**
 * What a rank of a storm still has to get, from each sender, in each context and with each tag in the order sent, and
 * what came. Of what may be withdrawn the content tells whether it is what came; what didn't come in its place must
 * never come, and its sender says in the end that it was withdrawn.
 */
final class StormArrivals {
    private final StormPlan plan;
    private final List<List<Planned>> bySource = new ArrayList<>();
    private final List<BitSet> came = new ArrayList<>();

    StormArrivals(StormPlan plan, int rank) {
        this.plan = plan;
        for (int from = 0; from < plan.ranks(); from++) {
            bySource.add(plan.of(from, rank));
            came.add(new BitSet());
        }
    }

    /** A message that will come, the first of some sender in some context; null: all have. */
    Planned certain(Random random) {
        int lists = plan.ranks() * StormPlan.CONTEXTS;
        int first = random.nextInt(lists);
        for (int i = 0; i < lists; i++) {
            int list = (first + i) % lists;
            for (Planned each : bySource.get(list / StormPlan.CONTEXTS)) {
                if (each.isCertain() && each.contextId() == list % StormPlan.CONTEXTS) {
                    return each;
                }
            }
        }
        return null;
    }

    void check(Status status, byte[] got) {
        Iterator<Planned> rest = bySource.get(status.source()).iterator();
        while (rest.hasNext()) {
            Planned next = rest.next();
            if (next.contextId() == status.contextId() && next.tag() == status.tag()) {
                rest.remove();
                if (next.bytes() == status.bytes()
                        && Arrays.equals(plan.content(next), 0, next.bytes(), got, 0, next.bytes())) {
                    came.get(next.from()).set(next.number());
                    return;
                }
                assertFalse(next.isCertain(), () -> next + " was lost, damaged or overtaken: " + status + " came");
            }
        }
        fail("nobody sent " + status);
    }

    /** @param sent by number: what the sender says that it did not withdraw */
    void checkVerdict(int source, boolean[] sent) {
        for (int number = 0; number < sent.length; number++) {
            assertEquals(
                    sent[number],
                    came.get(source).get(number),
                    "whether message " + number + " of rank " + source + " came, which was sent or withdrawn");
        }
    }
}
