package org.sluice.mpi.files;

import java.io.IOException;
import java.nio.file.Path;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;

/** What the ranks of a file do together: where one throws, all do, so that none waits for it. <i>Thread</i>: one. */
final class AllRanks {
    @FunctionalInterface
    interface Work {
        /** @return any number */
        long run() throws IOException;
    }

    private final Communicator ranks;
    private final Path path;

    AllRanks(Communicator ranks, Path path) {
        this.ranks = ranks;
        this.path = path;
    }

    /**
     * Returns when all ranks have come.
     *
     * @param wrong what is wrong with this rank's arguments, or null
     * @param what all ranks give alike
     * @throws IllegalArgumentException at all ranks if it is wrong at one, or differs
     */
    void check(RuntimeException wrong, String what, long... alike) {
        long[] told = new long[1 + 2 * alike.length];
        told[0] = wrong == null ? 0 : 1;
        for (int i = 0; i < alike.length; i++) {
            told[1 + 2 * i] = alike[i];
            told[2 + 2 * i] = ~alike[i];
        }
        ranks.allReduce(Data.IN_PLACE, told, Reduction.MAX);
        if (wrong != null) {
            throw wrong;
        }
        if (told[0] != 0) {
            throw new IllegalArgumentException(
                    "another rank gave a " + what + " that is wrong for " + path + ": its own exception says why");
        }
        for (int i = 0; i < alike.length; i++) {
            if (told[1 + 2 * i] != ~told[2 + 2 * i]) {
                throw new IllegalArgumentException(
                        "the ranks of " + path + " gave different values of the " + what + ": give all the same");
            }
        }
    }

    /** Each does its own part, and returns when all have. */
    void each(Work work) throws IOException {
        IOException failed = null;
        try {
            work.run();
        } catch (IOException e) {
            failed = e;
        } catch (RuntimeException e) {
            failed = new IOException(path + ": " + e.getMessage(), e);
        }
        int[] worst = {(failed == null ? Fault.NONE : Fault.of(failed)).ordinal(), ranks.rank()};
        ranks.allReduce(Data.IN_PLACE, worst, Reduction.MAX_LOCATION);
        if (failed != null) {
            throw failed;
        }
        if (worst[0] != 0) {
            throw Fault.values()[worst[0]].exception(path, "so rank " + worst[1] + " says, which has failed with it");
        }
    }

    /** Done by the first rank, for all. */
    long byFirst(Work work) throws IOException {
        long[] told = new long[2];
        IOException failed = null;
        if (ranks.rank() == 0) {
            try {
                told[0] = work.run();
            } catch (IOException e) {
                failed = e;
            } catch (RuntimeException e) {
                failed = new IOException(path + ": " + e.getMessage(), e);
            }
            told[1] = (failed == null ? Fault.NONE : Fault.of(failed)).ordinal();
        }
        ranks.broadcast(told, 0);
        if (failed != null) {
            throw failed;
        }
        if (told[1] != 0) {
            throw Fault.values()[(int) told[1]].exception(path, "so rank 0 says, which has failed with it");
        }
        return told[0];
    }
}
