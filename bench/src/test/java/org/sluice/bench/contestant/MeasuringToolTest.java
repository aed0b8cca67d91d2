package org.sluice.bench.contestant;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;

/** What tools print is read in the shape that they had when it was recorded, and in no other. */
final class MeasuringToolTest {
    /** As the recorded runs: 6 iterations, of which 5 have a time; 64 messages; 100 round trips. */
    private static final Step LATENCY = step(Benchmark.LATENCY, 8, 4, 1, 1, 1);

    private static final Step BANDWIDTH = step(Benchmark.BANDWIDTH, 65536, 1, 1, 0, 64);
    private static final Step PING_PONG = step(Benchmark.LATENCY, 65536, 1, 100, 0, 1);

    /** Held, as the collector closes a socket that nobody holds. */
    private final List<ServerSocket> listening = new ArrayList<>();

    /** In a server's place, until the test ends. */
    private void listen(int port) {
        try {
            listening.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void listenNoMore() throws IOException {
        for (ServerSocket each : listening) {
            each.close();
        }
    }

    private static Step step(Benchmark benchmark, int size, int batches, int batch, int leadIn, int window) {
        return new Step(benchmark, Api.BLOCKING, size, batches, batch, leadIn, Rewrite.NO, false, window);
    }

    private static String recorded(String name) throws IOException {
        try (InputStream in = MeasuringToolTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String refusal(MeasuringTool tool, Step step, String file, UnaryOperator<String> change)
            throws IOException {
        String recorded = recorded(file);
        String changed = change.apply(recorded);
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> tool.times(changed.lines().toList(), step))
                .getMessage();
    }

    @Test
    void perftestTellsEachRoundTripByItsHalf() throws IOException {
        long[] times =
                Perftest.SEND_LAT.times(recorded("ib_send_lat.txt").lines().toList(), LATENCY);
        assertArrayEquals(
                new long[] {7_474_840, 7_980_860, 8_060_560, 12_539_440}, times, "all but the lead-in, twice, in ns");
    }

    @Test
    void perftestCountsBandwidthInUnitsOf1048576Bytes() throws IOException {
        long[] times =
                Perftest.WRITE_BW.times(recorded("ib_write_bw.txt").lines().toList(), BANDWIDTH);
        assertArrayEquals(new long[] {Math.round(64 * 65536 * 1e9 / 13.19 / (1 << 20))}, times);
        long[] bySize = Perftest.WRITE_BW.times(
                recorded("ib_write_bw.txt")
                        .replace("65536 ", "8 ")
                        .replace("13.19", "0.00")
                        .lines()
                        .toList(),
                step(Benchmark.BANDWIDTH, 8, 1, 1, 0, 64));
        assertArrayEquals(
                new long[] {Math.round(64 * 1e3 / 0.000211)},
                bySize,
                "where the bandwidth has no digits left the rate has");
    }

    @Test
    void libfabricTellsTheMean() throws IOException {
        long[] times =
                new FabricPingPong().times(recorded("fi_pingpong.txt").lines().toList(), PING_PONG);
        assertArrayEquals(new long[] {Math.round(2 * 100 * 4249.82e3)}, times);
    }

    /** Its client had sent 5 MB more when it was through. */
    @Test
    void iperfTellsTheBytesThatCame() throws IOException {
        long[] times =
                new Iperf(Wire.LOOPBACK).times(recorded("iperf3.json").lines().toList(), BANDWIDTH);
        assertArrayEquals(new long[] {Math.round(64 * 65536 * 1e9 * 0.30942 / 414_449_664)}, times);
    }

    /** So many that its server has something to count, and no fewer than the step has. */
    @Test
    void iperfWritesAsLongAsTheMessagesAre() {
        Iperf iperf = new Iperf(Wire.LOOPBACK);
        assertEquals(
                List.of("iperf3", "-c", "127.0.0.1", "-p", "5201", "-l", "65536", "-k", "1024", "-N", "-J"),
                iperf.client(BANDWIDTH, 5201));
        assertEquals(List.of("iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", "5201"), iperf.server(BANDWIDTH, 5201));
        assertTrue(iperf.client(step(Benchmark.BANDWIDTH, 8, 1, 1, 0, 64), 1).contains("50000"));
        assertTrue(iperf.client(step(Benchmark.BANDWIDTH, 8, 1, 4000, 0, 64), 1).contains("256000"));
        assertTrue(
                iperf.client(step(Benchmark.BANDWIDTH, 1 << 20, 1, 1, 0, 64), 1).contains("64"));
    }

    @Test
    void anotherShapeIsRefused() throws IOException {
        assertTrue(refusal(
                        Perftest.SEND_LAT,
                        LATENCY,
                        "ib_send_lat.txt",
                        text -> text.replace("t_typical[usec]", "t_median[usec]"))
                .contains("there is no '#bytes #iterations t_min[usec]"));
        assertTrue(refusal(Perftest.SEND_LAT, LATENCY, "ib_send_lat.txt", text -> text.replace("#, usec", "#, cycles"))
                .contains("there is no '#, usec'"));
        assertTrue(refusal(Perftest.SEND_LAT, LATENCY, "ib_send_lat.txt", text -> text.replace("\n3, 3990.43", ""))
                .contains("4 iterations where there were 5"));
        assertTrue(
                refusal(Perftest.SEND_LAT, LATENCY, "ib_send_lat.txt", text -> text.replace("3, 3990.43", "7, 3990.43"))
                        .contains("'7,', expected was '3,'"));
        assertTrue(refusal(Perftest.SEND_LAT, LATENCY, "ib_send_lat.txt", text -> text.replace("3990.43\n4", "-nan\n4"))
                .contains("'-nan', which is no number"));
        assertTrue(refusal(
                        Perftest.WRITE_BW,
                        BANDWIDTH,
                        "ib_write_bw.txt",
                        text -> text.replace("average[MB/sec]", "average[Gb/sec]"))
                .contains("there is no"));
        assertTrue(
                refusal(Perftest.WRITE_BW, BANDWIDTH, "ib_write_bw.txt", text -> text.replace("0.000211", "0.000211 5"))
                        .contains("6 columns, expected were 5"));
        assertTrue(refusal(
                        Perftest.WRITE_BW,
                        BANDWIDTH,
                        "ib_write_bw.txt",
                        text -> text.replace("13.19", "0.00").replace("0.000211", "0.000000"))
                .contains("more than 0"));
        Iperf iperf = new Iperf(Wire.LOOPBACK);
        assertTrue(refusal(iperf, BANDWIDTH, "iperf3.json", text -> text.replace("sum_received", "sum_taken"))
                .contains("no report of iperf3's"));
        assertTrue(refusal(iperf, BANDWIDTH, "iperf3.json", text -> text.replace("414449664", "0"))
                .contains("bytes that came is 0, expected was more than 0"));
        assertTrue(refusal(iperf, BANDWIDTH, "iperf3.json", text -> text.substring(0, text.length() / 2))
                .contains("no report of iperf3's"));
        assertTrue(refusal(new FabricPingPong(), PING_PONG, "fi_pingpong.txt", text -> text.replace("=100", "=99"))
                .contains("'=99', expected was '=100'"));
        assertTrue(refusal(new FabricPingPong(), PING_PONG, "fi_pingpong.txt", text -> text.replace("4249.82", ""))
                .contains("7 columns"));
    }

    @Test
    void anotherStepIsRefused() throws IOException {
        assertTrue(refusal(Perftest.SEND_LAT, step(Benchmark.LATENCY, 16, 4, 1, 1, 1), "ib_send_lat.txt", text -> text)
                .contains("size is '8', expected was '16'"));
        assertTrue(refusal(
                        new Iperf(Wire.LOOPBACK),
                        step(Benchmark.BANDWIDTH, 4096, 1, 1, 0, 64),
                        "iperf3.json",
                        text -> text)
                .contains("size is '65536', expected was '4096'"));
        assertTrue(refusal(
                        Perftest.WRITE_BW,
                        step(Benchmark.BANDWIDTH, 65536, 1, 2, 0, 64),
                        "ib_write_bw.txt",
                        text -> text)
                .contains("count of iterations is '64', expected was '128'"));
    }

    @Test
    void aToolThatFailsIsReportedWithWhatItSaid() {
        MeasuringTool broken = new Shell(port -> {}, "echo no luck >&2; exit 3", "true");
        try (Contestant contestant = new ToolContestant("broken", broken, Cores.parse(""))) {
            String message = assertThrows(ContestantFailure.class, () -> contestant.run(LATENCY, 10_000))
                    .getMessage();
            assertTrue(
                    message.contains("broken: its server does not listen")
                            && message.contains("exit status 3")
                            && message.contains("no luck"),
                    message);
        }
    }

    @Test
    void aRunThatTheToolCallsVoidIsRepeated(@TempDir Path folder) throws Exception {
        Path tries = folder.resolve("tries");
        MeasuringTool moody = new Shell(
                this::listen, "true", "echo >>" + tries + "; test $(wc -l <" + tries + ") -ge 3 || echo void");
        try (Contestant contestant = new ToolContestant("moody", moody, Cores.parse(""))) {
            contestant.run(LATENCY, 10_000);
        }
        assertEquals(3, Files.readAllLines(tries).size());
        assertTrue(Perftest.SEND_LAT.isVoid(List.of("Correlation coefficient r^2: 0.619121 < 0.9")));
        assertFalse(Perftest.SEND_LAT.isVoid(recorded("ib_send_lat.txt").lines().toList()));
    }

    /** Shell commands in the place of server and client. */
    private record Shell(IntConsumer beforeServing, String serving, String asking) implements MeasuringTool {
        @Override
        public List<String> server(Step step, int port) {
            beforeServing.accept(port);
            return List.of("/bin/sh", "-c", serving);
        }

        @Override
        public List<String> client(Step step, int port) {
            return List.of("/bin/sh", "-c", asking);
        }

        @Override
        public boolean isVoid(List<String> lines) {
            return lines.contains("void");
        }

        @Override
        public Contestant.Timing timing() {
            return Contestant.Timing.TOTAL;
        }

        @Override
        public long[] times(List<String> lines, Step step) {
            return new long[0];
        }
    }

    @Test
    void whoListensIsSeenAndOthersAreNot() {
        List<String> table = List.of(
                "  sl  local_address rem_address   st tx_queue",
                "   0: 00000000:1388 00000000:0000 0A 00000000:00000000",
                "   1: 0100007F:A458 0100007F:1389 06 00000000:00000000");
        assertTrue(ListeningPorts.contain(table, 5000));
        assertFalse(ListeningPorts.contain(table, 0xA458), "a connection that ends listens to nobody");
        assertFalse(ListeningPorts.contain(table, 5001));
    }

    @Test
    void theFirstDeviceThatIsActiveIsTaken(@TempDir Path folder) throws IOException {
        assertTrue(RdmaDevices.active(folder.resolve("none")).isEmpty());
        device(folder, "a", "1: DOWN");
        assertTrue(RdmaDevices.active(folder).isEmpty());
        device(folder, "c", "4: ACTIVE");
        device(folder, "b", "4: ACTIVE");
        assertEquals("b", RdmaDevices.active(folder).orElseThrow());
    }

    /** Sluice may use a second port, which the tools would have to be told of. */
    @Test
    void withoutAnActivePortItIsSaidHowToGetOne(@TempDir Path folder) throws IOException {
        String none = "needs an RDMA device with an active port, and this machine has none; a guest has one: "
                + "./sluice vm -- ./sluice bench latency rate --channel ib";
        assertEquals(
                none,
                RdmaDevices.missing(folder.resolve("none"), "latency rate").orElseThrow());
        device(folder, "a", "1: DOWN");
        assertEquals(none, RdmaDevices.missing(folder, "latency rate").orElseThrow());
        port(folder, "a", "2", "4: ACTIVE");
        assertTrue(RdmaDevices.missing(folder, "latency rate").isEmpty());
        assertTrue(RdmaDevices.active(folder).isEmpty());
    }

    private static void device(Path folder, String name, String state) throws IOException {
        port(folder, name, "1", state);
    }

    private static void port(Path folder, String name, String number, String state) throws IOException {
        Path port =
                Files.createDirectories(folder.resolve(name).resolve("ports").resolve(number));
        Files.writeString(port.resolve("state"), state + "\n");
    }
}
