package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RemoteSlots;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * The message that says that a connection stands never comes: the first packet, or the device's event of it, says so
 * too.
 */
@Tag("all")
@Tag("verbs")
final class EstablishedRxeTest {
    private static final Options OPTIONS = VerbsRanks.options(Map.of("sluice.ib.connect.timeout.ms", "4000"));
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;

    private final VerbsCalls verbs = VerbsRanks.verbs();

    /** Passes over the word that a connection stands. */
    private VerbsCalls deaf() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(verbs, arguments);
                        if (method.getName().equals("connectionEvent") && (int) result == 1) {
                            long kind = (long) arguments[1] + VerbsLayout.EVENT_KIND;
                            if (Memory.getInt(kind) == VerbsLayout.ESTABLISHED) {
                                Memory.putInt(kind, VerbsLayout.TIMEWAIT_EXIT);
                            }
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private TestRank[] accepting(VerbsCalls deaf) throws InterruptedException {
        TestRank[] ranks = {VerbsRanks.rank(0, 2, OPTIONS, verbs, null), VerbsRanks.rank(1, 2, OPTIONS, deaf, null)};
        VerbsRanks.introduce(ranks);
        VerbsRanks.channel(ranks[0]).want(1);
        await(ranks, 0, ConnectionState.READY);
        await(ranks, 1, ConnectionState.ACCEPTING);
        return ranks;
    }

    private static void await(TestRank[] ranks, int rank, ConnectionState state) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (VerbsRanks.channel(ranks[rank]).state(1 - rank) != state) {
            assertTrue(
                    System.nanoTime() < deadline,
                    "rank " + rank + " is not " + state + ": " + VerbsRanks.channel(ranks[rank]));
            Thread.sleep(1);
        }
    }

    /** Only after a while: the message is late more often than lost. */
    private static void awaitTold(CountingVerbs counting) throws InterruptedException {
        assertEquals(0, counting.callsOf("tellEstablished"));
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (counting.callsOf("tellEstablished") == 0) {
            assertTrue(System.nanoTime() < deadline, "the connection manager is told");
            Thread.sleep(1);
        }
    }

    private static void exchange(TestRank[] ranks, CountingVerbs living) {
        ranks[1].send(0, 4, new byte[4]);
        assertEquals(4, ranks[0].receive().tag());
        ranks[0].channel.close();
        ranks[1].channel.close();
        assertEquals(Map.of(), living.living());
    }

    @Test
    void theFirstPacketTellsTheConnectionManager() throws InterruptedException {
        CountingVerbs counting = new CountingVerbs(deaf());
        TestRank[] ranks = accepting(counting.calls());
        assertEquals(0, counting.callsOf("tellEstablished"));
        assertEquals(Channel.SENT, ranks[0].trySend(1, PacketKind.EAGER, 0, 3, new byte[3], null));
        assertEquals(3, ranks[1].receive().tag());
        assertEquals(ConnectionState.READY, VerbsRanks.channel(ranks[1]).state(0));
        awaitTold(counting);
        exchange(ranks, counting);
    }

    @Test
    void soDoesTheDevicesEvent() throws InterruptedException {
        CountingVerbs counting = new CountingVerbs(deaf());
        HeldVerbs reporting = new HeldVerbs(counting.calls());
        TestRank[] ranks = accepting(reporting.calls());
        reporting.report(AsyncKind.COMM_EST.ordinal(), reporting.queuePairNumber());
        await(ranks, 1, ConnectionState.READY);
        awaitTold(counting);
        exchange(ranks, counting);
    }

    /**
     * A packet that asks for slots may be there before the word that the connection stands: it is no reason to refuse
     * them.
     */
    @Test
    void whoAskedLendsSlotsBeforeItHearsThatTheConnectionStands() throws InterruptedException {
        TestRank[] ranks = {VerbsRanks.rank(0, 2, OPTIONS, deaf(), null), VerbsRanks.rank(1, 2, OPTIONS, verbs, null)};
        VerbsRanks.introduce(ranks);
        VerbsRanks.channel(ranks[0]).want(1);
        await(ranks, 1, ConnectionState.READY);
        ranks[1].send(0, 6, new byte[6]);
        assertEquals(6, ranks[0].receive().tag());
        assertEquals(ConnectionState.CONNECTING, VerbsRanks.channel(ranks[0]).state(1));
        RemoteSlots slots = ranks[0].channel.remoteSlots();
        RemoteReference lent = new RemoteReference();
        assertTrue(slots.lend(1, 1000, lent));
        slots.takeBack(1, lent.lease);
        ranks[1].channel.close();
        ranks[0].channel.close();
    }
}
