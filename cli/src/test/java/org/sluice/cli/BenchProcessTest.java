package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.bench.contestant.Peer;
import org.sluice.bench.contestant.Wire;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.Route;
import org.sluice.device.tier.MoreWithAll;
import org.sluice.launch.JavaHome;
import picocli.CommandLine;

/** Whole races of Sluice and its floor in real processes: a few messages, each of them checked. */
final class BenchProcessTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int bench(String... args) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private List<String> records(String... args) throws IOException {
        return unverified(Stream.concat(Stream.of(args), Stream.of("--verify")).toArray(String[]::new));
    }

    private List<String> unverified(String... args) throws IOException {
        Path json = folder.resolve("records.json");
        String[] all = Stream.concat(
                        Stream.of(args), Stream.of("--json", json.toString(), "--iterations", "20", "--seconds", "0.2"))
                .toArray(String[]::new);
        assertEquals(0, bench(all), () -> err.toString() + out);
        return Files.readAllLines(json);
    }

    private static long count(List<String> records, String... parts) {
        return records.stream()
                .filter(record -> Stream.of(parts).allMatch(record::contains))
                .count();
    }

    @ParameterizedTest
    @CsvSource("shm,array,blocking")
    @MoreWithAll("threads,message,request")
    void latencyBesideTheFloor(String channel, String buffer, String api) throws IOException {
        latency(channel, buffer, api);
    }

    @Tag("all")
    @ParameterizedTest
    @CsvSource({"threads,array,blocking", "shm,direct,request", "shm,message,blocking"})
    void latencyOfEveryOtherKindOfBufferBesideTheFloor(String channel, String buffer, String api) throws IOException {
        latency(channel, buffer, api);
    }

    private void latency(String channel, String buffer, String api) throws IOException {
        List<String> records = records(
                "--channel", channel, "--buffer", buffer, "--api", api, "--sizes", "0,8,100k", "--peers", "limit");
        for (String size : new String[] {"\"size\":0,", "\"size\":8,", "\"size\":102400,"}) {
            for (String peer : new String[] {"\"peer\":\"sluice\"", "\"peer\":\"limit\""}) {
                assertTrue(
                        count(records, size, peer, "\"channel\":\"" + channel + "\"", "\"round\":1,") == 1,
                        records::toString);
            }
        }
        assertTrue(out.toString().contains("contents checked"), out::toString);
    }

    /** Ranks are other processes the second time, which the rounds are counted on through. */
    @Tag("all")
    @Test
    void contestantsAreStartedAgainAndAllTheirRoundsCount() throws IOException {
        List<String> records = unverified("--channel", "shm", "--sizes", "8", "--peers", "limit", "--forks", "2");
        int rounds = (int) count(records, "\"peer\":\"sluice\"");
        assertTrue(rounds >= 2, records::toString);
        for (int round = 1; round <= rounds; round++) {
            for (String peer : new String[] {"\"peer\":\"sluice\"", "\"peer\":\"limit\""}) {
                assertEquals(1, count(records, peer, "\"round\":" + round + ","), records::toString);
            }
        }
        assertTrue(out.toString().contains(", " + rounds + " rounds in 2 starts"), out::toString);
    }

    @Tag("once")
    @Test
    void coldStartsAJobForEachSize() throws IOException {
        Path json = folder.resolve("records.json");
        assertEquals(
                0,
                bench("cold", "--channel", "threads", "--forks", "1", "--peers", "openmpi", "--json", json.toString()),
                () -> err.toString() + out);
        List<String> records = Files.readAllLines(json);
        for (String size : new String[] {"\"size\":1,", "\"size\":131072,"}) {
            assertEquals(
                    1,
                    count(records, "\"benchmark\":\"cold\"", "\"peer\":\"sluice\"", size, "\"round\":1}"),
                    records::toString);
        }
        assertEquals(2, records.size(), records::toString);
        assertTrue(out.toString().contains("first 20000") && out.toString().contains("first 3000"), out::toString);
        assertTrue(
                err.toString().contains("openmpi sits out") || err.toString().contains("openmpi is not"),
                err::toString);
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource("neighbor")
    @MoreWithAll("rate")
    void theOtherBenchmarksOverBothChannels(String name) throws IOException {
        List<String> records = records(name, "--sizes", "8,40k");
        assertTrue(count(records, "\"benchmark\":\"" + name + "\"", "\"channel\":\"threads\"") >= 2, records::toString);
        assertTrue(count(records, "\"benchmark\":\"" + name + "\"", "\"channel\":\"shm\"") >= 2, records::toString);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"bandwidth", "bibandwidth"})
    void soAreThoseOfBandwidth(String name) throws IOException {
        theOtherBenchmarksOverBothChannels(name);
    }

    @Tag("once")
    @Test
    void neighboursSendEverythingBack() throws IOException {
        List<String> records = records("kneighbor", "--k", "1,2", "--ranks", "3", "--sizes", "8,40k", "--no-pin");
        for (String channel : new String[] {"threads", "shm"}) {
            for (String k : new String[] {"1", "2"}) {
                assertTrue(
                        count(records, "\"channel\":\"" + channel + "\"", "\"ranks\":3,", "\"k\":" + k + "}") >= 2,
                        records::toString);
            }
        }
        assertEquals(2, bench("kneighbor", "--k", "1,3", "--ranks", "3"));
        assertTrue(err.toString().contains("allowed is 1 to 2"), err::toString);
    }

    @Tag("once")
    @Test
    void queensArePlacedByTasksThatTravel() throws IOException {
        Path json = folder.resolve("records.json");
        assertEquals(
                0,
                bench(
                        "nqueens",
                        "--n",
                        "8",
                        "--forks",
                        "1",
                        "--iterations",
                        "2",
                        "--verify",
                        "--json",
                        json.toString()),
                () -> err.toString() + out);
        List<String> records = Files.readAllLines(json);
        for (String channel : new String[] {"threads", "shm"}) {
            for (String ranks : new String[] {"1", "2"}) {
                assertEquals(
                        2,
                        count(
                                records,
                                "\"channel\":\"" + channel + "\"",
                                "\"ranks\":" + ranks + ",",
                                "\"n\":8,",
                                "\"unit\":\"s\"",
                                "\"solutions\":92,"),
                        records::toString);
            }
        }
        assertTrue(out.toString().contains("speedup"), out::toString);
        assertEquals(2, bench("nqueens", "--n", "18"));
        assertTrue(err.toString().contains("allowed is 4 to 17"), err::toString);
        assertEquals(2, bench("nqueens", "--sizes", "8"));
        assertEquals(2, bench("latency", "--n", "8"));
    }

    @Tag("all")
    @Tag("once")
    @ParameterizedTest
    @CsvSource("one-to-all,handler")
    void messagesThatAreAllAnswered(String name, String api) throws IOException {
        List<String> records = records(name, "--ranks", "3", "--api", api, "--sizes", "8,40k", "--no-pin");
        assertTrue(count(records, "\"channel\":\"threads\"") >= 2, records::toString);
        assertTrue(count(records, "\"channel\":\"shm\"") >= 2, records::toString);
    }

    @Tag("long")
    @Test
    void soAreThoseOfRequestsAndHugeOnes() throws IOException {
        messagesThatAreAllAnswered("one-to-all", "request");
        messagesThatAreAllAnswered("kneighbor-huge", "handler");
    }

    /** Every call's content is checked, by each of the ranks. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource("allreduce,2,array,blocking")
    @MoreWithAll("gather,3,direct,request")
    void collectivesOverBothChannels(String name, String ranks, String buffer, String api) throws IOException {
        eachOverBothChannels(name, ranks, buffer, api);
    }

    @Tag("long")
    @Test
    void allCollectivesOverBothChannels() throws IOException {
        eachOverBothChannels("collectives", "2", "array", "blocking");
        eachOverBothChannels("reduce-scatter", "3", "direct", "request");
    }

    private void eachOverBothChannels(String name, String ranks, String buffer, String api) throws IOException {
        List<String> records =
                records(name, "--sizes", "8,24k", "--ranks", ranks, "--buffer", buffer, "--api", api, "--no-pin");
        for (Benchmark each : Benchmark.named(name)) {
            for (String channel : new String[] {"threads", "shm"}) {
                assertTrue(
                        count(
                                        records,
                                        "\"benchmark\":\"" + each.label() + "\"",
                                        "\"channel\":\"" + channel + "\"",
                                        "\"ranks\":" + ranks + ",",
                                        "\"rankMin\":")
                                >= 1,
                        () -> each + " over " + channel + ": " + records);
            }
        }
    }

    /** Each beside the one that is chosen, at the sizes that it takes; who can't take part says so. */
    @Test
    @Tag("once")
    void algorithmsOfACollectiveAreSwept() throws IOException {
        List<String> records = records(
                "allgather", "--algorithms", "--channel", "threads", "--sizes", "8,24k", "--ranks", "3", "--no-pin");
        for (String peer : new String[] {"sluice", "sluice-cells", "sluice-bruck", "sluice-ring"}) {
            for (String size : new String[] {"8", "24576"}) {
                assertEquals(
                        1,
                        count(records, "\"peer\":\"" + peer + "\"", "\"size\":" + size + ",", "\"round\":1,"),
                        records::toString);
            }
        }
        assertEquals(
                List.of(
                        "sluice-faster sits out: it is for two processes",
                        "sluice-recursive-doubling sits out: it can't do allgather of 3 ranks"),
                err.toString().lines().toList());
    }

    @Tag("long")
    @Test
    void tiersSitOutOfASweep() throws IOException {
        List<String> records =
                records("barrier", "--algorithms", "--channel", "shm", "--sizes", "8", "--ranks", "4", "--no-pin");
        assertEquals(1, count(records, "\"peer\":\"sluice-dissemination\"", "\"round\":1,"), records::toString);
        assertTrue(
                err.toString().startsWith("sluice-tiers sits out: all ranks of this race are as near"), err::toString);
        assertTrue(
                err.toString()
                        .lines()
                        .skip(1)
                        .allMatch(line -> line.startsWith("sluice-arrays sits out: only threads")),
                err::toString);
    }

    @Test
    @Tag("once")
    void threadsMeetBesideTheFloorOfABarrier() throws IOException {
        List<String> records =
                unverified("barrier", "--channel", "threads", "--peers", "limit", "--ranks", "3", "--no-pin");
        for (String peer : new String[] {"sluice", "limit"}) {
            assertEquals(
                    1,
                    count(records, "\"peer\":\"" + peer + "\"", "\"ranks\":3,", "\"rankMin\":", "\"round\":1,"),
                    records::toString);
        }
        assertEquals("", err.toString());
    }

    /** Every call's content is checked, by each of its ranks. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource("2,allreduce")
    @MoreWithAll("3,reduce-scatter")
    void mpjExpressCarriesTheSame(String ranks, String name) throws IOException {
        Peer asked = Peer.of("mpj-express");
        Assumptions.assumeTrue(
                asked.installed(), () -> "mpj-express is not installed: apt install " + asked.packages());
        List<String> records = records(
                name,
                "--channel",
                "threads",
                "--sizes",
                "8,24k",
                "--peers",
                "mpj-express",
                "--ranks",
                ranks,
                "--no-pin");
        for (Benchmark each : Benchmark.named(name)) {
            boolean isRight = each != Benchmark.REDUCE_SCATTER || ranks.equals("2");
            assertEquals(
                    isRight,
                    count(
                                    records,
                                    "\"benchmark\":\"" + each.label() + "\"",
                                    "\"peer\":\"mpj-express\"",
                                    "\"ranks\":" + ranks + ",",
                                    "\"rankMin\":")
                            >= 1,
                    () -> each + ": " + records);
        }
        assertEquals(
                ranks.equals("2")
                        ? ""
                        : "mpj-express sits out: it computes wrong results in reduce-scatter of more than 2 ranks"
                                + " (0.44)",
                err.toString().strip());
    }

    @Tag("once")
    @Test
    void overTcpAllAreRacedThatCanBeHad() throws IOException {
        List<String> peers = Peer.known().stream()
                .filter(peer -> peer.isAmongAll(Route.TCP, 1) && peer != Peer.IPERF3)
                .map(Peer::label)
                .toList();
        Assumptions.assumeFalse(peers.isEmpty(), "there is no peer here");
        List<String> records = unverified(
                "latency",
                "rate",
                "--api",
                "blocking",
                "--channel",
                "tcp",
                "--sizes",
                "8",
                "--peers",
                String.join(",", peers));
        for (String peer : peers) {
            for (String name : new String[] {"latency", "rate"}) {
                assertEquals(
                        1,
                        count(
                                records,
                                "\"benchmark\":\"" + name + "\"",
                                "\"peer\":\"" + peer + "\"",
                                "\"channel\":\"tcp\"",
                                "\"round\":1,"),
                        records::toString);
            }
        }
        assertEquals("", err.toString());
        assertTrue(out.toString().contains("TCP goes over "), out::toString);
    }

    /** Two ranks on each: the sums are right only if ranks of all four take part. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    void ranksOnSeveralNodesAreRacedWithTheSamePlacement(String peer) throws IOException {
        int nodes = 4;
        Assumptions.assumeTrue(
                Wire.missing(nodes).isEmpty(), () -> Wire.missing(nodes).orElse(""));
        Assumptions.assumeTrue(Peer.of(peer).installed(), () -> peer + " is not installed");
        List<String> records = records(
                "allreduce", "--channel", "tcp", "--nodes", "4", "--ranks", "8", "--sizes", "8,64k", "--peers", peer);
        for (String size : new String[] {"\"size\":8,", "\"size\":65536,"}) {
            for (String name : new String[] {"sluice", peer}) {
                assertEquals(
                        1,
                        count(
                                records,
                                size,
                                "\"peer\":\"" + name + "\"",
                                "\"channel\":\"tcp\"",
                                "\"ranks\":8,",
                                "\"pinned\":false",
                                "\"round\":1,",
                                "\"nodes\":4}"),
                        records::toString);
            }
        }
        assertEquals("", err.toString());
        assertTrue(out.toString().contains("processes of 4 nodes, over TCP between these"), out::toString);
        assertTrue(out.toString().contains("contents checked"), out::toString);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"mpich", "openmpi-tcp", "mpich-tcp", "mpj-express-niodev"})
    void soAreThoseOfOtherLibraries(String peer) throws IOException {
        ranksOnSeveralNodesAreRacedWithTheSamePlacement(peer);
    }

    @Tag("once")
    @Tag("all")
    @Test
    void oneStreamOfIperfIsRacedWithBandwidth() throws IOException {
        Assumptions.assumeTrue(Peer.IPERF3.installed(), "iperf3 is not installed: apt install iperf3");
        List<String> records = unverified("bandwidth", "--channel", "tcp", "--sizes", "8,64k", "--peers", "iperf3");
        for (String size : new String[] {"8", "65536"}) {
            assertEquals(
                    1,
                    count(
                            records,
                            "\"benchmark\":\"bandwidth\"",
                            "\"peer\":\"iperf3\"",
                            "\"channel\":\"tcp\"",
                            "\"size\":" + size + ",",
                            "\"round\":1,"),
                    records::toString);
        }
        assertEquals("", err.toString());
        assertTrue(out.toString().contains("TCP goes over "), out::toString);
    }

    /** Its ranks' program is Sluice's dialect's, not compiled again. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource("shm,mpj-express-niodev,latency")
    @MoreWithAll("threads,mpj-express,latency")
    void mpjExpressSendsTheSame(String channel, String peer, String name) throws IOException {
        Peer asked = Peer.of(peer);
        Assumptions.assumeTrue(asked.installed(), () -> peer + " is not installed: apt install " + asked.packages());
        List<String> records =
                records(name, "--api", "blocking", "--channel", channel, "--sizes", "8,200k", "--peers", peer);
        for (String size : new String[] {"\"size\":8,", "\"size\":204800,"}) {
            assertEquals(1, count(records, "\"peer\":\"" + peer + "\"", size, "\"round\":1,"), records::toString);
        }
        assertEquals("", err.toString());
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"shm,mpj-express-niodev,allreduce", "threads,mpj-express,rate"})
    void mpjExpressDoesSoElsewhere(String channel, String peer, String name) throws IOException {
        mpjExpressSendsTheSame(channel, peer, name);
    }

    @Test
    @Tag("once")
    void whatCannotBeSummedIsRefused() {
        assertEquals(2, bench("allreduce", "--sizes", "8,12"));
        assertTrue(err.toString().contains("allreduce sums doubles"), err::toString);
    }

    @Tag("all")
    @Tag("once")
    @ParameterizedTest
    @CsvSource({"threads,array", "shm,message"})
    void aMessageIsMeasuredBesideAComputation(String channel, String buffer) throws IOException {
        List<String> records =
                records("overlap", "--sizes", "8,300k", "--channel", channel, "--buffer", buffer, "--peers", "limit");
        for (String size : new String[] {"\"size\":8,", "\"size\":307200,"}) {
            assertEquals(
                    1,
                    count(
                            records,
                            "\"benchmark\":\"overlap\"",
                            "\"api\":\"request\"",
                            size,
                            "\"unit\":\"%\"",
                            "\"count\":20,",
                            "\"round\":1,"),
                    records::toString);
        }
        assertTrue(err.toString().contains("limit sits out: it has no overlap"), err::toString);
    }

    @Tag("all")
    @Tag("once")
    @ParameterizedTest
    @CsvSource({"threads,array", "shm,direct"})
    void anAllReduceIsMeasuredBesideAComputation(String channel, String buffer) throws IOException {
        List<String> records = records(
                "overlap-allreduce", "--sizes", "8,64k", "--channel", channel, "--buffer", buffer, "--peers", "limit");
        for (String size : new String[] {"\"size\":8,", "\"size\":65536,"}) {
            assertEquals(
                    1,
                    count(
                            records,
                            "\"benchmark\":\"overlap-allreduce\"",
                            "\"api\":\"request\"",
                            size,
                            "\"unit\":\"%\"",
                            "\"count\":20,",
                            "\"round\":1,"),
                    records::toString);
        }
        assertTrue(err.toString().contains("limit sits out: it has no overlap-allreduce"), err::toString);
    }

    @Tag("once")
    @Tag("all")
    @ParameterizedTest
    @CsvSource({
        "openmpi,latency,blocking",
        "openmpi,rate,request",
        "openmpi,neighbor,request",
        "mpich,latency,request",
        "openmpi,allreduce,blocking"
    })
    void nativePeersCarryTheSame(String peer, String name, String api) throws IOException {
        Peer asked = Peer.of(peer);
        Assumptions.assumeTrue(asked.installed(), () -> peer + " is not installed: apt install " + asked.packages());
        List<String> records = records(name, "--api", api, "--channel", "shm", "--sizes", "8,40k", "--peers", peer);
        assertTrue(count(records, "\"peer\":\"" + peer + "\"", "\"size\":40960,") >= 1, records::toString);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "openmpi,kneighbor,request",
        "openmpi,one-to-all,request",
        "mpich,alltoall,request",
        "mpich,kneighbor-huge,request",
        "mpich,bandwidth,blocking",
        "openmpi,scan,request"
    })
    void soDoTheyElsewhere(String peer, String name, String api) throws IOException {
        nativePeersCarryTheSame(peer, name, api);
    }

    /**
     * One byte of each message is another than it should be, which the C program does where its environment says so.
     */
    @Tag("all")
    @Tag("once")
    @ParameterizedTest
    @CsvSource("openmpi,latency")
    @MoreWithAll("mpich,bandwidth")
    void nativePeersFindAByteThatIsWrong(String peer, String name) throws Exception {
        Peer asked = Peer.of(peer);
        Assumptions.assumeTrue(asked.installed(), () -> peer + " is not installed: apt install " + asked.packages());
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command()));
        command.addAll(JavaHome.current().flags());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "bench",
                name,
                "--channel",
                "shm",
                "--sizes",
                "41",
                "--iterations",
                "5",
                "--seconds",
                "0.2",
                "--verify",
                "--peers",
                peer));
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("BENCH_SPOIL", "1");
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(100, TimeUnit.SECONDS), () -> "it does not end: " + command);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertEquals(1, process.exitValue(), said);
        assertTrue(said.contains("wrong content"), said);
    }

    @Tag("long")
    @Test
    void aCollectiveOfTheirsFindsItToo() throws Exception {
        nativePeersFindAByteThatIsWrong("openmpi", "broadcast");
    }

    /** What is to be seen is the peer: the race alone would pass where it sat out. */
    @Tag("all")
    @Tag("once")
    @ParameterizedTest
    @CsvSource("latency")
    void aeronCarriesTheSame(String name) throws IOException {
        List<String> records = records(name, "--channel", "shm", "--sizes", "8,40k", "--peers", "aeron");
        for (String size : new String[] {"8", "40960"}) {
            assertEquals(
                    1,
                    count(
                            records,
                            "\"benchmark\":\"" + name + "\"",
                            "\"peer\":\"aeron\"",
                            "\"size\":" + size + ",",
                            "\"round\":1,"),
                    records::toString);
        }
        assertEquals("", err.toString());
    }

    @Tag("long")
    @Test
    void aeronCarriesManyAtOnce() throws IOException {
        aeronCarriesTheSame("rate");
    }

    @Tag("all")
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "latency")
    void ucxByItsOwnInterfaceCarriesTheSame(String name) throws IOException {
        Assumptions.assumeTrue(Peer.JUCX.installed(), () -> "jucx is not installed: apt install libucx0");
        List<String> records = records(name, "--channel", "shm", "--sizes", "8,1m", "--peers", "jucx");
        for (String size : new String[] {"8", "1048576"}) {
            assertEquals(
                    1,
                    count(
                            records,
                            "\"benchmark\":\"" + name + "\"",
                            "\"peer\":\"jucx\"",
                            "\"size\":" + size + ",",
                            "\"round\":1,"),
                    records::toString);
        }
        assertEquals("", err.toString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"bandwidth", "rate", "bibandwidth"})
    void ucxByItsOwnInterfaceCarriesManyAtOnce(String name) throws IOException {
        ucxByItsOwnInterfaceCarriesTheSame(name);
    }

    /** Not verified: in bandwidth the floor is one memcpy, which brings nothing over. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource("rate,shm")
    @MoreWithAll("bandwidth,threads")
    void theFloorOfBandwidthAndRate(String name, String channel) throws IOException {
        List<String> records = unverified(name, "--channel", channel, "--sizes", "8", "--peers", "limit");
        for (String peer : new String[] {"sluice", "limit"}) {
            assertEquals(
                    1,
                    count(
                            records,
                            "\"benchmark\":\"" + name + "\"",
                            "\"peer\":\"" + peer + "\"",
                            "\"channel\":\"" + channel + "\"",
                            "\"round\":1,"),
                    records::toString);
        }
        assertEquals("", err.toString());
    }

    /** The same job by other calls, and set up otherwise. */
    @Tag("all")
    @Tag("once")
    @Test
    void sluiceIsRacedWithItself() throws IOException {
        racedWithItself("blocking-thread", "shm-only");
    }

    @Tag("long")
    @Test
    void soIsEachOtherWay() throws IOException {
        racedWithItself("blocking", "handler");
    }

    private void racedWithItself(String... peers) throws IOException {
        List<String> records = records(
                "--api", "coroutine", "--channel", "auto", "--sizes", "8,100k", "--peers", String.join(",", peers));
        for (String peer : Stream.concat(Stream.of("sluice"), Stream.of(peers)).toList()) {
            assertEquals(
                    1,
                    count(
                            records,
                            "\"peer\":\"" + peer + "\"",
                            "\"channel\":\"shm\"",
                            "\"api\":\"coroutine\"",
                            "\"size\":8,",
                            "\"round\":1,"),
                    records::toString);
        }
        assertEquals("", err.toString());
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource("aeron,threads,it runs between processes: name --channel shm")
    @MoreWithAll({
        "libfabric,shm,it knows only verbs: name --channel ib",
        "separate,shm,it knows only verbs: name --channel ib",
        "mpj-express,shm,it runs between threads of one JVM: name --channel threads",
        "mpj-express-niodev,threads,it runs between processes: name --channel shm"
    })
    void whoIsAtHomeElsewhereSitsOut(String peer, String channel, String reason) throws IOException {
        Peer asked = Peer.of(peer);
        Assumptions.assumeTrue(asked.installed(), () -> peer + " is not installed: apt install " + asked.packages());
        List<String> records = records("--channel", channel, "--sizes", "8", "--peers", peer);
        assertEquals(records.size(), count(records, "\"peer\":\"sluice\""), records::toString);
        assertTrue(err.toString().contains(peer + " sits out: " + reason), err::toString);
    }

    @Tag("all")
    @Tag("once")
    @Test
    void aCrowdIsMeasuredBesideNone() throws IOException {
        crowd("crowd-any", "threads", "request");
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"threads,request", "shm,blocking"})
    void eachCrowdIsMeasuredBesideNone(String channel, String api) throws IOException {
        crowd("crowd", channel, api);
    }

    private void crowd(String name, String channel, String api) throws IOException {
        List<String> records = records(name, "--crowd", "300", "--channel", channel, "--api", api, "--peers", "limit");
        for (Benchmark each : Benchmark.named(name)) {
            String benchmark = "\"benchmark\":\"" + each.label() + "\"";
            assertEquals(
                    1,
                    count(records, benchmark, "\"peer\":\"sluice\"", "\"size\":8,", "\"round\":1,", "\"crowd\":300}"),
                    records::toString);
            assertEquals(
                    1,
                    count(records, benchmark, "\"peer\":\"alone\"", "\"size\":8,", "\"round\":1,", "\"crowd\":0}"),
                    records::toString);
        }
        assertTrue(out.toString().contains("a crowd of 300"), out::toString);
        assertTrue(err.toString().contains("limit sits out: it has no crowd-"), err::toString);
    }

    @Tag("once")
    @Tag("all")
    @ParameterizedTest
    @ValueSource(strings = "shm")
    void aCrowdThatIsSuspendedIsMeasuredBesideNone(String channel) throws IOException {
        List<String> records = records("crowd-posted", "--api", "coroutine", "--crowd", "300", "--channel", channel);
        for (String who : new String[] {"\"peer\":\"sluice\" \"crowd\":300}", "\"peer\":\"alone\" \"crowd\":0}"}) {
            assertEquals(
                    1,
                    count(
                            records,
                            Stream.concat(Stream.of("\"api\":\"coroutine\"", "\"round\":1,"), Stream.of(who.split(" ")))
                                    .toArray(String[]::new)),
                    records::toString);
        }
    }

    @Tag("long")
    @Test
    void soIsOneOfThreads() throws IOException {
        aCrowdThatIsSuspendedIsMeasuredBesideNone("threads");
    }

    @Tag("all")
    @Tag("once")
    @Test
    void moreRanksThanCoresRunUnpinned() throws IOException {
        int ranks = Math.max(3, Runtime.getRuntime().availableProcessors() + 1);
        List<String> records =
                records("neighbor", "--ranks", Integer.toString(ranks), "--sizes", "8", "--channel", "threads");
        assertTrue(count(records, "\"ranks\":" + ranks, "\"pinned\":false") >= 1, records::toString);
    }

    /** Each has a way of its own to fill a buffer: Sluice, the floor's mailbox, the native peers' C program. */
    @Tag("all")
    @Test
    void sendersRewriteTheirBuffersWhereAsked() throws IOException {
        boolean isNative = Peer.of("openmpi").installed();
        List<String> peers = isNative ? List.of("sluice", "limit", "openmpi") : List.of("sluice", "limit");
        List<String> records = unverified(
                "--rewrite", "--channel", "shm", "--sizes", "40k", "--peers", isNative ? "limit,openmpi" : "limit");
        for (String peer : peers) {
            assertEquals(
                    1,
                    count(records, "\"peer\":\"" + peer + "\"", "\"size\":40960,", "\"round\":1,"),
                    records::toString);
        }
        assertTrue(
                records.stream()
                        .allMatch(each ->
                                each.matches(".*\"cpuNs\":[0-9.]+,\"jdk\".*\"rewrite\":true,\"fillNs\":[0-9.]+}")),
                records::toString);
        assertTrue(out.toString().contains("senders rewrite their buffers"), out::toString);
        assertTrue(out.toString().contains("limit fills   without"), out::toString);
    }

    @Tag("long")
    @Test
    void buffersAndCopiesAreRacedInOneRun() throws IOException {
        List<String> peers = List.of("direct", "message", "one", "packed", "copied-twice", "copied-once");
        List<String> records = records("--channel", "shm", "--sizes", "40k", "--peers", String.join(",", peers));
        for (String peer : peers) {
            assertTrue(count(records, "\"peer\":\"" + peer + "\"") >= 1, records::toString);
        }
    }

    @Tag("all")
    @Tag("once")
    @Test
    void ranksOfOneRaceAreThreadsInsideOfProcesses() throws IOException {
        List<String> records =
                records("allreduce", "--channel", "shm", "--ranks", "4", "--jvms", "1,2", "--sizes", "8");
        for (String peer : List.of("sluice", "sluice-1-jvm", "sluice-2-jvms")) {
            assertTrue(count(records, "\"peer\":\"" + peer + "\"", "\"ranks\":4,") >= 1, records::toString);
        }
    }

    @Tag("once")
    @Test
    void aReportHasAPageAndTheRecordsOfTheRun() throws IOException {
        Path report = folder.resolve("a/report");
        List<String> records =
                records("latency", "rate", "--channel", "threads", "--sizes", "8", "--report", report.toString());
        String page = Files.readString(report.resolve("index.html"));
        assertTrue(page.contains("<h2>latency, threads</h2>") && page.contains("<h2>rate, threads</h2>"), page);
        assertEquals(2, page.split("<svg", -1).length - 1, page);
        assertEquals(records, Files.readAllLines(report.resolve("records.json")), "the same records as --json");
    }

    @Tag("all")
    @Tag("once")
    @Test
    void ranksAreNotPinnedWhereTheUserSaysSo() throws IOException {
        List<String> records = records("--no-pin", "--channel", "shm", "--sizes", "8");
        assertTrue(
                count(records, "\"pinned\":false") >= 1 && count(records, "\"pinned\":true") == 0, records::toString);
        assertTrue(out.toString().contains("2 ranks not pinned"), out::toString);
    }

    /** A command in the place of java tells that it was called. */
    @Tag("once")
    @Test
    void ranksRunOnTheJavaThatTheUserNames() throws IOException {
        Path home = folder.resolve("jdk");
        String version = Runtime.version().feature() + ".0.99";
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        Path command = Files.writeString(
                home.resolve("bin/java"),
                "#!/bin/sh\necho called >>" + home.resolve("calls") + "\nexec "
                        + JavaHome.current().command() + " \"$@\"\n");
        assertTrue(command.toFile().setExecutable(true));
        List<String> records =
                records("--java", home.toString(), "--channel", "shm", "--sizes", "8", "--peers", "limit");
        assertEquals(4, Files.readAllLines(home.resolve("calls")).size(), "two ranks of Sluice and two of its floor");
        assertEquals(records.size(), count(records, "\"jdk\":\"" + version + "\""), records::toString);
    }

    /** Over a simulated library: on any machine. */
    @Tag("all")
    @Tag("once")
    @Test
    void theChannelOverVerbsIsMeasuredByItself() throws IOException {
        Path json = folder.resolve("channel.json");
        assertEquals(0, bench("ib-channel", "--seconds", "1", "--json", json.toString()), () -> err.toString() + out);
        List<String> records = Files.readAllLines(json);
        assertEquals(
                1,
                count(records, "\"benchmark\":\"ib-channel\"", "\"size\":8,\"unit\":\"ns\",\"p50\":"),
                records::toString);
        assertTrue(out.toString().contains("The bar is 250"), out::toString);
    }

    @Test
    void nothingIsLeftInMemory() throws IOException {
        // What joins ranks over TCP is kept until this process ends.
        Set<ProcessHandle> before = ProcessHandle.current().descendants().collect(Collectors.toSet());
        records("--sizes", "8", "--channel", "shm", "--peers", "limit,aeron");
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            String mine = "sluice-bench-" + ProcessHandle.current().pid() + "-";
            assertFalse(
                    files.anyMatch(file -> file.getFileName().toString().startsWith(mine)), "a work folder was left");
        }
        assertTrue(
                ProcessHandle.current()
                        .descendants()
                        .noneMatch(process -> process.isAlive() && !before.contains(process)),
                "a process was left");
    }
}
