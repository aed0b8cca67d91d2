package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.ib.queue.Credits;
import org.sluice.ib.wire.Greeting;
import org.sluice.ib.wire.LandingNews;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** A peer of the job that sends what no Sluice sends is cut off, and only that one. */
@Tag("verbs")
final class HostileIbRxeTest {
    private static final int HOSTILE = 2;
    private static final Options OPTIONS =
            Options.of(Map.of("sluice.ib.slots", "32", "sluice.ib.body.bytes", "256", "sluice.ib.send.slots", "64"));

    private final VerbsCalls verbs = VerbsRanks.verbs();
    private TestRank[] ranks;
    private RawPeer hostile;
    /** What rank 0 was handed of the bad packets. */
    private int handedUp;

    /** Ranks 0 and 1 are real; the third is known to rank 0. */
    @BeforeEach
    void open() {
        ranks = VerbsRanks.apart(2, 3, OPTIONS, verbs);
        VerbsRanks.join(ranks[0], ranks[1]);
    }

    private void connect() {
        IbFacts target = IbFacts.decode(0, VerbsRanks.channel(ranks[0]).facts());
        hostile = new RawPeer(verbs, target.address(), this::drive);
        IbFacts own = hostile.facts(HOSTILE, 256);
        VerbsRanks.channel(ranks[0]).add(HOSTILE, own.encode());
        byte[] greeting = new Greeting(HOSTILE, 0, own.process(), target.secret()).encode();
        assertEquals(VerbsLayout.ESTABLISHED, hostile.connect(target, greeting));
    }

    private void drive() {
        ranks[0].channel.poll(ranks[0].listener, 100);
        ranks[1].channel.poll(ranks[1].listener, 100);
    }

    @AfterEach
    void close() {
        hostile.close();
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private void cutOff(String reason, Consumer<RawPeer> bad) throws InterruptedException {
        RecordingListener.Failure failure = failureAfter(bad);
        assertTrue(failure.corrupt() && failure.reason().contains(reason), failure.toString());
    }

    /** After one good packet, this one; what rank 0 is told, once rank 1 was seen to go on. */
    private RecordingListener.Failure failureAfter(Consumer<RawPeer> bad) throws InterruptedException {
        if (hostile != null) {
            close();
            open();
        }
        connect();
        hostile.sendGranted(1, PacketKind.EAGER, 8);
        RecordingListener.Packet good = ranks[0].receive();
        assertEquals(HOSTILE, good.peer());
        bad.accept(hostile);
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertEquals(HOSTILE, failure.peer());
        handedUp = ranks[0].listener.packets.size();
        ranks[0].listener.packets.clear();
        ranks[0].send(1, 9, new byte[9]);
        assertEquals(9, ranks[1].receive().tag());
        ranks[1].send(0, 10, new byte[9]);
        assertEquals(0, ranks[0].receive().peer() - 1);
        assertEquals(1, ranks[0].listener.failures.size(), "told once");
        return failure;
    }

    private static void sendHeader(RawPeer peer, int sequence, int kind, int bodyBytes, int credit, int sent) {
        peer.header(sequence, kind, bodyBytes, credit);
        peer.send(sent);
    }

    @Test
    void malformedHeaders() throws InterruptedException {
        cutOff("shorter than a header", peer -> sendHeader(peer, 2, PacketKind.EAGER, 0, 2, PacketHeader.BYTES - 1));
        cutOff("says its body has 9", peer -> sendHeader(peer, 2, PacketKind.EAGER, 9, 2, PacketHeader.BYTES + 8));
        cutOff("says its body has -1", peer -> sendHeader(peer, 2, PacketKind.EAGER, -1, 2, PacketHeader.BYTES));
        cutOff("packet 3 where 2", peer -> sendHeader(peer, 3, PacketKind.EAGER, 0, 2, PacketHeader.BYTES));
        cutOff("packet 1 where 2", peer -> sendHeader(peer, 1, PacketKind.EAGER, 0, 2, PacketHeader.BYTES));
        cutOff("a packet of kind 0", peer -> sendHeader(peer, 2, 0, 0, 2, PacketHeader.BYTES));
        cutOff(
                "a packet of kind " + (PacketKind.LAST + 1),
                peer -> sendHeader(peer, 2, PacketKind.LAST + 1, 0, 2, PacketHeader.BYTES));
        cutOff("as only a goodbye does", peer -> {
            Memory.putInt(peer.header(2, PacketKind.EAGER, 0, 2) + PacketHeader.TAKEN, 1 << 31);
            peer.send(PacketHeader.BYTES);
        });
        cutOff("has taken 1000 packets in all, of", peer -> {
            Memory.putInt(peer.header(2, PacketKind.CLOSE, 0, 2) + PacketHeader.TAKEN, 1000);
            peer.send(PacketHeader.BYTES);
        });
        cutOff("has handed up 1 packets in all", peer -> {
            Memory.putInt(peer.header(2, PacketKind.EAGER, 0, 2) + PacketHeader.LANDED, 1);
            peer.send(PacketHeader.BYTES);
        });
        cutOff(
                "where sluice.ib.eager is send",
                peer -> sendHeader(
                        peer,
                        0,
                        PacketHeader.LANDING_KIND,
                        LandingNews.BYTES,
                        2,
                        PacketHeader.BYTES + LandingNews.BYTES));
        cutOff(
                "news of a landing ring with",
                peer -> sendHeader(peer, 0, PacketHeader.LANDING_KIND, 0, 2, PacketHeader.BYTES));
        cutOff("a credit packet with", peer -> sendHeader(peer, 2, PacketHeader.CREDIT_KIND, 0, 2, PacketHeader.BYTES));
    }

    /**
     * Two messages, of which the first is right: neither is handed up.
     *
     * @param kind of the second
     * @param claimed how many it says they are
     */
    private void bundle(String reason, int kind, int bytes, int claimed) throws InterruptedException {
        cutOff(reason, peer -> {
            int body = 13 + 8 + 13 + 8;
            long at = peer.header(2, PacketHeader.BUNDLE_KIND, body, Credits.LEAST);
            Memory.putInt(at + PacketHeader.TAG, claimed);
            envelope(at + PacketHeader.BYTES, PacketKind.EAGER, 8);
            envelope(at + PacketHeader.BYTES + 13 + 8, kind, bytes);
            peer.send(PacketHeader.BYTES + body);
        });
        assertEquals(0, handedUp, reason);
    }

    private static void envelope(long at, int kind, int bytes) {
        Memory.setZero(at, 13);
        Memory.putByte(at, (byte) kind);
        Memory.putInt(at + 9, bytes);
    }

    @Test
    void malformedBundles() throws InterruptedException {
        bundle("message of 9 bytes where 8 are left", PacketKind.EAGER, 9, 2);
        bundle("message of -8 bytes", PacketKind.EAGER, -8, 2);
        bundle("message of 7 bytes where 0 are left", PacketKind.EAGER, 7, 3);
        bundle("message of CLOSE", PacketKind.CLOSE, 8, 2);
        bundle("message of kind 65", PacketHeader.BUNDLE_KIND, 8, 2);
        bundle("2 messages that says it has 3", PacketKind.EAGER, 8, 3);
        bundle("2 messages that says it has 0", PacketKind.EAGER, 8, 0);
        cutOff("0 messages", peer -> sendHeader(peer, 2, PacketHeader.BUNDLE_KIND, 0, 2, PacketHeader.BYTES));
        cutOff("packet 3 where 2", peer -> sendHeader(peer, 3, PacketHeader.BUNDLE_KIND, 0, 2, PacketHeader.BYTES));
    }

    @Test
    void creditThatNobodyHas() throws InterruptedException {
        cutOff(
                "more than it can take",
                peer -> sendHeader(peer, 2, PacketKind.EAGER, 0, Integer.MAX_VALUE, PacketHeader.BYTES));
        cutOff(
                "more than it can take",
                peer -> sendHeader(peer, 0, PacketHeader.CREDIT_KIND, 0, -70_000, PacketHeader.BYTES));
    }

    @Test
    void packetsBeyondCredit() throws InterruptedException {
        cutOff("more packets than it had credit for", peer -> {
            // What rank 0 takes meanwhile it would grant anew.
            peer.isAlone = true;
            for (int i = 2; i <= 20; i++) {
                sendHeader(peer, i, PacketKind.EAGER, 0, 2, PacketHeader.BYTES);
            }
        });
    }

    @Test
    void aPacketLongerThanASlot() throws InterruptedException {
        // The adapter finds out, and not all adapters call it by the same name.
        RecordingListener.Failure failure =
                failureAfter(peer -> sendHeader(peer, 2, PacketKind.EAGER, 2000, 2, PacketHeader.BYTES + 2000));
        assertTrue(failure.reason().contains("receiving from it failed"), failure.toString());
    }
}
