package org.sluice.hybrid.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cost in entries visited and bytes allocated, which don't depend on the machine. */
final class MatchCostTest {
    private static final int OTHERS = 100_000;
    private static final int ROUNDS = 1000;
    /** Two to find where to insert, one to find, one to unlink; the rest for chance collisions. */
    private static final int VISITS = 8;

    private final PostedReceiveQueue posted = new PostedReceiveQueue();
    private final UnexpectedMessageQueue unexpected = new UnexpectedMessageQueue();

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1 << 10, 1 << 14})
    void aReceiveAmongManyPostedVisitsFew(int stride) {
        for (int i = 0; i < OTHERS; i++) {
            posted.add(Receive.of(0, i % 3, i * stride));
        }
        assertEquals(null, posted.take(1, 0, 0));
        Receive receive = new Receive();
        long before = posted.table().visited();
        for (int i = 0; i < ROUNDS; i++) {
            posted.add(receive.with(0, 5, i));
            missPosted(i % 2);
            assertSame(receive, posted.take(0, 5, i));
        }
        assertFew(posted.table().visited() - before);
        assertTrue(
                posted.table().longestChain() <= 10,
                "longest chain " + posted.table().longestChain());
    }

    @Test
    void receivesOfFourPatternsAmongManyVisitFew() {
        for (int i = 0; i < OTHERS / 2; i++) {
            posted.add(Receive.of(0, 1, i));
            posted.add(Receive.of(0, ANY_SOURCE, OTHERS + i));
            posted.add(Receive.of(i + 1, 1, ANY_TAG));
            posted.add(Receive.of(-i - 1, ANY_SOURCE, ANY_TAG));
        }
        assertEquals(null, posted.take(0, 7, 7));
        Receive[] four = {new Receive(), new Receive(), new Receive(), new Receive()};
        long before = posted.table().visited();
        for (int i = 0; i < ROUNDS; i++) {
            posted.add(four[0].with(0, ANY_SOURCE, ANY_TAG));
            posted.add(four[1].with(0, 9, ANY_TAG));
            posted.add(four[2].with(0, ANY_SOURCE, 3 * OTHERS));
            posted.add(four[3].with(0, 9, 3 * OTHERS));
            missPosted(i % 2);
            for (Receive receive : four) {
                assertSame(receive, posted.take(0, 9, 3 * OTHERS));
            }
        }
        // Four receives, and up to four look-ups for each.
        long visits = posted.table().visited() - before;
        assertTrue(visits <= 16L * VISITS * ROUNDS, visits + " visits");
    }

    @ParameterizedTest
    @CsvSource({"5, 77", "-2, 77", "5, -3", "-2, -3"})
    void eachPatternAmongManyUnexpectedVisitsFew(int source, int tag) {
        unexpected.add(Arrived.of(1, 0, 0));
        for (int i = 0; i < OTHERS; i++) {
            unexpected.add(Arrived.of(0, i % 3, 100 + i));
        }
        // Another pattern has been in use as well: its table must be kept too.
        unexpected.peek(2, ANY_SOURCE, 0);
        unexpected.peek(2, source, tag);
        int contextId = source == ANY_SOURCE && tag == ANY_TAG ? 3 : 0;
        Arrived message = new Arrived();
        long before = visitedUnexpected();
        for (int i = 0; i < ROUNDS; i++) {
            unexpected.add(message.with(contextId, 5, 77));
            missUnexpected(i % 2, source, tag);
            assertSame(message, unexpected.take(contextId, source, tag));
        }
        assertFew(visitedUnexpected() - before);
    }

    @Test
    void manyOfOneKeyAreTakenInOrderWithFewVisits() {
        unexpected.add(Arrived.of(1, 0, 0));
        for (int i = 0; i < OTHERS; i++) {
            Arrived message = Arrived.of(0, 0, 0);
            message.bytes = i;
            unexpected.add(message);
        }
        long before = visitedUnexpected();
        for (int i = 0; i < OTHERS; i++) {
            UnexpectedMessage message = i % 2 == 0 ? unexpected.take(0, 0, 0) : unexpected.take(0, ANY_SOURCE, 0);
            assertEquals(i, message.bytes);
        }
        // The tables are filled within this count.
        long visits = visitedUnexpected() - before;
        assertTrue(visits <= (long) VISITS * OTHERS, visits + " visits");
    }

    @Test
    void messagesTakenInOrderAreNeverHashed() {
        for (int i = 0; i < OTHERS; i++) {
            unexpected.add(Arrived.of(0, i % 7, i));
        }
        for (int i = 0; i < OTHERS; i++) {
            assertNotNull(unexpected.take(0, i % 2 == 0 ? ANY_SOURCE : i % 7, i));
        }
        assertEquals(0, visitedUnexpected());
    }

    @Test
    void tablesGiveMemoryAndKeysBack() {
        Random random = new Random(1);
        Receive[] receives = new Receive[OTHERS];
        for (int i = 0; i < OTHERS; i++) {
            receives[i] = Receive.of(0, 0, random.nextInt(Integer.MAX_VALUE));
            posted.add(receives[i]);
        }
        assertEquals(null, posted.take(0, 1, 0));
        assertTrue(posted.table().bucketCount() >= OTHERS);
        for (Receive receive : receives) {
            assertTrue(posted.remove(receive));
            MatchableState.assertForgotten(receive);
        }
        assertEquals(KeyTable.SHRINK_FLOOR, posted.table().bucketCount());
        MatchableState.assertNoKeys(posted, unexpected);
    }

    @Test
    void tagsThatNeverComeAgainLeaveNothing() {
        // Never empty, so that nothing is found by being alone.
        posted.add(Receive.of(9, 9, 9));
        unexpected.add(Arrived.of(9, 9, 9));
        Receive receive = new Receive();
        Arrived message = new Arrived();
        for (int i = 0; i < 10 * OTHERS; i++) {
            posted.add(receive.with(0, 0, i));
            missPosted(1);
            assertSame(receive, posted.take(0, 0, i));
            unexpected.add(message.with(0, 0, i));
            missUnexpected(1, i % 2 == 0 ? ANY_SOURCE : 0, i);
            assertSame(message, unexpected.take(0, i % 2 == 0 ? ANY_SOURCE : 0, i));
        }
        assertTrue(posted.table().keys() <= 1);
        assertEquals(KeyTable.INITIAL_BUCKETS, posted.table().bucketCount());
        assertTrue(unexpected.table(0, 0).keys() <= 1);
        assertEquals(KeyTable.INITIAL_BUCKETS, unexpected.table(0, 0).bucketCount());
        assertTrue(unexpected.table(ANY_SOURCE, 0).keys() <= 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5000})
    void nothingIsAllocatedInSteadyState(int others) {
        for (int i = 0; i < others; i++) {
            posted.add(Receive.of(1, i, i));
            unexpected.add(Arrived.of(1, i, i));
        }
        Receive[] receives = {new Receive(), new Receive()};
        Arrived[] messages = {new Arrived(), new Arrived()};
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertTrue(threads.isThreadAllocatedMemoryEnabled(), "this JVM doesn't count allocations");
        long least = Long.MAX_VALUE;
        // The compiler may allocate in a thread that it deoptimises, so the best of a few runs counts.
        for (int run = 0; run < 5; run++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            steadyState(receives, messages);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least);
    }

    private void steadyState(Receive[] receives, Arrived[] messages) {
        for (int i = 0; i < OTHERS; i++) {
            int source = (i & 1) == 0 ? 3 : ANY_SOURCE;
            int tag = (i & 2) == 0 ? i : ANY_TAG;
            posted.add(receives[0].with(0, source, tag));
            posted.add(receives[1].with(0, 4, i));
            missPosted(i >> 2 & 1);
            unexpected.add(messages[0].with(0, 3, i));
            unexpected.add(messages[1].with(0, 4, i));
            missUnexpected(i >> 2 & 1, source, tag);
            boolean right = posted.take(0, 3, i) == receives[0]
                    && posted.remove(receives[1])
                    && unexpected.take(0, 4, tag) == messages[1]
                    && unexpected.take(0, source, tag) == messages[0];
            if (!right) {
                throw new AssertionError("round " + i);
            }
        }
    }

    /** A message that nobody waits for makes the queue index what it had not needed to. */
    private void missPosted(int times) {
        for (int i = 0; i < times; i++) {
            if (posted.take(1 << 30, 0, 0) != null) {
                throw new AssertionError("matched in another context");
            }
        }
    }

    private void missUnexpected(int times, int source, int tag) {
        for (int i = 0; i < times; i++) {
            if (unexpected.peek(1 << 30, source, tag) != null) {
                throw new AssertionError("matched in another context");
            }
        }
    }

    private long visitedUnexpected() {
        return unexpected.table(0, 0).visited()
                + unexpected.table(ANY_SOURCE, 0).visited()
                + unexpected.table(0, ANY_TAG).visited()
                + unexpected.table(ANY_SOURCE, ANY_TAG).visited();
    }

    private static void assertFew(long visits) {
        assertTrue(visits <= (long) VISITS * ROUNDS, visits + " visits in " + ROUNDS + " rounds");
    }
}
