package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.option.Options;
import org.sluice.ib.connect.ConnectionState;
import org.sluice.jni.verbs.VerbsCalls;

/** A rank that sleeps on its word is rung for whatever it may be waiting for. Nothing here wakes by itself. */
@Tag("all")
@Tag("verbs")
final class SleepRxeTest {
    private static final long LOST_NANOS = TestRank.PATIENCE_NANOS;
    private static final int ROUNDS = 400;
    /** Every send asks for a completion, so that there are many which bring no packet. */
    private static final Options OPTIONS = Options.of(Map.of(
            "sluice.ib.slots",
            "32",
            "sluice.ib.body.bytes",
            "256",
            "sluice.ib.send.slots",
            "64",
            "sluice.ib.window",
            "1"));

    private final VerbsCalls verbs = VerbsRanks.verbs();
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private volatile Thread sleeper;
    /** Of rank 1; it must have ended before its channel is closed. */
    private Thread other;

    private volatile boolean isOver;
    private TestRank zero;
    private TestRank one;

    @BeforeEach
    void open() {
        System.out.println("SleepRxeTest seed " + seed);
        zero = VerbsRanks.rank(0, 2, OPTIONS, verbs, address -> LockSupport.unpark(sleeper));
        one = VerbsRanks.rank(1, 2, OPTIONS, verbs, null);
        VerbsRanks.introduce(zero, one);
    }

    @AfterEach
    void close() throws InterruptedException {
        isOver = true;
        if (other != null) {
            other.join();
        }
        zero.channel.close();
        one.channel.close();
    }

    /** What rank 0 waits for; looked at after every poll. */
    private interface Goal {
        boolean isReached();
    }

    /** Sleeps as a device does until the goal is reached. */
    private void sleepUntil(Goal goal) {
        WaitWord word = zero.word;
        sleeper = Thread.currentThread();
        while (!goal.isReached()) {
            int sequence = word.sequence();
            word.announceSleep();
            zero.channel.arm();
            if (zero.channel.poll(zero.listener, 100) == 0 && !goal.isReached()) {
                long deadline = System.nanoTime() + LOST_NANOS;
                while (word.sequence() == sequence) {
                    LockSupport.parkNanos(LOST_NANOS);
                    assertTrue(System.nanoTime() < deadline, "not rung, seed " + seed + ": " + zero.channel);
                }
            }
            word.awake();
            zero.channel.poll(zero.listener, 100);
        }
    }

    @Test
    void forPacketsAmongCompletionsOfItsOwn() throws InterruptedException {
        VerbsRanks.join(zero, one);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < ROUNDS && !isOver; i++) {
                    one.send(0, i, new byte[8]);
                    one.receive();
                    long until = System.nanoTime() + random.nextInt(3_000_000);
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        other = sender;
        sender.start();
        for (int i = 0; i < ROUNDS && failure.get() == null; i++) {
            sleepUntil(() -> !zero.listener.packets.isEmpty());
            assertEquals(i, zero.listener.packets.remove().tag());
            zero.send(1, i, new byte[8]);
        }
        sender.join();
        assertEquals(null, failure.get());
    }

    @Test
    void forAConnectionRequest() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread asker = new Thread(() -> {
            try {
                Thread.sleep(200);
                VerbsRanks.channel(one).want(0);
                long deadline = System.nanoTime() + LOST_NANOS;
                while (VerbsRanks.channel(one).state(0) != ConnectionState.READY
                        && System.nanoTime() < deadline
                        && !isOver) {
                    one.drive();
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        other = asker;
        asker.start();
        sleepUntil(() -> VerbsRanks.channel(zero).state(1) == ConnectionState.READY);
        asker.join();
        assertEquals(null, failure.get());
        assertEquals(ConnectionState.READY, VerbsRanks.channel(one).state(0));
    }

    /** Nobody polls at the other end, and here only the news that the connection stands wakes anybody. */
    @Test
    void forAConnectionThatItAskedFor() {
        boolean[] isSent = {false};
        sleepUntil(() ->
                isSent[0] = isSent[0] || zero.trySend(1, PacketKind.EAGER, 0, 3, new byte[8], null) == Channel.SENT);
        one.await(1);
        assertEquals(3, one.listener.packets.remove().tag());
    }

    /** Nobody polls at the other end: only the completion of its own send makes room. */
    @Test
    void forTheCompletionOfASendWhenItIsOutOfWindow() throws InterruptedException {
        VerbsRanks.join(zero, one);
        byte[] body = new byte[8];
        // One way only, so that it borrows: then credit is not what runs out.
        for (int i = 0; i < 200; i++) {
            while (zero.trySend(1, PacketKind.EAGER, 0, i, body, null) != Channel.SENT) {
                zero.drive();
                one.channel.poll(one.listener, 100);
            }
        }
        one.await(200);
        one.listener.packets.clear();
        for (int i = 0; i < 100; i += 2) {
            long deadline = System.nanoTime() + LOST_NANOS;
            // News of credit waits at rank 1 while older news is on the way.
            for (int k = 0; k < 20; k++) {
                one.drive();
                zero.drive();
            }
            while (zero.trySend(1, PacketKind.EAGER, 0, i, body, null) != Channel.SENT) {
                one.drive();
                zero.drive();
                assertTrue(System.nanoTime() < deadline, "no credit came, seed " + seed);
            }
            int tag = i + 1;
            assertEquals(
                    Channel.NO_RESOURCE,
                    zero.trySend(1, PacketKind.EAGER, 0, tag, body, null),
                    "the window is used up");
            boolean[] isSent = {false};
            sleepUntil(() ->
                    isSent[0] = isSent[0] || zero.trySend(1, PacketKind.EAGER, 0, tag, body, null) == Channel.SENT);
            one.await(2);
            one.listener.packets.clear();
        }
    }

    /** A mark that nobody has looked at hides no later event from the helper. */
    @Test
    void thoughAMarkFromBeforeItsSleepWasLeft() throws InterruptedException {
        VerbsRanks.join(zero, one);
        byte[] body = new byte[8];
        zero.channel.arm();
        assertEquals(Channel.SENT, zero.trySend(1, PacketKind.RELEASE, 0, 0, body, null));
        Thread.sleep(300);
        int sequence = zero.word.sequence();
        zero.word.announceSleep();
        zero.channel.arm();
        assertEquals(Channel.SENT, zero.trySend(1, PacketKind.RELEASE, 0, 1, body, null));
        Thread.sleep(300);
        zero.drive();
        one.await(2);
        one.send(0, 2, body);
        zero.awaitRing(sequence);
        zero.word.awake();
        assertEquals(2, zero.receive().tag());
    }
}
