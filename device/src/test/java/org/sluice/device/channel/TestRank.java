package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.sluice.device.memory.Memory;

/** One end of a channel under test, driven as a device would drive it. */
public final class TestRank {
    public final int rank;
    public final Channel channel;
    public final WaitWord word;
    public final RecordingListener listener = new RecordingListener();

    public TestRank(int rank, Channel channel, WaitWord word) {
        this.rank = rank;
        this.channel = channel;
        this.word = word;
    }

    /** One attempt, with the fence that a send lock's release is, and the signal after it. */
    public int trySend(int peer, int kind, int contextId, int tag, byte[] body, Object reference) {
        int result = channel.trySend(peer, kind, contextId, tag, body, Memory.arrayOffset(body), body.length,
                reference);
        if (result == Channel.SENT) {
            Memory.fullFence();
            channel.signal(peer);
        }
        return result;
    }

    public void send(int peer, int tag, byte[] body) {
        assertEquals(Channel.SENT, trySend(peer, PacketKind.EAGER, 0, tag, body, null), "to rank " + peer + ", tag "
                + tag);
    }

    /** Polls until that many packets wait in the listener. */
    public void await(int packets) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (listener.packets.size() < packets) {
            channel.poll(listener, Integer.MAX_VALUE);
            assertTrue(System.nanoTime() < deadline, "rank " + rank + " has " + listener.packets.size()
                    + " packets of " + packets + ", failures " + listener.failures);
        }
    }

    public RecordingListener.Packet receive() {
        await(1);
        return listener.packets.remove();
    }

    /** Checks the peers until a failure is told. */
    public RecordingListener.Failure awaitFailure() throws InterruptedException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        int lateFaults = 0;
        while (listener.failures.isEmpty()) {
            try {
                channel.poll(listener, Integer.MAX_VALUE);
                channel.checkPeers(listener);
            } catch (InternalError e) {
                // The JVM may report a page that was gone after the call that met it, as it does to the progress engine.
                lateFaults++;
            }
            assertTrue(System.nanoTime() < deadline, "rank " + rank + " learned of no failure, " + lateFaults + " late faults");
            Thread.sleep(1);
        }
        return listener.failures.get(0);
    }
}
