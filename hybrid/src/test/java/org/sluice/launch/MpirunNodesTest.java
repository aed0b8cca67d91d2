package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One job of mpirun over two guests, in each of which this runs. Guest 0 has mpirun; where that would log in to the
 * other node by ssh it runs a script that hands the command to this class in guest 1, which starts mpirun's daemon
 * there.
 */
@Tag("long")
@Tag("verbs-nodes")
@Timeout(600)
final class MpirunNodesTest extends MpirunJobs {
    private static final String FIRST = "10.9.0.1";
    private static final String SECOND = "10.9.0.2";
    /** The other guest's JVM may come here much later. */
    private static final int MEET_S = 150;

    private static final List<String> TOLD_BY_RANKS = List.of(
            "-x", "SLUICE_CHANNELS_SHOW=on", "-x", "SLUICE_OPEN_TIMEOUT_MS=150000", "-x", "SLUICE_IB_ACK_TIMEOUT=20");

    private final boolean isFirst = System.getenv("SLUICE_VM_NODE").equals("0");

    @BeforeEach
    void needsOpenMpi4() {
        assumeTrue(isFour(), "needs the options of Open MPI 4's mpirun");
    }

    /**
     * A script in the place of ssh, at the same path in both guests, as mpirun's daemon looks for it too.
     *
     * @return its path
     */
    private static String agent(int port) throws IOException {
        Path agent = Path.of(System.getProperty("java.io.tmpdir"), "sluice-mpirun-agent-" + port);
        Files.writeString(agent, """
            #!/bin/bash
            # HOST COMMAND...
            host=$1
            shift
            end=$((SECONDS + %d))
            until exec 3<>"/dev/tcp/$host/%d"; do
                [ "$SECONDS" -lt "$end" ] || exit 1
                sleep 1
            done 2>/dev/null
            printf '%%s\\n' "$*" >&3
            exec cat <&3
            """.formatted(MEET_S, port));
        Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwxr-xr-x"));
        return agent.toString();
    }

    /**
     * In guest 0.
     *
     * @return the job's status
     */
    private int overBoth(int port, List<String> options, List<String> program) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "--host",
                FIRST + ":2," + SECOND + ":2",
                "-n",
                "4",
                "--mca",
                "plm_rsh_agent",
                agent(port),
                "--mca",
                "oob_tcp_if_include",
                "10.9.0.0/24"));
        all.addAll(TOLD_BY_RANKS);
        all.addAll(options);
        start(all, program);
        assertTrue(launcher.waitFor(MEET_S + PATIENCE_S, TimeUnit.SECONDS), () -> "mpirun does not end\n" + text());
        return launcher.exitValue();
    }

    /** In guest 1: runs mpirun's daemon until the job is over. */
    private void lend(int port) throws Exception {
        agent(port);
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getByName(SECOND))) {
            server.setSoTimeout(MEET_S * 1000);
            try (Socket agent = server.accept()) {
                String command = new BufferedReader(
                                new InputStreamReader(agent.getInputStream(), StandardCharsets.UTF_8))
                        .readLine();
                ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", command).redirectErrorStream(true);
                builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
                builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
                launcher = builder.start();
                forward(launcher, agent);
            }
        }
        assertTrue(launcher.waitFor(PATIENCE_S, TimeUnit.SECONDS), "mpirun's daemon does not end");
    }

    private static void forward(Process from, Socket to) throws IOException {
        byte[] bytes = new byte[4096];
        int count;
        while ((count = from.getInputStream().read(bytes)) > 0) {
            to.getOutputStream().write(bytes, 0, count);
        }
    }

    @Test
    void threadsAndProcessesOfTwoNodesAreRanksOfOneJob() throws Exception {
        if (!isFirst) {
            lend(7251);
            return;
        }
        assertEquals(
                0,
                overBoth(
                        7251,
                        List.of("-x", "SLUICE_JOB_JVM_RANKS=2"),
                        java(MpirunProcessTest.InPlace.class.getName(), "ring", "1")),
                this::text);
        assertEquals(MpirunProcessTest.ring(8, 1), lines("rank"), this::text);
        TreeSet<String> reached = new TreeSet<>();
        for (int rank = 0; rank < 8; rank++) {
            String near = rank % 4 < 2
                    ? (rank / 4 * 4 + 2) + ", " + (rank / 4 * 4 + 3)
                    : rank / 4 * 4 + ", " + (rank / 4 * 4 + 1);
            reached.add("sluice: rank " + rank + " of 8 reaches rank " + (rank ^ 1) + " by threads, ranks " + near
                    + " by shm, ranks " + (rank < 4 ? "4 to 7" : "0 to 3") + " by ib");
        }
        // Where a guest has little of a core, ranks say beside it for how long they have waited.
        TreeSet<String> told = lines("sluice: rank");
        told.removeIf(line -> !line.contains(" reaches "));
        assertEquals(reached, told, this::text);
    }

    @Test
    void aRankThatIsKilledOnTheOtherNodeEndsTheJobWithItsName() throws Exception {
        if (!isFirst) {
            lend(7252);
            return;
        }
        assertEquals(137, overBoth(7252, List.of(), java(RANKS, "die", "3", "signal")), this::text);
        assertTrue(output().contains("process rank 3 with PID") && output().contains("signal 9"), this::text);
    }
}
