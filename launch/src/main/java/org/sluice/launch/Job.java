package org.sluice.launch;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.sluice.device.DeviceProvider;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * What a rank knows of its job: its number, how many there are, and the bootstrap over which they find each other.
 *
 * <p>A rank has at most one open bootstrap at a time: finding the job again while the first is open is refused, after
 * it was closed it begins the next round, in which all ranks must take part. Each round has an id of its own. A program
 * without a launcher is rank 0 of 1, as often as it likes.
 *
 * <p>Thread: any; {@link #bootstrap()} as its interface says.
 *
 * <p>Proof: {@code JobTest}.
 */
public final class Job {
    private final int rank;
    private final int size;
    private final int firstRankOfJvm;
    private final int jvmRanks;
    private final String id;
    private final Bootstrap bootstrap;
    /** Null where a rank is a process: its end is seen from outside. */
    private final String devices;

    private Job(int rank, int size, int firstRankOfJvm, int jvmRanks, String id, Bootstrap bootstrap, String address) {
        this.devices = jvmRanks > 1 ? devicesOf(address) : null;
        this.rank = rank;
        this.size = size;
        this.firstRankOfJvm = firstRankOfJvm;
        this.jvmRanks = jvmRanks;
        this.id = id;
        this.bootstrap = bootstrap;
    }

    /**
     * Finds the job and connects to it.
     *
     * @param rankOrCaller a rank of this JVM, or {@link DeviceProvider#RANK_OF_CALLER}
     * @throws IllegalStateException when the caller belongs to no rank of a JVM that holds several
     * @throws IllegalArgumentException when the rank does not live in this JVM, or the environment contradicts itself
     * @throws org.sluice.device.SluiceException OPEN_FAILED with the reason; TIMEOUT, when the launcher does not answer
     */
    public static Job find(Options options, int rankOrCaller) {
        int size = options.count(Option.JOB_SIZE);
        int first = options.count(Option.JOB_RANK);
        int jvmRanks = options.count(Option.JOB_JVM_RANKS);
        String address = options.text(Option.JOB_ADDRESS);
        if (isOfPmix(options)) {
            return ofPmix(PmixJob.ofThisJvm(), options, rankOrCaller);
        }
        String wrong = contradiction(options, first, jvmRanks, size, address);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(wrong
                    + "; ./sluice run sets them all, and docs/how-to/several-nodes.md says which are set by hand"
                    + " where a job has"
                    + " ranks on other nodes; without any a program is rank 0 of 1");
        }
        int rank = rankOf(rankOrCaller, first, jvmRanks);
        if (address.isEmpty()) {
            if (isUnnamed(options)) {
                ForeignLauncher.refuse(System.getenv());
            }
            return new Job(0, 1, 0, 1, JobId.random(), new MemoryBootstrap(), address);
        }
        JobBootstrap bootstrap =
                JobBootstrap.connect(JobAddress.of(options), rank, size, options.number(Option.OPEN_TIMEOUT_MS));
        return new Job(rank, size, first, jvmRanks, bootstrap.jobId(), bootstrap, address);
    }

    /** What the job's options, each of which may be right by itself, don't agree about; empty where they do. */
    private static String contradiction(Options options, int first, int jvmRanks, int size, String address) {
        if (address.isEmpty() && size > 1) {
            return describe(options, Option.JOB_SIZE) + " names a job of " + size + " ranks, but "
                    + Option.JOB_ADDRESS.environmentVariable()
                    + " is missing: host:port of the launcher that they meet at, and with it "
                    + Option.JOB_SECRET_FILE.environmentVariable();
        }
        if (first >= size) {
            return describe(options, Option.JOB_RANK) + " is too high: " + describe(options, Option.JOB_SIZE)
                    + " allows 0 to " + (size - 1);
        }
        if (first + (long) jvmRanks > size) {
            return describe(options, Option.JOB_JVM_RANKS) + " is too high: from " + describe(options, Option.JOB_RANK)
                    + " on, " + describe(options, Option.JOB_SIZE) + " allows 1 to " + (size - first);
        }
        return "";
    }

    /**
     * Whether this process is one of a launcher's that speaks PMIx, and nobody says that it is of another job, or
     * alone.
     */
    static boolean isOfPmix(Options options) {
        return options.text(Option.JOB_ADDRESS).isEmpty()
                && isUnnamed(options)
                && PmixLauncher.isAround(options, System.getenv());
    }

    /**
     * The first rank of this JVM.
     *
     * @throws org.sluice.device.SluiceException as {@link #find}
     */
    static int firstRank(Options options) {
        if (!isOfPmix(options)) {
            return options.count(Option.JOB_RANK);
        }
        PmixJob.ofThisJvm().join(options.count(Option.JOB_JVM_RANKS), options.number(Option.OPEN_TIMEOUT_MS));
        return PmixJob.ofThisJvm().firstRank();
    }

    /** Ranks in the job. After {@link #firstRank}. */
    static int sizeOf(Options options) {
        return isOfPmix(options) ? PmixJob.ofThisJvm().size() : options.count(Option.JOB_SIZE);
    }

    /** By what the devices of ranks that are threads are found. */
    static String addressOf(Options options) {
        return isOfPmix(options) ? PmixJob.ofThisJvm().namespace() : options.text(Option.JOB_ADDRESS);
    }

    /** @throws org.sluice.device.SluiceException as {@link #find} */
    static Job ofPmix(PmixJob pmix, Options options, int rankOrCaller) {
        int jvmRanks = options.count(Option.JOB_JVM_RANKS);
        pmix.join(jvmRanks, options.number(Option.OPEN_TIMEOUT_MS));
        int rank = rankOf(rankOrCaller, pmix.firstRank(), jvmRanks);
        PmixBootstrap bootstrap = pmix.open(rank);
        return new Job(rank, pmix.size(), pmix.firstRank(), jvmRanks, bootstrap.jobId(), bootstrap, pmix.namespace());
    }

    /**
     * For what starts a job of its own: what says that this process is one of several of a job, ours or another
     * launcher's; empty where it is alone.
     */
    public static Optional<String> severalBy(Options options, Map<String, String> environment) {
        if (options.count(Option.JOB_SIZE) > 1) {
            return Optional.of(Option.JOB_SIZE.property() + "=" + options.text(Option.JOB_SIZE) + ", "
                    + options.origin(Option.JOB_SIZE));
        }
        String name = isUnnamed(options) ? ForeignLauncher.severalBy(environment) : null;
        return name == null ? Optional.empty() : Optional.of(name + "=" + environment.get(name));
    }

    /**
     * For what starts ranks of its own, and would do so in each process of another launcher's job: what says that this
     * process is one of several; empty where it is the only one, or a rank of ours, or its user says that it is alone.
     */
    public static Optional<String> foreignStep(Map<String, String> environment) {
        if (environment.containsKey(Option.JOB_SIZE.environmentVariable())) {
            return Optional.empty();
        }
        String name = ForeignLauncher.severalBy(environment);
        if (name == null && !ForeignLauncher.isSaid(environment) && PmixLauncher.isNamedBy(environment)) {
            name = PmixLauncher.RANK;
        }
        return name == null ? Optional.empty() : Optional.of(name + "=" + environment.get(name));
    }

    /** Whether nobody says how large the job is: who says 1 knows what another launcher's variables are worth. */
    private static boolean isUnnamed(Options options) {
        return options.origin(Option.JOB_SIZE).equals("default");
    }

    private static String describe(Options options, Option option) {
        return option.property() + " = " + options.text(option) + " (" + options.origin(option) + ")";
    }

    private static int rankOf(int rankOrCaller, int first, int jvmRanks) {
        if (rankOrCaller != DeviceProvider.RANK_OF_CALLER) {
            if (rankOrCaller < first || rankOrCaller >= first + jvmRanks) {
                throw new IllegalArgumentException("rank " + rankOrCaller + " does not live in this JVM, which holds "
                        + RankList.range(first, jvmRanks));
            }
            return rankOrCaller;
        }
        if (jvmRanks == 1) {
            return first;
        }
        OptionalInt found = RankOfCaller.find();
        if (found.isEmpty() || found.getAsInt() < first || found.getAsInt() >= first + jvmRanks) {
            throw new IllegalStateException(name(Thread.currentThread())
                    + " belongs to none of the ranks of this JVM, "
                    + "which holds " + RankList.range(first, jvmRanks) + ": use Device.open(rank)");
        }
        return found.getAsInt();
    }

    /** Virtual threads have no name unless they are given one. */
    private static String name(Thread thread) {
        return thread.getName().isEmpty() ? "a thread without a name" : "thread " + thread.getName();
    }

    public int rank() {
        return rank;
    }

    public int size() {
        return size;
    }

    /** Random for each job, and for each round in which it is opened; the same for all ranks: 32 hexadecimal digits. */
    public String id() {
        return id;
    }

    public Bootstrap bootstrap() {
        return bootstrap;
    }

    /** A device of this rank is open: {@link RankMain} finds it, should the rank's program end without closing it. */
    public void enter(LocalEnd device) {
        if (devices != null) {
            JvmRanks.ofThisJvm().register(devices, rank, device);
            // One that its program drops is still open to its peers.
            bootstrap.keep(device);
        }
    }

    /** After {@link #enter}, once it is closed. */
    public void leave() {
        if (devices != null) {
            JvmRanks.ofThisJvm().unregister(devices);
        }
    }

    /** Where the devices of a launcher's ranks are found in one JVM. */
    static String devicesOf(String address) {
        return "devices of the job at " + address;
    }

    /** The ranks of this JVM are this one and the following {@link #jvmRanks()} - 1. */
    public int firstRankOfJvm() {
        return firstRankOfJvm;
    }

    public int jvmRanks() {
        return jvmRanks;
    }
}
