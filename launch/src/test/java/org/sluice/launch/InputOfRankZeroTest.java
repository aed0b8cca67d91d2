package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Of ranks that are threads the first reads what is given to the job, and the others find its end. */
final class InputOfRankZeroTest {
    private final InputStream input = new InputOfRankZero(new ByteArrayInputStream(new byte[] {7, 8, 9}));

    private static int inRank(int rank, Callable<Number> work) throws Exception {
        FutureTask<Number> task = new FutureTask<>(work);
        new Thread(new RankGroup(rank), task, "rank-" + rank).start();
        return task.get().intValue();
    }

    @Test
    void rankZeroReadsAndTheOthersSeeTheEnd() throws Exception {
        assertEquals(-1, inRank(1, input::read));
        assertEquals(-1, inRank(1, () -> input.read(new byte[2])));
        assertEquals(0, inRank(1, input::available));
        assertEquals(0, inRank(1, () -> input.skip(1)));
        inRank(1, () -> {
            input.close();
            return 0;
        });
        assertEquals(3, inRank(0, input::available));
        assertEquals(7, inRank(0, input::read));
        byte[] two = new byte[2];
        assertEquals(2, inRank(0, () -> input.read(two)));
        assertEquals(9, two[1]);
        assertEquals(-1, inRank(0, input::read));
    }

    @Test
    void aThreadOfNoRankReads() throws Exception {
        assertEquals(7, input.read());
    }
}
