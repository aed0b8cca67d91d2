package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who is where between the ends of a wire, and what these share. */
@Tag("once")
final class WireTest {
    private static final int NODES = 3;
    private static final int RANKS = 6;

    private static List<String> said(Wire wire, int rank, String script) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(wire.prefix(rank, RANKS));
        command.addAll(List.of("bash", "-c", "export LC_ALL=C; " + script));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = process.inputReader().lines().toList();
        assertEquals(0, process.waitFor(), () -> command + ": " + lines);
        return lines;
    }

    private static Wire nodes() {
        Assumptions.assumeTrue(
                Wire.missing(NODES).isEmpty(), () -> Wire.missing(NODES).orElse(""));
        return Wire.of(NODES);
    }

    @Test
    void twoRanksOfANodeShareItsMemoryItsNameAndItsAddress() throws IOException, InterruptedException {
        Wire wire = nodes();
        List<List<String>> places = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            String address = wire.address(rank, RANKS).getHostAddress();
            places.add(said(
                    wire,
                    rank,
                    "stat -c %d:%i /dev/shm; hostname; pwd; ip -o -4 address show dev " + wire.device()
                            + " | grep -o ' " + address + "/24'"));
        }
        for (int rank = 0; rank < RANKS; rank += 2) {
            assertEquals(places.get(rank), places.get(rank + 1));
        }
        assertEquals(
                NODES, places.stream().map(place -> place.get(0)).distinct().count(), places::toString);
        assertEquals(
                NODES, places.stream().map(place -> place.get(1)).distinct().count(), places::toString);
        assertEquals(1, places.stream().map(place -> place.get(2)).distinct().count(), places::toString);
        assertEquals(NODES, new HashSet<>(wire.addresses()).size());
    }

    @Test
    void everyNodeReachesThisOneAndEachOther() throws IOException, InterruptedException {
        Wire wire = nodes();
        try (ServerSocket server = new ServerSocket(0, RANKS, wire.here())) {
            for (int rank = 2; rank < RANKS; rank += 2) {
                said(wire, rank, "exec 3<>/dev/tcp/" + wire.here().getHostAddress() + "/" + server.getLocalPort());
                InetAddress from = server.accept().getInetAddress();
                assertEquals(wire.address(rank, RANKS), from);
            }
        }
        // Nobody listens there: only the node itself can say so.
        String other = wire.address(RANKS - 1, RANKS).getHostAddress();
        List<String> refused = said(wire, 2, "exec 3<>/dev/tcp/" + other + "/9 || true");
        assertTrue(refused.toString().contains("Connection refused"), refused::toString);
    }
}
