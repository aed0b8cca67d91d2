package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.Credits;
import org.sluice.ib.wire.Greeting;
import org.sluice.ib.wire.LandingNews;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** A peer that writes into its landing ring, or says of rings, what no Sluice does is cut off, and only that one. */
@Tag("verbs")
final class HostileLandingRxeTest {
    private static final int HOSTILE = 2;
    private static final int MARK_BYTES = 8;
    /** As many packets as it takes to get a ring. */
    private static final int BUSY = 64;

    private static final int NEXT = BUSY + 1;
    private static final String[] SMALL = {
        "sluice.ib.slots", "256", "sluice.ib.body.bytes", "256", "sluice.ib.send.slots", "64"
    };

    private VerbsCalls verbs = VerbsRanks.verbs();
    private TestRank[] ranks;
    private RawPeer hostile;
    private long ring;
    private int rkey;
    private int slotBytes;

    /** The third is known to rank 0, and has a ring there. */
    private void open(String eager) {
        close();
        ranks = VerbsRanks.apart(2, 3, LandingRanks.options(eager, SMALL), verbs);
        VerbsRanks.join(ranks[0], ranks[1]);
        IbFacts target = IbFacts.decode(0, VerbsRanks.channel(ranks[0]).facts());
        hostile = new RawPeer(verbs, target.address(), this::drive);
        IbFacts own = hostile.facts(HOSTILE, 256);
        VerbsRanks.channel(ranks[0]).add(HOSTILE, own.encode());
        assertEquals(
                VerbsLayout.ESTABLISHED,
                hostile.connect(target, new Greeting(HOSTILE, 0, own.process(), target.secret()).encode()));
        for (int i = 1; i <= BUSY; i++) {
            hostile.sendGranted(i, PacketKind.EAGER, 8);
            assertEquals(i, ranks[0].receive().tag());
        }
        long news = hostile.received() + PacketHeader.BYTES;
        long deadline = System.nanoTime() + TestRank.PATIENCE_NANOS;
        while (Memory.getInt(news + LandingNews.PHASE) != 2) {
            drive();
            assertTrue(System.nanoTime() < deadline, "no ring was granted");
        }
        ring = Memory.getLong(news + LandingNews.ADDRESS);
        rkey = Memory.getInt(news + LandingNews.RKEY);
        slotBytes = Memory.getInt(news + LandingNews.SLOT_BYTES);
    }

    private void drive() {
        ranks[0].channel.poll(ranks[0].listener, 100);
        ranks[1].channel.poll(ranks[1].listener, 100);
    }

    @AfterEach
    void close() {
        if (hostile != null) {
            hostile.close();
            hostile = null;
            for (TestRank each : ranks) {
                each.channel.close();
            }
        }
    }

    /** Writes a packet without a body to the first slot. */
    private void land(int sequence, int kind, int bodyBytes, long mark) {
        long at = hostile.header(sequence, kind, bodyBytes, Credits.LEAST);
        Memory.putLong(at + PacketHeader.BYTES, mark);
        hostile.write(false, PacketHeader.BYTES + MARK_BYTES, ring + slotBytes - MARK_BYTES - PacketHeader.BYTES, rkey);
    }

    private static long mark(int number, int packetBytes) {
        return (long) number << Integer.SIZE | packetBytes & 0xFFFFFFFFL;
    }

    private void cutOff(String eager, String reason, Consumer<RawPeer> bad) throws InterruptedException {
        open(eager);
        bad.accept(hostile);
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(
                failure.peer() == HOSTILE
                        && failure.corrupt()
                        && failure.reason().contains(reason),
                failure.toString());
        assertEquals(0, ranks[0].listener.packets.size(), "nothing of it was handed up");
        ranks[0].send(1, 9, new byte[9]);
        assertEquals(9, ranks[1].receive().tag());
        assertEquals(1, ranks[0].listener.failures.size(), "told once");
    }

    @Test
    void whatIsRightIsTaken() {
        open("write");
        land(NEXT, PacketKind.EAGER, 0, mark(1, PacketHeader.BYTES));
        assertEquals(NEXT, ranks[0].receive().tag());
        assertNotEquals(0, rkey);
    }

    /** A loaded machine is no reason to cut off who waits for its credit. */
    @Test
    void whatIsRightIsTakenThoughCreditComesLate() {
        verbs = new LateCreditPackets(verbs).calls();
        whatIsRightIsTaken();
    }

    @Test
    void malformedContent() throws InterruptedException {
        int bytes = PacketHeader.BYTES;
        cutOff(
                "write",
                "a packet of 31 bytes in its landing ring",
                peer -> land(NEXT, PacketKind.EAGER, 0, mark(1, bytes - 1)));
        cutOff(
                "write",
                "a packet of -1 bytes in its landing ring",
                peer -> land(NEXT, PacketKind.EAGER, 0, mark(1, -1)));
        cutOff("write", "in its landing ring", peer -> land(NEXT, PacketKind.EAGER, 0, mark(1, slotBytes)));
        cutOff("write", "says its body has 8", peer -> land(NEXT, PacketKind.EAGER, 8, mark(1, bytes)));
        cutOff("write", "a packet of kind 99", peer -> land(NEXT, 99, 0, mark(1, bytes)));
        cutOff(
                "write",
                "news of a landing ring with sequence",
                peer -> land(NEXT, PacketHeader.LANDING_KIND, 0, mark(1, bytes)));
    }

    /** Its connection has failed before anybody looks at what it wrote; that is looked at once. */
    @Test
    void malformedContentOfAPeerThatIsGone() throws InterruptedException {
        open("write");
        hostile.isAlone = true;
        land(NEXT, PacketKind.EAGER, 8, mark(1, PacketHeader.BYTES));
        hostile.drop();
        long deadline = System.nanoTime() + TestRank.PATIENCE_NANOS;
        while (!VerbsRanks.channel(ranks[0]).toString().contains("FAILED")) {
            Thread.sleep(1);
            assertTrue(System.nanoTime() < deadline, ranks[0].channel.toString());
        }
        assertEquals(HOSTILE, ranks[0].awaitFailure().peer());
        assertEquals(0, ranks[0].listener.packets.size());
    }

    /** Those before it never come. */
    @Test
    void aPacketThatIsNeverTheNext() throws InterruptedException {
        cutOff(
                "write",
                "packet 67 in its landing ring where 65 had to come",
                peer -> land(NEXT + 2, PacketKind.EAGER, 0, mark(1, PacketHeader.BYTES)));
        cutOff(
                "write",
                "packet 64 in its landing ring where 65 had to come",
                peer -> land(NEXT - 1, PacketKind.EAGER, 0, mark(1, PacketHeader.BYTES)));
    }

    /** Written and never told of is nothing; told of and not written is nonsense. */
    @Test
    void aCompletionThatTellsOfNothing() throws InterruptedException {
        cutOff("write-imm", "it tells of packet 1 in its landing ring", peer -> {
            peer.header(NEXT, PacketKind.EAGER, 0, Credits.LEAST);
            peer.write(true, PacketHeader.BYTES, ring, rkey);
        });
    }

    @Test
    void newsThatNobodyHas() throws InterruptedException {
        cutOff("write", "a landing ring of 0 slots", peer -> {
            long at = peer.header(0, PacketHeader.LANDING_KIND, LandingNews.BYTES, Credits.LEAST) + PacketHeader.BYTES;
            LandingNews.writeRing(at, 4096, 1, 0, 0);
            LandingNews.writePhases(at, 2, 0);
            peer.send(PacketHeader.BYTES + LandingNews.BYTES);
        });
        cutOff("write", "it agrees to phase 5", peer -> {
            long at = peer.header(0, PacketHeader.LANDING_KIND, LandingNews.BYTES, Credits.LEAST) + PacketHeader.BYTES;
            LandingNews.writeRing(at, 0, 0, 0, 0);
            LandingNews.writePhases(at, 0, 5);
            peer.send(PacketHeader.BYTES + LandingNews.BYTES);
        });
        cutOff("write", "has handed up 1 packets in all of its landing ring", peer -> {
            Memory.putInt(peer.header(NEXT, PacketKind.EAGER, 0, Credits.LEAST) + PacketHeader.LANDED, 1);
            peer.send(PacketHeader.BYTES);
        });
    }
}
