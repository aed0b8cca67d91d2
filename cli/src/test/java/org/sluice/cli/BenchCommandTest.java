package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class BenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... args) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latenzy | latency, bandwidth, bibandwidth, rate, neighbor",
                "--channel=udp | threads, shm, ib, tcp, auto",
                "--buffer=heap | array, direct, message",
                "rate --channel=all | --channel all: the peer that is idle is there for latency, not for rate",
                "--api=fibre | blocking, communicator, route, request, coroutine, handler, mpijava, openmpi",
                "--api=mpijava --buffer=direct | --api mpijava takes arrays alone: name --buffer array",
                "--api=openmpi --channel=all | --api openmpi has no third rank that is idle",
                "objects --verify | --verify means nothing to objects",
                "--sizes=8,x | 8,1k,64k,1m",
                "--ranks=1 | 2 to 64",
                "--ranks=4 | more are for neighbor",
                "--iterations=-1 | 0 to",
                "--seconds=abc | --seconds",
                "allreduce --nodes=4 --ranks=8 | --nodes 4 are joined by TCP: name --channel tcp, not threads",
                "allreduce --channel=tcp --nodes=3 --ranks=8 | each node has as many of the 8 ranks; allowed is 2 to 8",
                "allreduce --channel=tcp --nodes=1 | each node has as many of the 2 ranks; allowed is 2 to 2",
                "allreduce --channel=tcp --nodes=16 --ranks=8 | allowed is 2 to 8, of which --ranks is a multiple",
                "--channel=tcp --nodes=2 | --nodes 2: latency is between 2 ranks, for which --channel tcp alone has",
                "is --channel=tcp --nodes=2 | --nodes means nothing to is, which is a kernel and no race",
                "--k=2 | it is for kneighbor",
                "kneighbor --k=8 | allowed is 1 to 7",
                "kneighbor --api=blocking | allowed are --api request, --api handler",
                "nqueens --n=3 | allowed is 4 to 17",
                "nqueens --threshold=11 | allowed is 1 to 10",
                "nqueens --api=blocking | --api handler, --api coroutine",
                "foo | collectives (all of them), each by itself cold, nqueens, coalescing, memory, reuse, breakdown,"
                        + " gc-wait, ib-channel and papers, and the kernels that --help names",
                "cold latency | cold is measured by itself; cold latency are several benchmarks",
                "cold --sizes=8 | --sizes means nothing to cold, which starts jobs",
                "cold --channel=ib | allowed are threads, shm, auto",
                "cold --ranks=1 | 2 to 64",
                "reuse --sizes=8 | reuse takes sizes from 16 KB to 2 MB",
                "reuse --channel=shm | reuse is about memory that verbs know; allowed is ib",
                "reuse --ranks=4 | means nothing to reuse, which times what registered memory is worth and no race",
                "gc-wait --seconds=0.1 | gc-wait takes sizes of at least 1 and 1 to",
                "gc-wait --sizes=0 | gc-wait takes sizes of at least 1 and 1 to",
                "breakdown --sizes=0 | breakdown takes sizes of at least 1 and 1 to",
                "breakdown --pin | means nothing to breakdown, which times parts of a message's way and no race",
                "gc-wait --pin | means nothing to gc-wait, which times collections and no race; it takes --sizes",
                "gc-wait rate | gc-wait is measured by itself",
                "ib-channel --seconds=0.1 | ib-channel takes 1 to",
                "ib-channel --sizes=8 | means nothing to ib-channel, which has messages of 8 B and no race",
                "ep --class=T | --class 'T': allowed are S, W, A and B, for instance --class S,W",
                "ep --ranks=65 | ep runs on any number of ranks from 1 to 64",
                "cg --ranks=0 | cg runs on any number of ranks from 1 to 64",
                "ft --ranks=3 | --ranks 3: ft runs on a power of two of ranks, from 1 to 32",
                "mg --ranks=32 | --ranks 32: mg runs on a power of two of ranks, from 1 to 16",
                "lu --ranks=6 | --ranks 6: lu runs on a power of two of ranks, from 1 to 16",
                "is latency | only kernels (ep, is, cg, ft, mg, lu, nbody-tree, nbody-patches) can be",
                "is --channel=all | kernels have no idle rank; allowed are threads, shm, ib, tcp, auto",
                "is --channel=udp | threads, shm, ib, tcp, auto",
                "is --verify | --verify means nothing to is, which is a kernel and no race; it takes --channel",
                "latency nbody-tree --weak | nbody-tree is a kernel; latency nbody-tree are kernels and others",
                "ft nbody-tree --weak | problems of ft have official sizes; nbody-tree and nbody-patches grow",
                "ep --api=request | --api request: ep has no such calls; allowed is --api blocking",
                "nbody-patches --api=blocking | allowed are --api handler, --api request",
                "nbody-patches --jvms=2 | name --channel shm, not threads",
                "nbody-patches --channel=shm --ranks=4 --jvms=4 | 4 JVMs for 4 ranks; allowed are 1 to 3",
                "latency --weak | --weak: only kernels have classes; name one of ep, is",
                "latency --class=S | only kernels have classes; name one of ep, is, cg, ft, mg, lu, nbody-tree",
                "--seconds=0 | allowed is 0.1 to",
                "--seconds=0.05 | allowed is 0.1 to",
                "--seconds=NaN | allowed is 0.1 to",
                "--forks=0 | allowed is 1 to 100",
                "--forks=101 | allowed is 1 to 100",
                "--crowd=9 | there is no crowd in latency",
                "barrier rate --algorithms | --algorithms: rate has none to choose from; name the benchmark",
                "--buffer=paper | there are array, direct, message, one, packed",
                "allreduce --buffer=packed | --buffer packed is for latency, bandwidth and rate, not for allreduce",
                "rate --buffer=one | --buffer one is for latency, not for rate",
                "bandwidth --buffer=packed | is not measured with --buffer packed: name --api blocking",
                "barrier --channel=shm --ranks=4 --jvms=4 | 4 JVMs for 4 ranks; allowed are 1 to 3",
                "barrier --channel=threads --ranks=4 --jvms=2 | name --channel shm, not threads",
                "latency --channel=ib --requests=8 | --requests 8: means nothing to latency: it is for rate and",
                "rate --requests=8 | work requests are of verbs: name --channel ib, not threads",
                "rate --channel=ib --requests=8,0 | --requests 0: is out of range; allowed is 1 to 4096",
                "rate --channel=ib --requests=few | --requests 'few' is no list of numbers, as 8,200 is",
                "coalescing --channel=shm | work requests are of verbs: name --channel ib, not shm",
                "coalescing rate | coalescing is measured by itself",
                "barrier --channel=shm --ranks=4 --jvms=two | --jvms 'two' is no list of numbers",
                "--crowd=0 | 1 to 1000000",
                "--crowd=1000001 | 1 to 1000000",
                "--peers=openmpi,lam | limit, bare, openmpi, openmpi-ucx, mpich, openmpi-tcp, mpich-tcp, sockets,"
                        + " iperf3, mpj-express, mpj-express-niodev, mpj-express-sluice, serialization, jucx,"
                        + " aeron, aeron-udp",
                "--java=/nowhere | bin/java",
                "--json=/nowhere/x.json | in a folder that exists",
                "--json=/proc/x.json | --json '/proc/x.json' can't be written: no such file or folder; name a place",
                "--report=/etc/hosts | that is a file",
                "--report=/proc/x | --report '/proc/x' can't be written: no such file or folder; name a place",
                "--nonsense | --nonsense"
            })
    void aBadValueIsRefusedWithWhatIsAllowed(String argument, String expected) {
        assertEquals(2, bench(argument.split(" ")), err::toString);
        assertTrue(err.toString().contains(expected), err::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "--sizes 8",
        "--ranks 2",
        "--crowd 9",
        "--buffer array",
        "--api request",
        "--iterations 1",
        "--seconds 1",
        "--forks 2",
        "--pin",
        "--no-pin",
        "--peers all",
        "--algorithms",
        "--report x",
        "--rewrite",
        "--verify"
    })
    void memoryRefusesWhatItDoesNotTake(String option) {
        assertEquals(2, bench(("memory " + option).split(" ")), err::toString);
        assertTrue(
                err.toString()
                                .contains(option.split(" ")[0].replaceFirst("--(no-)?pin", "--[no-]pin")
                                        + " means nothing to memory")
                        && err.toString().contains("it takes --channel, --java, --json"),
                err::toString);
        assertFalse(Files.exists(Path.of("x")), "nothing is made for it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bibandwidth | blocking | --api blocking may end in a deadlock in bibandwidth, where everybody sends"
                        + " at once; allowed are --api request, --api coroutine",
                "neighbor | handler | --api handler has no neighbor; allowed are --api request, --api coroutine",
                "objects | blocking | --api blocking has no objects; allowed are --api mpijava",
                "bibandwidth | openmpi | --api openmpi may end in a deadlock in bibandwidth",
                "overlap | blocking | --api blocking has no overlap, where a receive goes on while its rank computes;"
                        + " allowed are --api request",
                "overlap-allreduce | blocking | --api blocking has no overlap-allreduce, where an allreduce goes on"
                        + " while its rank computes; allowed are --api request",
                "crowd | coroutine | --api coroutine has no crowd-exact, which is about what receives match; allowed"
                        + " are --api blocking, --api request"
            })
    void callsAreRefusedForBenchmarksThatTheyDoNotRun(String name, String api, String expected) {
        assertEquals(2, bench(name, "--api", api));
        assertTrue(err.toString().contains(expected), err::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "rate --channel ib, --channel ib needs an RDMA device",
        "latency --channel all, --channel all needs an RDMA device",
        "memory, memory needs an RDMA device"
    })
    void withoutADeviceVerbsAreRefusedBeforeAnythingStarts(String line, String expected) {
        Assumptions.assumeFalse(Files.exists(Path.of("/sys/class/infiniband")), "there may be a device");
        assertEquals(1, bench(line.split(" ")), err::toString);
        assertTrue(
                err.toString().startsWith("sluice: " + expected)
                        && err.toString()
                                .contains("./sluice vm -- ./sluice bench " + line.split(" ")[0]
                                        + (line.contains("all") ? " --channel all" : " --channel ib")),
                err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void peersAreListedWithWhatToInstall() {
        assertEquals(0, bench("--peers", "list"), err::toString);
        for (String peer : new String[] {
            "limit",
            "openmpi",
            "openmpi-ucx",
            "mpich",
            "mpj-express",
            "mpj-express-niodev",
            "mpj-express-sluice",
            "serialization",
            "jucx",
            "aeron",
            "blocking",
            "blocking-thread",
            "request",
            "coroutine",
            "handler",
            "shm-only"
        }) {
            assertTrue(out.toString().contains(peer), out::toString);
        }
        assertTrue(out.toString().contains("installed"), out::toString);
    }

    @Test
    void helpNamesEveryOption() {
        assertEquals(0, bench("--help"));
        for (String option : new String[] {
            "--channel",
            "--ranks",
            "--sizes",
            "--buffer",
            "--api",
            "--iterations",
            "--seconds",
            "--forks",
            "--crowd",
            "pin",
            "--java",
            "--peers",
            "--algorithms",
            "--json",
            "--report",
            "--rewrite",
            "--verify"
        }) {
            assertTrue(out.toString().contains(option), option + " in " + out);
        }
    }
}
