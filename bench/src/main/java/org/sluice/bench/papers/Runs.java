package org.sluice.bench.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.sluice.bench.kernels.KernelName;
import org.sluice.bench.plan.Api;

/** The benchmarks that figures are made of, in the order in which they run. */
public final class Runs {
    static final String COPIES = "copies";
    /** Before the name of the calls. */
    static final String BODIES = "nbody-patches-";

    static final String BODIES_WEAK = "nbody-patches-weak-";
    static final List<String> BODY_APIS =
            KernelName.NBODY_PATCHES.apis().stream().map(Api::label).toList();

    private static final List<PaperRun> RACES = List.of(
            PaperRun.of(
                    "latency-shm",
                    130,
                    "latency --channel shm --sizes 8,64,1k,8k,64k,1m --seconds 12"
                            + " --peers limit,direct,message,one,packed,handler,mpijava,openmpi,mpich"
                            + ",mpj-express-niodev,jucx",
                    35,
                    "latency --channel shm --sizes 8,64k --seconds 3"
                            + " --peers limit,message,packed,handler,openmpi,mpich"),
            PaperRun.of(
                    "latency-threads",
                    30,
                    "latency --channel threads --sizes 8,64,1k,8k,64k,1m --seconds 5 --peers limit,mpj-express",
                    15,
                    "latency --channel threads --sizes 8,64k --seconds 1 --peers mpj-express"),
            PaperRun.of(
                    "bandwidth-shm",
                    110,
                    "bandwidth --channel shm --sizes 1k,16k,64k,256k,1m,4m --seconds 10"
                            + " --peers limit,direct,message,handler,openmpi,mpich,mpj-express-niodev,jucx",
                    25,
                    "bandwidth --channel shm --sizes 64k,1m --seconds 2 --peers openmpi,mpich"),
            PaperRun.of(
                    "bandwidth-threads",
                    25,
                    "bandwidth --channel threads --sizes 1k,16k,64k,256k,1m,4m --seconds 5 --peers limit,mpj-express",
                    0,
                    null),
            PaperRun.of(
                    COPIES,
                    60,
                    "latency --channel shm --buffer direct --sizes 1k,8k,64k,256k,1m --seconds 6"
                            + " --peers copied-twice,copied-once,message,openmpi,mpich",
                    0,
                    null),
            PaperRun.of(
                    "one-to-all",
                    90,
                    "one-to-all --channel shm --sizes 8,1k,64k,1m --seconds 6 --peers handler,openmpi,mpich",
                    0,
                    null),
            PaperRun.of(
                    "kneighbor",
                    260,
                    "kneighbor --channel shm --k 1,2,3 --sizes 8,1k,64k --seconds 6 --peers handler,openmpi,mpich",
                    30,
                    "kneighbor --channel shm --ranks 4 --sizes 8,64k --seconds 2 --peers handler"),
            PaperRun.of(
                    "kneighbor-huge",
                    125,
                    "kneighbor-huge --channel shm --sizes 8,1k --seconds 6 --peers handler,openmpi,mpich",
                    0,
                    null),
            PaperRun.of(
                    "collectives-shm",
                    230,
                    "broadcast allgather reduce allreduce --channel shm --ranks 4 --jvms 2 --sizes 1k,64k,1m"
                            + " --seconds 6 --peers openmpi,mpich,mpj-express-niodev",
                    25,
                    "allreduce --channel shm --sizes 1k,64k --seconds 2 --peers openmpi,mpich"),
            PaperRun.of(
                    "collectives-threads",
                    90,
                    "broadcast allgather reduce allreduce --channel threads --ranks 4 --sizes 1k,64k,1m --seconds 5"
                            + " --peers mpj-express",
                    0,
                    null),
            PaperRun.of(
                    "nqueens",
                    25,
                    "nqueens --n 12,13,14 --ranks 2 --forks 3 --iterations 3",
                    15,
                    "nqueens --n 12 --ranks 2 --channel shm --forks 1 --iterations 5"));

    static final String LATENCY_IB = "latency-ib";
    static final String BANDWIDTH_IB = "bandwidth-ib";
    static final String RENDEZVOUS = "rendezvous";
    static final String COALESCING = "coalescing";
    static final String COALESCING_BANDWIDTH = "coalescing-bandwidth";
    static final String KERNELS_IB = "kernels-ib";
    static final String MEMORY = "memory";
    static final String REUSE = "reuse";
    static final String CONNECTIONS = "kernels-connections";

    /** As many contestants as an emulated processor has warm in some minutes. */
    private static final List<PaperRun> VERBS = List.of(
            PaperRun.of(
                            LATENCY_IB,
                            300,
                            "latency --channel ib --sizes 8,1k,16k,64k --seconds 30 --peers perftest,message,handler",
                            150,
                            "latency --channel ib --sizes 8,16k --seconds 20 --peers perftest")
                    .inGuest(2),
            PaperRun.of(
                            BANDWIDTH_IB,
                            240,
                            "bandwidth --channel ib --sizes 4k,64k,1m --seconds 30 --peers perftest,message",
                            0,
                            null)
                    .inGuest(2),
            PaperRun.of(
                            RENDEZVOUS,
                            420,
                            "latency --channel ib --buffer message --sizes 16k,64k,256k --seconds 40"
                                    + " --peers rendezvous-read,rendezvous-write,route,no-pool",
                            0,
                            null)
                    .inGuest(1),
            PaperRun.of(COALESCING, 600, "rate --channel ib --sizes 8,64,512 --seconds 40 --requests 8,200", 0, null)
                    .inGuest(1),
            PaperRun.of(
                            COALESCING_BANDWIDTH,
                            600,
                            "bandwidth --channel ib --sizes 64,512,4k --seconds 40 --requests 8,200",
                            0,
                            null)
                    .inGuest(1),
            PaperRun.of(KERNELS_IB, 900, "cg ft is lu mg --class S --channel ib --ranks 2 --requests 5,10,200", 0, null)
                    .inGuest(1),
            PaperRun.of(REUSE, 400, "reuse --channel ib --seconds 60", 0, null).inGuest(1),
            PaperRun.of(MEMORY, 640, "memory --channel ib", 0, null).inGuest(1));

    /** Of paper A's figure, as far as there are such. */
    static final List<String> KERNELS = Stream.of("cg", "is", "ft", "mg")
            .filter(label -> KernelName.named(label).isPresent())
            .toList();

    private Runs() {}

    public static List<PaperRun> all() {
        List<PaperRun> runs = new ArrayList<>(RACES);
        for (String kernel : KERNELS) {
            runs.add(PaperRun.of(
                    kernel, 15, kernel + " --class W --ranks 2", 8, kernel + " --class S --ranks 2 --channel shm"));
        }
        for (String api : BODY_APIS) {
            String strong = "nbody-patches --api " + api + " --channel shm --ranks 2 --class ";
            runs.add(PaperRun.of(BODIES + api, 140, strong + "B", 10, strong + "S"));
            String weak = "nbody-patches --api " + api + " --channel shm --ranks 2 --weak --class ";
            runs.add(PaperRun.of(BODIES_WEAK + api, 45, weak + "W,A", 0, null));
        }
        runs.add(PaperRun.of(CONNECTIONS, 45, "cg ft is lu mg --class S --channel tcp --ranks 16", 0, null));
        runs.add(PaperRun.of("breakdown", 20, "breakdown --seconds 12", 12, "breakdown --seconds 4"));
        runs.add(PaperRun.of("ib-channel", 15, "ib-channel --seconds 8", 5, "ib-channel --seconds 2"));
        runs.addAll(VERBS);
        return runs;
    }
}
