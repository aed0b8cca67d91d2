package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What MPJ Express's launchers put in front of a program's arguments is left out, and nothing else. */
final class LauncherArgumentsTest {
    private static String[] own(int rank, String... args) {
        return LauncherArguments.own(args, rank);
    }

    @Test
    void threeInFrontAreTheLaunchers() {
        assertArrayEquals(new String[] {"a", "b"}, own(2, "2", "#Server Name;x;", "niodev", "a", "b"));
        assertArrayEquals(new String[0], own(0, "0", "config", "multicore"));
    }

    @Test
    void othersAreTheProgramsOwn() {
        assertArrayEquals(new String[] {"1", "2", "3"}, own(1, "1", "2", "3"));
        assertArrayEquals(new String[] {"x", "c", "niodev"}, own(0, "x", "c", "niodev"));
        assertArrayEquals(new String[] {"1", "2"}, own(0, "1", "2"));
        assertArrayEquals(new String[0], own(0));
    }

    @Test
    void anotherRankIsTold() {
        String words = assertThrows(MPIException.class, () -> own(1, "0", "c", "niodev"))
                .getMessage();
        assertTrue(words.contains("rank 0") && words.contains("rank 1"), words);
    }
}
