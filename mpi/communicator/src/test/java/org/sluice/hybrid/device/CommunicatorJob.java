package org.sluice.hybrid.device;

import java.util.HashMap;
import java.util.Map;
import org.sluice.mpi.Communicator;

/** A job whose ranks are threads of this JVM, each with its world. */
public final class CommunicatorJob implements AutoCloseable {
    /** How the ranks reach each other. */
    public enum Place {
        /** As threads of one JVM. */
        THREADS,
        /** Through shared memory, as if each had a JVM of its own. */
        SHM,
        /** Two by two in one JVM, the others beside them. */
        MIXED,
        /** Over verbs. */
        IB,
        /** Two by two on one node, where they share memory, and over sockets between nodes. */
        TCP,
        /** All but sockets: two by two in one JVM, four by four on one node. */
        ALL
    }

    /** What one rank does. */
    @FunctionalInterface
    public interface Body {
        void run(Communicator world) throws Exception;
    }

    private final DeviceJob job;
    private final int size;

    public CommunicatorJob(int size, Place place) {
        this(size, place, Map.of());
    }

    public CommunicatorJob(int size, Place place, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        Whereabouts whereabouts = null;
        switch (place) {
            case SHM:
                options.put("sluice.channels", "shm");
                break;
            case IB:
                options.put("sluice.channels", "ib");
                break;
            case TCP:
                options.put("sluice.channels", "shm,tcp");
                options.put("sluice.tcp.interface", "127.0.0.1");
                whereabouts = new Whereabouts(rank -> rank, rank -> rank / 2);
                break;
            case MIXED:
                whereabouts = new Whereabouts(rank -> rank / 2, rank -> 0);
                break;
            case ALL:
                whereabouts = new Whereabouts(rank -> rank / 2, rank -> rank / 4);
                break;
            default:
                break;
        }
        this.size = size;
        this.job = DeviceJob.open(size, options, null, whereabouts);
    }

    /** Runs the same on every rank; what goes wrong in one, or takes too long, ends the test. */
    public void run(Body body) {
        job.runAll(device -> body.run(Communicator.world(device)));
    }

    /** As {@link #run}, with more time. */
    public void run(long limitSeconds, Body body) {
        RankBody[] bodies = new RankBody[size];
        java.util.Arrays.fill(bodies, (RankBody) device -> body.run(Communicator.world(device)));
        job.run(limitSeconds, bodies);
    }

    /** The sum of a counter over all ranks. */
    public long counted(String counter) {
        long sum = 0;
        for (int rank = 0; rank < size; rank++) {
            sum += job.device(rank).counters().get(counter);
        }
        return sum;
    }

    @Override
    public void close() {
        job.close();
    }
}
