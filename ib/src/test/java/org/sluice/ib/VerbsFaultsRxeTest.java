package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/** Each call of the library fails once, at each place: nothing hangs, nothing is kept, the error names the call, other peers go on. */
@Tag("verbs")
final class VerbsFaultsRxeTest {
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int PACKETS = 24;
    private static final int MOST_PLACES = 6;
    private static final Options OPTIONS = Options.of(Map.of("sluice.ib.slots", "32", "sluice.ib.body.bytes", "256", "sluice.ib.send.slots",
            "64", "sluice.ib.window", "4", "sluice.ib.mtu", "512", "sluice.ib.connect.timeout.ms", "3000", "sluice.close.timeout.ms", "2000"));

    private final VerbsCalls verbs = VerbsRanks.verbs();

    /** The library's name of a call that nothing works without; null where the channel may do without it. */
    private static String fatalName(String method) {
        switch (method) {
            case "createId": return "rdma_create_id";
            case "postSend": return "ibv_post_send";
            case "createQueuePair": return "rdma_create_qp";
            case "connect": return "rdma_connect";
            case "accept": return "rdma_accept";
            case "postReceive": return "ibv_post_srq_recv";
            case "poll": return "ibv_poll_cq";
            case "connectionEvent": return "rdma_get_cm_event";
            case "drainCompletionEvents": return "ibv_get_cq_event";
            case "requestNotify": return "ibv_req_notify_cq";
            case "resolveAddress": return "rdma_resolve_addr";
            default: return null;
        }
    }

    @Test
    void everyCallOfOpening() {
        FailingVerbs counting = FailingVerbs.neverFailing(verbs);
        VerbsRanks.rank(0, 2, OPTIONS, counting, null).channel.close();
        int calls = (int) counting.callCount();
        assertTrue(calls > 15, calls + " calls");
        int refused = 0;
        for (int n = 1; n <= calls; n++) {
            CountingVerbs living = new CountingVerbs(verbs);
            try {
                VerbsRanks.rank(0, 2, OPTIONS, FailingVerbs.failing(living.calls(), n, Errno.EIO), null).channel.close();
            } catch (RuntimeException e) {
                refused++;
                assertTrue(e.getMessage().contains("EIO"), "call " + n + ": " + e.getMessage());
                assertTrue(e.getMessage().matches("(?s).*(rdma_|ibv_|eventfd).*"), "call " + n + ": " + e.getMessage());
            }
            assertEquals(Map.of(), living.living(), "after call " + n + " of " + calls + " failed");
        }
        assertTrue(refused >= 10, refused + " of " + calls + " were told");
    }

    @Test
    void aDescriptorThatCantBeHadIsToldAtOnce() {
        CountingVerbs living = new CountingVerbs(verbs);
        SluiceException told = assertThrows(SluiceException.class,
                () -> VerbsRanks.rank(0, 2, OPTIONS, FailingVerbs.failing(living.calls(), "asyncFd", 1, Errno.EIO), null));
        assertTrue(told.getMessage().contains("EIO"), told.getMessage());
        assertEquals(Map.of(), living.living());
    }

    /** More of them than there are slots. */
    @Test
    void aListenerThatThrowsLosesNoSlot() {
        TestRank[] ranks = VerbsRanks.joined(2, OPTIONS, verbs);
        int[] seen = {0};
        RecordingListener throwing = new RecordingListener() {
            @Override
            public void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
                assertEquals(seen[0]++, tag);
                throw new IllegalStateException("on purpose");
            }
        };
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int sent = 0; seen[0] < 100;) {
            if (sent < 100 && ranks[0].trySend(1, PacketKind.EAGER, 0, sent, new byte[8], null) == Channel.SENT) {
                sent++;
            }
            ranks[0].drive();
            try {
                ranks[1].channel.poll(throwing, 10);
            } catch (IllegalStateException e) {
                assertEquals("on purpose", e.getMessage());
            }
            assertTrue(System.nanoTime() < deadline, "stuck after " + seen[0]);
        }
        ranks[0].channel.close();
        ranks[1].channel.close();
    }

    @Test
    void everyCallOfConnectingAndSending() throws InterruptedException {
        for (String method : new String[] {"createId", "resolveAddress", "setTypeOfService", "setAckTimeout", "resolveRoute", "copyRoute",
            "createQueuePair", "connect", "connectionEvent", "asyncEvent", "registerMemory", "ring", "hush", "waitReady"}) {
            failAtEveryPlace(method, true);
        }
    }

    @Test
    void everyCallOfAccepting() throws InterruptedException {
        for (String method : new String[] {"createQueuePair", "accept", "setAckTimeout", "connectionEvent"}) {
            failAtEveryPlace(method, false);
        }
    }

    @Test
    void everyCallOfPacketsAndOfClosing() throws InterruptedException {
        for (String method : new String[] {"poll", "postSend", "postReceive", "requestNotify", "drainCompletionEvents", "disconnect",
            "destroyQueuePair", "destroyId", "deregisterMemory", "destroySharedReceiveQueue", "destroyCompletionQueue",
            "destroyCompletionChannel", "deallocateProtectionDomain", "destroyEventChannel", "closeBell"}) {
            failAtEveryPlace(method, true);
        }
    }

    private void failAtEveryPlace(String method, boolean asks) throws InterruptedException {
        CountingVerbs calls = new CountingVerbs(verbs);
        Life good = new Life(calls.calls(), asks);
        int before = calls.callsOf(method);
        good.live();
        assertEquals(null, good.failure, "without any fault");
        int places = Math.min(MOST_PLACES, calls.callsOf(method) - before);
        assertTrue(places > 0 || fatalName(method) == null, method + " is never called");
        System.out.println("VerbsFaultsRxeTest: " + method + " at " + places + " places");
        for (int n = 1; n <= places; n++) {
            CountingVerbs living = new CountingVerbs(verbs);
            Life life = new Life(FailingVerbs.failing(living.calls(), method, before + n, Errno.EIO), asks);
            life.live();
            String where = method + " " + n + ": " + life.failure;
            assertEquals(Map.of(), living.living(), where);
            String name = fatalName(method);
            if (life.failure != null) {
                assertTrue(life.failure.contains("EIO") || name == null, where);
                assertTrue(name == null || life.failure.contains(name), where);
            } else if (n == 1 && name != null && !method.equals("connect") && !method.equals("poll")) {
                assertNotNull(life.failure, where + " is passed over");
            }
        }
    }

    /** Rank 0 opens, exchanges packets with rank 1 and closes, all with the verbs that fail; ranks 1 and 2 have good ones. */
    private final class Life {
        private final TestRank[] ranks = new TestRank[3];
        private final boolean asks;
        private String failure;

        Life(VerbsCalls failing, boolean asks) {
            this.asks = asks;
            ranks[0] = VerbsRanks.rank(0, 3, OPTIONS, failing, null);
            ranks[1] = VerbsRanks.rank(1, 3, OPTIONS, verbs, null);
            ranks[2] = VerbsRanks.rank(2, 3, OPTIONS, verbs, null);
            VerbsRanks.introduce(ranks);
        }

        void live() throws InterruptedException {
            try {
                VerbsRanks.join(ranks[1], ranks[2]);
                exchange();
            } finally {
                ranks[0].channel.close();
            }
            boolean wasJoined = !ranks[1].listener.packets.isEmpty();
            ranks[1].listener.packets.clear();
            ranks[1].send(2, 7, new byte[7]);
            assertEquals(7, ranks[2].receive().tag());
            if (wasJoined) {
                assertEquals(0, ranks[1].awaitFailure().peer());
            }
            assertFalse(ranks[1].listener.failures.stream().anyMatch(each -> each.peer() == 2), "failures " + ranks[1].listener.failures);
            ranks[1].channel.close();
            ranks[2].channel.close();
        }

        private void exchange() throws InterruptedException {
            int[] sent = {0, 0};
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            long check = 0;
            while (failure == null && (ranks[0].listener.packets.size() < PACKETS || ranks[1].listener.packets.size() < PACKETS)) {
                boolean isCheckDue = System.nanoTime() - check > 100_000_000;
                for (int rank = 0; rank < 2 && failure == null; rank++) {
                    // Whoever doesn't ask sends only what it can.
                    boolean maySend = asks == (rank == 0) || !ranks[rank].listener.packets.isEmpty();
                    if (maySend && sent[rank] < PACKETS
                            && ranks[rank].trySend(1 - rank, PacketKind.EAGER, 0, sent[rank], new byte[32], null) == Channel.SENT) {
                        sent[rank]++;
                    }
                    progress(rank, isCheckDue);
                }
                check = isCheckDue ? System.nanoTime() : check;
                assertTrue(System.nanoTime() < deadline, () -> "stuck: " + VerbsRanks.channel(ranks[0]) + " and "
                        + VerbsRanks.channel(ranks[1]) + ", failures " + ranks[0].listener.failures + ranks[1].listener.failures);
            }
            for (int i = 0; failure == null && i < PACKETS; i++) {
                assertEquals(i, ranks[1].listener.packets.stream().skip(i).findFirst().orElseThrow().tag());
            }
        }

        /** As a device does it; what is thrown ends rank 0. */
        private void progress(int rank, boolean isCheckDue) {
            TestRank each = ranks[rank];
            try {
                if (isCheckDue) {
                    each.channel.checkPeers(each.listener);
                    each.channel.arm();
                }
                each.channel.poll(each.listener, 7);
            } catch (IllegalStateException e) {
                assertEquals(0, rank, e.toString());
                failure = e.getMessage();
            }
            if (rank == 0 && !each.listener.failures.isEmpty() && failure == null) {
                failure = each.listener.failures.get(0).reason();
            }
        }
    }
}
