package org.sluice.bench.contestant;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluice.bench.hop.Cores;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BenchPlan;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Route;
import org.sluice.bench.rank.RankSetup;
import org.sluice.device.option.Option;

/** Those that Sluice can be raced with. */
public enum Peer {
    LIMIT(
            "limit",
            "the floor of this machine: a mailbox in shared memory and a memcpy; between threads a JCTools queue, and"
                    + " the fastest of three barriers") {
        @Override
        boolean knows(BenchPlan plan) {
            return plan.benchmark() == Benchmark.BARRIER || super.knows(plan);
        }

        @Override
        Optional<String> refuses(BenchPlan plan) {
            if (plan.benchmark() == Benchmark.BARRIER) {
                return plan.route() == Route.THREADS
                        ? Optional.empty()
                        : Optional.of("has a barrier of threads alone: name --channel threads");
            }
            if (plan.ranks() != 2) {
                return Optional.of("is made for 2 ranks");
            }
            if (plan.benchmark() == Benchmark.BIBANDWIDTH || plan.benchmark() == Benchmark.NEIGHBOR) {
                return Optional.of("has no " + plan.benchmark().label());
            }
            if (plan.benchmark() == Benchmark.BANDWIDTH && plan.verify()) {
                return Optional.of("has nothing to verify in bandwidth, where it is one memcpy");
            }
            return mailbox(plan) && plan.largestInFlight() > MAILBOX_MOST
                    ? Optional.of("takes up to " + MAILBOX_MOST + " B in flight")
                    : Optional.empty();
        }

        private boolean mailbox(BenchPlan plan) {
            return plan.route() == Route.SHM && plan.benchmark() != Benchmark.BANDWIDTH;
        }

        /**
         * The one memcpy is made where the message is copied that it is compared with: two cores that others use too
         * are rarely equally fast.
         */
        @Override
        Cores cores(Benchmark benchmark, Cores pinned) {
            return benchmark == Benchmark.BANDWIDTH ? pinned.reversed() : pinned;
        }

        @Override
        Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
            if (plan.benchmark() == Benchmark.BARRIER) {
                return new JvmStarter(java, setup("barrier", plan), JvmStarter.Shared.MEMORY, 0);
            }
            String kind = plan.benchmark() == Benchmark.BANDWIDTH ? "memcpy" : mailbox(plan) ? "mailbox" : "spsc";
            return new JvmStarter(
                    java,
                    setup(kind, plan),
                    plan.route() == Route.THREADS && !kind.equals("memcpy")
                            ? JvmStarter.Shared.MEMORY
                            : JvmStarter.Shared.FILE,
                    kind.equals("mailbox") ? RankSetup.mailboxBytes(plan.largestInFlight()) : 1);
        }
    },
    BARE("bare", "one copy of an array by the kernel between two JVMs, and nothing else; for latency") {
        @Override
        Optional<String> refuses(BenchPlan plan) {
            if (plan.benchmark() != Benchmark.LATENCY || plan.buffer() != BufferKind.ARRAY || plan.ranks() != 2) {
                return Optional.of("has the latency of arrays between 2 ranks alone");
            }
            return plan.verify()
                    ? Optional.of("has nothing to verify: it doesn't notice what moves its arrays")
                    : Optional.empty();
        }

        @Override
        Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
            return new JvmStarter(java, setup("bare", plan), JvmStarter.Shared.FILE, RankSetup.bareBytes());
        }
    },
    OPENMPI("openmpi", "Open MPI: our C program over pml ob1, btl self,vader") {
        @Override
        MpiKind mpi() {
            return MpiKind.OPENMPI;
        }
    },
    OPENMPI_UCX("openmpi-ucx", "Open MPI: our C program over pml ucx") {
        @Override
        MpiKind mpi() {
            return MpiKind.OPENMPI_UCX;
        }
    },
    MPICH("mpich", "MPICH: our C program over ch4") {
        @Override
        MpiKind mpi() {
            return MpiKind.MPICH;
        }
    },
    OPENMPI_TCP("openmpi-tcp", "Open MPI over TCP: our C program over pml ob1, btl self,tcp") {
        @Override
        MpiKind mpi() {
            return MpiKind.OPENMPI_TCP;
        }
    },
    MPICH_TCP("mpich-tcp", "MPICH over TCP: our C program over ch4:ucx with UCX's tcp") {
        @Override
        MpiKind mpi() {
            return MpiKind.MPICH_TCP;
        }
    },
    SOCKETS("sockets", "the floor of TCP: a C program with one connection, at both ends of which it spins") {
        /** Between nodes also beside verbs, as what else there is over the same link. */
        @Override
        public boolean runsOver(Route route) {
            return route == Route.TCP || route == Route.IB && Wire.isAcross();
        }

        @Override
        Optional<String> refuses(BenchPlan plan) {
            if (plan.ranks() != 2) {
                return Optional.of("is made for 2 ranks");
            }
            if (!List.of(Benchmark.LATENCY, Benchmark.BANDWIDTH, Benchmark.RATE).contains(plan.benchmark())) {
                return Optional.of("has no " + plan.benchmark().label());
            }
            return notLookedAt(plan);
        }

        @Override
        int smallestSize() {
            return 1;
        }

        @Override
        public boolean installed() {
            return Programs.areOnPath("gcc");
        }

        @Override
        public String packages() {
            return "gcc libc6-dev";
        }

        @Override
        Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
            return new SocketsStarter(Wire.of(plan.nodes()));
        }
    },
    IPERF3("iperf3", "iperf3 with one stream over TCP, writes up to 1 MB; for bandwidth") {
        @Override
        public boolean runsOver(Route route) {
            return route == Route.TCP;
        }

        @Override
        MeasuringTool tool(BenchPlan plan) {
            return new Iperf(Wire.of(plan.nodes()));
        }

        @Override
        Optional<String> refuses(BenchPlan plan) {
            if (plan.ranks() != 2) {
                return Optional.of("is made for 2 ranks");
            }
            if (plan.benchmark() != Benchmark.BANDWIDTH) {
                return Optional.of("has no " + plan.benchmark().label());
            }
            return notLookedAt(plan);
        }

        @Override
        int smallestSize() {
            return 1;
        }

        @Override
        int largestSize() {
            return Iperf.LARGEST;
        }

        @Override
        public boolean installed() {
            return Programs.areOnPath(Iperf.PROGRAM, TASKSET);
        }

        @Override
        public String packages() {
            return "iperf3 util-linux";
        }
    },
    MPJ_EXPRESS("mpj-express", "MPJ Express in its multicore mode, between threads, on arrays") {
        @Override
        MpjExpress mpj() {
            return MpjExpress.MULTICORE;
        }
    },
    MPJ_EXPRESS_NIODEV("mpj-express-niodev", "MPJ Express over its niodev, between processes, on arrays") {
        @Override
        MpjExpress mpj() {
            return MpjExpress.NIODEV;
        }
    },
    MPJ_EXPRESS_SLUICE("mpj-express-sluice", "MPJ Express over Sluice, between processes, on arrays") {
        @Override
        MpjExpress mpj() {
            return MpjExpress.SLUICE;
        }
    },
    SERIALIZATION("serialization", "Java's serialization alone, to an array and from there, for objects") {
        @Override
        boolean knows(BenchPlan plan) {
            return plan.benchmark() == Benchmark.OBJECTS;
        }

        @Override
        public boolean runsOver(Route route) {
            return route == Route.THREADS || route == Route.SHM;
        }

        @Override
        Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
            return new JvmStarter(java, setup("serialization", plan), JvmStarter.Shared.MEMORY, 0);
        }
    },
    JUCX("jucx", "UCX by its own Java interface, out of direct buffers") {
        @Override
        Optional<String> refuses(BenchPlan plan) {
            if (!ARCHITECTURE_OF_JUCX.equals(System.getProperty("os.arch"))) {
                return Optional.of("has libraries for x86-64 alone");
            }
            if (plan.ranks() != 2) {
                return Optional.of("is set up for 2 ranks");
            }
            return plan.benchmark() == Benchmark.NEIGHBOR
                    ? Optional.of("has no " + plan.benchmark().label())
                    : Optional.empty();
        }

        @Override
        public boolean installed() {
            return Programs.haveLibrary(UCX);
        }

        @Override
        public String packages() {
            return "libucx0";
        }

        @Override
        Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
            return new JvmStarter(java, setup("jucx", plan), JvmStarter.Shared.FOLDER, 0);
        }
    },
    AERON("aeron", "Aeron IPC between two JVMs, messages up to 1 MB") {
        @Override
        Optional<String> refuses(BenchPlan plan) {
            if (plan.ranks() != 2) {
                return Optional.of("is set up for 2 ranks");
            }
            return plan.benchmark() == Benchmark.BIBANDWIDTH || plan.benchmark() == Benchmark.NEIGHBOR
                    ? Optional.of("has no " + plan.benchmark().label())
                    : Optional.empty();
        }

        @Override
        int largestSize() {
            return AERON_MOST;
        }

        @Override
        Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
            RankSetup setup = new RankSetup(
                    "aeron",
                    plan.api(),
                    plan.buffer(),
                    plan.ranks(),
                    0,
                    1,
                    "",
                    Math.min(AERON_MOST, plan.largestSize()),
                    0);
            return new JvmStarter(
                    java,
                    setup,
                    JvmStarter.Shared.FOLDER,
                    AERON_TERMS * Math.max(AERON_TERM_LEAST, setup.largest() * 8));
        }
    },
    AERON_UDP("aeron-udp", "Aeron over UDP where others have TCP: each rank runs a driver, messages up to 1 MB") {
        @Override
        public boolean runsOver(Route route) {
            return route == Route.TCP;
        }

        @Override
        Optional<String> refuses(BenchPlan plan) {
            return AERON.refuses(plan);
        }

        @Override
        int largestSize() {
            return AERON_MOST;
        }

        @Override
        Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
            RankSetup setup = new RankSetup(
                    "aeron-udp",
                    plan.api(),
                    plan.buffer(),
                    plan.ranks(),
                    0,
                    1,
                    "",
                    Math.min(AERON_MOST, plan.largestSize()),
                    0);
            return new AeronUdpStarter(java, setup, Wire.of(plan.nodes()));
        }
    },
    BLOCKING(Api.BLOCKING),
    BLOCKING_THREAD(
            "blocking-thread",
            "Sluice itself with send and recv, beside a progress thread as with calls that suspend",
            SluiceVariant.blockingBesideThread()),
    COMMUNICATOR(Api.COMMUNICATOR),
    ROUTE(Api.ROUTE),
    REQUEST(Api.REQUEST),
    COROUTINE(Api.COROUTINE),
    HANDLER(Api.HANDLER),
    MPIJAVA(Api.MPIJAVA),
    ARRAY(BufferKind.ARRAY),
    DIRECT(BufferKind.DIRECT),
    MESSAGE(BufferKind.MESSAGE),
    ONE(BufferKind.ONE),
    PACKED(BufferKind.PACKED),
    SHM_ONLY("shm-only", "Sluice itself with sluice.channels=shm, no other channel open", SluiceVariant.shmOnly()),
    COPIED_TWICE(
            "copied-twice",
            "Sluice itself with sluice.shm.cma=off: through a ring, so that each byte is copied twice",
            SluiceVariant.copiedByKernel(false)),
    COPIED_ONCE(
            "copied-once",
            "Sluice itself with sluice.shm.cma=on: long messages are copied once, by the kernel",
            SluiceVariant.copiedByKernel(true)),
    PROCESSES(
            "processes",
            "Sluice itself between processes that share memory, beside ranks that are threads of one",
            SluiceVariant.processes()),
    NO_UNSAFE(
            "no-unsafe",
            "Sluice itself with sluice.unsafe=off: raw memory by java.lang.foreign, on Java 22 and newer",
            SluiceVariant.withoutUnsafe()) {
        @Override
        Contestant contestant(BenchPlan plan, JavaCommand java, Cores pinned) throws ContestantFailure {
            if (java.home().feature() < FIRST_WITH_FOREIGN) {
                throw new ContestantFailure("no-unsafe sits out: it needs ranks on Java " + FIRST_WITH_FOREIGN
                        + " or newer, these are on " + java.home().feature() + ": name --java HOME");
            }
            return super.contestant(plan, java, pinned);
        }
    },
    PERFTEST("perftest", "the verbs programs of perftest: ib_send_lat for latency, ib_write_bw for bandwidth") {
        @Override
        MeasuringTool tool(BenchPlan plan) {
            return ServerOnNode.of(
                    plan, plan.benchmark() == Benchmark.BANDWIDTH ? Perftest.WRITE_BW : Perftest.SEND_LAT);
        }

        @Override
        Optional<String> refuses(BenchPlan plan) {
            return toolRefuses(plan, Benchmark.LATENCY, Benchmark.BANDWIDTH);
        }

        @Override
        int smallestSize() {
            return 1;
        }

        @Override
        public boolean installed() {
            return Programs.areOnPath(Perftest.SEND_LAT.program(), Perftest.WRITE_BW.program(), TASKSET);
        }

        @Override
        public String packages() {
            return PERFTEST_PACKAGES;
        }
    },
    PERFTEST_WRITE("perftest-write", "ib_write_lat of perftest, for latency") {
        @Override
        MeasuringTool tool(BenchPlan plan) {
            return ServerOnNode.of(plan, Perftest.WRITE_LAT);
        }

        @Override
        Optional<String> refuses(BenchPlan plan) {
            return toolRefuses(plan, Benchmark.LATENCY);
        }

        @Override
        int smallestSize() {
            return 1;
        }

        @Override
        public boolean installed() {
            return Programs.areOnPath(Perftest.WRITE_LAT.program(), TASKSET);
        }

        @Override
        public String packages() {
            return PERFTEST_PACKAGES;
        }
    },
    LIBFABRIC("libfabric", "fi_pingpong of libfabric on the message endpoint of its verbs provider, for latency") {
        @Override
        MeasuringTool tool(BenchPlan plan) {
            return ServerOnNode.of(plan, new FabricPingPong());
        }

        @Override
        Optional<String> refuses(BenchPlan plan) {
            return toolRefuses(plan, Benchmark.LATENCY);
        }

        @Override
        public boolean installed() {
            return Programs.areOnPath(FabricPingPong.PROGRAM, TASKSET);
        }

        @Override
        public String packages() {
            return "libfabric-bin util-linux";
        }
    },
    OVER_TCP("over-tcp", "over verbs, beside it: Sluice itself over TCP", SluiceVariant.overTcp()),
    SEPARATE(
            "separate",
            "over verbs, Sluice itself with sluice.ib.coalesce=off: each message in a packet of its own, for rate",
            SluiceVariant.separate()),
    RENDEZVOUS_READ(
            "rendezvous-read",
            "over verbs, Sluice itself: each message is read by its receiver, where both buffers are direct",
            SluiceVariant.rendezvousBy("read")),
    RENDEZVOUS_WRITE(
            "rendezvous-write",
            "over verbs, Sluice itself: each message is written by its sender, where both buffers are direct",
            SluiceVariant.rendezvousBy("write")),
    RENDEZVOUS_STREAM(
            "rendezvous-stream",
            "over verbs, Sluice itself: each message is announced, and copied in pieces",
            SluiceVariant.rendezvousBy("stream")),
    NO_CACHE(
            "no-cache",
            "over verbs, Sluice itself with sluice.ib.cache.bytes=0: memory is registered for each long message anew",
            SluiceVariant.without(Option.IB_CACHE_BYTES)),
    NO_POOL(
            "no-pool",
            "over verbs, Sluice itself with sluice.ib.pool.limit.bytes=0: message buffers in no registered pool",
            SluiceVariant.without(Option.IB_POOL_LIMIT));

    private static final String PERFTEST_PACKAGES = "perftest util-linux";
    private static final String UCX = "libucp.so.0";
    /** Its jar has a library for no other. */
    private static final String ARCHITECTURE_OF_JUCX = "amd64";

    private static final String TASKSET = "taskset";
    private static final long MAILBOX_MOST = 1 << 29;
    private static final int AERON_MOST = 1 << 20;
    private static final int FIRST_WITH_FOREIGN = 22;
    /** Three terms each way. */
    private static final long AERON_TERMS = 6;

    private static final long AERON_TERM_LEAST = 1 << 20;

    private final String label;
    private final String description;
    /** How it is Sluice itself; null for others. */
    private final SluiceVariant variant;

    Peer(String label, String description) {
        this(label, description, null);
    }

    Peer(Api api) {
        this(api.label(), api.meaning(), SluiceVariant.by(api));
    }

    Peer(BufferKind buffer) {
        this(buffer.label(), "Sluice itself, out of " + buffer.meaning(), SluiceVariant.of(buffer));
    }

    Peer(String label, String description, SluiceVariant variant) {
        this.label = label;
        this.description = description;
        this.variant = variant;
    }

    public String label() {
        return label;
    }

    public String description() {
        return description;
    }

    /** The MPI that it stands for; null for others. */
    MpiKind mpi() {
        return null;
    }

    /** How it is MPJ Express; null for others. */
    MpjExpress mpj() {
        return null;
    }

    /** The program that it stands for, which measures by itself; null for others. */
    MeasuringTool tool(BenchPlan plan) {
        return null;
    }

    /** Why it can't take part in the plan, as the rest of a sentence. */
    Optional<String> refuses(BenchPlan plan) {
        return isSluice() ? variant.refuses(plan) : mpj() == null ? Optional.empty() : mpj().refuses(plan);
    }

    /** Whether it is Sluice, otherwise used or set up. */
    boolean isSluice() {
        return variant != null;
    }

    private static Optional<String> toolRefuses(BenchPlan plan, Benchmark... known) {
        if (!List.of(known).contains(plan.benchmark())) {
            return Optional.of("has no " + plan.benchmark().label());
        }
        return notLookedAt(plan).or(() -> RdmaDevices.missing(plan.benchmark().label()));
    }

    private static Optional<String> notLookedAt(BenchPlan plan) {
        return plan.rewrite() || plan.verify()
                ? Optional.of("can neither write its buffers anew for each message nor check what comes")
                : Optional.empty();
    }

    /** Whether it runs over verbs, and nowhere else. */
    private boolean isOverVerbs() {
        return ordinal() >= PERFTEST.ordinal();
    }

    /** Whether its ranks can be where the route says. */
    public boolean runsOver(Route route) {
        if (isSluice()) {
            return variant.runsOver(route);
        }
        if (mpj() != null) {
            return mpj().runsOver(route);
        }
        if (mpi() != null && mpi().isOverTcp()) {
            return route == Route.TCP;
        }
        return isOverVerbs() ? route == Route.IB : route == Route.SHM || route == Route.THREADS && this == LIMIT;
    }

    private boolean runsOver(Route route, int nodes) {
        return runsOver(route) || nodes > 1 && route == Route.TCP && mpi() != null && mpi().isOverNodes();
    }

    /** Whether it is one of all that the route is raced over with: Sluice itself has to be named. */
    public boolean isAmongAll(Route route, int nodes) {
        return !isSluice() && installed() && runsOver(route, nodes) && !(Wire.isAcross() && isOfOneMachine());
    }

    /** Whether it has the benchmark at all. */
    boolean knows(BenchPlan plan) {
        if (mpj() != null) {
            return MpjExpress.knows(plan.benchmark());
        }
        boolean isOfMpi = plan.benchmark().isCollective() || plan.benchmark().isAnswered();
        boolean isOfSome = isOfMpi && mpi() == null || plan.benchmark() == Benchmark.OBJECTS;
        return isSluice() || !isOfSome;
    }

    /**
     * Whether it would leave something on other machines, or not find it there; or, as of Open MPI, ends with a fault
     * of its own where its daemon is started without ssh.
     */
    private boolean isOfOneMachine() {
        boolean isMpich = mpi() == MpiKind.MPICH || mpi() == MpiKind.MPICH_TCP;
        return mpj() != null || this == AERON_UDP || mpi() != null && !isMpich;
    }

    private Optional<String> refusesRoute(BenchPlan plan) {
        if (Wire.isAcross() && isOfOneMachine()) {
            return Optional.of("is not raced between machines");
        }
        if (runsOver(plan.route(), plan.nodes())) {
            return Optional.empty();
        }
        if (this == SOCKETS || this == IPERF3 || this == AERON_UDP || mpi() != null && mpi().isOverTcp()) {
            return Optional.of("runs over TCP: name --channel tcp");
        }
        if (plan.route() == Route.TCP && mpi() != null && mpi().isOverNodes()) {
            return Optional.of("shares memory: name " + label + "-tcp, or --nodes, between which it goes by TCP");
        }
        if (mpj() != null && !plan.route().needsVerbs()) {
            return Optional.of(mpj().elsewhere());
        }
        if (plan.route() == Route.THREADS && !isOverVerbs()) {
            return Optional.of("runs between processes: name --channel shm");
        }
        if (this == PROCESSES) {
            return Optional.of("is raced with threads alone: name --channel threads");
        }
        if (plan.route() == Route.TCP) {
            return Optional.of("is not raced over TCP; those that are: " + racedOver(Route.TCP));
        }
        if (plan.route() == Route.ALL) {
            return Optional.of("has no third rank; beside --channel all those can be raced that are Sluice itself");
        }
        return Optional.of(
                isOverVerbs()
                        ? "knows only verbs: name --channel ib"
                        : "is not raced over verbs; those that are: " + racedOver(Route.IB));
    }

    private static String racedOver(Route route) {
        return Arrays.stream(values())
                .filter(peer -> peer.runsOver(route))
                .map(Peer::label)
                .collect(Collectors.joining(", "));
    }

    /** Whether it takes part at this size. */
    public boolean runs(int size) {
        return size >= smallestSize() && size <= largestSize();
    }

    int smallestSize() {
        return 0;
    }

    int largestSize() {
        return Integer.MAX_VALUE;
    }

    Starter starter(BenchPlan plan, JavaCommand java, boolean pinned, int cores) {
        if (mpj() != null) {
            return mpj().starter(java, setup(SluiceContestants.kind(plan.benchmark()), plan), wire(plan));
        }
        return new MpiStarter(
                mpi(), plan.ranks(), pinned, plan.ranks() > cores * (Wire.isAcross() ? plan.nodes() : 1), wire(plan));
    }

    private static Wire wire(BenchPlan plan) {
        return plan.route() == Route.TCP ? Wire.of(plan.nodes()) : Wire.LOOPBACK;
    }

    /**
     * @param pinned cores by rank; none for no pinning
     * @return those of this peer's ranks
     */
    Cores cores(Benchmark benchmark, Cores pinned) {
        return pinned;
    }

    public boolean installed() {
        return mpj() != null ? MpjExpress.isInstalled() : mpi() == null || mpi().installed();
    }

    /** Debian packages to install; empty for what the jar brings along. */
    public String packages() {
        return mpj() != null ? MpjExpress.PACKAGES : mpi() == null ? "" : mpi().packages();
    }

    /** Of a program that measures by itself, or of Sluice. */
    Contestant contestant(BenchPlan plan, JavaCommand java, Cores pinned) throws ContestantFailure {
        return isSluice()
                ? variant.contestant(label, plan, java, pinned)
                : new ToolContestant(label, tool(plan), pinned);
    }

    private static RankSetup setup(String kind, BenchPlan plan) {
        return new RankSetup(
                kind,
                plan.api(),
                plan.buffer(),
                plan.ranks(),
                0,
                1,
                "",
                kind.equals("mailbox") ? plan.largestInFlight() : plan.largestBuffer(),
                0);
    }

    /** @throws ContestantFailure when it isn't installed or doesn't know the benchmark */
    public Contestant contestant(BenchPlan plan, JavaCommand java, Cores pinned, int cores) throws ContestantFailure {
        if (!installed()) {
            throw new ContestantFailure(label + " is not installed: apt install " + packages());
        }
        Optional<String> refused = plan.benchmark().crowded()
                ? Optional.of("has no " + plan.benchmark().label() + ", where Sluice is raced with itself")
                : plan.benchmark().isShare() && !isSluice()
                        ? Optional.of("has no " + plan.benchmark().label() + ", where Sluice is measured by itself")
                        : !knows(plan)
                                ? Optional.of("has no " + plan.benchmark().label())
                                : refusesRoute(plan).or(() -> refuses(plan));
        if (refused.isPresent()) {
            throw new ContestantFailure(label + " sits out: it " + refused.get());
        }
        return isSluice() || tool(plan) != null
                ? contestant(plan, java, pinned)
                : new RankContestant(
                        label,
                        plan.ranks(),
                        starter(plan, java, pinned.count() > 0, cores),
                        cores(plan.benchmark(), pinned));
    }

    public static Peer of(String label) {
        for (Peer peer : values()) {
            if (peer.label.equals(label)) {
                return peer;
            }
        }
        throw new IllegalArgumentException("--peers '" + label + "' is not known; there are all, list, or some of "
                + Arrays.stream(values()).map(Peer::label).collect(Collectors.joining(", ")));
    }

    public static List<Peer> known() {
        return List.of(values());
    }
}
