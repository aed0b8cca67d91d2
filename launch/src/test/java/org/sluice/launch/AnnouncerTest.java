package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class AnnouncerTest {
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    void whoSpeaksNeverWaitsAndWhatTheQueueHoldsIsSaidInOrder() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch stands = new CountDownLatch(1);
        Announcer announcer = new Announcer(line -> {
            stands.countDown();
            await(reads);
            heard.add(line);
        });
        announcer.say("0");
        stands.await();
        for (int i = 1; i <= 2 * Announcer.MOST_LINES; i++) {
            announcer.say(Integer.toString(i));
        }
        assertFalse(announcer.hasSaidAll());
        reads.countDown();
        awaitAll(announcer);
        assertEquals(
                IntStream.rangeClosed(0, Announcer.MOST_LINES)
                        .mapToObj(Integer::toString)
                        .toList(),
                heard);
        assertEquals(1 + Announcer.MOST_LINES, announcer.said());
    }

    @Test
    void aListenerThatThrowsHearsTheNextLine() throws Exception {
        Announcer announcer = new Announcer(line -> {
            heard.add(line);
            throw new IllegalStateException("planned");
        });
        announcer.say("first");
        announcer.say("second");
        awaitAll(announcer);
        assertEquals(List.of("first", "second"), heard);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitAll(Announcer announcer) throws InterruptedException {
        while (!announcer.hasSaidAll()) {
            Thread.sleep(1);
        }
    }
}
