package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;

/**
 * kill -9 of a peer before each of its calls of the libraries, from the first of connecting to the last of closing: by
 * way of eager packets, news of credit, and reads or writes of memory in both directions. The peer's process takes part
 * in one job for each step and stands still in each at another, so one death is enough for all.
 */
@Tag("long")
@Tag("verbs")
final class SteppedDeathRxeTest {
    private static final long PATIENCE_S = 30L * Integer.getInteger("sluice.test.patience", 1);
    /** Connecting alone takes as many. */
    private static final int FEWEST_STEPS = 25;

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final CountingVerbs verbs = new CountingVerbs(VerbsRanks.verbs());
    private Process peer;
    private PrintWriter toPeer;

    private void start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SteppedPeer.class.getName()));
        command.addAll(List.of(arguments));
        peer = new ProcessBuilder(command).redirectErrorStream(true).start();
        toPeer = new PrintWriter(peer.outputWriter(), true);
        Thread reader = new Thread(() -> {
            try (BufferedReader in = peer.inputReader()) {
                in.lines().forEach(said::add);
            } catch (UncheckedIOException | IOException e) {
                // It was killed.
                said.add("gone");
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    private String expect(String beginning) throws InterruptedException {
        String line = said.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertTrue(
                line != null && line.startsWith(beginning), "the peer said '" + line + "' and not '" + beginning + "'");
        return line.substring(beginning.length()).trim();
    }

    /** As long messages go over SoftRoCE unless options say otherwise. */
    @Test
    void whoeverIsAskedAndWrittenToHearsOfItAndOthersGoOn() throws Exception {
        sweep("asks", "write");
    }

    @Test
    @Tag("long")
    void whoeverAsksAndIsReadHearsOfItAndOthersGoOn() throws Exception {
        sweep("isAsked", "read");
    }

    private void sweep(String who, String rendezvous) throws Exception {
        boolean asks = who.equals("asks");
        Map<SteppedSurvivor, String> survivors = new java.util.LinkedHashMap<>();
        Set<String> calls = new HashSet<>();
        start(who, rendezvous);
        try {
            for (int step = 1; ; step++) {
                SteppedSurvivor survivor = new SteppedSurvivor(rendezvous.equals("write"), verbs.calls());
                String end = begin(survivor, step, asks);
                if (end.equals("over")) {
                    survivors.put(survivor, "the end");
                    break;
                }
                calls.add(end);
                survivors.put(survivor, "step " + step + ", " + end);
            }
        } finally {
            peer.destroyForcibly();
            peer.waitFor();
        }
        System.out.println(who + ", " + rendezvous + ": " + survivors.values());
        assertTrue(survivors.size() > FEWEST_STEPS, survivors.values().toString());
        Set<String> expected = new HashSet<>(Set.of("createQueuePair", "postSend", "postReceive"));
        expected.addAll(asks ? Set.of("createId", "resolveAddress", "resolveRoute", "connect") : Set.of("accept"));
        assertTrue(calls.containsAll(expected), calls.toString());
        for (Map.Entry<SteppedSurvivor, String> each : survivors.entrySet()) {
            each.getKey().outlive(each.getValue());
        }
        assertEquals(Map.of(), verbs.living());
    }

    /**
     * Goes on until the peer stands still.
     *
     * @return before which call, or "over"
     */
    private String begin(SteppedSurvivor survivor, int step, boolean asks) throws InterruptedException {
        toPeer.println("begin " + step + " " + step);
        TestRank rank = survivor.rank;
        IbChannel channel = VerbsRanks.channel(rank);
        channel.add(1, HexFormat.of().parseHex(expect("facts")));
        toPeer.println("peer " + step + " " + HexFormat.of().formatHex(channel.facts()));
        expect("met");
        if (!asks) {
            channel.want(1);
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (said.isEmpty()) {
            survivor.turn();
            Thread.sleep(0, 100_000);
            assertTrue(System.nanoTime() < deadline, "step " + step + ": nothing happens");
        }
        String line = expect("");
        assertTrue(line.equals("over") || line.startsWith("stopped "), line);
        return line.replace("stopped ", "");
    }
}
