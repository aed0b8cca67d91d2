package org.sluice.device.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.sluice.device.memory.Memory;

/** One end of a channel under test, driven as a device would drive it. */
public final class TestRank {
    /**
     * How long anything may take before it is called late; longer where tests run on an emulated processor, beside
     * other work.
     */
    public static final long PATIENCE_NANOS = 20_000_000_000L * Integer.getInteger("sluice.test.patience", 1);

    private static final long STILL_NANOS = PATIENCE_NANOS / 20;

    public final int rank;
    public final Channel channel;
    public final WaitWord word;
    public final RecordingListener listener = new RecordingListener();

    /** Those that one thread drives. */
    private TestRank[] together = {};

    public TestRank(int rank, Channel channel, WaitWord word) {
        this.rank = rank;
        this.channel = channel;
        this.word = word;
    }

    /** One thread drives all of these: where a send finds no room for long, its receiver is driven too. */
    public static void together(TestRank... ranks) {
        for (TestRank each : ranks) {
            each.together = ranks;
        }
    }

    /** One attempt, with the fence that a send lock's release is, and the signal after it. */
    public int trySend(int peer, int kind, int contextId, int tag, byte[] body, Object reference) {
        int result =
                channel.trySend(peer, kind, contextId, tag, body, Memory.arrayOffset(body), body.length, reference);
        if (result == Channel.SENT) {
            Memory.fullFence();
            channel.signal(peer);
        }
        return result;
    }

    /** An EAGER packet, past the channel. */
    int trySendBy(Endpoint endpoint, int contextId, int tag, byte[] body) {
        int result = endpoint.trySendEager(contextId, tag, body, Memory.arrayOffset(body), body.length);
        if (result == Channel.SENT) {
            Memory.fullFence();
            endpoint.signal();
        }
        return result;
    }

    /** Sends as a device does: where there is no room, it makes progress until there is. */
    public void send(int peer, int tag, byte[] body) {
        sendUntilTaken(peer, PacketKind.EAGER, 0, tag, body, Memory.arrayOffset(body), body.length);
    }

    public void sendUntilTaken(int peer, int kind, int contextId, int tag, Object base, long address, int bytes) {
        long start = System.nanoTime();
        long deadline = start + PATIENCE_NANOS;
        int result;
        while ((result = channel.trySend(peer, kind, contextId, tag, base, address, bytes, null)) != Channel.SENT) {
            assertEquals(Channel.NO_RESOURCE, result, "to rank " + peer + ", tag " + tag);
            assertTrue(System.nanoTime() < deadline, "no room to rank " + peer + " for tag " + tag);
            drive();
            if (System.nanoTime() - start > STILL_NANOS) {
                driveReceiver(peer);
            }
        }
        Memory.fullFence();
        channel.signal(peer);
    }

    /**
     * It may owe room that it could not give when it took the last packet, as what it had posted before was not over:
     * beside other load that takes long.
     */
    private void driveReceiver(int peer) {
        for (TestRank each : together) {
            if (each.rank == peer) {
                each.channel.poll(each.listener, Integer.MAX_VALUE);
            }
        }
    }

    /** One round of progress of a rank to which nobody sends: some channels learn only so that there is room again. */
    public void drive() {
        int before = listener.packets.size();
        channel.poll(listener, 1);
        assertEquals(before, listener.packets.size(), "rank " + rank + " got a packet that nobody sent");
    }

    /** Has those who write where nobody is woken agree that this rank sleeps; they have to make progress for it. */
    public void prepareSleep(TestRank... all) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!channel.prepareSleep()) {
            for (TestRank each : all) {
                each.drive();
            }
            assertTrue(System.nanoTime() < deadline, "rank " + rank + " may not sleep: " + channel);
        }
    }

    /** Waits until the word was rung: a channel may have a helper that does it. */
    public void awaitRing(int before) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (word.sequence() == before) {
            assertTrue(System.nanoTime() < deadline, "rank " + rank + " sleeps and was not rung");
            Thread.sleep(1);
        }
    }

    /** Polls until that many packets wait in the listener. */
    public void await(int packets) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (listener.packets.size() < packets) {
            channel.poll(listener, Integer.MAX_VALUE);
            assertTrue(
                    System.nanoTime() < deadline,
                    "rank " + rank + " has " + listener.packets.size() + " packets of " + packets + ", failures "
                            + listener.failures);
        }
    }

    public RecordingListener.Packet receive() {
        await(1);
        return listener.packets.remove();
    }

    /** Checks the peers until a failure is told. */
    public RecordingListener.Failure awaitFailure() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int lateFaults = 0;
        while (listener.failures.isEmpty()) {
            try {
                channel.poll(listener, Integer.MAX_VALUE);
                channel.checkPeers(listener);
            } catch (InternalError e) {
                // The JVM may report a page that was gone after the call that met it, as it does to the progress
                // engine.
                lateFaults++;
            }
            assertTrue(
                    System.nanoTime() < deadline,
                    "rank " + rank + " learned of no failure, " + lateFaults + " late faults");
            Thread.sleep(1);
        }
        return listener.failures.get(0);
    }
}
