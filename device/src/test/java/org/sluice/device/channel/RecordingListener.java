package org.sluice.device.channel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.sluice.device.memory.Memory;

/** Keeps what a channel hands up, bodies copied, so that a test can look at it later. */
public class RecordingListener implements ChannelListener {
    /** One packet. */
    public record Packet(int peer, int kind, int contextId, int tag, byte[] body, Object reference) {}

    /** One failure. */
    public record Failure(int peer, boolean corrupt, String reason) {}

    /** The end of one get, put or loan. */
    public record Get(Object ticket, boolean ok) {}

    public final List<Get> gets = new ArrayList<>();
    public final List<Get> puts = new ArrayList<>();
    public final List<Get> loans = new ArrayList<>();
    public final Deque<Packet> packets = new ArrayDeque<>();
    public final List<Failure> failures = new ArrayList<>();

    @Override
    public void onPacket(int peer, int kind, int contextId, int tag, long address, int bytes, Object reference) {
        byte[] body = new byte[bytes];
        Memory.copy(null, address, body, Memory.arrayOffset(body), bytes);
        packets.add(new Packet(peer, kind, contextId, tag, body, reference));
    }

    @Override
    public void onGetDone(Object ticket, boolean ok) {
        gets.add(new Get(ticket, ok));
    }

    @Override
    public void onPutDone(Object ticket, boolean ok) {
        puts.add(new Get(ticket, ok));
    }

    @Override
    public void onLentBack(Object ticket, boolean ok) {
        loans.add(new Get(ticket, ok));
    }

    @Override
    public void onPeerFailed(int peer, boolean corrupt, String reason) {
        failures.add(new Failure(peer, corrupt, reason));
    }
}
