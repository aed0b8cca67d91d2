package org.sluice.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.sluice.bench.across.AcrossNodes;
import org.sluice.bench.breakdown.BreakdownBench;
import org.sluice.bench.cold.ColdBench;
import org.sluice.bench.contestant.JavaCommand;
import org.sluice.bench.contestant.OwnMemory;
import org.sluice.bench.contestant.Peer;
import org.sluice.bench.contestant.RdmaDevices;
import org.sluice.bench.contestant.SluiceRequests;
import org.sluice.bench.contestant.SluiceSwitches;
import org.sluice.bench.contestant.Wire;
import org.sluice.bench.gc.GcWaitBench;
import org.sluice.bench.kernels.KernelBench;
import org.sluice.bench.kernels.KernelName;
import org.sluice.bench.kernels.Problem;
import org.sluice.bench.kernels.ProblemClass;
import org.sluice.bench.memory.MemoryBench;
import org.sluice.bench.papers.Figures;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.plan.Sizes;
import org.sluice.bench.plan.VerbsUse;
import org.sluice.bench.queens.QueensBench;
import org.sluice.bench.queens.QueensProblem;
import org.sluice.bench.report.HtmlReport;
import org.sluice.bench.report.Machine;
import org.sluice.bench.report.Results;
import org.sluice.bench.report.Table;
import org.sluice.bench.reuse.ReuseBench;
import org.sluice.bench.verbs.IbChannelBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./sluice bench}: reads the options, has the races run, prints tables and writes records. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures Sluice between ranks on this machine, alone or beside its peers.",
            "Without arguments: the ping-pong latency of the thread and the segment channel."
        })
public final class BenchCommand implements Callable<Integer> {
    private static final int RANKS_MOST = 64;
    /** More than twice three neighbours. */
    private static final int RANKS_ANSWERED = 8;

    private static final int MOST = 1_000_000_000;
    private static final double SECONDS_LEAST = 0.1;
    private static final int FORKS_MOST = 100;
    private static final int CROWD = 100_000;
    private static final int CROWD_MOST = 1_000_000;

    private static final int COLD_STARTS = 5;

    /** With --debug, which every command takes. */
    private static final List<String> MEMORY_TAKES = List.of("--channel", "--java", "--json", "--debug");

    private static final List<String> COLD_TAKES =
            List.of("--channel", "--ranks", "--forks", "--peers", "--java", "--json", "--debug");
    private static final List<String> QUEENS_TAKES = List.of(
            "--channel",
            "--ranks",
            "--n",
            "--threshold",
            "--api",
            "--iterations",
            "--forks",
            "--verify",
            "--java",
            "--json",
            "--debug");
    private static final List<String> IB_CHANNEL_TAKES = List.of("--seconds", "--java", "--json", "--debug");
    private static final List<String> KERNELS_TAKE = List.of(
            "--channel",
            "--ranks",
            "--jvms",
            "--requests",
            "--api",
            "--class",
            "--weak",
            "--pin",
            "--java",
            "--json",
            "--debug");
    private static final List<String> PAPERS_TAKE =
            List.of("--report", "--quick", "--only", "--with-vm", "--from", "--java", "--debug");
    private static final List<String> COALESCING_TAKES = List.of(
            "--channel",
            "--requests",
            "--sizes",
            "--buffer",
            "--seconds",
            "--iterations",
            "--forks",
            "--verify",
            "--peers",
            "--pin",
            "--java",
            "--json",
            "--report",
            "--debug");
    private static final List<String> COMPARE_TAKES = List.of("--compare", "--debug");
    private static final List<String> BREAKDOWN_TAKES = List.of("--sizes", "--seconds", "--java", "--json", "--debug");
    private static final List<String> REUSE_TAKES =
            List.of("--channel", "--sizes", "--seconds", "--java", "--json", "--debug");
    private static final List<String> GC_WAIT_TAKES = List.of("--sizes", "--seconds", "--java", "--json", "--debug");

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "NAME",
            description = {
                "latency, bandwidth, bibandwidth, rate, neighbor (default: latency);",
                "objects: half a round trip of a list with an array of doubles, by --api mpijava;",
                "overlap: the share of a message's time that is hidden while its receiver computes, with"
                        + " sluice.progress.threads=1 as for coroutine;",
                "overlap-allreduce: the same of a sum of doubles at two ranks, of which one computes;",
                "crowd: 8 B latency among many posted receives (crowd-posted) and past many unexpected messages, for"
                        + " receives of one source and tag (crowd-exact), any source (crowd-any-source), any tag"
                        + " (crowd-any-tag) and both (crowd-any), each beside the same without them (alone)",
                "collectives: all of barrier, broadcast, reduce, allreduce, reduce-scatter, allgather, alltoall,"
                        + " gather, scatter and scan, each of which may be named; the time of a call, the mean over"
                        + " ranks",
                "kneighbor: every rank sends to its k neighbours on either side in a ring, who send each message back;"
                        + " kneighbor-huge: the same beside 4 MB to one of them, until all others are back;",
                "one-to-all: rank 0 sends to each other rank, and waits for their acknowledgements;",
                "cold: the first messages of jobs that are started anew, unpinned, by itself: of 1 B the first 1,000"
                        + " and the first 20,000 round trips, of 128 KB the first 200 and the first 3,000, from"
                        + " blocking calls and arrays; with more than two --ranks, exchanges with both neighbours in"
                        + " a ring. --forks says how many starts (default: 5)",
                "nqueens: all ways to place --n queens, as tasks that travel between ranks, by itself: seconds and"
                        + " speedup with 1, 2, 4 ... up to --ranks, and where each rank's time went. --iterations says"
                        + " how many solutions of each job are timed (default: 3), --forks how many jobs (default: 3)",
                "coalescing: rate and bandwidth over verbs with 5 to 200 send work requests, or --requests, with"
                        + " messages that leave together, with and without whole envelopes, and without that, by"
                        + " itself;",
                "memory: bytes of a connection over verbs (--channel ib), by itself; takes --java and --json",
                "reuse: long messages over verbs out of memory that stays registered, over how often a buffer is used"
                        + " again, beside memory that does not, by itself; takes --sizes (16k to 2m), --seconds,"
                        + " --java and --json",
                "breakdown: what a native call, a lock, a wake-up, a copy and a registration cost on this machine, each"
                        + " by itself; takes --sizes (of at least 1), --seconds, --java and --json",
                "gc-wait: how long a collection waits at most, second by second, while arrays go to and fro between two"
                        + " processes, by itself; takes --sizes (of at least 1), --seconds, --java and --json",
                "ib-channel: what the channel over verbs takes for a message of 8 B by itself, over a simulated"
                        + " library and so without an adapter; takes --seconds, --java and --json",
                "ep, is, cg, ft, mg, lu: kernels of the NAS Parallel Benchmarks over a communicator, one or several"
                        + " by themselves: operations a second on --ranks beside one rank, and whether the result is"
                        + " the official one; takes --class, --channel, --ranks (1 to 64; ft: a power of two"
                        + " to 32; mg, lu: to 16),"
                        + " --jvms, --requests, --pin, --java and --json;",
                "nbody-tree: stars by a tree code, measured as those are, its pulls compared with direct sums; takes"
                        + " --weak, too;",
                "nbody-patches: bodies that feel near ones, in patches of space that tell their 26 neighbours where"
                        + " theirs are, by messages that call a handler (--api request: step by step); its places"
                        + " compared with direct sums; takes --weak, too",
                "papers: what five papers measured, as a report in the folder of --report, by itself: each figure with"
                        + " the peers that are installed; half an hour, with --quick five minutes. An interrupted run"
                        + " leaves the report of what was measured. Takes --only, --from and --java"
            })
    private List<String> names = List.of("latency");

    @Option(
            names = "--channel",
            paramLabel = "C",
            description = "threads, shm, ib (processes over verbs), tcp (as root between two network"
                    + " namespaces, else over loopback), auto (shm, as the device chooses it), or all (for"
                    + " latency: the same beside a third rank that is connected over verbs and idle; as root,"
                    + " where there is an RDMA device); default: threads and shm")
    private String channel;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description =
                    "default: 2 (of kneighbor and one-to-all 8); more only for these, neighbor, collectives, cold,"
                            + " nqueens and kernels")
    private Integer ranks;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "with --channel tcp, as root: as many ranks on each of N nodes, which are network namespaces"
                    + " that share no memory and are joined by a bridge; on each ranks have shared memory, as openmpi"
                    + " and mpich then do, too; nobody is pinned")
    private Integer nodes;

    @Option(
            names = "--across",
            description = "ranks on several nodes, as many on each: the command is given on each of them, as by"
                    + " ./sluice vm --nodes 2 -- ./sluice bench ..., or srun --mpi=pmix -N 2 --ntasks-per-node=1"
                    + " ./sluice exec bench ...; the first one measures. With --channel ib or tcp (auto, the default:"
                    + " ib where there is an RDMA device)")
    private boolean across;

    @Option(
            names = "--k",
            paramLabel = "LIST",
            description = "neighbours on either side in kneighbor, for instance 1,2,3, each a table; default: 1")
    private String k;

    @Option(names = "--n", paramLabel = "LIST", description = "queens in nqueens, for instance 12,14,16; default: 14")
    private String n;

    @Option(
            names = "--threshold",
            paramLabel = "T",
            description = "queens in nqueens that are placed by tasks, 1 to 10, the rest where the task is; default: 4")
    private Integer threshold;

    @Option(
            names = "--class",
            paramLabel = "LIST",
            description = "of kernels: S, W, A, B, how large the problems are; default: S")
    private String classes;

    @Option(
            names = "--weak",
            description =
                    "weak scaling, of nbody-tree and nbody-patches: each rank has as many bodies as --class says, not"
                            + " all together")
    private boolean weak;

    @Option(
            names = "--crowd",
            paramLabel = "N",
            description = "receives or messages that wait in the crowd benchmarks; default: 100000")
    private Integer crowd;

    @Option(names = "--sizes", paramLabel = "LIST", description = "message sizes, for instance 8,1k,64k,1m")
    private String sizes;

    @Option(
            names = "--buffer",
            paramLabel = "KIND",
            description = "array (default), direct, message,"
                    + " one: one array for both ways, packed: arrays copied into a message buffer and out of one")
    private String buffer = "array";

    @Option(
            names = "--api",
            paramLabel = "API",
            description = {
                "blocking (default for latency, crowd and collectives), request (default elsewhere),",
                "communicator: send and recv of a communicator; for latency, bandwidth and rate;",
                "route: send on persistent routes, and recv; for latency, bandwidth and rate;",
                "coroutine: calls that suspend, undispatched, with sluice.progress.threads=1 where"
                        + " SLUICE_PROGRESS_THREADS isn't set; of the crowds for crowd-posted alone, which suspends",
                "handler: messages that call a handler, which answers; for latency, bandwidth, rate, kneighbor,"
                        + " one-to-all, (default, coroutine is the other) nqueens and (default, request is the other)"
                        + " nbody-patches",
                "mpijava, openmpi: calls of MPJ Express's and of Open MPI's dialect; for latency, bandwidth, rate and"
                        + " collectives, on arrays (openmpi: direct buffers, too)"
            })
    private String api;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "round trips, or windows, of each size in a round; default: by time")
    private int iterations;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description =
                    "how long the rounds of each table go on (of each start, see --forks), the last one to its end;"
                            + " starting and warming up come before, 5 to 60 s for each contestant of each table"
                            + " (without arguments there are two tables); default: 15 rounds (over verbs 7), more"
                            + " until five can be compared; none begins after three minutes, but for those 7")
    private Double seconds;

    @Option(
            names = "--forks",
            paramLabel = "N",
            description =
                    "how often all contestants are started, warmed up and raced, with new JVMs each time, as no two"
                            + " are compiled alike: the figures are of all rounds together; default: 1")
    private int forks = 1;

    @Option(
            names = "--pin",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "rank i runs on core i; default: where there are cores enough")
    private boolean pin;

    @Option(names = "--java", paramLabel = "HOME", description = "the JDK that the ranks run on; default: this one")
    private String java;

    @Option(
            names = "--peers",
            paramLabel = "LIST",
            description = {
                "all (other programs that can be had here), some by name, or list. The script installs openmpi,"
                        + " mpich and MPJ Express where apt can.",
                "mpj-express: between threads; mpj-express-niodev: between processes; mpj-express-sluice: the same with"
                        + " Sluice as its device; all with the program of --api mpijava;",
                "serialization: of objects, Java's own alone;",
                "jucx: UCX by its own Java interface, out of direct buffers;",
                "limit: of collectives for barrier between threads, the fastest of CyclicBarrier, Phaser and one that"
                        + " only counts and spins;",
                "blocking, communicator, route, request, coroutine, handler, mpijava: Sluice itself with other calls"
                        + " than --api;"
                        + " blocking-thread: with send and recv beside a progress thread;",
                "openmpi-tcp, mpich-tcp, mpj-express-niodev, sockets, iperf3, aeron-udp: beside --channel tcp;",
                "array, direct, message, one, packed: with that --buffer; copied-once, copied-twice: with"
                        + " sluice.shm.cma on, off; shm-only: with no other channel open;",
                "rendezvous-read, -write, -stream, no-cache, no-pool, separate: over verbs (--channel ib), where"
                        + " perftest, perftest-write and libfabric are, too;",
                "processes: between processes, beside --channel threads;",
                "no-unsafe: with sluice.unsafe=off"
            })
    private String peers;

    @Option(
            names = "--algorithms",
            description = {
                "of collectives: each algorithm beside what Sluice chooses by itself, as sluice-NAME, to see which is"
                        + " fastest where; one that can't do it sits out, and says so. With --api request no cells"
            })
    private boolean algorithms;

    @Option(
            names = "--jvms",
            paramLabel = "LIST",
            description = "beside one JVM for each rank: the ranks in so many JVMs, as sluice-M-jvms, in each of which"
                    + " they are threads; for instance 1,2 of 4 --ranks, with --channel shm; kernels take it, too")
    private String jvms;

    @Option(
            names = "--requests",
            paramLabel = "LIST",
            description = "of rate and bandwidth over verbs (--channel ib): with so many send work requests to a peer,"
                    + " as sluice-M, the same with whole envelopes, as sluice-M-whole, and with each message in a"
                    + " packet of its own, as sluice-M-separate; of kernels the first and the last of these; for"
                    + " instance 8,200")
    private String requests;

    @Option(
            names = "--switch",
            paramLabel = "LIST",
            description = "for the races of messages: Sluice itself with messages of more than so many bytes by"
                    + " rendezvous, as sluice-switch-N; for instance 1k,8k,64k")
    private String switches;

    @Option(
            names = "--pool",
            paramLabel = "on|off",
            description = "over verbs, of Sluice itself: whether message buffers lie in a pool of registered memory;"
                    + " default: on. The peer no-pool is the same beside it")
    private String pool;

    @Option(
            names = "--rendezvous",
            paramLabel = "WAY",
            description = "over verbs, of Sluice itself: read or write moves every message so, whatever its size, where"
                    + " both ends are direct; eager makes rendezvous begin behind 64 KB; default: as the device"
                    + " chooses. The peers rendezvous-read and rendezvous-write are the same beside it")
    private String rendezvous;

    @Option(
            names = "--cache",
            paramLabel = "on|off",
            description = "over verbs, of Sluice itself: whether memory of the program stays registered after its"
                    + " message; default: on. The peer no-cache is the same beside it")
    private String cache;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "append one JSON object a line for each contestant, size and round")
    private Path json;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "write a page with charts, tables and records into this folder")
    private Path report;

    @Option(names = "--quick", description = "of papers: smaller problems, fewer sizes and peers")
    private boolean quick;

    @Option(names = "--with-vm", description = "of papers: also what needs verbs, in guests, one after the other")
    private boolean withVm;

    @Option(
            names = "--only",
            paramLabel = "LIST",
            description = "of papers: these figures, for instance A-11,C-T1; default: all")
    private String only;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "of papers: make the report in this folder again, from the records that it has")
    private Path from;

    @Option(
            names = "--compare",
            paramLabel = "RUN",
            arity = "2",
            description =
                    "by itself, OLD and NEW: what became slower or faster between two folders of --report or files"
                            + " of --json, beyond the spread and more than a tenth; exit status 3 if something of"
                            + " Sluice's"
                            + " own became slower")
    private List<Path> compared;

    @Option(names = "--rewrite", description = "senders write their buffer anew for each message")
    private boolean rewrite;

    @Option(names = "--verify", description = "check the content of every message (slow)")
    private boolean verify;

    @Override
    public Integer call() throws IOException {
        if ("list".equals(peers)) {
            listPeers();
            return CommandLine.ExitCode.OK;
        }
        if (compared != null || isPapers()) {
            return ofRuns(new PapersSession(
                    spec.commandLine().getOut(), spec.commandLine().getErr()));
        }
        return across ? overNodes() : measured();
    }

    /** Only the first node's process measures. */
    private int overNodes() throws IOException {
        if (nodes != null) {
            throw new IllegalArgumentException(
                    "--nodes " + nodes + " are made on this machine; leave it out, --across has its own");
        }
        if (channel == null || channel.equals("auto")) {
            channel = (RdmaDevices.missing("").isEmpty() ? Route.IB : Route.TCP).label();
        }
        // Each process finds by itself what is wrong, before it waits for others.
        if (planned().isEmpty()) {
            throw new IllegalArgumentException("--across means nothing to " + String.join(" ", names)
                    + ": it is for races of messages and collectives");
        }
        try (AcrossNodes joined = AcrossNodes.join(System.getenv())) {
            if (!joined.isHarness()) {
                joined.serve();
                return CommandLine.ExitCode.OK;
            }
            nodes = joined.count();
            Wire.across(joined);
            return measured();
        }
    }

    private int measured() throws IOException {
        List<BenchPlan> plans;
        List<QueensProblem> queens;
        JavaCommand command;
        OutputFiles files = new OutputFiles(json, report);
        try {
            plans = planned();
            queens = isQueens() ? queens() : List.of();
            command = JavaCommand.of(java);
            files.check();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Optional<String> missing = missing(plans);
        if (missing.isPresent()) {
            spec.commandLine()
                    .getErr()
                    .println("sluice: " + (isMemory() || isReuse() ? names.get(0) : "--channel " + channel) + " "
                            + missing.get());
            return CommandLine.ExitCode.SOFTWARE;
        }
        Machine machine = Machine.here(command.version());
        spec.commandLine().getOut().println(machine);
        if (plans.stream().anyMatch(plan -> plan.route() == Route.TCP) || isKernels() && "tcp".equals(channel)) {
            spec.commandLine()
                    .getOut()
                    .println("TCP goes " + Wire.of(nodes == null ? 1 : nodes).meaning());
        }
        if (isKernels()) {
            return kernels(command, machine, files);
        }
        if (isMemory()) {
            return memory(command, machine, files);
        }
        if (isReuse()) {
            return reuse(command, machine, files);
        }
        if (isCold()) {
            return cold(command, machine, files);
        }
        if (isBreakdown()) {
            return breakdown(command, machine, files);
        }
        if (isGcWait()) {
            return gcWait(command, machine, files);
        }
        if (isIbChannel()) {
            return ibChannel(command, machine, files);
        }
        if (isQueens()) {
            return solve(queens, command, machine, files);
        }
        return race(plans, command, machine, files);
    }

    /**
     * The races that are asked for; none for what is no race.
     *
     * @throws IllegalArgumentException if what is asked for can't be
     */
    List<BenchPlan> planned() {
        return isKernels()
                        || isMemory()
                        || isReuse()
                        || isCold()
                        || isBreakdown()
                        || isGcWait()
                        || isIbChannel()
                        || isQueens()
                ? List.of()
                : plans();
    }

    /** This neither measures by itself. */
    private boolean isPapers() {
        return isByItself(Figures.BENCHMARK, PAPERS_TAKE, "has runs of its own");
    }

    /** Of whole runs, and no benchmark by itself. */
    private int ofRuns(PapersSession session) throws IOException {
        if (compared == null) {
            return papers(session);
        }
        checkTakes("--compare", COMPARE_TAKES, "measures nothing");
        if (spec.commandLine().getParseResult().hasMatchedPositional(0)) {
            throw new IllegalArgumentException(
                    "--compare measures nothing, and takes no benchmark's name: " + String.join(" ", names));
        }
        return session.compare(compared.get(0), compared.get(1));
    }

    private int papers(PapersSession session) throws IOException {
        if ((report == null) == (from == null)) {
            throw new IllegalArgumentException(
                    "papers: name a new folder with --report, or one that has records" + " already with --from");
        }
        if (from != null) {
            if (quick || withVm || only != null || java != null) {
                throw new IllegalArgumentException("--from '" + from + "': nothing is measured, so that --quick,"
                        + " --with-vm, --only and --java mean nothing");
            }
            return session.again(from);
        }
        List<String> figures = PapersSession.figures(only, quick, withVm);
        JavaCommand.of(java);
        PapersSession.checkIsNew(report);
        new OutputFiles(null, report).check();
        return session.measure(report, figures, quick, java, withVm ? PapersSession.guest(java) : null);
    }

    private int race(List<BenchPlan> plans, JavaCommand command, Machine machine, OutputFiles files)
            throws IOException {
        HtmlReport page = new HtmlReport(machine);
        boolean good = true;
        try (RaceCard card = new RaceCard(
                command,
                machine,
                pin,
                forks,
                new RaceCard.More(algorithms, inJvms(), workRequests(), switches()),
                spec.commandLine().getErr())) {
            for (BenchPlan plan : plans) {
                Results results = card.run(plan);
                good &= card.complete();
                if (!results.peers().isEmpty()) {
                    publish(results, page);
                    files.append(results.json());
                }
            }
        }
        files.write(page);
        return good ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** What this machine lacks, as the rest of a sentence. */
    private Optional<String> missing(List<BenchPlan> plans) {
        boolean verbs = isKernels() && "ib".equals(channel)
                || isMemory()
                || isReuse()
                || plans.stream().anyMatch(plan -> plan.route().needsVerbs());
        Optional<String> device = verbs
                ? RdmaDevices.missing(String.join(" ", names), channel == null ? Route.IB.label() : channel)
                : Optional.empty();
        if (nodes != null && !across) {
            return Wire.missing(nodes);
        }
        return device.isPresent() || plans.stream().noneMatch(plan -> plan.route() == Route.ALL)
                ? device
                : OwnMemory.missing();
    }

    /** Several may be named, as each has a table of its own in any case. */
    private boolean isKernels() {
        List<String> kernels = names.stream()
                .filter(name -> KernelName.named(name).isPresent())
                .toList();
        if (kernels.isEmpty()) {
            return false;
        }
        if (kernels.size() < names.size()) {
            throw new IllegalArgumentException(kernels.get(0) + " is a kernel; " + String.join(" ", names)
                    + " are kernels and others, of which only kernels (" + KernelName.labels()
                    + ") can be measured together");
        }
        checkTakes(kernels.get(0), KERNELS_TAKE, "is a kernel and no race");
        if ("all".equals(channel)) {
            throw new IllegalArgumentException(
                    "--channel all: kernels have no idle rank; allowed are threads, shm, ib, tcp, auto");
        }
        for (Route route : Route.of(channel)) {
            checkJvms(route, ranks(Benchmark.NEIGHBOR));
            workRequests().forEach(each -> SluiceRequests.checkVerbs(each, route));
        }
        kernels().forEach(kernel -> {
            kernel.checkRanks(ranks(Benchmark.NEIGHBOR));
            if (api != null) {
                kernel.checkApi(Api.of(api));
            }
            if (weak && !kernel.canGrow()) {
                throw new IllegalArgumentException("--weak: problems of " + kernel.label()
                        + " have official sizes; nbody-tree and nbody-patches grow with ranks");
            }
        });
        problems();
        return true;
    }

    private List<KernelName> kernels() {
        return names.stream()
                .distinct()
                .map(name -> KernelName.named(name).orElseThrow())
                .toList();
    }

    private List<Problem> problems() {
        List<ProblemClass> sizes = classes == null ? List.of(ProblemClass.S) : ProblemClass.parse(classes);
        Api calls = api == null ? Api.HANDLER : Api.of(api);
        return sizes.stream().map(size -> new Problem(size, weak, calls)).toList();
    }

    private int kernels(JavaCommand command, Machine machine, OutputFiles files) throws IOException {
        KernelBench bench = new KernelBench(
                command.home(),
                machine,
                pin,
                spec.commandLine().getOut(),
                spec.commandLine().getErr());
        boolean isGood = false;
        try {
            isGood = bench.run(
                    kernels(),
                    problems(),
                    Route.of(channel),
                    ranks(Benchmark.NEIGHBOR),
                    new KernelBench.More(inJvms(), workRequests()));
        } catch (IllegalStateException | InterruptedException e) {
            notMeasured(String.join(" ", names), e);
        }
        files.append(bench.json());
        return isGood ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Memory is no race: its ranks make connections once, and nobody is timed. */
    private boolean isMemory() {
        return isByItself(MemoryBench.NAME, MEMORY_TAKES, "makes connections and no race")
                && isOfVerbs("memory measures connections over verbs");
    }

    /** Nor is this: its jobs are one program with two caches. */
    private boolean isReuse() {
        if (!isByItself(ReuseBench.NAME, REUSE_TAKES, "times what registered memory is worth and no race")) {
            return false;
        }
        boolean fit =
                bytesToReuse().stream().allMatch(size -> size >= ReuseBench.SIZE_LEAST && size <= ReuseBench.SIZE_MOST);
        long whole = secondsOfReuse();
        if (!fit || whole < 1 || whole > ReuseBench.SECONDS_MOST) {
            throw new IllegalArgumentException("--sizes " + sizes + " --seconds " + seconds
                    + ": reuse takes sizes from " + Sizes.format(ReuseBench.SIZE_LEAST) + " to "
                    + Sizes.format(ReuseBench.SIZE_MOST) + " and 1 to " + ReuseBench.SECONDS_MOST + " seconds");
        }
        return isOfVerbs("reuse is about memory that verbs know");
    }

    private List<Integer> bytesToReuse() {
        return sizes == null ? ReuseBench.SIZES : Sizes.parse(sizes);
    }

    private long secondsOfReuse() {
        return seconds == null ? ReuseBench.SECONDS : Math.round(seconds);
    }

    /** @throws IllegalArgumentException if it isn't */
    private boolean isOfVerbs(String why) {
        if (channel != null && !channel.equals(Route.IB.label())) {
            throw new IllegalArgumentException("--channel " + channel + ": " + why + "; allowed is ib");
        }
        return true;
    }

    /** Nor is this: a race warms up. */
    private boolean isCold() {
        if (!isByItself(ColdBench.NAME, COLD_TAKES, "starts jobs and warms up nothing")) {
            return false;
        }
        checkRange("--ranks", ranks(Benchmark.NEIGHBOR), 2, RANKS_MOST);
        checkRange("--forks", forks, 1, FORKS_MOST);
        if (channel != null && coldRoute().needsVerbs()) {
            throw new IllegalArgumentException(
                    "--channel " + channel + ": cold starts jobs on this machine; allowed are threads, shm, auto");
        }
        return true;
    }

    private Route coldRoute() {
        return channel == null ? Route.SHM : Route.of(channel)[0];
    }

    private int cold(JavaCommand command, Machine machine, OutputFiles files) throws IOException {
        boolean isGiven = spec.commandLine().getParseResult().hasMatchedOption("--forks");
        ColdBench bench = new ColdBench(
                command,
                machine,
                new ColdBench.Jobs(coldRoute(), ranks(Benchmark.NEIGHBOR), isGiven ? forks : COLD_STARTS),
                peerNames(coldRoute()),
                spec.commandLine().getOut(),
                spec.commandLine().getErr());
        boolean isGood = bench.run();
        files.append(bench.json());
        return isGood ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean isBreakdown() {
        return isByItself(BreakdownBench.NAME, BREAKDOWN_TAKES, "times parts of a message's way and no race");
    }

    private boolean isGcWait() {
        return isByItself(GcWaitBench.NAME, GC_WAIT_TAKES, "times collections and no race");
    }

    private boolean isQueens() {
        return isByItself(QueensBench.NAME, QUEENS_TAKES, "solves a problem and is no race");
    }

    private List<QueensProblem> queens() {
        checkRange("--ranks", ranks(Benchmark.NEIGHBOR), 1, RANKS_MOST);
        checkRange("--iterations", iterations, 0, MOST);
        checkRange("--forks", forks, 1, FORKS_MOST);
        for (Route route : Route.of(channel)) {
            if (route != Route.THREADS && route != Route.SHM) {
                throw new IllegalArgumentException(
                        "--channel " + channel + ": nqueens is on this machine; allowed are threads, shm, auto");
            }
        }
        List<QueensProblem> problems = new ArrayList<>();
        for (String part : (n == null ? Integer.toString(QueensBench.QUEENS) : n).split(",", -1)) {
            if (!part.trim().matches("[0-9]{1,3}")) {
                throw new IllegalArgumentException(
                        "--n '" + n + "': '" + part + "' is no number of queens; write for instance 12,14,16");
            }
            problems.add(new QueensProblem(
                    Integer.parseInt(part.trim()),
                    threshold == null ? QueensBench.THRESHOLD : threshold,
                    api == null ? Api.HANDLER : Api.of(api),
                    verify));
        }
        return problems;
    }

    private int solve(List<QueensProblem> problems, JavaCommand command, Machine machine, OutputFiles files)
            throws IOException {
        boolean isGiven = spec.commandLine().getParseResult().hasMatchedOption("--forks");
        QueensBench.Jobs jobs = new QueensBench.Jobs(
                ranks(Benchmark.NEIGHBOR),
                isGiven ? forks : QueensBench.STARTS,
                iterations == 0 ? QueensBench.TIMES : iterations);
        QueensBench bench = new QueensBench(
                command.home(), machine, jobs, spec.commandLine().getOut());
        try {
            for (Route route : Route.of(channel)) {
                for (QueensProblem problem : problems) {
                    bench.run(route, problem);
                }
            }
        } catch (IllegalStateException | InterruptedException e) {
            return notMeasured(QueensBench.NAME, e);
        } finally {
            files.append(bench.json());
        }
        return CommandLine.ExitCode.OK;
    }

    private boolean isIbChannel() {
        return isByItself(IbChannelBench.NAME, IB_CHANNEL_TAKES, "has messages of 8 B and no race");
    }

    private boolean isByItself(String benchmark, List<String> takes, String why) {
        if (!names.contains(benchmark)) {
            return false;
        }
        if (names.size() > 1) {
            throw new IllegalArgumentException(
                    benchmark + " is measured by itself; " + String.join(" ", names) + " are several benchmarks");
        }
        checkTakes(benchmark, takes, why);
        return true;
    }

    private void checkTakes(String benchmark, List<String> takes, String why) {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (!takes.contains(name)) {
                throw new IllegalArgumentException(name.replace("--", option.negatable() ? "--[no-]" : "--")
                        + " means nothing to " + benchmark + ", which " + why + "; it takes "
                        + String.join(", ", takes));
            }
        }
    }

    private int memory(JavaCommand command, Machine machine, OutputFiles files) throws IOException {
        MemoryBench bench =
                new MemoryBench(command.home(), machine, spec.commandLine().getOut());
        try {
            bench.run();
        } catch (IllegalStateException | InterruptedException e) {
            return notMeasured(MemoryBench.NAME, e);
        } finally {
            files.append(bench.json());
        }
        return CommandLine.ExitCode.OK;
    }

    private int reuse(JavaCommand command, Machine machine, OutputFiles files) throws IOException {
        ReuseBench bench =
                new ReuseBench(command.home(), machine, spec.commandLine().getOut());
        try {
            bench.run(bytesToReuse(), (int) secondsOfReuse());
        } catch (IllegalStateException | InterruptedException e) {
            return notMeasured(ReuseBench.NAME, e);
        } finally {
            files.append(bench.json());
        }
        return CommandLine.ExitCode.OK;
    }

    private int breakdown(JavaCommand command, Machine machine, OutputFiles files) throws IOException {
        List<Integer> bytes = sizes == null ? BreakdownBench.SIZES : Sizes.parse(sizes);
        long whole = seconds == null ? BreakdownBench.SECONDS : Math.round(seconds);
        if (bytes.contains(0) || whole < 1 || whole > BreakdownBench.SECONDS_MOST) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--sizes " + bytes + " --seconds " + seconds + ": breakdown takes sizes of at least 1 and 1 to "
                            + BreakdownBench.SECONDS_MOST + " seconds");
        }
        BreakdownBench bench =
                new BreakdownBench(command.home(), machine, spec.commandLine().getOut());
        try {
            bench.run(bytes, (int) whole);
        } catch (IllegalStateException | InterruptedException e) {
            return notMeasured(BreakdownBench.NAME, e);
        }
        files.append(bench.json());
        return CommandLine.ExitCode.OK;
    }

    private int gcWait(JavaCommand command, Machine machine, OutputFiles files) throws IOException {
        List<Integer> bytes = sizes == null ? GcWaitBench.SIZES : Sizes.parse(sizes);
        long whole = seconds == null ? GcWaitBench.SECONDS : Math.round(seconds);
        if (bytes.contains(0) || whole < 1 || whole > GcWaitBench.SECONDS_MOST) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--sizes " + bytes + " --seconds " + seconds + ": gc-wait takes sizes of at least 1 and 1 to "
                            + GcWaitBench.SECONDS_MOST + " seconds");
        }
        GcWaitBench bench =
                new GcWaitBench(command.home(), machine, spec.commandLine().getOut());
        try {
            bench.run(bytes, (int) whole);
        } catch (IllegalStateException | InterruptedException e) {
            return notMeasured(GcWaitBench.NAME, e);
        }
        files.append(bench.json());
        return CommandLine.ExitCode.OK;
    }

    private int ibChannel(JavaCommand command, Machine machine, OutputFiles files) throws IOException {
        long whole = seconds == null ? IbChannelBench.SECONDS : Math.round(seconds);
        if (whole < 1 || whole > IbChannelBench.SECONDS_MOST) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--seconds " + seconds + ": ib-channel takes 1 to " + IbChannelBench.SECONDS_MOST + " seconds");
        }
        IbChannelBench bench =
                new IbChannelBench(command.home(), machine, spec.commandLine().getOut());
        try {
            bench.run((int) whole);
        } catch (IllegalStateException | InterruptedException e) {
            return notMeasured(IbChannelBench.NAME, e);
        }
        files.append(bench.json());
        return CommandLine.ExitCode.OK;
    }

    private int notMeasured(String benchmark, Exception why) {
        if (why instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        } else {
            spec.commandLine().getErr().println(benchmark + ": " + why.getMessage());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private void publish(Results results, HtmlReport page) {
        spec.commandLine().getOut().println();
        spec.commandLine().getOut().print(new Table(results));
        spec.commandLine().getOut().flush();
        page.add(results);
    }

    private List<BenchPlan> plans() {
        checkRange("--ranks", ranks(Benchmark.NEIGHBOR), 2, RANKS_MOST);
        checkRange("--iterations", iterations, 0, MOST);
        checkRange("--forks", forks, 1, FORKS_MOST);
        if (classes != null || weak) {
            throw new IllegalArgumentException((classes == null ? "--weak" : "--class " + classes)
                    + ": only kernels have classes; name one of " + KernelName.labels());
        }
        if (seconds != null) {
            checkSeconds(seconds);
        }
        checkOfPapers();
        boolean isCoalescing = isByItself(SluiceRequests.BENCHMARK, COALESCING_TAKES, "has a list of --requests");
        List<Benchmark> benchmarks = benchmarks(isCoalescing);
        checkCrowd(benchmarks);
        checkAlgorithms(benchmarks);
        checkNeighbours(benchmarks);
        if (n != null || threshold != null) {
            throw new IllegalArgumentException((n != null ? "--n " + n : "--threshold " + threshold)
                    + " means nothing to " + String.join(", ", names) + ": it is for nqueens");
        }
        List<BenchPlan> plans = new ArrayList<>();
        for (Benchmark benchmark : benchmarks) {
            if (ranks(benchmark) != 2 && !benchmark.takesMoreRanks()) {
                throw new IllegalArgumentException("--ranks " + ranks + ": " + benchmark.label()
                        + " is between 2 ranks; more are for neighbor, kneighbor, one-to-all and collectives");
            }
            checkSizes(benchmark);
            checkObjects(benchmark);
            for (Route route : Route.of(isCoalescing && channel == null ? Route.IB.label() : channel)) {
                checkRoute(benchmark, route);
                Api calls = api(benchmark);
                checkBuffer(benchmark, route, calls);
                for (int neighbours : neighbours(benchmark)) {
                    BenchPlan plan = new BenchPlan(
                            benchmark,
                            route,
                            calls,
                            BufferKind.of(buffer),
                            ranks(benchmark),
                            sizes(benchmark, route),
                            iterations,
                            seconds == null ? 0 : seconds,
                            pin,
                            peerNames(route),
                            rewrite,
                            verify,
                            crowd == null ? CROWD : crowd,
                            neighbours,
                            nodes == null ? 1 : nodes,
                            new VerbsUse(pool, rendezvous, cache));
                    checkPlan(plan);
                    plans.add(plan);
                }
            }
        }
        return plans;
    }

    private void checkPlan(BenchPlan plan) {
        plan.verbs().checkRoute(plan.route());
        if (!plan.verbs().given().isEmpty() && (switches != null || requests != null || algorithms)) {
            throw new IllegalArgumentException(
                    "--" + plan.verbs().given().keySet().iterator().next()
                            + " changes Sluice itself alone, and not what --switch, --requests and --algorithms race it"
                            + " with; name one or the other");
        }
        for (int bytes : switches()) {
            SluiceSwitches.check(bytes, plan);
        }
        checkJvms(plan.route(), ranks(plan.benchmark()));
        checkNodes(plan.route(), plan.benchmark());
    }

    private void checkBuffer(Benchmark benchmark, Route route, Api calls) {
        BufferKind.of(buffer).refuses(benchmark).ifPresent(reason -> {
            throw new IllegalArgumentException("--buffer " + buffer + " " + reason);
        });
        calls.refuses(BufferKind.of(buffer), route).ifPresent(reason -> {
            throw new IllegalArgumentException("--api " + calls.label() + " " + reason);
        });
    }

    private void checkOfPapers() {
        if (quick || withVm || only != null || from != null) {
            throw new IllegalArgumentException(
                    (quick ? "--quick" : withVm ? "--with-vm" : only != null ? "--only " + only : "--from " + from)
                            + " means nothing to " + String.join(", ", names) + ": it is for papers");
        }
    }

    /** Doubles are reduced, and a barrier has no bytes. */
    private void checkSizes(Benchmark benchmark) {
        if (sizes == null) {
            return;
        }
        for (int size : Sizes.parse(sizes)) {
            if (benchmark.isReduction() && (size == 0 || size % Double.BYTES != 0)) {
                throw new IllegalArgumentException("--sizes " + sizes + ": " + benchmark.label()
                        + " sums doubles, and takes whole ones: multiples of " + Double.BYTES + " from there on");
            }
        }
    }

    private void checkObjects(Benchmark benchmark) {
        if (benchmark == Benchmark.OBJECTS && (rewrite || verify)) {
            throw new IllegalArgumentException((rewrite ? "--rewrite" : "--verify")
                    + " means nothing to objects, each of which is written anew and looked at in any case");
        }
    }

    private List<Integer> sizes(Benchmark benchmark, Route route) {
        return sizes == null || benchmark == Benchmark.BARRIER ? Sizes.standard(benchmark, route) : Sizes.parse(sizes);
    }

    private void checkCrowd(List<Benchmark> benchmarks) {
        if (crowd == null) {
            return;
        }
        checkRange("--crowd", crowd, 1, CROWD_MOST);
        if (benchmarks.stream().noneMatch(Benchmark::crowded)) {
            throw new IllegalArgumentException("--crowd " + crowd + ": there is no crowd in " + String.join(", ", names)
                    + "; name the benchmark crowd, or one of "
                    + Benchmark.named("crowd").stream().map(Benchmark::label).toList());
        }
    }

    private int ranks(Benchmark benchmark) {
        return ranks != null ? ranks : benchmark.isAnswered() ? RANKS_ANSWERED : 2;
    }

    private void checkNeighbours(List<Benchmark> benchmarks) {
        if (k != null && benchmarks.stream().noneMatch(Benchmark::isNeighbourly)) {
            throw new IllegalArgumentException(
                    "--k " + k + " means nothing to " + String.join(", ", names) + ": it is for kneighbor");
        }
    }

    /** Nobody is a neighbour of itself. */
    private List<Integer> neighbours(Benchmark benchmark) {
        if (k == null || !benchmark.isNeighbourly()) {
            return List.of(1);
        }
        int most = ranks(benchmark) - 1;
        List<Integer> all = new ArrayList<>();
        for (String part : k.split(",", -1)) {
            if (!part.trim().matches("[0-9]{1,3}")) {
                throw new IllegalArgumentException(
                        "--k '" + k + "': '" + part + "' is no number of neighbours; write for instance 1,2,3");
            }
            int one = Integer.parseInt(part.trim());
            if (one < 1 || one > most) {
                throw new IllegalArgumentException("--k " + k + ": " + one + " neighbours on either side; allowed is 1"
                        + " to " + most + ", one less than ranks");
            }
            all.add(one);
        }
        return all;
    }

    private List<Integer> inJvms() {
        return jvms == null
                ? List.of()
                : Arrays.stream(jvms.split(","))
                        .map(each -> Integer.parseInt(each.trim()))
                        .distinct()
                        .toList();
    }

    private List<Benchmark> benchmarks(boolean isCoalescing) {
        if (!isCoalescing) {
            return names.stream()
                    .flatMap(name -> Benchmark.named(name).stream())
                    .toList();
        }
        if (requests == null) {
            requests = SluiceRequests.OF_THE_PAPER;
        }
        return SluiceRequests.benchmarks();
    }

    private void checkRoute(Benchmark benchmark, Route route) {
        for (int each : workRequests()) {
            SluiceRequests.check(each, benchmark, route);
        }
        if (route == Route.ALL && benchmark != Benchmark.LATENCY) {
            throw new IllegalArgumentException(
                    "--channel all: the peer that is idle is there for latency, not for " + benchmark.label());
        }
    }

    private List<Integer> switches() {
        return switches == null
                ? List.of()
                : Sizes.parse(switches).stream().distinct().toList();
    }

    private List<Integer> workRequests() {
        if (requests == null) {
            return List.of();
        }
        if (!requests.matches("\\d{1,4}( *, *\\d{1,4})*")) {
            throw new IllegalArgumentException("--requests '" + requests + "' is no list of numbers, as 8,200 is");
        }
        return Arrays.stream(requests.split(","))
                .map(each -> Integer.parseInt(each.trim()))
                .distinct()
                .toList();
    }

    private void checkNodes(Route route, Benchmark benchmark) {
        if (across) {
            checkAcross(route, benchmark);
            return;
        }
        if (nodes == null) {
            return;
        }
        if (route != Route.TCP) {
            throw new IllegalArgumentException(
                    "--nodes " + nodes + " are joined by TCP: name --channel tcp, not " + route.label());
        }
        if (!benchmark.takesMoreRanks()) {
            throw new IllegalArgumentException("--nodes " + nodes + ": " + benchmark.label()
                    + " is between 2 ranks, for which --channel tcp alone has"
                    + " two namespaces; nodes are for neighbor, kneighbor, one-to-all and collectives");
        }
        int all = ranks(benchmark);
        if (nodes < 2 || nodes > all || all % nodes != 0) {
            throw new IllegalArgumentException("--nodes " + nodes + ": each node has as many of the " + all
                    + " ranks; allowed is 2 to " + all + ", of which --ranks is a multiple, as of --nodes 4 --ranks 8");
        }
    }

    private void checkAcross(Route route, Benchmark benchmark) {
        if (route != Route.TCP && route != Route.IB) {
            throw new IllegalArgumentException(
                    "--channel " + channel + ": nodes of --across share no memory; allowed are ib, tcp and auto");
        }
        int all = ranks(benchmark);
        if (nodes != null && all % nodes != 0) {
            if (!benchmark.takesMoreRanks()) {
                throw new IllegalArgumentException("--across: " + benchmark.label()
                        + " is between 2 ranks, and so for 2 nodes; there are " + nodes);
            }
            throw new IllegalArgumentException("--across: each of " + nodes + " nodes has as many of the " + all
                    + " ranks of " + benchmark.label() + "; --ranks has to be a multiple of " + nodes);
        }
        if (jvms != null) {
            throw new IllegalArgumentException("--jvms " + jvms + ": with --across each rank has a JVM");
        }
    }

    private void checkJvms(Route route, int count) {
        if (jvms != null && route != Route.SHM) {
            throw new IllegalArgumentException("--jvms " + jvms + " is for ranks of one machine that share memory: name"
                    + " --channel shm, not " + route.label());
        }
        if (jvms != null && !jvms.matches("\\d{1,4}( *, *\\d{1,4})*")) {
            throw new IllegalArgumentException("--jvms '" + jvms + "' is no list of numbers, as 1,2 is");
        }
        for (int each : inJvms()) {
            if (each < 1 || each >= count) {
                throw new IllegalArgumentException("--jvms " + jvms + ": " + each + " JVMs for " + count
                        + " ranks; allowed are 1 to " + (count - 1)
                        + ", as one for each rank takes part in any case");
            }
        }
    }

    private void checkAlgorithms(List<Benchmark> benchmarks) {
        for (Benchmark benchmark : benchmarks) {
            if (algorithms && !benchmark.isCollective()) {
                throw new IllegalArgumentException("--algorithms: " + benchmark.label()
                        + " has none to choose from; name the benchmark collectives, or one of "
                        + Benchmark.named("collectives").stream()
                                .map(Benchmark::label)
                                .toList());
            }
        }
    }

    private Api api(Benchmark benchmark) {
        if (api == null && benchmark == Benchmark.OBJECTS) {
            return Api.MPIJAVA;
        }
        if (api == null) {
            return benchmark.pingPong() || benchmark.isCollective() ? Api.BLOCKING : Api.REQUEST;
        }
        Api asked = Api.of(api);
        asked.refuses(benchmark).ifPresent(reason -> {
            throw new IllegalArgumentException(
                    "--api " + asked.label() + " " + reason + "; allowed are " + Api.allowed(benchmark));
        });
        return asked;
    }

    private static void checkRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    option + " " + value + " is out of range; allowed is " + least + " to " + most);
        }
    }

    private static void checkSeconds(double seconds) {
        if (!(seconds >= SECONDS_LEAST && seconds <= MOST)) {
            throw new IllegalArgumentException(
                    "--seconds " + seconds + " is out of range; allowed is " + SECONDS_LEAST + " to " + MOST);
        }
    }

    private List<String> peerNames(Route route) {
        if (peers == null) {
            return List.of();
        }
        if (peers.equals("all")) {
            return Peer.known().stream()
                    .filter(peer -> peer.isAmongAll(route, nodes == null ? 1 : nodes))
                    .map(Peer::label)
                    .toList();
        }
        return Arrays.stream(peers.split(","))
                .map(String::trim)
                .map(name -> Peer.of(name).label())
                .distinct()
                .toList();
    }

    private void listPeers() {
        for (Peer peer : Peer.known()) {
            String state = peer.installed() ? "installed" : "not installed: apt install " + peer.packages();
            spec.commandLine().getOut().printf("%-18s %s%n%18s %s%n", peer.label(), peer.description(), "", state);
        }
        spec.commandLine().getOut().flush();
    }
}
