package org.sluice.device.option;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Every option of Sluice, declared once: parsing, {@code ./sluice doctor}, docs/reference/options.md and typo warnings
 * come from here.
 *
 * <p>{@code sluice.shm.ring.bytes} as a system property is {@code SLUICE_SHM_RING_BYTES} in the environment.
 */
public enum Option {
    CHANNELS(
            "channels",
            Unit.NAMES,
            "auto",
            0,
            0,
            true,
            "channels that may be used, in order of preference: auto (threads,shm,ib,tcp: each peer is reached by"
                    + " the first that reaches it), or a list of some of them"),
    CHANNELS_SHOW(
            "channels.show",
            false,
            "on: each rank writes to standard error, when it opens, which channel reaches which ranks, and why shm or"
                    + " ib does not",
            "off",
            "on"),
    EAGER_LIMIT(
            "eager.limit.bytes",
            Unit.BYTES,
            "-1",
            -1,
            1 << 20,
            false,
            "protocolSwitchLimit of all routes: longer messages go by rendezvous; -1: of each route its channel's"
                    + " measured constant"),
    EAGER_SHARE(
            "eager.share.bytes",
            Unit.BYTES,
            "4m",
            4096,
            1L << 40,
            false,
            "eager payload that one sender may have unmatched at one receiver; past it eager becomes rendezvous"),
    SHM_DIR(
            "shm.dir",
            Unit.PATH,
            "/dev/shm",
            0,
            0,
            true,
            "folder of the segments; on a memory file system, for what lies on a disk is slow"),
    SHM_RING_BYTES(
            "shm.ring.bytes",
            Unit.BYTES,
            "-1",
            -1,
            1L << 30,
            true,
            "payload room of the ring from one peer to another; a power of two from 16k on; "
                    + "-1 chooses by the number of local ranks"),
    SHM_RING_CELLS(
            "shm.ring.cells",
            Unit.COUNT,
            "-1",
            -1,
            1 << 20,
            true,
            "packets that a ring holds; a power of two from 64 on; -1 chooses by the number of local ranks"),
    SHM_ARENA_STEP(
            "shm.arena.step.bytes",
            Unit.BYTES,
            "4m",
            65536,
            1L << 40,
            false,
            "the arena of message buffers grows by at least this much at a time"),
    SHM_ARENA_LIMIT(
            "shm.arena.limit.bytes",
            Unit.BYTES,
            "64g",
            0,
            1L << 46,
            false,
            "largest size of the arena of message buffers"),
    SHM_CMA(
            "shm.cma",
            true,
            "kernel-assisted copy out of direct buffers and arrays: auto (where allowed, from shm.cma.min.bytes on, and"
                    + " where trials find it faster, or ranks share cores), on, off",
            "auto",
            "on",
            "off"),
    SHM_CMA_MIN(
            "shm.cma.min.bytes",
            Unit.BYTES,
            "16k",
            0,
            1L << 40,
            false,
            "with shm.cma=auto, direct buffers and arrays from this size on may be read by the receiver's process, in"
                    + " one copy: of messages of like size 4 go each way, the next 24 to 1536 (512 MB at most) the"
                    + " faster one; where ranks share cores all are read"),
    IB_ADDRESS(
            "ib.address",
            Unit.NAMES,
            "auto",
            0,
            0,
            false,
            "address of this machine whose RDMA device is used; auto: the first that such a device serves and whose"
                    + " port is up"),
    IB_DEVICE(
            "ib.device",
            Unit.NAMES,
            "auto",
            0,
            0,
            false,
            "RDMA device of that address, as name or name:port (mlx5_0:1): only addresses that it serves are taken;"
                    + " auto: any"),
    IB_GID(
            "ib.gid",
            Unit.COUNT,
            "-1",
            -1,
            65535,
            false,
            "place in the port's address table that packets come from: only the address that stands there is taken;"
                    + " -1: any"),
    IB_PKEY(
            "ib.pkey",
            Unit.NAMES,
            "auto",
            0,
            0,
            true,
            "partition key, such as 0x8001: only addresses of interfaces in that partition are taken; auto: any"),
    IB_BODY_BYTES(
            "ib.body.bytes",
            Unit.BYTES,
            "8k",
            256,
            1 << 20,
            true,
            "longest eager message over verbs, and length of the pieces of longer ones; a receive slot takes one"),
    IB_SLOTS(
            "ib.slots",
            Unit.COUNT,
            "1024",
            16,
            1 << 16,
            false,
            "receive slots that all peers share; the device may allow fewer"),
    IB_SLOTS_MOST(
            "ib.slots.most",
            Unit.COUNT,
            "4096",
            16,
            1 << 16,
            false,
            "where few of these are left, as many are added, up to so many in all; the device may allow fewer"),
    IB_SEND_SLOTS(
            "ib.send.slots",
            Unit.COUNT,
            "1024",
            64,
            1 << 16,
            false,
            "most slots that messages are sent from, for all peers"),
    IB_WINDOW("ib.window", Unit.COUNT, "16", 1, 4096, false, "send work requests on the way to one peer"),
    IB_COALESCE(
            "ib.coalesce",
            false,
            "on: messages that found no room on the way to one peer leave together, in as few work requests as hold"
                    + " them, and one whose envelope is that of the message before is sent without it; whole: likewise,"
                    + " but each with its envelope; off: each by itself",
            "on",
            "whole",
            "off"),
    IB_ZEROCOPY(
            "ib.zerocopy.bytes",
            Unit.BYTES,
            "-1",
            -1,
            1 << 20,
            false,
            "isend of an eager message from a MessageBuffer over verbs makes no copy from this length on, send from 8"
                    + " times as much on; -1 is a measured constant"),
    IB_INLINE(
            "ib.inline",
            Unit.BYTES,
            "-1",
            -1,
            1024,
            false,
            "packets over verbs of up to so many bytes, 32 of them the header, go to the device with their work"
                    + " request, as far as it takes that; 0: none; -1: 96 are asked for (none where ib.window is 8 or"
                    + " less), and up to 256 used where queues have room anyway"),
    IB_EAGER(
            "ib.eager",
            true,
            "how short packets go over verbs: send, write (into the receiver's memory, which it polls, for the busiest"
                    + " peers), write-imm (the same, found by its completion)",
            "send",
            "write",
            "write-imm"),
    IB_LANDING_PEERS(
            "ib.landing.peers",
            Unit.COUNT,
            "8",
            0,
            1024,
            false,
            "peers that may have a landing ring at a time, the busiest, for ib.eager=write and write-imm"),
    IB_CREDITS("ib.credits", Unit.COUNT, "128", 2, 1 << 15, false, "receive slots that one busy peer may borrow"),
    IB_ACK_TIMEOUT(
            "ib.ack.timeout",
            Unit.COUNT,
            "16",
            1,
            31,
            false,
            "4.096 us x 2^this is how long the adapter waits for an acknowledgement before it sends again"),
    IB_RETRY_COUNT(
            "ib.retry.count",
            Unit.COUNT,
            "6",
            0,
            7,
            false,
            "how often it sends again before it gives the connection up; SoftRoCE never does with 7"),
    IB_MTU(
            "ib.mtu",
            true,
            "bytes of a message in one packet of the network, at most; auto: as many as the path takes",
            "auto",
            "256",
            "512",
            "1024",
            "2048",
            "4096"),
    IB_SL(
            "ib.sl",
            Unit.COUNT,
            "-1",
            -1,
            15,
            false,
            "service level of the connections that this rank asks for; -1: what the path says"),
    IB_TOS(
            "ib.tos",
            Unit.COUNT,
            "0",
            0,
            255,
            false,
            "type of service of the packets (RoCE), which the service level follows"),
    IB_CONNECT(
            "ib.connect",
            true,
            "when connections over verbs are made: demand (when a peer is first sent to; or has to be told that this"
                    + " device closes or fails, and nobody else does), all (to every peer, from the opening on; so it"
                    + " is in any case where mpirun of Open MPI 4 has --enable-recovery)",
            "demand",
            "all"),
    IB_CONNECT_TIMEOUT_MS(
            "ib.connect.timeout.ms",
            Unit.MILLISECONDS,
            "10000",
            1,
            1L << 40,
            false,
            "how long making a connection may take"),
    IB_RENDEZVOUS(
            "ib.rendezvous",
            true,
            "long messages between direct memory over verbs: read (the receiver reads them by itself), write (the"
                    + " sender writes them, once it knows where), stream (copied in pieces, as arrays are), auto (write"
                    + " where either end's device is SoftRoCE, which can lose bytes of what is read; else read)",
            "auto",
            "read",
            "write",
            "stream"),
    IB_CACHE_BYTES(
            "ib.cache.bytes",
            Unit.BYTES,
            "1g",
            0,
            1L << 46,
            false,
            "memory of the program that stays registered with the RDMA device after its message, in bytes; it can't be"
                    + " swapped out; 0: none"),
    IB_CACHE_REGIONS("ib.cache.regions", Unit.COUNT, "1024", 0, 1 << 20, false, "the same, in separate pieces"),
    IB_POOL_STEP(
            "ib.pool.step.bytes",
            Unit.BYTES,
            "4m",
            65536,
            1L << 40,
            false,
            "memory for message buffers of a rank that shares none with others grows by at least this much at a time;"
                    + " else sluice.shm.arena.step.bytes says so"),
    IB_POOL_LIMIT(
            "ib.pool.limit.bytes",
            Unit.BYTES,
            "1g",
            0,
            1L << 46,
            false,
            "memory for message buffers that is registered with the RDMA device in large extents and stays so, in"
                    + " bytes; it can't be swapped out; buffers beyond are registered one by one, and counted in"
                    + " sluice.ib.cache.bytes"),
    ROUTES_BYTES(
            "routes.bytes",
            Unit.BYTES,
            "256m",
            0,
            1L << 46,
            false,
            "memory that persistent routes from all other ranks may have here, in bytes; it can't be swapped out; 0:"
                    + " their messages go as any other"),
    UNSAFE(
            "unsafe",
            false,
            "raw memory by sun.misc.Unsafe: on (where the JVM allows it; else by java.lang.foreign), off; of the whole"
                    + " JVM, so a system property or an environment variable",
            "on",
            "off"),
    OS(
            "os",
            false,
            "native library for futex, affinity and kernel-assisted copy: on (where it loads), off",
            "on",
            "off"),
    VERBS(
            "verbs",
            false,
            "native library for RDMA devices: on (where it loads), off: this rank is not reached by channel ib",
            "on",
            "off"),
    PMIX(
            "pmix",
            false,
            "joining the job of a launcher that speaks PMIx (mpirun, srun --mpi=pmix), by its libpmix: on (where"
                    + " PMIX_NAMESPACE is in the environment), off",
            "on",
            "off"),
    PROGRESS_THREADS(
            "progress.threads",
            Unit.COUNT,
            "0",
            0,
            64,
            false,
            "threads that drive progress; 0: the calling threads do it"),
    WAIT_SPIN_US(
            "wait.spin.us",
            Unit.MICROSECONDS,
            "-1",
            -1,
            1L << 40,
            false,
            "how long a waiting rank spins; -1: 50, or 0 where the machine's ranks, or a rank's threads that wait, are"
                    + " more than their cores, else 10000 over SoftRoCE, but 0 while long messages go there, else 1000"
                    + " with ib.eager=write"),
    WAIT_YIELD_US(
            "wait.yield.us",
            Unit.MICROSECONDS,
            "-1",
            -1,
            1L << 40,
            false,
            "how long it then yields the core between polls, before it parks; -1: 1000, or 50000 over SoftRoCE, else"
                    + " 20000 on such a machine and with ib.eager=write"),
    WAIT_HOME(
            "wait.home",
            false,
            "on: on such a machine a rank that yields moves to the core of its neighbours, and stays free to run"
                    + " elsewhere",
            "on",
            "off"),
    PEEK("peek", false, "on: completed requests are kept for Device.peek", "off", "on"),
    TCP_INTERFACE(
            "tcp.interface",
            Unit.NAMES,
            "auto",
            0,
            0,
            false,
            "where the tcp channel listens, and from where it connects: names of network interfaces, addresses, or"
                    + " networks as 10.1.0.0/16 or fd00:1::/64; auto: all that are up, those that a peer shares a"
                    + " network with first"),
    TCP_CONNECT_TIMEOUT_MS(
            "tcp.connect.timeout.ms",
            Unit.MILLISECONDS,
            "10000",
            1,
            1L << 40,
            false,
            "how long making a connection over TCP may take"),
    TCP_KEEPALIVE_MS(
            "tcp.keepalive.ms",
            Unit.MILLISECONDS,
            "10000",
            0,
            1L << 31,
            false,
            "a machine that has not answered for so long over TCP is dead, to a second, 3 seconds at least; one whose"
                    + " ranks are stopped answers; 0: as the kernel has it, up to 2 hours"),
    TCP_TLS(
            "tcp.tls",
            true,
            "on: what goes over TCP is encrypted and can't be changed on its way (TLS 1.3), and both ends of a"
                    + " connection show a certificate that was made for this job",
            "off",
            "on"),
    CLOSE_TIMEOUT_MS(
            "close.timeout.ms",
            Unit.MILLISECONDS,
            "10000",
            0,
            1L << 40,
            false,
            "how long close waits for peers to take what was sent"),
    OPEN_TIMEOUT_MS(
            "open.timeout.ms",
            Unit.MILLISECONDS,
            "60000",
            1,
            1L << 40,
            false,
            "how long open waits for the other ranks; after 5 s ./sluice run says for which"),
    PEER_CHECK_MS(
            "peer.check.ms", Unit.MILLISECONDS, "200", 10, 60000, false, "how often the life of peers is looked at"),
    DUMP_SIGNAL(
            "dump.signal",
            false,
            "the signal on which each rank of a process writes what its requests wait for; a process that doesn't"
                    + " handle URG ignores it, and USR1 ends it",
            "off",
            "USR1",
            "URG"),
    STUCK_REPORT_MS(
            "stuck.report.ms",
            Unit.MILLISECONDS,
            "10000",
            0,
            1L << 40,
            false,
            "a call that waits for so long in a send has its rank say in a line on standard error for whom; three"
                    + " times as long for a receive or probe that names a rank, and in a collective; each line makes it"
                    + " ten times as patient; 0, or with sluice.dump.stuck.ms: never"),
    MPI_CHECK(
            "mpi.check",
            true,
            "cheap: ranks that make different collective calls are found where that costs no message; full: before"
                    + " each collective ranks compare what they call in one message each, with its root,"
                    + " count, reduction and, where all have one, type of elements",
            "cheap",
            "full"),
    MPI_DETERMINISTIC(
            "mpi.deterministic",
            true,
            "on: reductions give the same bits wherever ranks are, as only their number and the message's length decide"
                    + " how they are done; slower inside a node",
            "off",
            "on"),
    MPI_ALGORITHM_BARRIER("mpi.algorithm.barrier", "tiers", "cells", "dissemination"),
    MPI_ALGORITHM_BROADCAST(
            "mpi.algorithm.broadcast", "tiers", "arrays", "cells", "linear", "binomial", "scatter-allgather"),
    MPI_ALGORITHM_GATHER("mpi.algorithm.gather", "linear", "binomial"),
    MPI_ALGORITHM_SCATTER("mpi.algorithm.scatter", "linear", "binomial"),
    MPI_ALGORITHM_ALLGATHER(
            "mpi.algorithm.allgather", "arrays", "cells", "faster", "recursive-doubling", "bruck", "ring"),
    MPI_ALGORITHM_ALLTOALL("mpi.algorithm.alltoall", "arrays", "cells", "faster", "bruck", "pairwise", "linear"),
    MPI_ALGORITHM_REDUCE("mpi.algorithm.reduce", "arrays", "cells", "binomial", "ring"),
    MPI_ALGORITHM_ALLREDUCE("mpi.algorithm.allreduce", "tiers", "arrays", "cells", "recursive-doubling", "ring"),
    MPI_ALGORITHM_REDUCESCATTER("mpi.algorithm.reducescatter", "arrays", "cells", "pairwise"),
    MPI_ALGORITHM_SCAN("mpi.algorithm.scan", "cells", "recursive-doubling"),
    MPI_OBJECTS(
            "mpi.objects",
            Unit.NAMES,
            "",
            0,
            0,
            true,
            "classes whose objects are received besides the program's own and the JDK's values: patterns of"
                    + " ObjectInputFilter, as in org.acme.**;maxdepth=1000"),
    DUMP_STUCK_MS(
            "dump.stuck.ms",
            Unit.MILLISECONDS,
            "0",
            0,
            1L << 40,
            false,
            "a call that waits for longer has its rank write once what its requests wait for; 0: never"),
    DUMP_FILE(
            "dump.file",
            Unit.PATH,
            "stderr",
            0,
            0,
            false,
            "where that is written: stderr, or a file to which the rank's number is appended, as in /home/me/state.3;"
                    + " no link, and no other user's"),
    JMX(
            "jmx",
            false,
            "when the device is shown to management clients: auto (at its opening where the JVM was started with a"
                    + " management agent, else once a client asks, docs/how-to/measure.md), on (at its opening)",
            "auto",
            "on"),
    JOB_ADDRESS(
            "job.address",
            Unit.NAMES,
            "",
            0,
            0,
            false,
            "where the job's launcher listens: the path of its socket, as ./sluice run sets it, or host:port on"
                    + " another node"),
    JOB_SECRET_FILE(
            "job.secret.file",
            Unit.PATH,
            "",
            0,
            0,
            false,
            "file of this user alone with the secret of a job on several nodes; set by you where --listen is used"),
    JOB_SIZE(
            "job.size",
            Unit.COUNT,
            "1",
            1,
            1 << 20,
            false,
            "ranks in the job; set by ./sluice run; 1 also keeps a process out of another launcher's job"),
    JOB_RANK("job.rank", Unit.COUNT, "0", 0, 1 << 20, false, "first rank of this JVM; set by ./sluice run"),
    JOB_JVM_RANKS(
            "job.jvm.ranks",
            Unit.COUNT,
            "1",
            1,
            1 << 20,
            false,
            "ranks that are threads of this JVM; set by ./sluice run, and by you under mpirun and srun");

    /** How a value is written. */
    public enum Unit {
        BYTES,
        COUNT,
        MICROSECONDS,
        MILLISECONDS,
        NAMES,
        PATH,
        SWITCH
    }

    /** Of a list: as Sluice chooses. */
    public static final String AUTO = "auto";

    static final String PREFIX = "sluice.";

    /** What each name of a variable begins with. */
    static final String VARIABLES = "SLUICE_";

    private static final Map<String, Option> BY_PROPERTY = byProperty();

    private final String property;
    private final Unit unit;
    private final String defaultValue;
    private final long least;
    private final long most;
    private final boolean mustBeEqual;
    private final String help;
    private final List<String> words;

    Option(String key, Unit unit, String defaultValue, long least, long most, boolean mustBeEqual, String help) {
        this(key, unit, defaultValue, least, most, mustBeEqual, help, List.of());
    }

    /** A switch; its first word is the default. */
    Option(String key, boolean mustBeEqual, String help, String... words) {
        this(key, Unit.SWITCH, words[0], 0, 0, mustBeEqual, help, List.of(words));
    }

    /** Algorithms of a collective, that {@code org.sluice.mpi.algorithm.Choice} knows. */
    Option(String key, String... algorithms) {
        this(
                key,
                Unit.NAMES,
                AUTO,
                0,
                0,
                true,
                "how that collective is done: auto (by the table that ./sluice doctor shows), or algorithms in order of"
                        + " preference, of which the first that can do a call does it, else the table's; with a colon"
                        + " and bytes one is for blocks of up to that: ring or linear:64k,ring",
                List.of(algorithms));
    }

    Option(
            String key,
            Unit unit,
            String defaultValue,
            long least,
            long most,
            boolean mustBeEqual,
            String help,
            List<String> words) {
        this.property = PREFIX.concat(key);
        this.unit = unit;
        this.defaultValue = defaultValue;
        this.least = least;
        this.most = most;
        this.mustBeEqual = mustBeEqual;
        this.help = help;
        this.words = words;
    }

    public String property() {
        return property;
    }

    public String environmentVariable() {
        return property.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    public Unit unit() {
        return unit;
    }

    public String defaultValue() {
        return defaultValue;
    }

    public long least() {
        return least;
    }

    public long most() {
        return most;
    }

    /** True when all ranks of a job must have the same value: opening refuses unequal ones. */
    public boolean mustBeEqual() {
        return mustBeEqual;
    }

    public String help() {
        return help;
    }

    /** What a switch may be set to, and what beside {@link #AUTO} a list may be made of; empty for anything. */
    public List<String> words() {
        return words;
    }

    public boolean isNumber() {
        return unit == Unit.BYTES || unit == Unit.COUNT || unit == Unit.MICROSECONDS || unit == Unit.MILLISECONDS;
    }

    public static Optional<Option> ofProperty(String property) {
        return Optional.ofNullable(BY_PROPERTY.get(property));
    }

    /**
     * Which one a variable of the environment is for. Made of the variable and not looked for among those of all
     * options: few are set, and a new JVM takes milliseconds for all their names.
     */
    static Optional<Option> ofEnvironmentVariable(String variable) {
        if (!variable.startsWith(VARIABLES)) {
            return Optional.empty();
        }
        Optional<Option> found = ofProperty(variable.toLowerCase(Locale.ROOT).replace('_', '.'));
        return found.isPresent() && found.get().environmentVariable().equals(variable) ? found : Optional.empty();
    }

    private static Map<String, Option> byProperty() {
        Option[] all = values();
        Map<String, Option> options = new HashMap<>(2 * all.length);
        for (Option option : all) {
            options.put(option.property, option);
        }
        return options;
    }
}
