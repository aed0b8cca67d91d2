package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Rank 0 of a job whose rank 1 is a {@link SteppedPeer}: answers what that sends, until it stands still, and looks at
 * its end.
 */
final class SteppedSurvivor {
    private static final int PEER = 1;
    private static final int OTHER = 2;

    final TestRank rank;
    private final boolean writes;
    private final VerbsCalls verbs;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SteppedPeer.LONG);
    /** What the peer may read, or write to, and where this rank writes from. */
    private final RemoteReference lent = new RemoteReference();

    private final RemoteReference source = new RemoteReference();
    /** In order; one that finds no room is asked again. */
    private final Deque<IntSupplier> work = new ArrayDeque<>();

    private int moves;

    SteppedSurvivor(boolean writes, VerbsCalls verbs) {
        this.writes = writes;
        this.verbs = verbs;
        rank = VerbsRanks.rank(0, 3, SteppedPeer.options(writes), verbs, null);
    }

    /** One round: takes what came and does what there is room for. */
    void turn() {
        rank.channel.poll(rank.listener, 10);
        for (RecordingListener.Packet packet = rank.listener.packets.poll();
                packet != null;
                packet = rank.listener.packets.poll()) {
            answer(packet);
        }
        while (!work.isEmpty() && work.peek().getAsInt() != Channel.NO_RESOURCE) {
            work.remove();
        }
    }

    private void answer(RecordingListener.Packet packet) {
        switch (packet.tag()) {
            case SteppedPeer.ECHO:
                send(packet.body());
                break;
            case SteppedPeer.FLOOD:
                for (int i = 0; i < SteppedPeer.FLOOD_PACKETS; i++) {
                    send(new byte[8]);
                }
                break;
            case SteppedPeer.TAKE:
                take(SteppedPeer.reference(packet));
                break;
            case SteppedPeer.ASK:
                if (writes) {
                    SteppedPeer.offer(rank, PEER, memory, lent);
                } else {
                    SteppedPeer.describe(rank, PEER, memory, lent);
                }
                send(SteppedPeer.body(lent));
                break;
            default:
                assertEquals(SteppedPeer.DONE, packet.tag());
                giveBack();
        }
    }

    private void send(byte[] body) {
        work.add(() ->
                rank.channel.trySend(PEER, PacketKind.EAGER, 0, 9, body, Memory.arrayOffset(body), body.length, null));
    }

    private void take(RemoteReference theirs) {
        if (writes) {
            SteppedPeer.describe(rank, PEER, memory, source);
        }
        for (int at = 0; at < SteppedPeer.LONG; at += SteppedPeer.LONG / 2) {
            int from = at;
            work.add(() -> {
                boolean isBegun = SteppedPeer.move(rank, PEER, writes, source, memory, theirs, from);
                moves += isBegun ? 1 : 0;
                return isBegun ? Channel.SENT : Channel.NO_RESOURCE;
            });
        }
        work.add(() -> ended() < moves ? Channel.NO_RESOURCE : Channel.SENT);
        send(new byte[8]);
    }

    private int ended() {
        return rank.listener.gets.size() + rank.listener.puts.size();
    }

    private void giveBack() {
        if (lent.lease != null) {
            if (writes) {
                rank.channel.writing().takeBack(PEER, lent.lease);
            } else {
                rank.channel.reading().release(lent.lease);
            }
            lent.lease = null;
        }
        if (source.lease != null) {
            rank.channel.reading().release(source.lease);
            source.lease = null;
        }
    }

    /**
     * The peer's process is gone, as the job says: one reason, nothing on the way any more, and a third rank hears
     * nothing of it.
     */
    void outlive(String step) throws Exception {
        VerbsRanks.channel(rank).lost(PEER);
        RecordingListener.Failure failure = rank.awaitFailure();
        assertEquals(PEER, failure.peer(), step);
        assertFalse(failure.corrupt(), () -> step + ": " + failure);
        assertFalse(failure.reason().isEmpty(), step);
        assertEquals(moves, ended(), () -> step + ": reads or writes are on the way after " + failure);
        byte[] body = {1};
        assertEquals(Channel.PEER_FAILED, rank.trySend(PEER, PacketKind.EAGER, 0, 9, body, null), step);
        giveBack();
        rank.channel.disconnect(PEER);
        rank.listener.packets.clear();
        TestRank third = VerbsRanks.rank(OTHER, 3, SteppedPeer.options(writes), verbs, null);
        VerbsRanks.introduce(rank, third);
        VerbsRanks.join(rank, third);
        third.send(0, 7, new byte[100]);
        assertEquals(7, rank.receive().tag(), step);
        rank.send(OTHER, 8, new byte[100]);
        assertEquals(8, third.receive().tag(), step);
        assertEquals(1, rank.listener.failures.size(), () -> step + ": " + rank.listener.failures);
        assertTrue(third.listener.failures.isEmpty(), () -> step + ": " + third.listener.failures);
        long start = System.nanoTime();
        rank.channel.close();
        third.channel.close();
        assertTrue(System.nanoTime() - start < TestRank.PATIENCE_NANOS, step + ": the close took too long");
        Reference.reachabilityFence(memory);
    }
}
