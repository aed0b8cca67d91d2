package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.RemoteSlots;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Slots of persistent routes: rank 1 lends memory to rank 0, which writes there, however long messages go otherwise.
 */
@Tag("verbs")
final class RouteMemoryRxeTest {
    private static final int BYTES = 300_000;

    private final VerbsCalls verbs = VerbsRanks.verbs();
    private final CountingVerbs living = new CountingVerbs(verbs);
    private final ByteBuffer ours = ByteBuffer.allocateDirect(BYTES);
    private final RemoteReference source = new RemoteReference();
    private final RemoteReference lent = new RemoteReference();
    private final RemoteReference told = new RemoteReference();
    private final byte[] content = new byte[BYTES];
    private TestRank[] ranks = {};
    private RemoteSlots sender;
    private RemoteSlots receiver;

    private void open(int count, String rendezvous) {
        ranks = VerbsRanks.joined(
                count,
                VerbsRanks.options(Map.of("sluice.close.timeout.ms", "2000", "sluice.ib.rendezvous", rendezvous)),
                living.calls());
        sender = ranks[0].channel.remoteSlots();
        receiver = ranks[1].channel.remoteSlots();
        new Random().nextBytes(content);
        ours.put(0, content);
        assertTrue(sender.source(ours, Memory.address(ours), BYTES, source));
        assertTrue(receiver.lend(0, BYTES, lent));
        told.set(lent.key, lent.address, null);
        assertTrue(sender.isLent(told, BYTES));
    }

    /** Whatever went wrong, nothing of the adapter is left behind. */
    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        Reference.reachabilityFence(ours);
        assertTrue(living.living().isEmpty(), "left: " + living.living());
    }

    private boolean write(long offset, long bytes, Object ticket) {
        assertTrue(sender.hasRoom(1));
        return sender.write(1, source, Memory.address(ours) + offset, bytes, told, offset, ticket);
    }

    private byte[] there() {
        byte[] there = new byte[BYTES];
        Memory.copy(null, lent.address, there, Memory.arrayOffset(there), BYTES);
        return there;
    }

    private void assertRefused() throws InterruptedException {
        assertTrue(write(0, 1000, "ticket"));
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertEquals(1, failure.peer());
        assertTrue(
                !failure.corrupt() && failure.reason().contains("writing to its memory failed: remote access error"),
                failure.toString());
        assertEquals(java.util.List.of(new RecordingListener.Get("ticket", false)), ranks[0].listener.puts);
        ranks[0].channel.disconnect(1);
        ranks[0].send(2, 5, new byte[100]);
        assertEquals(5, ranks[2].receive().tag());
    }

    /** In one work request each, also what is longer than a piece of a long message. */
    @Test
    void whatIsWrittenIsThereBeforeThePacketBehindIt() {
        for (String rendezvous : new String[] {"read", "write", "stream"}) {
            open(2, rendezvous);
            for (int bytes : new int[] {1, 8, 1000, 5000, BYTES}) {
                assertTrue(write(0, bytes, bytes));
                ranks[0].send(1, bytes, new byte[8]);
                assertEquals(bytes, ranks[1].receive().tag());
                assertEquals(
                        -1,
                        ByteBuffer.wrap(there(), 0, bytes).mismatch(ByteBuffer.wrap(content, 0, bytes)),
                        rendezvous);
                while (ranks[0].listener.puts.isEmpty()) {
                    ranks[0].drive();
                }
                assertEquals(new RecordingListener.Get(bytes, true), ranks[0].listener.puts.remove(0));
            }
            receiver.takeBack(0, lent.lease);
            assertThrows(IllegalStateException.class, () -> receiver.takeBack(0, lent.lease));
            ranks[0].channel.reading().release(source.lease);
            close();
        }
    }

    @Test
    void asManyAsFitAreOnTheWayAndEachIsToldOnce() {
        open(2, "read");
        int started = 0;
        while (sender.hasRoom(1)) {
            assertTrue(write(started * 100L, 100, started));
            started++;
        }
        assertTrue(started > 1 && started < 100, started + " writes on the way");
        assertFalse(sender.write(1, source, Memory.address(ours), 100, told, 0, "too much"));
        while (ranks[0].listener.puts.size() < started) {
            ranks[0].drive();
        }
        for (int i = 0; i < started; i++) {
            assertEquals(new RecordingListener.Get(i, true), ranks[0].listener.puts.get(i));
        }
        assertTrue(sender.hasRoom(1));
        assertEquals(
                -1, ByteBuffer.wrap(there(), 0, started * 100).mismatch(ByteBuffer.wrap(content, 0, started * 100)));
    }

    @Test
    void aKeyThatNobodyHas() throws InterruptedException {
        open(3, "read");
        told.key ^= 0x5A5A00;
        assertRefused();
    }

    @Test
    void memoryOutsideOfTheSlots() throws InterruptedException {
        open(3, "read");
        told.address += BYTES + 8192;
        assertRefused();
    }

    @Test
    void memoryThatWasTakenBack() throws InterruptedException {
        open(3, "read");
        receiver.takeBack(0, lent.lease);
        assertRefused();
    }

    @Test
    void whatHasNotTheFormOfSlots() {
        open(2, "write");
        for (long[] wrong : new long[][] {
            {7L << 32 | lent.key & 0xFFFFFFFFL, 4096},
            {0, 4096},
            {lent.key, 0},
            {lent.key, -4096},
            {lent.key, Long.MAX_VALUE - 10}
        }) {
            told.set(wrong[0], wrong[1], null);
            assertFalse(sender.isLent(told, BYTES));
        }
        assertFalse(receiver.lend(0, 1L << 50, new RemoteReference()), "more than there is");
        assertFalse(sender.source(null, 0, 10, source), "the heap");
    }

    /** Nothing comes in later, although the writer lives and never said that it is done. */
    @Test
    void aPeerThatIsDisconnectedWritesNoMore() throws InterruptedException {
        open(3, "read");
        while (sender.hasRoom(1)) {
            write(0, BYTES, "lost");
        }
        ranks[1].channel.disconnect(0);
        byte[] then = there();
        for (int i = 0; i < 50; i++) {
            ranks[0].drive();
            ranks[1].drive();
            Thread.sleep(2);
        }
        assertEquals(-1, ByteBuffer.wrap(then).mismatch(ByteBuffer.wrap(there())));
        receiver.takeBack(0, lent.lease);
        assertEquals(1, ranks[0].listener.failures.size());
        ranks[1].send(2, 5, new byte[100]);
        assertEquals(5, ranks[2].receive().tag());
    }

    /** The region is the receiver's until its queue pairs are gone. */
    @Test
    void aReceiverThatClosesWithoutTakingBack() throws InterruptedException {
        open(2, "read");
        while (sender.hasRoom(1)) {
            write(0, BYTES, "lost");
        }
        ranks[1].channel.close();
        assertEquals(1, ranks[0].awaitFailure().peer());
        ranks[0].channel.disconnect(1);
        assertFalse(sender.hasRoom(1));
        assertFalse(sender.isLent(new RemoteReference(), BYTES));
        assertFalse(sender == receiver);
    }
}
