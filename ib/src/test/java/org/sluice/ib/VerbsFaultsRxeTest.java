package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

/**
 * Each call of opening fails once: nothing is kept, the error names the call. {@link FaultSweepTest} has all others.
 */
@Tag("all")
@Tag("verbs")
final class VerbsFaultsRxeTest {
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;
    private static final Options OPTIONS = Options.of(Map.of(
            "sluice.ib.slots",
            "32",
            "sluice.ib.body.bytes",
            "256",
            "sluice.ib.send.slots",
            "64",
            "sluice.ib.window",
            "4",
            "sluice.ib.mtu",
            "512",
            "sluice.ib.connect.timeout.ms",
            "3000",
            "sluice.close.timeout.ms",
            "2000"));

    private final VerbsCalls verbs = VerbsRanks.verbs();

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
                VerbsRanks.rank(0, 2, OPTIONS, FailingVerbs.failing(living.calls(), n, Errno.EIO), null)
                        .channel
                        .close();
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
        SluiceException told = assertThrows(
                SluiceException.class,
                () -> VerbsRanks.rank(
                        0, 2, OPTIONS, FailingVerbs.failing(living.calls(), "asyncFd", 1, Errno.EIO), null));
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
            public void onPacket(
                    int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
                assertEquals(seen[0]++, tag);
                throw new IllegalStateException("on purpose");
            }
        };
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (int sent = 0; seen[0] < 100; ) {
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
}
