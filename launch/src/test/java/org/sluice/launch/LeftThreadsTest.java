package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class LeftThreadsTest {
    private static final String ADVICE = "; if it has nothing to do, shut its executor down, or make it a daemon";

    @Test
    void someOfThemAreNamed() {
        List<Thread> threads = IntStream.range(0, 7)
                .mapToObj(i -> new Thread(null, null, i == 0 ? "" : "pool-" + i))
                .toList();
        assertEquals(
                "sluice: rank 3: main has returned and no device is open, but a thread keeps it from ending: one"
                        + " without a name"
                        + ADVICE,
                LeftThreads.text("rank 3", threads.subList(0, 1)));
        assertEquals(
                "sluice: rank 3: main has returned and no device is open, but 7 threads keep it from ending: one"
                        + " without a name, pool-1, pool-2, pool-3, pool-4 and 2 more" + ADVICE,
                LeftThreads.text("rank 3", threads));
    }
}
