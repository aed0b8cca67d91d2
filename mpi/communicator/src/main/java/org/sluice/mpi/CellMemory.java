package org.sluice.mpi;

import java.util.Arrays;
import java.util.function.Supplier;
import org.sluice.device.MessageBuffer;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.cell.ArrayCollectives;
import org.sluice.mpi.cell.CellCollectives;
import org.sluice.mpi.cell.Cells;
import org.sluice.mpi.cell.InMemory;
import org.sluice.mpi.cell.Patience;
import org.sluice.mpi.cell.ThreadCells;

/**
 * The memory of a communicator's cells, where all its ranks can reach each other's: as threads of one JVM, or as JVMs
 * of one node. All ranks make it together, by messages, and all have it or none.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: this rank's block, until {@link #close}.
 */
final class CellMemory implements AutoCloseable {
    private static final long NONE = 0;
    private static final long OF_THREADS = 1;
    private static final long SHARED = 2;
    /** What a rank tells each other one: how its cells can be reached, and the two numbers of a description. */
    private static final int NUMBERS = 3;

    private final CollectiveSpace communicator;
    private final Layer layer;
    private final int rank;
    private final int size;
    private final long[] addresses;
    /**
     * Of all ranks, whose memory is there as long as these are; null where the ranks are not all threads of one JVM.
     */
    private ThreadCells[] ofThreads;
    /** Null where the ranks are not all threads of one JVM. */
    private Object[][] shown;

    private MessageBuffer shared;
    private final int count;
    private CellCollectives collectives;
    private ArrayCollectives ofArrays;
    /** Null where the ranks have arrays for what is long, or this is what is behind it. */
    private LongBlocks longBlocks;
    /** What it made; null before, and where there is no room for it. */
    private CellMemory many;

    private CellMemory(CollectiveSpace communicator, Layer layer, int count) {
        this.count = count;
        this.communicator = communicator;
        this.layer = layer;
        this.rank = communicator.rank();
        this.size = communicator.size();
        this.addresses = new long[size];
    }

    /**
     * All ranks call it together.
     *
     * @param ofThread makes this rank's cells; null where ranks that are threads are to have none
     * @param count of cells
     * @return null where the ranks have no such memory
     */
    static CellMemory make(
            CollectiveSpace communicator, Layer layer, Supplier<ThreadCells> ofThread, int count, Patience patience) {
        CellMemory memory = new CellMemory(communicator, layer, count);
        long[] told = new long[NUMBERS * memory.size];
        long[] heard = new long[told.length];
        memory.tell(told, ofThread);
        communicator.exchange(told, heard);
        long[] isReached = {memory.reach(heard, told[memory.ofNeighbour()]) ? 1 : 0};
        communicator.agreeOnLeast(isReached);
        if (isReached[0] == 0) {
            memory.close();
            return null;
        }
        Cells cells = new Cells(count, memory.rank, memory.addresses, memory.shown, patience);
        memory.collectives = new CellCollectives(cells, memory.rank, memory.size);
        memory.ofArrays = memory.shown == null ? null : new ArrayCollectives(cells, memory.rank, memory.size);
        memory.longBlocks = memory.shown == null && count == Cells.FEW
                ? new LongBlocks(() -> memory.makeMany(patience), communicator::agreeWithin)
                : null;
        return memory;
    }

    /**
     * What does the call, the same at all ranks, which may have to agree on it by messages first. {@link #over} is
     * called behind it.
     *
     * @return null if it goes as messages
     */
    InMemory begin(Call call) {
        if (ofArrays != null && call.fitsArrays()) {
            return ofArrays;
        }
        if (longBlocks != null && call.hasLongBlocks() && longBlocks.make()) {
            return longBlocks.begin(call.collective(), call.bytes(), call.fitsFaster());
        }
        return call.fitsCells() ? collectives : null;
    }

    /** Whether it is processes that share it, and no threads. */
    boolean isOfProcesses() {
        return shared != null;
    }

    private InMemory makeMany(Patience patience) {
        many = make(communicator, layer, null, Cells.MANY, patience);
        return many == null ? null : many.collectives;
    }

    /** The call that was begun is over, and was carried out. */
    void over() {
        if (longBlocks != null) {
            longBlocks.end();
        }
    }

    /** Nothing of the caller's is kept any longer. */
    void forget() {
        collectives.forget();
        if (longBlocks != null) {
            longBlocks.forget();
        }
    }

    /** Where the number for some other rank is. */
    private int ofNeighbour() {
        return NUMBERS * (rank == 0 ? 1 : 0);
    }

    private void tell(long[] told, Supplier<ThreadCells> ofThread) {
        // Where ranks take turns on cores, the times of a few calls say too little to choose by.
        long way = count == Cells.FEW || layer.spins() ? way() : NONE;
        if (way == OF_THREADS) {
            ofThreads = new ThreadCells[size];
            ofThreads[rank] = ofThread.get();
        } else if (way == SHARED && !allocate()) {
            way = NONE;
        }
        long[] described = new long[NUMBERS - 1];
        for (int peer = 0; peer < size; peer++) {
            boolean isTold = peer != rank && way == SHARED;
            boolean isReadable = !isTold || layer.describe(shared, communicator.inDevice(peer), described);
            told[NUMBERS * peer] = isReadable ? way : NONE;
            told[NUMBERS * peer + 1] = described[0];
            told[NUMBERS * peer + 2] = described[1];
        }
    }

    private long way() {
        boolean areThreads = true;
        boolean areSegments = true;
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                String channel = layer.device().channelTo(communicator.inDevice(peer));
                areThreads &= channel.equals("threads");
                areSegments &= channel.equals("shm");
            }
        }
        return areThreads && count == Cells.FEW ? OF_THREADS : areSegments ? SHARED : NONE;
    }

    private boolean allocate() {
        try {
            shared = layer.device().allocate(Cells.blockBytes(count));
            return true;
        } catch (SluiceException e) {
            // There is no room for it in /dev/shm: messages do as well.
            return false;
        }
    }

    private boolean reach(long[] heard, long own) {
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank && (heard[NUMBERS * peer] != own || own == NONE)) {
                return false;
            }
        }
        boolean isReached = true;
        for (int peer = 0; peer < size; peer++) {
            isReached &= own == OF_THREADS ? reachThread(peer) : reachShared(peer, heard);
        }
        return isReached;
    }

    private boolean reachThread(int peer) {
        Layer neighbour = peer == rank ? layer : layer.neighbour(communicator.inDevice(peer));
        ThreadCells cells = peer == rank
                ? ofThreads[rank]
                : neighbour == null ? null : Spaces.of(neighbour).threadCells(communicator.number());
        if (cells == null) {
            return false;
        }
        if (shown == null) {
            shown = new Object[size][];
        }
        ofThreads[peer] = cells;
        shown[peer] = cells.shown();
        addresses[peer] = cells.address();
        return true;
    }

    private boolean reachShared(int peer, long[] heard) {
        addresses[peer] = peer == rank
                ? org.sluice.device.buffer.UserBuffer.address(shared, 0, true)
                : layer.addressOf(
                        communicator.inDevice(peer),
                        Arrays.copyOfRange(heard, NUMBERS * peer + 1, NUMBERS * (peer + 1)),
                        Cells.blockBytes(count));
        return addresses[peer] != 0;
    }

    @Override
    public void close() {
        if (many != null) {
            many.close();
        }
        if (shared != null) {
            shared.close();
        }
    }
}
