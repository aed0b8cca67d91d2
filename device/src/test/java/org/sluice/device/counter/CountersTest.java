package org.sluice.device.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CountersTest {
    private final Counters counters = new Counters();

    @Test
    void eachCounterIsItsOwn() {
        for (Counter counter : Counter.values()) {
            counters.add(counter, 1000 + counter.ordinal());
        }
        counters.increment(Counter.COPIES);
        for (Counter counter : Counter.values()) {
            long more = counter == Counter.COPIES ? 1 : 0;
            assertEquals(1000 + counter.ordinal() + more, counters.get(counter), counter.key());
        }
    }

    @Test
    void sumsRunOverAllOwners() {
        Counters other = new Counters();
        counters.add(Counter.SENT_BYTES, 1L << 40);
        other.add(Counter.SENT_BYTES, 2);
        other.increment(Counter.PARKS);
        Map<Counter, Long> sums = Counters.newSums();
        counters.addTo(sums);
        other.addTo(sums);
        assertEquals((1L << 40) + 2, sums.get(Counter.SENT_BYTES));
        assertEquals(1, sums.get(Counter.PARKS));
        assertEquals(0, sums.get(Counter.SLEEPS), "what never happened is in the snapshot too");
        assertEquals(Counter.values().length, sums.size());
    }

    @Test
    void aReaderSeesCountsThatOnlyGrow() throws InterruptedException {
        long last = 200_000;
        Thread owner = new Thread(() -> {
            for (long i = 0; i < last; i++) {
                counters.increment(Counter.POLLS_EMPTY);
            }
        });
        owner.start();
        long seen = 0;
        while (seen < last && (owner.isAlive() || counters.get(Counter.POLLS_EMPTY) > seen)) {
            long now = counters.get(Counter.POLLS_EMPTY);
            assertTrue(now >= seen, now + " after " + seen);
            seen = now;
        }
        owner.join();
        assertEquals(last, counters.get(Counter.POLLS_EMPTY));
    }

    @Test
    void keysAreDottedLowerCaseAndDiffer() {
        Set<String> keys = new HashSet<>();
        for (Counter counter : Counter.values()) {
            assertTrue(counter.key().matches("[a-z]+(\\.[a-z]+)*"), counter.key());
            assertTrue(keys.add(counter.key()), counter.key());
            assertTrue(counter.help().length() > 5, counter.key());
        }
    }
}
