package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.ChannelListener;
import org.sluice.device.channel.Pacing;

/** Which channels a round polls, by what they cost and what they bring; what arrives in which round is scripted. */
final class ChannelsTest {
    private static final int ROUNDS = 6400;
    private static final long ROUND_NANOS = 50;

    private long now = 1_000_000_000;
    private final Scripted cheap = new Scripted(false);
    private final Scripted other = new Scripted(false);
    private final Scripted costly = new Scripted(true);
    private final Channels channels =
            new Channels(new Channel[] {cheap.channel(), other.channel(), costly.channel()}, null, this::now);
    private int round;
    private long roundNanos = ROUND_NANOS;

    private long now() {
        return now;
    }

    /** What a channel is asked in this test, and nothing else. */
    public interface Polled {
        Pacing pacing();

        int poll(ChannelListener listener, int limit);

        boolean prepareSleep();

        void arm();

        void checkPeers(ChannelListener listener);
    }

    /** What arrived waits until it is polled for. */
    public final class Scripted implements Polled {
        private final boolean isCostly;
        private IntPredicate arrives = at -> false;
        private int waiting;
        private int arrivedRound;
        private int polls;
        private int brought;
        private int latest;
        private int lastPoll;
        private int longestGap;
        private boolean wants;

        Scripted(boolean isCostly) {
            this.isCostly = isCostly;
        }

        Channel channel() {
            return (Channel) Proxy.newProxyInstance(
                    Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                        try {
                            return Polled.class
                                    .getMethod(method.getName(), method.getParameterTypes())
                                    .invoke(this, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        void clear() {
            polls = 0;
            brought = 0;
            latest = 0;
            lastPoll = round;
            longestGap = 0;
        }

        private void arriveNow() {
            if (arrives.test(round)) {
                arrivedRound = waiting++ == 0 ? round : arrivedRound;
            }
        }

        @Override
        public Pacing pacing() {
            return isCostly ? () -> wants : null;
        }

        @Override
        public int poll(ChannelListener listener, int limit) {
            polls++;
            longestGap = Math.max(longestGap, round - lastPoll);
            lastPoll = round;
            wants = false;
            if (waiting == 0) {
                return 0;
            }
            latest = Math.max(latest, round - arrivedRound);
            waiting--;
            arrivedRound = round;
            brought++;
            return 1;
        }

        @Override
        public boolean prepareSleep() {
            return true;
        }

        @Override
        public void arm() {
            // Nobody sleeps.
        }

        @Override
        public void checkPeers(ChannelListener listener) {
            // All live.
        }
    }

    private int round() {
        round++;
        now += roundNanos;
        cheap.arriveNow();
        other.arriveNow();
        costly.arriveNow();
        return channels.poll(16);
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            round();
        }
    }

    private void clear() {
        cheap.clear();
        other.clear();
        costly.clear();
    }

    /** The one in memory brings something in each of its rounds, and the costly one has had its time to become rare. */
    @BeforeEach
    void oneBusyChannelInMemory() {
        cheap.arrives = at -> true;
        rounds(1000);
        clear();
    }

    @Test
    void aQuietCostlyChannelIsPolledOnceIn32RoundsOfTheBusyOneAtMost() {
        rounds(ROUNDS);
        assertEquals(ROUNDS, cheap.polls, ROUNDS / 50.0);
        assertTrue(costly.polls * 32 <= cheap.polls, costly.polls + " polls beside " + cheap.polls);
        assertTrue(costly.longestGap <= 64, "not polled in " + costly.longestGap + " rounds");
    }

    @Test
    void itIsAsRareWhereEachMessageIsWaitedForInSomeRounds() {
        cheap.arrives = at -> at % 10 == 0;
        rounds(1000);
        clear();
        rounds(ROUNDS);
        assertEquals(ROUNDS / 10, cheap.brought);
        assertTrue(costly.polls * 32 <= ROUNDS, costly.polls + " polls in " + ROUNDS + " rounds");
    }

    @Test
    void nothingIsUnseenForMoreThan64Rounds() {
        for (int every = 1; every < 1000; every += 7) {
            int period = every;
            costly.arrives = at -> at % period == 0;
            rounds(2000);
        }
        assertTrue(costly.latest <= 64, "seen after " + costly.latest + " rounds");
        assertTrue(costly.brought > 100, costly.brought + " came");
    }

    @Test
    void oneThatBringsMuchIsPolledAsOftenAsTheOthers() {
        costly.arrives = at -> true;
        rounds(ROUNDS);
        assertEquals(ROUNDS / 2, costly.brought, 64);
        assertEquals(ROUNDS / 2, cheap.brought, 64);
    }

    @Test
    void oneThatBroughtSomethingIsLookedAtAgainSoon() {
        costly.waiting = 1;
        costly.arrivedRound = round;
        rounds(64);
        assertEquals(1, costly.brought);
        rounds(64);
        costly.waiting = 1;
        while (costly.brought == 1) {
            round();
        }
        clear();
        rounds(20);
        assertTrue(costly.polls >= 3, costly.polls + " polls in the 20 rounds after its message");
    }

    @Test
    void whereTheOthersAreQuietEveryRoundPollsIt() {
        cheap.arrives = at -> false;
        rounds(2 * 64);
        clear();
        rounds(ROUNDS);
        assertEquals(ROUNDS, costly.polls);
        assertEquals(ROUNDS, cheap.polls);
    }

    @Test
    void whereRoundsTakeLongEveryOtherOnePollsIt() {
        rounds(ROUNDS);
        roundNanos = 1_000_000;
        clear();
        rounds(Paces.ROUNDS_PER_CLOCK);
        assertTrue(costly.polls >= 1, "it had been put off for more of the short rounds");
        clear();
        rounds(ROUNDS);
        assertTrue(costly.polls >= ROUNDS / 2, costly.polls + " polls in " + ROUNDS + " rounds of a millisecond");
    }

    @Test
    void workOfItsOwnIsNotPutOff() {
        for (int i = 0; i < 100; i++) {
            rounds(70);
            clear();
            costly.wants = true;
            rounds(2);
            assertTrue(costly.polls >= 1);
        }
    }

    @Test
    void theRoundAfterALookAtPeersOrBeforeASleepPollsIt() {
        cheap.arrives = at -> at % 3 == 0;
        Runnable[] before = {channels::prepareSleep, channels::arm, channels::checkPeers, channels::pollAllNext};
        for (int i = 0; i < 400; i++) {
            rounds(70);
            clear();
            before[i % before.length].run();
            // Only a round that finds nothing lets a rank sleep.
            while (round() != 0) {
                assertTrue(round < Integer.MAX_VALUE);
            }
            assertTrue(costly.polls >= 1);
        }
    }

    @Test
    void channelsInMemoryAloneAreAllPolledInTurn() {
        Channels both = new Channels(new Channel[] {cheap.channel(), other.channel()}, null, this::now);
        other.waiting = Integer.MAX_VALUE / 2;
        cheap.waiting = Integer.MAX_VALUE / 2;
        for (int i = 0; i < 100; i++) {
            assertEquals(1, both.poll(1));
        }
        assertEquals(50, cheap.brought);
        assertEquals(50, other.brought);
    }

    @Test
    void aCostlyChannelAloneIsPolledInEachRound() {
        Channels one = new Channels(new Channel[] {costly.channel()}, null, this::now);
        for (int i = 0; i < 100; i++) {
            one.poll(1);
        }
        assertEquals(100, costly.polls);
    }
}
