package org.sluice.ib;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Some of the places of {@link FaultSweepTest} with a real library, chosen anew in each run: a life takes a second in a
 * guest. All of them, by hand, as docs/project/testing.md says.
 */
@Tag("all")
@Tag("verbs")
final class FaultSweepRxeTest {
    private static final int PLACES = 4;

    private static FaultSweep sweep() {
        return new FaultSweep(VerbsRanks::verbs, 4000, "send", (library, where) -> {});
    }

    @Test
    void someOfAllPlaces() throws InterruptedException {
        long seed = new Random().nextLong();
        for (int kind = 0; kind < 4; kind++) {
            sweep().some((kind & 1) == 0, (kind & 2) == 0, PLACES, seed + kind);
        }
    }

    /** All of one kind of life, or of all four. */
    public static void main(String[] args) throws InterruptedException {
        for (int kind = 0; kind < 4; kind++) {
            if (args.length == 0 || Integer.parseInt(args[0]) == kind) {
                sweep().all((kind & 1) == 0, (kind & 2) == 0);
            }
        }
    }
}
