package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.SendOperation;

/** What is left to do, and to keep, when a device has ended. */
@Timeout(60)
final class EndedExchangeTest extends WritingScript {
    private static final int BYTES = 3000;
    private static final long DEADLINE_NANOS = 20_000_000_000L;

    private final List<Long> freed = new ArrayList<>();
    private final MessageAllocator allocator = new MessageAllocator() {
        @Override
        public long allocate(long bytes) {
            return Memory.allocate(bytes);
        }

        @Override
        public synchronized void free(long address, long bytes) {
            freed.add(address);
            Memory.free(address);
        }
    };

    /** Its peer is told where the bytes are. */
    private void send(int dest, Object buffer, long address, MessageMemory given) {
        SendOperation operation = routes[dest].operation();
        operation.completion = new Completion(null);
        operation.buffer = buffer;
        operation.address = address;
        operation.bytes = BYTES;
        operation.elementSize = 1;
        operation.given = given;
        assertFalse(routes[dest].send(operation));
    }

    private WeakReference<Object> sentDirect(int dest) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        send(dest, buffer, Memory.address(buffer), null);
        return new WeakReference<>(buffer);
    }

    private WeakReference<Object> given(int dest) {
        MessageMemory memory = new MessageMemory(allocator, BYTES);
        memory.giveAway();
        send(dest, null, memory.address(), memory);
        return new WeakReference<>(memory);
    }

    /** The peers don't know yet that this rank is at its end, and may be reading. One that is dead reads no more. */
    @Test
    void whatAPeerMayStillReadIsNotCollected() {
        WeakReference<Object> direct = sentDirect(PEER);
        WeakReference<Object> given = given(PEER);
        WeakReference<Object> ofTheDead = sentDirect(OTHER);
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, OTHER, "dead"));
        run();
        exchange.fail(new IllegalStateException("broken"));
        assertEquals(ErrorCode.DEVICE_FAILED, routes[PEER].failure().code());
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (ofTheDead.get() != null && System.nanoTime() < deadline) {
            System.gc();
        }
        assertNull(ofTheDead.get(), "nothing was collected");
        assertNotNull(direct.get(), "a peer may read it");
        assertNotNull(given.get(), "a peer may read it");
        assertEquals(List.of(), freed);
        Reference.reachabilityFence(exchange);
    }

    /** One of them may be a program's that asks for its results as they come, for which there is no memory. */
    @Test
    void anEndThatBreaksIsCompletedByTheNextRound() {
        RuntimeException broken = new IllegalStateException("by this test");
        SendOperation first = routes[PEER].operation();
        first.completion = new Completion(null) {
            @Override
            public boolean fail(Failure failure, int contextId, int source, int tag, long bytes, int elementSize) {
                throw broken;
            }
        };
        Completion second = new Completion(null);
        Completion other = new Completion(null);
        send(PEER, first);
        SendOperation next = routes[PEER].operation();
        next.completion = second;
        send(PEER, next);
        SendOperation elsewhere = routes[OTHER].operation();
        elsewhere.completion = other;
        send(OTHER, elsewhere);
        Completion receive = new Completion(null);
        exchange.post(new byte[8], 0, 8, 0, PEER, 1, receive);
        IllegalStateException cause = new IllegalStateException("the cause");
        exchange.fail(cause);
        assertSame(broken, cause.getSuppressed()[0]);
        assertTrue(exchange.waitsForRoom(), "nobody comes back to it");
        run();
        for (Completion each : List.of(second, other, receive)) {
            assertEquals(ErrorCode.DEVICE_FAILED, each.error());
        }
        assertTrue(
                channel.sent.stream().anyMatch(packet -> packet.kind() == PacketKind.CLOSE),
                "the peers hear nothing of it");
        assertFalse(exchange.waitsForRoom());
    }

    private void send(int dest, SendOperation operation) {
        byte[] buffer = new byte[BYTES];
        operation.buffer = buffer;
        operation.base = buffer;
        operation.address = Memory.arrayOffset(buffer);
        operation.bytes = BYTES;
        operation.elementSize = 1;
        assertFalse(routes[dest].send(operation));
    }

    /**
     * So it can't fail: a list of all of them was made before, and where there was no memory for that, none was ended.
     */
    @Test
    void receivesThatWaitAreEndedWithoutMemory() {
        Completion[] receives = new Completion[20_000];
        byte[] into = new byte[8];
        for (int i = 0; i < receives.length; i++) {
            receives[i] = new Completion(null);
            exchange.post(into, 0, into.length, 0, i % 2 == 0 ? PEER : Device.ANY_SOURCE, i, receives[i]);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        exchange.peerFailed(new Failure(ErrorCode.PEER_DEAD, PEER, "dead"));
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        run();
        exchange.fail(new IllegalStateException("broken"));
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        for (int i = 0; i < receives.length; i++) {
            assertEquals(ErrorCode.PEER_DEAD, receives[i].error(), "receive " + i);
        }
        assertTrue(allocated < receives.length, allocated + " bytes for " + receives.length + " that wait");
    }

    /** Nobody agrees any more that this rank sleeps, as it takes no packet: it sleeps all the same. */
    @Test
    void theThreadOfADeviceThatHasEndedSleeps() {
        channel.agrees = false;
        assertFalse(exchange.prepareSleep());
        exchange.fail(new IllegalStateException("broken"));
        assertTrue(exchange.prepareSleep());
        ByteBuffer word = ByteBuffer.allocateDirect(WaitWord.BYTES);
        ProgressEngine always = new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(word), word, null),
                new WaitPolicy(0, 0, 1_000_000_000),
                Sleeper.napping(),
                1,
                "ended-exchange-test",
                counters);
        exchange.engine(always);
        always.start();
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        try {
            while (sleeps(always) == 0 && System.nanoTime() < deadline) {
                LockSupport.parkNanos(1_000_000);
            }
            assertTrue(sleeps(always) > 0, "it takes a core for ever");
        } finally {
            always.stop(System.nanoTime() + DEADLINE_NANOS);
        }
    }

    private long sleeps(ProgressEngine always) {
        always.lock();
        try {
            return counters.get(Counter.SLEEPS);
        } finally {
            always.unlock();
        }
    }
}
