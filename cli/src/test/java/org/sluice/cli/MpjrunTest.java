package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words of MPJ Express's launcher, as Sluice's {@code run} is told them. */
final class MpjrunTest {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Main a -np 3 | -n @ --mpi mpijava --device smpdev --jvms 1 -cp . Main a -np 3",
                "-np 4 -cp lib/mpj.jar -Xmx1g Main | -n 4 --mpi mpijava --device smpdev --jvms 1 -Xmx1g"
                        + " -cp .:lib/mpj.jar Main",
                "-dev niodev -np 4 --add-opens a/b=c -jar x.jar a | -n 4 --mpi mpijava --device niodev"
                        + " --add-opens a/b=c -jar x.jar a",
                "-np 2 -dev hybdev -psl 7 -mpjport 1 -src Main | -n 2 --mpi mpijava --device hybdev -cp . Main",
                "-np 2 -wdir /tmp -cp /c Main | -n 2 --mpi mpijava --device smpdev --jvms 1 --wdir /tmp"
                        + " -cp HERE:/c Main",
                "-np 2 -debug 77 Main | -n 2 --mpi mpijava --device smpdev --jvms 1"
                        + " -agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=77 -cp . Main",
            })
    void wordsAreThoseOfRun(String given, String wanted) {
        String here = Path.of(".").toAbsolutePath().toString();
        assertEquals(
                "run " + wanted.replace("@", Integer.toString(CORES)).replace("HERE", here),
                String.join(" ", Mpjrun.toRun(List.of(given.split(" ")))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-np 0 Main | -np is '0'",
                "-np x Main | -np is 'x'",
                "-np | behind -np its value is missing",
                "-dev infiniband Main | it may be multicore, niodev",
                "-np 2 | no program is given",
                "-yarn Main | Hadoop",
                "-profile Main | StartFlightRecording",
                "-dev niodev -debug 7 Main | -dev multicore",
            })
    void whatCantBeIsRefused(String given, String said) {
        String message = assertThrows(IllegalArgumentException.class, () -> Mpjrun.toRun(List.of(given.split(" "))))
                .getMessage();
        assertTrue(message.contains(said), message);
    }

    @Test
    void aFileOfMachinesGoesToRun() {
        List<String> run = Mpjrun.toRun(List.of("-np", "2", "-machinesfile", "machines", "-dev", "niodev", "Main"));
        assertEquals("machines", run.get(run.indexOf("--hosts") + 1));
        assertFalse(Mpjrun.toRun(List.of("-np", "2", "-machinesfile", "machines", "Main"))
                .contains("--hosts"));
    }
}
