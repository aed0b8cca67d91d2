package org.sluice.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.layer.LayerActivity;

@Tag("once")
final class StuckCollectivesTest {
    private static Sample sample(int rank, LayerActivity... activities) {
        return new Sample(
                0, 10 + rank, rank, 3, "job", 0, 0, List.of(), new Sample.Sockets(0, 0, 0, 0), List.of(activities));
    }

    private static LayerActivity in(int rank, String call, int turn, int begun) {
        return new LayerActivity("0/0", "world", rank, 3, begun, turn, call);
    }

    @Test
    void whoHasNotComeIsNamed() {
        List<Sample> both = List.of(
                sample(0, in(0, "allReduce", 7, 7)), sample(1, in(1, "", 0, 6)), sample(2, in(2, "allReduce", 7, 7)));
        assertEquals(
                List.of("collective: allReduce of world (call 7): ranks 0, 2 of 3 wait; not come: rank 1"),
                StuckCollectives.of(both, both));
    }

    @Test
    void oneThatGoesOnIsNotStuck() {
        List<Sample> before = List.of(sample(0, in(0, "barrier", 7, 7)));
        assertEquals(List.of(), StuckCollectives.of(before, List.of(sample(0, in(0, "barrier", 8, 8)))));
        assertEquals(List.of(), StuckCollectives.of(List.of(), before));
    }

    @Test
    void othersMayBeInAnotherCallOrElsewhere() {
        List<Sample> both = List.of(sample(0, in(0, "gather", 2, 2)), sample(1, in(1, "barrier", 2, 2)));
        assertEquals(
                List.of("collective: barrier of world (call 2): ranks 0, 1 of 3 wait; some are in gather instead;"
                        + " of the others nothing is known here"),
                StuckCollectives.of(both, both));
    }
}
