package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counter;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * A rank that is written to sleeps when its writers have agreed, and then it is rung for whatever comes. Nothing here
 * wakes by itself.
 */
@Tag("all")
@Tag("verbs")
final class LandingSleepRxeTest {
    private static final long LOST_NANOS = TestRank.PATIENCE_NANOS;
    private static final int BURSTS = 20;
    private static final int MOST_OF_BURST = 160;

    private final VerbsCalls verbs = VerbsRanks.verbs();
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile Thread sleeper;
    private volatile boolean isOver;
    private Thread other;
    private TestRank zero;
    private TestRank one;
    private int sleeps;
    private boolean isInBurst;

    private void open(String eager) {
        open(eager, verbs);
    }

    private void open(String eager, VerbsCalls verbsOfOne) {
        System.out.println("LandingSleepRxeTest seed " + seed);
        zero = VerbsRanks.rank(0, 2, LandingRanks.options(eager), verbs, address -> LockSupport.unpark(sleeper));
        one = VerbsRanks.rank(1, 2, LandingRanks.options(eager), verbsOfOne, null);
        VerbsRanks.introduce(zero, one);
        VerbsRanks.join(zero, one);
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

    /** Sleeps as a device does until a packet has come. */
    private void sleepUntilAPacketCame() {
        WaitWord word = zero.word;
        sleeper = Thread.currentThread();
        while (zero.listener.packets.isEmpty()) {
            if (!zero.channel.prepareSleep()) {
                zero.channel.poll(zero.listener, 100);
                assertEquals(null, failure.get());
                Thread.yield();
                continue;
            }
            int sequence = word.sequence();
            word.announceSleep();
            zero.channel.arm();
            if (zero.channel.poll(zero.listener, 100) == 0) {
                sleeps++;
                long deadline = System.nanoTime() + LOST_NANOS;
                while (word.sequence() == sequence) {
                    LockSupport.parkNanos(LOST_NANOS);
                    assertTrue(
                            System.nanoTime() < deadline,
                            "not rung, seed " + seed + ": " + zero.channel + ", " + failure.get());
                }
            }
            word.awake();
            zero.channel.poll(zero.listener, 100);
        }
    }

    /**
     * Bursts some of which are long enough to open the ring again, with pauses long enough to sleep in between; the
     * last message of each is answered.
     */
    private void sendBursts() {
        try {
            for (int burst = 0; burst < BURSTS && !isOver; burst++) {
                int count = 1 + random.nextInt(MOST_OF_BURST);
                for (int i = 1; i <= count; i++) {
                    one.send(0, i == count ? 1 : 0, new byte[random.nextInt(20) == 0 ? 2000 : 8]);
                }
                long until = System.nanoTime() + random.nextInt(3_000_000);
                while (one.listener.packets.isEmpty() && !isOver) {
                    one.channel.poll(one.listener, 100);
                }
                one.listener.packets.clear();
                while (System.nanoTime() < until) {
                    one.drive();
                }
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    private void sleepThroughBursts() throws InterruptedException {
        other = new Thread(this::sendBursts);
        other.start();
        boolean sleepsInIt = false;
        for (int burst = 0; burst < BURSTS && failure.get() == null; ) {
            if (sleepsInIt || zero.listener.packets.isEmpty() && !isInBurst) {
                sleepUntilAPacketCame();
            } else {
                // Awake long enough to open the ring again.
                zero.channel.poll(zero.listener, 100);
            }
            isInBurst |= !zero.listener.packets.isEmpty();
            while (!zero.listener.packets.isEmpty()) {
                if (zero.listener.packets.remove().tag() == 1) {
                    burst++;
                    isInBurst = false;
                    sleepsInIt = random.nextInt(3) == 0;
                    zero.send(1, burst, new byte[8]);
                }
            }
        }
        other.join();
        assertEquals(null, failure.get());
        assertTrue(sleeps > 0, "it never slept");
    }

    @Test
    void noWakeUpIsLostBetweenBursts() throws InterruptedException {
        open("write");
        sleepThroughBursts();
        long news = LandingRanks.sum(zero, Counter.LANDING_NEWS);
        assertTrue(news > 4, "the ring was opened and closed: " + news + " times told");
        assertTrue(LandingRanks.sum(one, Counter.LANDING_WRITES) > BURSTS);
    }

    @Test
    void aWriteWithImmediateWakesByItself() throws InterruptedException {
        open("write-imm");
        sleepThroughBursts();
        assertEquals(1, LandingRanks.sum(zero, Counter.LANDING_NEWS), "only where its ring is");
        assertTrue(LandingRanks.sum(one, Counter.LANDING_WRITES) > BURSTS);
    }

    /** Who makes no call agrees to nothing: what it writes is found by polling; then it agrees, and sends. */
    @Test
    void aWriterThatComputesKeepsItAwake() {
        open("write");
        LandingRanks.warmUp(zero, one);
        long written = LandingRanks.sum(one, Counter.LANDING_WRITES);
        for (long end = System.nanoTime() + 50_000_000L; System.nanoTime() - end < 0; ) {
            assertFalse(zero.channel.prepareSleep());
            zero.drive();
        }
        assertEquals(Channel.SENT, one.trySend(0, PacketKind.EAGER, 0, 7, new byte[8], null));
        assertEquals(written + 1, LandingRanks.sum(one, Counter.LANDING_WRITES));
        assertEquals(7, zero.receive().tag());
        zero.prepareSleep(zero, one);
        assertEquals(Channel.SENT, one.trySend(0, PacketKind.EAGER, 0, 8, new byte[8], null));
        assertEquals(written + 1, LandingRanks.sum(one, Counter.LANDING_WRITES), "it has agreed");
        assertEquals(8, zero.receive().tag());
    }

    /**
     * To close a ring and open it again takes hops: nobody asks for that where packets come one hop after the other.
     */
    @Test
    void aRingThatBroughtSomethingAMomentAgoIsNotClosed() {
        open("write");
        LandingRanks.warmUp(zero, one);
        assertEquals(Channel.SENT, one.trySend(0, PacketKind.EAGER, 0, 7, new byte[8], null));
        assertEquals(7, zero.receive().tag());
        long news = LandingRanks.sum(zero, Counter.LANDING_NEWS);
        long since = System.nanoTime();
        long patientNanos = 0;
        for (long end = since + TestRank.PATIENCE_NANOS;
                LandingRanks.sum(zero, Counter.LANDING_NEWS) == news && System.nanoTime() - end < 0; ) {
            assertFalse(zero.channel.prepareSleep());
            patientNanos = System.nanoTime() - since;
        }
        assertTrue(LandingRanks.sum(zero, Counter.LANDING_NEWS) > news, "in the end it asks");
        assertTrue(patientNanos > 500_000, "it asked after " + patientNanos + " ns");
    }

    /** It can't agree while a thread of it is posting a write; and nobody wakes it when that is done. */
    @Test
    void whoOwesAnAgreementDoesNotSleep() {
        Runnable[] hook = {null};
        open("write", (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("postSend") && hook[0] != null) {
                        Runnable now = hook[0];
                        hook[0] = null;
                        now.run();
                    }
                    return method.invoke(verbs, arguments);
                }));
        LandingRanks.warmUp(zero, one);
        boolean[] maySleep = {true, true};
        hook[0] = () -> {
            for (int i = 0; i < 300; i++) {
                maySleep[0] = zero.channel.prepareSleep();
                maySleep[1] = one.channel.prepareSleep();
                zero.drive();
                one.drive();
                LockSupport.parkNanos(1_000_000);
            }
        };
        assertEquals(Channel.SENT, one.trySend(0, PacketKind.EAGER, 0, 7, new byte[8], null));
        assertFalse(maySleep[0], "it could still be written to");
        assertFalse(maySleep[1], "it has not said so yet");
        assertEquals(7, zero.receive().tag());
        one.prepareSleep(zero, one);
        zero.prepareSleep(zero, one);
    }
}
