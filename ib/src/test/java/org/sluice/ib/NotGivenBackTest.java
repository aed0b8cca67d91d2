package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/** A library that doesn't take back what it is told to: what it may still use stays, and close says so. */
final class NotGivenBackTest {
    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private TestRank[] ranks = {};

    /** The first calls of that name are not made. */
    private VerbsCalls refusing(String method, int times) {
        AtomicInteger refused = new AtomicInteger();
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method) && refused.getAndIncrement() < times) {
                        return -Errno.EBUSY;
                    }
                    try {
                        return called.invoke(simulated, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void live(VerbsCalls ofRank0) {
        ranks = new TestRank[] {
            VerbsRanks.rank(0, 2, VerbsRanks.options(Map.of()), ofRank0, null),
            VerbsRanks.rank(1, 2, VerbsRanks.options(Map.of()), simulated, null)
        };
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        ranks[0].send(1, 5, new byte[100]);
        assertEquals(5, ranks[1].receive().tag());
    }

    private String closeIsRefused() {
        String told = assertThrows(IllegalStateException.class, ranks[0].channel::close)
                .getMessage();
        // Once only.
        ranks[0].channel.close();
        ranks[1].channel.close();
        assertEquals(List.of(), simulated.wrongs());
        return told;
    }

    @Test
    void aQueuePairThatStaysKeepsWhateverItMayUse() {
        live(refusing("destroyQueuePair", Integer.MAX_VALUE));
        String told = closeIsRefused();
        assertTrue(told.contains("ibv_destroy_qp: EBUSY") && told.contains("queue pairs that stay: 1"), told);
        Map<String, Integer> living = simulated.living();
        assertEquals(1, living.get("QueuePair"), living.toString());
        assertEquals(1, living.get("ReceiveQueue"), living.toString());
        // Receive slots, send slots and headers: memory is freed only after its region.
        assertEquals(3, living.get("Region"), living.toString());
    }

    @Test
    void aQueuePairThatGoesAtTheSecondCallKeepsNothing() {
        live(refusing("destroyQueuePair", 1));
        ranks[0].channel.close();
        ranks[1].channel.close();
        assertEquals(Map.of(), simulated.living());
        assertEquals(List.of(), simulated.wrongs());
    }

    /** All others are given back, but for what the library keeps because of the one that stays. */
    @Test
    void oneRegionThatStays() {
        live(refusing("deregisterMemory", 1));
        String told = closeIsRefused();
        assertTrue(told.contains("ibv_dereg_mr: EBUSY"), told);
        assertEquals(Map.of("Region", 1, "Domain", 1), simulated.living());
    }

    /**
     * The only ring was to go to a busier peer: that does without, or there would be more memory at each exchange; and
     * close tells of it.
     */
    @Test
    void aLandingRingThatStays() {
        var options = LandingRanks.options("write", "sluice.ib.landing.peers", "1");
        ranks = new TestRank[] {
            VerbsRanks.rank(0, 3, options, refusing("deregisterMemory", 1), null),
            VerbsRanks.rank(1, 3, options, simulated, null),
            VerbsRanks.rank(2, 3, options, simulated, null)
        };
        VerbsRanks.introduce(ranks);
        for (int peer = 1; peer <= 2; peer++) {
            VerbsRanks.join(ranks[0], ranks[peer]);
            for (int i = 0; i < 400; i++) {
                ranks[peer].send(0, i, new byte[8]);
                assertEquals(i, ranks[0].receive().tag());
                ranks[1].drive();
            }
            assertEquals(
                    peer == 1, LandingRanks.sum(ranks[peer], Counter.LANDING_WRITES) > 0, ranks[0].channel.toString());
        }
        String told = closeIsRefused();
        ranks[2].channel.close();
        assertTrue(told.contains("ibv_dereg_mr: EBUSY"), told);
        assertEquals(Map.of("Region", 1, "Domain", 1), simulated.living());
    }

    @Test
    void oneIdentifierThatStays() {
        live(refusing("destroyId", 1));
        String told = assertThrows(IllegalStateException.class, ranks[0].channel::close)
                .getMessage();
        assertTrue(told.contains("rdma_destroy_id: EBUSY"), told);
        ranks[1].channel.close();
        assertEquals(Map.of("Identifier", 1), simulated.living());
    }

    /** What an opening that fails can't give back doesn't hide why it failed. */
    @Test
    void anOpeningThatFailsSaysWhy() {
        VerbsCalls first = FailingVerbs.failing(simulated, "createSharedReceiveQueue", 1, Errno.EBUSY);
        String told = assertThrows(
                        RuntimeException.class,
                        () -> live((VerbsCalls) Proxy.newProxyInstance(
                                VerbsCalls.class.getClassLoader(),
                                new Class<?>[] {VerbsCalls.class},
                                (proxy, called, arguments) -> called.getName().equals("deallocateProtectionDomain")
                                        ? -Errno.EIO
                                        : called.invoke(first, arguments))))
                .getMessage();
        assertTrue(told.contains("ibv_create_srq") && told.contains("EBUSY"), told);
    }
}
