package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;

/** Slots whose messages were kept, over a simulated library. */
final class ReceiveSlotsTest {
    private static final int SLOTS = 8;

    private final SimulatedVerbs simulated = new SimulatedVerbs();

    private static long kept(ReceiveSlots slots, int slot) {
        long body = slots.address(slot) + 16;
        assertTrue(slots.keep(body));
        slots.release(slot);
        return body;
    }

    /** Else the lease would count as open, and its second close be one too many. */
    @Test
    void whatTheAdapterRefusesIsToldByTheNextPollAndNotToWhomGivesAMessageBack() {
        // The first post is the one of all slots.
        FailingVerbs verbs = FailingVerbs.failing(simulated, "postReceive", 2, Errno.ENOMEM);
        long events = verbs.createEventChannel();
        long id = verbs.createId(events);
        assertEquals(0, verbs.bind(id, InetAddress.getLoopbackAddress().getAddress(), 0));
        long domain = verbs.allocateProtectionDomain(verbs.cmContext(id));
        ReceiveSlots slots = new ReceiveSlots(verbs, domain, SLOTS, SLOTS, 64);
        long first = kept(slots, 0);
        long second = kept(slots, 1);
        slots.giveBack(first);
        assertEquals(1, verbs.callCount(), "two are posted together");
        slots.giveBack(second);
        assertEquals(2, verbs.callCount());
        slots.post();
        assertEquals(3, verbs.callCount());
        slots.post();
        assertEquals(3, verbs.callCount(), "nothing waits any more");
        assertThrows(IllegalStateException.class, () -> slots.giveBack(second));
        slots.close();
        verbs.deallocateProtectionDomain(domain);
        verbs.destroyId(id);
        verbs.destroyEventChannel(events);
        assertEquals(List.of(), simulated.wrongs());
        assertEquals(Map.of(), simulated.living());
    }
}
