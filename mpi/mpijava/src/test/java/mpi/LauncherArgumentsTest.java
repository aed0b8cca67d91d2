package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

/** What launchers put in front of a program's arguments is left out, and nothing else. */
final class LauncherArgumentsTest {
    private static String[] own(String device, int rank, String... args) {
        return LauncherArguments.own(args, rank, device);
    }

    @Test
    void threeInFrontAreTheLaunchers() {
        assertArrayEquals(new String[] {"a", "b"}, own("niodev", 2, "2", "4", "niodev", "a", "b"));
        assertArrayEquals(new String[0], own("sluice", 0, "0", "1", "sluice"));
        assertArrayEquals(new String[] {"0", "0", "native"}, own("sluice", 0, "0", "1", "sluice", "0", "0", "native"));
    }

    @Test
    void othersAreTheProgramsOwn() {
        assertArrayEquals(new String[] {"1", "2", "3"}, own("sluice", 1, "1", "2", "3"));
        assertArrayEquals(new String[] {"x", "c", "niodev"}, own("niodev", 0, "x", "c", "niodev"));
        assertArrayEquals(new String[] {"1", "2"}, own("sluice", 0, "1", "2"));
        assertArrayEquals(new String[0], own("sluice", 0));
    }

    @Test
    void withoutALauncherOfOursThereAreNoneButThoseOfMpirun() {
        assertArrayEquals(new String[] {"0", "x", "native"}, own(null, 0, "0", "x", "native"));
        assertArrayEquals(new String[] {"0", "2", "niodev", "a"}, own(null, 0, "0", "2", "niodev", "a"));
        assertArrayEquals(new String[] {"a"}, own(null, 3, "0", "0", "native", "a"));
    }
}
