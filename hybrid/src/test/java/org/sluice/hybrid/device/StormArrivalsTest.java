package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.Status;
import org.sluice.hybrid.device.StormPlan.Planned;

/** What the storm's model notices. */
@Tag("once")
final class StormArrivalsTest {
    private static final StormPlan PLAN = new StormPlan(1, 1, 200);

    private final StormArrivals arrivals = new StormArrivals(PLAN, 0);
    private final List<Planned> all = PLAN.of(0, 0);
    /** The same context and tag, in order. */
    private final List<Planned> certain =
            all.stream().filter(each -> each.isCertain() && isInOneOrder(each)).toList();

    private final Planned uncertain = all.stream()
            .filter(each -> isInOneOrder(each) && !each.isCertain())
            .findFirst()
            .orElseThrow();

    private boolean isInOneOrder(Planned message) {
        return message.contextId() == 0 && message.tag() == 0 && message.bytes() > 0;
    }

    private void come(Planned message) {
        come(message, PLAN.content(message));
    }

    private void come(Planned message, byte[] body) {
        Status status = new Status();
        status.set(0, message.tag(), message.contextId(), body.length, 1, ErrorCode.NONE);
        arrivals.check(status, body);
    }

    private void assertNoticed(Runnable wrong) {
        assertThrows(AssertionError.class, wrong::run);
    }

    @Test
    void withdrawnMessagesMayBeMissing() {
        boolean[] sent = new boolean[all.size()];
        assertNotNull(arrivals.certain(new Random()));
        for (Planned each : all) {
            if (each.isCertain() || each.number() % 2 == 0) {
                sent[each.number()] = true;
                come(each);
            }
        }
        assertNull(arrivals.certain(new Random()));
        arrivals.checkVerdict(0, sent);
    }

    @Test
    void lostMessagesAreNoticed() {
        assertNoticed(() -> come(certain.get(1)));
    }

    @Test
    void doubledMessagesAreNoticed() {
        come(certain.get(0));
        assertNoticed(() -> come(certain.get(0)));
    }

    @Test
    void damagedMessagesAreNoticed() {
        byte[] body = PLAN.content(certain.get(0));
        body[body.length - 1]++;
        assertNoticed(() -> come(certain.get(0), body));
    }

    @Test
    void uncertainMessagesThatAreOvertakenAreNoticed() {
        come(certain.get(0));
        come(certain.get(1));
        assertNoticed(() -> come(uncertain));
    }

    @Test
    void whatCameAlthoughItWasWithdrawnOrDidNotAlthoughItWasSentIsNoticed() {
        come(all.get(0));
        boolean[] sent = new boolean[all.size()];
        assertNoticed(() -> arrivals.checkVerdict(0, sent));
        sent[0] = true;
        arrivals.checkVerdict(0, sent);
        sent[1] = true;
        assertNoticed(() -> arrivals.checkVerdict(0, sent));
    }
}
