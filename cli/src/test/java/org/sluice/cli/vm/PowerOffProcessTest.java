package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.cli.Main;

/**
 * A job over two machines, by address and token, of which one is powered off: whoever had to do with its rank hears of
 * it.
 */
@Tag("long")
@Tag("vm")
@Timeout(400)
final class PowerOffProcessTest {
    private final Path home = Path.of(System.getProperty("sluice.root"));

    @Test
    void aMachineThatIsSilentIsFoundAndTheOthersGoOn() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String sluice = "java -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "
                + System.getProperty("java.class.path") + " " + Main.class.getName();
        String program = "-cp " + home.resolve("cli/target/test-classes") + " " + PowerOffRanks.class.getName();
        // The time is only for the plan to know that this node may end: rank 2 does it itself.
        VmRequest request = new VmRequest(
                home,
                2,
                0,
                FaultPlan.parse("off=1@390s", 2),
                340,
                home,
                Map.of(),
                List.of("/bin/bash", "-c", """
                    (umask 077; echo 9f8b6c0e5a7d4132 > /tmp/secret)
                    export SLUICE_JOB_SECRET_FILE=/tmp/secret SLUICE_CHANNELS=ib SLUICE_OPEN_TIMEOUT_MS=200000
                    if [ $SLUICE_VM_NODE = 0 ]; then
                        exec %1$s run -n 3 --here 2 --listen 10.9.0.1:7000 -Xmx128m -XX:TieredStopAtLevel=1 %2$s
                    fi
                    export SLUICE_JOB_ADDRESS=10.9.0.1:7000 SLUICE_JOB_SIZE=3 SLUICE_JOB_RANK=2
                    exec %1$s exec %2$s
                    """.formatted(sluice, program)));
        int status =
                new VmRun(request, GuestOutput.prefixed(new PrintStream(out, true), new PrintStream(err, true))).run();
        String said = out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
        assertEquals(0, status, said);
        System.out.println(said);
        for (int rank = 0; rank < 2; rank++) {
            assertTrue(said.contains("[0] rank " + rank + " PEER_DEAD 2 after "), said);
            assertTrue(said.contains("[0] rank " + rank + " goes on with rank " + (1 - rank)), said);
        }
        assertEquals(2, said.lines().filter("[0] closed"::equals).count(), said);
    }
}
