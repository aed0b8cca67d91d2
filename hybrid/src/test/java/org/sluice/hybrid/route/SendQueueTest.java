package org.sluice.hybrid.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sends keep their order, whichever of them is taken out. */
final class SendQueueTest {
    private final SendQueue queue = new SendQueue();

    private List<SendOperation> content() {
        List<SendOperation> content = new ArrayList<>();
        for (SendOperation each = queue.first(); each != null; each = each.next) {
            content.add(each);
        }
        return content;
    }

    @Test
    void behavesAsADeque() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        ArrayDeque<SendOperation> model = new ArrayDeque<>();
        List<SendOperation> free = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            free.add(new SendOperation(i));
        }
        for (int i = 0; i < 20_000; i++) {
            int action = random.nextInt(5);
            if (action < 3 && !free.isEmpty()) {
                SendOperation added = free.remove(random.nextInt(free.size()));
                queue.add(added);
                model.add(added);
            } else if (action == 3 && !model.isEmpty()) {
                free.add(model.poll());
                queue.removeFirst();
            } else {
                List<SendOperation> all = new ArrayList<>(model);
                all.addAll(free);
                SendOperation any = all.get(random.nextInt(all.size()));
                boolean isThere = model.remove(any);
                assertEquals(isThere, queue.remove(any), "seed " + seed);
                if (isThere) {
                    free.add(any);
                }
            }
            assertEquals(new ArrayList<>(model), content(), "seed " + seed);
            assertEquals(model.size(), queue.size(), "seed " + seed);
            assertEquals(model.isEmpty(), queue.isEmpty(), "seed " + seed);
        }
    }
}
