package org.sluice.mpi;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerActivity;
import org.sluice.device.layer.LayerNotice;
import org.sluice.device.layer.LayerWatcher;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.cell.CellCollectives;
import org.sluice.mpi.cell.Cells;
import org.sluice.mpi.cell.InMemory;
import org.sluice.mpi.cell.Patience;
import org.sluice.mpi.schedule.MismatchException;
import org.sluice.mpi.schedule.Ranks;

/**
 * The calls that all ranks of a communicator make together, with MPI's meaning (MPI 4.1, chapter 6).
 *
 * <p><b>Collectives.</b> All ranks of the communicator make the same calls in the same order, with the same roots and
 * reductions, and with buffers that fit together. A call returns when this rank has done its part. Where ranks make
 * different calls, those that find out throw {@link MismatchedCallException}.
 *
 * <p><b>Buffers.</b> As {@link Device} has them, whole, or a {@link Data} for a part or items of a {@link Layout}.
 * {@link Data#IN_PLACE} as the contribution says that it is where the result goes. A buffer belongs to the call until
 * it returns, or its request completes. What is reduced is computed in arrays: other buffers are copied.
 *
 * <p><b>Reductions</b> give the same bits in every run of the same job. Operands are taken in the order of ranks where
 * they may not change places.
 *
 * <p><i>Thread</i>: any for messages; collectives of one communicator one thread after the other, those of several
 * communicators at once. <i>Fails</i>: a caller's mistake is thrown before anything is sent; what goes wrong on the way
 * as the device's calls say it. Blocking calls return with the buffers given back, whatever happens.
 */
public abstract class CollectiveSpace extends MessageForms {
    /** Collectives that may be on their way at once; more wait for the one that is so many before them. */
    static final int SLOTS = 8;

    private static final int CALLS_WITHOUT_CELLS = 5;
    /** As who waits for the own call: one that was started. */
    private static final long NOBODY_WAITS = Long.MIN_VALUE;

    final Spaces spaces;
    final int number;
    final int rank;
    private final int size;
    /** Those that make collectives, and where this rank is among them. */
    private final Ranks members;

    private final int place;
    private final AtomicInteger sequence = new AtomicInteger();
    /** Of all calls so far, which all ranks have alike. */
    private int history;

    /** For all calls but those that are made while another is on its way. */
    private final Call own;
    /**
     * Of {@link #own}: 0, or the id of the thread that gives its arguments, or less than 0 while it is on its way: the
     * same id for a call that waits.
     */
    private final AtomicLong ownIsOf = new AtomicLong();

    private final AtomicReferenceArray<Started> started = new AtomicReferenceArray<>(SLOTS);
    volatile boolean isFreed;
    /** Why collectives are over; null while they aren't. */
    private volatile Breakdown breakdown;

    /** Collectives that this rank has begun, and the one that waits; plain, for who looks from outside. */
    private int begun;

    private int waiting;
    private int waitingTurn;
    private final Object breaking = new Object();
    private final Turns turns = new Turns();
    volatile boolean isRevoked;

    /** Null until ranks agree on something within another call. */
    private Call agreement;
    /** Null where the ranks have none, or not yet. */
    private CellMemory cells;
    /** Null where the ranks are all as near, or not yet. */
    private volatile Tiers tiers;
    /** Blocking collectives until both are made: few communicators live long enough to be worth it. */
    private int unshared;

    CollectiveSpace(Layer layer, Spaces spaces, int[] members, int number, String name) {
        this(layer, spaces, new Ranks(members, layer.device().size()), number, name);
    }

    private CollectiveSpace(Layer layer, Spaces spaces, Ranks ranks, int number, String name) {
        this(spaces, ranks, new Call(layer, ranks, ranks.here(layer.device().rank())), number, name);
        this.unshared = size > 1 && goesFaster(layer.options()) ? CALLS_WITHOUT_CELLS : 0;
    }

    /**
     * One whose messages may go to other ranks than those that make its collectives.
     *
     * @param own says which rank this is among how many
     */
    CollectiveSpace(Spaces spaces, Ranks ranks, Call own, int number, String name) {
        super(spaces.layer(), ranks, number * Spaces.CONTEXTS);
        this.spaces = spaces;
        this.number = number;
        this.rank = own.rank();
        this.size = own.size();
        this.name = name;
        this.own = own;
        this.members = own.ranks;
        this.place = members.here(layer.device().rank());
        spaces.begin(this);
    }

    private static boolean goesFaster(Options options) {
        return options.text(Option.MPI_CHECK).equals("cheap")
                && options.text(Option.MPI_DETERMINISTIC).equals("off");
    }

    public final Device device() {
        return layer.device();
    }

    /** Whether ranks compare each call before they make it. */
    final boolean checksAll() {
        return layer.options().text(Option.MPI_CHECK).equals("full");
    }

    /** This rank in the communicator. */
    public final int rank() {
        return rank;
    }

    public final int size() {
        return size;
    }

    // --- collectives -------------------------------------------------------------------------------------------------

    /** Returns when all ranks have called it. */
    public final void barrier() {
        Call call = take();
        call.barrier();
        if (goesByTiers(call)) {
            runInTiers(call, null, 0);
        } else {
            run(call);
        }
    }

    /**
     * A barrier behind all that ranks do, as that of MPI.Finalize: it fits no other collective, barriers included, so
     * that a rank that is still in one is found.
     */
    public final void finish() {
        Call call = take();
        call.barrier(Collective.FINISH);
        run(call);
    }

    /** The root's items for all. */
    public final void broadcast(Object buffer, int root) {
        Call call = take();
        call.broadcast(buffer, root);
        if (goesByTiers(call)) {
            runInTiers(call, null, root);
        } else {
            run(call);
        }
    }

    /**
     * Each rank's items to the root, block after block in the order of ranks.
     *
     * @param result as large as all contributions; at other ranks it isn't looked at
     */
    public final void gather(Object contribution, Object result, int root) {
        Call call = take();
        call.gather(contribution, result, false, root);
        run(call);
    }

    /**
     * A block of the root's items to each rank.
     *
     * @param all as large as all results; at other ranks it isn't looked at
     * @param result at the root also {@link Data#IN_PLACE}: its block stays where it is
     */
    public final void scatter(Object all, Object result, int root) {
        Call call = take();
        call.scatter(all, result, false, root);
        run(call);
    }

    /** As {@link #gather}, with the result at all ranks. */
    public final void allGather(Object contribution, Object result) {
        Call call = take();
        call.allGather(contribution, result, false);
        run(call);
    }

    /** A block from each rank to each: block i of rank j's contribution becomes block j of rank i's result. */
    public final void allToAll(Object contribution, Object result) {
        Call call = take();
        call.allToAll(contribution, result, false);
        run(call);
    }

    /** As {@link #gather}, with blocks of any size in the root's result, a {@link Data#blocks}. */
    public final void gatherBlocks(Object contribution, Object result, int root) {
        Call call = take();
        call.gather(contribution, result, true, root);
        run(call);
    }

    /** As {@link #scatter}, with blocks of any size in what the root has, a {@link Data#blocks}. */
    public final void scatterBlocks(Object all, Object result, int root) {
        Call call = take();
        call.scatter(all, result, true, root);
        run(call);
    }

    /** As {@link #allGather}, with blocks of any size in the result, a {@link Data#blocks}. */
    public final void allGatherBlocks(Object contribution, Object result) {
        Call call = take();
        call.allGather(contribution, result, true);
        run(call);
    }

    /** As {@link #allToAll}, with blocks of any size, perhaps each of its own layout: both are {@link Data#blocks}. */
    public final void allToAllBlocks(Object contribution, Object result) {
        Call call = take();
        call.allToAll(contribution, result, true);
        run(call);
    }

    /** Item by item of all contributions, at the root. */
    public final void reduce(Object contribution, Object result, Reduction reduction, int root) {
        Call call = take();
        call.reduce(contribution, result, reduction, root);
        run(call);
    }

    /** As {@link #reduce}, with the result at all ranks. */
    public final void allReduce(Object contribution, Object result, Reduction reduction) {
        Call call = take();
        call.allReduce(contribution, result, reduction);
        if (goesByTiers(call)) {
            runInTiers(call, reduction, 0);
        } else {
            run(call);
        }
    }

    /** As {@link #reduce}, of which each rank gets a block; all blocks have the same size. */
    public final void reduceScatterBlock(Object contribution, Object result, Reduction reduction) {
        Call call = take();
        call.reduceScatter(contribution, result, null, reduction);
        run(call);
    }

    /** As {@link #reduce}, of which each rank gets a block. */
    public final void reduceScatter(Object contribution, Object result, int[] counts, Reduction reduction) {
        Call call = take();
        call.reduceScatter(contribution, result, checkedCounts(counts), reduction);
        run(call);
    }

    private static int[] checkedCounts(int[] counts) {
        if (counts == null) {
            throw new IllegalArgumentException("the counts are null: give the items of each rank's result");
        }
        return counts;
    }

    /** The reduction of the contributions of ranks up to this one. */
    public final void scan(Object contribution, Object result, Reduction reduction) {
        Call call = take();
        call.scan(contribution, result, reduction, false);
        run(call);
    }

    /** As {@link #scan} without this rank's own; rank 0's result is left as it was. */
    public final void exclusiveScan(Object contribution, Object result, Reduction reduction) {
        Call call = take();
        call.scan(contribution, result, reduction, true);
        run(call);
    }

    // --- the same without waiting ------------------------------------------------------------------------------------

    /** As {@link #barrier}; the request completes when all ranks have called it. */
    public final Request ibarrier() {
        return start(Call::barrier);
    }

    /** As {@link #broadcast}. */
    public final Request ibroadcast(Object buffer, int root) {
        return start(call -> call.broadcast(buffer, root));
    }

    /** As {@link #gather}. */
    public final Request igather(Object contribution, Object result, int root) {
        return start(call -> call.gather(contribution, result, false, root));
    }

    /** As {@link #scatter}. */
    public final Request iscatter(Object all, Object result, int root) {
        return start(call -> call.scatter(all, result, false, root));
    }

    /** As {@link #allGather}. */
    public final Request iallGather(Object contribution, Object result) {
        return start(call -> call.allGather(contribution, result, false));
    }

    /** As {@link #allToAll}. */
    public final Request iallToAll(Object contribution, Object result) {
        return start(call -> call.allToAll(contribution, result, false));
    }

    /** As {@link #gatherBlocks}. */
    public final Request igatherBlocks(Object contribution, Object result, int root) {
        return start(call -> call.gather(contribution, result, true, root));
    }

    /** As {@link #scatterBlocks}. */
    public final Request iscatterBlocks(Object all, Object result, int root) {
        return start(call -> call.scatter(all, result, true, root));
    }

    /** As {@link #allGatherBlocks}. */
    public final Request iallGatherBlocks(Object contribution, Object result) {
        return start(call -> call.allGather(contribution, result, true));
    }

    /** As {@link #allToAllBlocks}. */
    public final Request iallToAllBlocks(Object contribution, Object result) {
        return start(call -> call.allToAll(contribution, result, true));
    }

    /** As {@link #reduce}. */
    public final Request ireduce(Object contribution, Object result, Reduction reduction, int root) {
        return start(call -> call.reduce(contribution, result, reduction, root));
    }

    /** As {@link #allReduce}. */
    public final Request iallReduce(Object contribution, Object result, Reduction reduction) {
        return start(call -> call.allReduce(contribution, result, reduction));
    }

    /** As {@link #reduceScatterBlock}. */
    public final Request ireduceScatterBlock(Object contribution, Object result, Reduction reduction) {
        return start(call -> call.reduceScatter(contribution, result, null, reduction));
    }

    /** As {@link #reduceScatter}. */
    public final Request ireduceScatter(Object contribution, Object result, int[] counts, Reduction reduction) {
        return start(call -> call.reduceScatter(contribution, result, checkedCounts(counts), reduction));
    }

    /** As {@link #scan}. */
    public final Request iscan(Object contribution, Object result, Reduction reduction) {
        return start(call -> call.scan(contribution, result, reduction, false));
    }

    /** As {@link #exclusiveScan}. */
    public final Request iexclusiveScan(Object contribution, Object result, Reduction reduction) {
        return start(call -> call.scan(contribution, result, reduction, true));
    }

    // --- the same, started again and again ---------------------------------------------------------------------------

    /** As {@link #barrier}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest barrierInit() {
        return persistent(Call::barrier);
    }

    /** As {@link #broadcast}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest broadcastInit(Object buffer, int root) {
        return persistent(call -> call.broadcast(buffer, root));
    }

    /** As {@link #gather}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest gatherInit(Object contribution, Object result, int root) {
        return persistent(call -> call.gather(contribution, result, false, root));
    }

    /** As {@link #scatter}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest scatterInit(Object all, Object result, int root) {
        return persistent(call -> call.scatter(all, result, false, root));
    }

    /** As {@link #allGather}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest allGatherInit(Object contribution, Object result) {
        return persistent(call -> call.allGather(contribution, result, false));
    }

    /** As {@link #allToAll}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest allToAllInit(Object contribution, Object result) {
        return persistent(call -> call.allToAll(contribution, result, false));
    }

    /** As {@link #gatherBlocks}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest gatherBlocksInit(Object contribution, Object result, int root) {
        return persistent(call -> call.gather(contribution, result, true, root));
    }

    /** As {@link #scatterBlocks}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest scatterBlocksInit(Object all, Object result, int root) {
        return persistent(call -> call.scatter(all, result, true, root));
    }

    /** As {@link #allGatherBlocks}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest allGatherBlocksInit(Object contribution, Object result) {
        return persistent(call -> call.allGather(contribution, result, true));
    }

    /** As {@link #allToAllBlocks}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest allToAllBlocksInit(Object contribution, Object result) {
        return persistent(call -> call.allToAll(contribution, result, true));
    }

    /** As {@link #reduce}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest reduceInit(Object contribution, Object result, Reduction reduction, int root) {
        return persistent(call -> call.reduce(contribution, result, reduction, root));
    }

    /** As {@link #allReduce}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest allReduceInit(Object contribution, Object result, Reduction reduction) {
        return persistent(call -> call.allReduce(contribution, result, reduction));
    }

    /** As {@link #reduceScatterBlock}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest reduceScatterBlockInit(Object contribution, Object result, Reduction reduction) {
        return persistent(call -> call.reduceScatter(contribution, result, null, reduction));
    }

    /** As {@link #reduceScatter}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest reduceScatterInit(
            Object contribution, Object result, int[] counts, Reduction reduction) {
        return persistent(call -> call.reduceScatter(contribution, result, checkedCounts(counts), reduction));
    }

    /** As {@link #scan}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest scanInit(Object contribution, Object result, Reduction reduction) {
        return persistent(call -> call.scan(contribution, result, reduction, false));
    }

    /** As {@link #exclusiveScan}, for {@link PersistentRequest#start}: arguments are checked now. */
    public final PersistentRequest exclusiveScanInit(Object contribution, Object result, Reduction reduction) {
        return persistent(call -> call.scan(contribution, result, reduction, true));
    }

    // --- how calls are carried out -----------------------------------------------------------------------------------

    @Override
    final void refuseFreed() {
        if (isFreed) {
            throw new IllegalStateException("the communicator " + name + " was freed");
        }
    }

    @Override
    final void checkUsable() {
        refuseFreed();
    }

    private void refuseUse() {
        refuseFreed();
        if (breakdown != null) {
            throw breakdown.exception(this);
        }
    }

    final Call take() {
        refuseUse();
        long thread = Thread.currentThread().getId();
        // What is its own already is what it gave wrong arguments to.
        if (ownIsOf.compareAndSet(0, thread) || ownIsOf.getOpaque() == thread) {
            return told(own);
        }
        refuseAnother(ownIsOf.getOpaque(), thread);
        return told(own.another());
    }

    /**
     * Tells a call what all ranks know since the call in which they made their memory: whichever of its calls a rank
     * takes, as others may be on their way at one rank and over at the next.
     */
    private Call told(Call call) {
        if (cells != null && cells.isOfProcesses()) {
            call.inMemory();
        }
        return call;
    }

    private void refuseAnother(long of, long thread) {
        if (of < 0 && of != NOBODY_WAITS && of != -thread) {
            throw new IllegalStateException("a thread is in " + nameOf(own.collective()) + " of " + this
                    + ": collectives of one communicator are made by one thread after the other; duplicate it, a"
                    + " communicator for each");
        }
    }

    /** Its arguments are right, and a thread waits for its end: nobody else gets it before. */
    final void onItsWay(Call call) {
        if (call == own) {
            ownIsOf.setOpaque(-ownIsOf.getOpaque());
        }
    }

    private void giveBack(Call call) {
        if (call.forget() && cells != null) {
            cells.forget();
        }
        waiting = 0;
        if (call == own) {
            ownIsOf.setRelease(0);
        }
    }

    final void run(Call call) {
        begin(call);
        try {
            InMemory memory = prepare(call);
            if (memory == null) {
                runSchedule(call);
            } else {
                runInMemory(call, memory);
            }
            if (cells != null) {
                cells.over();
            }
        } catch (RuntimeException e) {
            callErrorHandler(e);
        }
    }

    /**
     * What all ranks have to do together before a call can begin.
     *
     * @return null if it goes as messages
     */
    private InMemory prepare(Call call) {
        boolean isPrepared = false;
        try {
            InMemory memory = cells == null ? null : cells.begin(call);
            if (memory == null && unshared > 0 && --unshared == 0) {
                makeFaster();
            }
            isPrepared = true;
            return memory;
        } finally {
            if (!isPrepared) {
                giveBack(call);
            }
        }
    }

    private boolean goesByTiers(Call call) {
        return tiers != null && call.fitsTiers();
    }

    private void runInTiers(Call call, Reduction reduction, int root) {
        begin(call);
        try {
            tiers.run(call, reduction, root);
            call.deliver();
        } catch (RuntimeException | Error e) {
            Throwable told = failed(call, e);
            tiers.settle();
            callErrorHandler(Started.unchecked(told));
        } finally {
            giveBack(call);
        }
    }

    final void begin(Call call) {
        onItsWay(call);
        waitingTurn = ++begun;
        turns.begin(begun, call.signature());
        waiting = 1 + call.collective().ordinal();
    }

    private void runInMemory(Call call, InMemory memory) {
        try {
            call.runIn(memory, chained(call));
            call.deliver();
        } catch (RuntimeException | Error e) {
            throw Started.unchecked(failed(call, e));
        } finally {
            giveBack(call);
        }
    }

    /** All ranks come here in the same call. */
    private void makeFaster() {
        tiers = makeTiers();
        if (tiers != null || size() > CellCollectives.MOST_RANKS) {
            return;
        }
        Patience patience = new Patience(
                layer, ranks, context + 1, SLOTS, slot -> started.get(slot) == null, () -> breakdown != null);
        cells = CellMemory.make(this, layer, () -> spaces.newThreadCells(number), Cells.FEW, patience);
    }

    /** Null where there are none. */
    abstract Tiers makeTiers();

    int number() {
        return number;
    }

    /** -1 for one that is no member. */
    int here(int rankOfDevice) {
        return members.here(rankOfDevice);
    }

    /** Of each rank to all, by messages. */
    void exchangeAll(int[] own, int[] all) {
        Call call = take();
        call.allGather(own, all, false);
        call.makes();
        runBehind(call);
    }

    /** One that nobody has called, perhaps while another waits for it. */
    private void runBehind(Call call) {
        int outer = waiting;
        onItsWay(call);
        try {
            runSchedule(call);
        } finally {
            waiting = outer;
        }
    }

    /** Of a rank that makes collectives. */
    int inDevice(int member) {
        return members.inDevice(member);
    }

    /** How many make collectives. */
    final int callers() {
        return members.size();
    }

    /** This rank among them. */
    final int place() {
        return place;
    }

    final int callersRank(int caller) {
        return own.callersRank(caller);
    }

    final String nameOf(int caller) {
        return own.nameOf(caller);
    }

    /** As programs know it; of what nobody knows those words. */
    final String nameOf(Collective collective, String ofNone) {
        return collective == null ? ofNone : spaces.naming().collective(collective.words());
    }

    private String nameOf(Collective collective) {
        return nameOf(collective, null);
    }

    /** A block of each rank to each, by messages. */
    void exchange(long[] told, long[] heard) {
        Call call = take();
        call.allToAll(told, heard, false);
        call.makes();
        runBehind(call);
    }

    /** As {@link #exchange}, of any sizes. */
    void exchangeBlocks(Data told, Data heard) {
        Call call = take();
        call.allToAll(told, heard, true);
        call.makes();
        runBehind(call);
    }

    /** The least of all ranks' numbers, by messages. */
    void agreeOnLeast(long[] numbers) {
        agreeOnLeast(take(), numbers);
    }

    /** The same within a call that waits, now and then, and so without a new one each time. */
    void agreeWithin(long[] numbers) {
        refuseUse();
        if (agreement == null) {
            agreement = anotherCall();
        }
        agreeOnLeast(told(agreement), numbers);
    }

    private void agreeOnLeast(Call call, long[] numbers) {
        call.allReduce(Data.IN_PLACE, numbers, Reduction.MIN);
        call.makes();
        runBehind(call);
    }

    /**
     * A call's signature, with those of all calls before it: if one of them didn't fit at a rank that nobody had to
     * hear of, as where ranks disagree on who gives a broadcast, this one doesn't either.
     */
    private int chained(Call call) {
        int signature = call.signature();
        if (!call.isAlikeEverywhere()) {
            return signature;
        }
        int chained = signature ^ history & Call.HASH_MASK;
        history = 31 * history + signature;
        return chained;
    }

    final void runSchedule(Call call) {
        int turn = sequence.getAndIncrement();
        int slot = Math.floorMod(turn, SLOTS);
        if (started.get(slot) != null) {
            awaitSlot(slot);
        }
        call.schedule();
        call.execution().envelope(context + 1 + slot, chained(call));
        try {
            call.execution().run();
            call.deliver();
        } catch (RuntimeException | Error e) {
            throw Started.unchecked(failed(call, e));
        } finally {
            giveBack(call);
        }
    }

    /** For calls that who owns this communicator has go on beside others. */
    final Call anotherCall() {
        return own.another();
    }

    /** Gives such a call its turn. Nothing that was started may be in its place. */
    final void nextTurn(Call call) {
        refuseUse();
        begun++;
        call.schedule();
        call.execution().envelope(context + 1 + Math.floorMod(sequence.getAndIncrement(), SLOTS), chained(call));
    }

    private void awaitSlot(int slot) {
        for (Started before = started.get(slot); before != null; before = started.get(slot)) {
            before.awaitEnd();
        }
    }

    final PersistentRequest persistent(Consumer<Call> arguments) {
        refuseFreed();
        Call call = own.another();
        arguments.accept(call);
        return new PersistentRequest(nameOf(call.collective()) + " of " + name, () -> start(call, arguments, null));
    }

    final Request start(Consumer<Call> arguments) {
        return start(take(), arguments, null);
    }

    /** @param then is told of the end, on whichever thread finds it, and of the failure if there was one */
    final void startThen(Consumer<Call> arguments, Consumer<Throwable> then) {
        start(take(), arguments, then);
    }

    private Request start(Call call, Consumer<Call> arguments, Consumer<Throwable> then) {
        refuseUse();
        arguments.accept(told(call));
        if (call == own) {
            ownIsOf.setOpaque(NOBODY_WAITS);
        }
        int turn = sequence.getAndIncrement();
        int slot = Math.floorMod(turn, SLOTS);
        call.schedule();
        call.execution().envelope(context + 1 + slot, chained(call));
        Started now = new Started(this, call, slot, layer.promise(), ++begun, then);
        turns.begin(begun, call.signature());
        synchronized (started) {
            Started before = started.get(slot);
            if (before != null) {
                before.last().next(now);
                return now.promise();
            }
            started.set(slot, now);
        }
        now.begin();
        return now.promise();
    }

    /** One that was started is over; gives the one that waits for its place, which is to begin, or null. */
    Started over(Started over, int slot) {
        Started next;
        synchronized (started) {
            next = over.next();
            started.set(slot, next);
        }
        giveBack(over.call());
        return next;
    }

    /** What this rank is in, for who looks from outside. */
    final void describe(List<LayerActivity> all) {
        String group = number + "/" + inDevice(0);
        int now = waiting;
        if (now > 0) {
            String words = nameOf(Collective.values()[now - 1]);
            all.add(new LayerActivity(group, name, place, callers(), begun, waitingTurn, words));
        }
        synchronized (started) {
            for (int slot = 0; slot < SLOTS; slot++) {
                for (Started each = started.get(slot); each != null; each = each.next()) {
                    String words = nameOf(each.call().collective());
                    all.add(new LayerActivity(group, name, place, callers(), begun, each.turn(), words));
                }
            }
        }
        all.add(new LayerActivity(group, name, place, callers(), begun, 0, ""));
    }

    // --- when they are over ------------------------------------------------------------------------------------------

    /** Null while collectives go on. */
    final Breakdown breakdown() {
        return breakdown;
    }

    /**
     * This rank's part of a call has failed: nobody can complete it, and nobody can tell what of the next calls would
     * still be his.
     *
     * @return what this rank's caller is to get
     */
    final Throwable failed(Call call, Throwable thrown) {
        Breakdown found = tiers == null ? null : tiers.breakdown();
        found = found == null ? cause(call, thrown) : found;
        if (found != null && breakDown(found, layer::end)) {
            tellAll(found);
        }
        tellFound(layer::notice);
        boolean isSaidBetter = thrown instanceof MismatchException
                || thrown instanceof MismatchedCallException
                || thrown instanceof SluiceException;
        return isSaidBetter && breakdown != null ? breakdown.exception(this) : thrown;
    }

    /** @return null where the device is over, which says more than any of its communicators */
    private Breakdown cause(Call call, Throwable thrown) {
        if (thrown instanceof MismatchException) {
            MismatchException found = (MismatchException) thrown;
            return new Breakdown(Breakdown.Kind.MISMATCH, found.peer(), place, call.signature(), found.tag(), null);
        }
        if (thrown instanceof SluiceException) {
            SluiceException known = (SluiceException) thrown;
            if (known.code() == ErrorCode.DEVICE_CLOSED || known.code() == ErrorCode.DEVICE_FAILED) {
                return null;
            }
            Breakdown.Kind kind = Agreement.isOfPeer(known.code()) ? Breakdown.Kind.of(known.code()) : null;
            if (kind != null && known.peer() >= 0 && members.here(known.peer()) >= 0) {
                return new Breakdown(kind, members.here(known.peer()), place, call.signature(), 0, known.getMessage());
            }
        }
        return new Breakdown(Breakdown.Kind.FAILED, place, place, call.signature(), 0, null);
    }

    /** @return whether nothing was known of it before */
    final boolean breakDown(Breakdown found, LayerWatcher.Ending ending) {
        synchronized (breaking) {
            if (breakdown != null) {
                return false;
            }
            breakdown = found;
        }
        if (tiers != null) {
            tiers.breakDown(ending);
        }
        ending.end(context + 1, Spaces.COLLECTIVE_CONTEXTS, found.code(), inDevice(found.culprit()), found.text(this));
        return true;
    }

    final void tellAll(Breakdown found) {
        tellAll(found, layer::notice);
    }

    private void tellAll(Breakdown found, LayerWatcher.Telling telling) {
        for (int member = 0; member < members.size(); member++) {
            if (member != place) {
                telling.notice(inDevice(member), found.notice(number));
            }
        }
    }

    /** What was found under the device's lock, and nobody has told. */
    private void tellFound(LayerWatcher.Telling telling) {
        Breakdown found = turns.takeFound();
        if (found != null) {
            tellAll(found, telling);
        }
    }

    /** Under the device's lock, a few times a second: asks some members for their call if this one waits for long. */
    final void looks(LayerWatcher.Telling telling) {
        tellFound(telling);
        if (breakdown != null) {
            return;
        }
        int turn = waiting > 0 ? waitingTurn : firstStarted();
        if (turn > 0 && turns.isToAsk(turn)) {
            int callers = callers();
            for (int distance = 1; distance < callers; distance *= 2) {
                telling.notice(inDevice((place + distance) % callers), turns.question(number, turn));
            }
        }
    }

    /** The turn of the first that was started and is on its way; 0 if none is. */
    private int firstStarted() {
        int first = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            Started each = started.get(slot);
            first = each == null || first > 0 && first < each.turn() ? first : each.turn();
        }
        return first;
    }

    /** Under the device's lock: a member waits, and says in which call. */
    final void asked(int rankOfDevice, LayerNotice question, LayerWatcher.Ending ending) {
        int member = members.here(rankOfDevice);
        if (member >= 0) {
            Breakdown found = turns.compare(question, member, place);
            if (found != null && breakDown(found, ending)) {
                turns.found(found);
            }
        }
    }

    /** Under the device's lock: a rank of the device has died. */
    final void died(int rankOfDevice, ErrorCode code, String message, LayerWatcher.Ending ending) {
        int member = members.here(rankOfDevice);
        if (member >= 0) {
            breakDown(new Breakdown(Breakdown.Kind.of(code), member, place, 0, 0, message), ending);
        }
    }

    /** Under the device's lock: a rank of the device says that collectives are over. */
    final void noticed(int rankOfDevice, LayerNotice notice, LayerWatcher.Ending ending) {
        Breakdown found = Breakdown.of(notice, members.here(rankOfDevice), members.size());
        if (found != null) {
            breakDown(found, ending);
            if (found.kind() == Breakdown.Kind.REVOKED) {
                revoked(found, ending);
            }
        }
    }

    private void revoked(Breakdown found, LayerWatcher.Ending ending) {
        isRevoked = true;
        ending.end(context, 1, found.code(), inDevice(found.culprit()), found.text(this));
    }

    /** As {@link Communicator#revoke}. */
    final void revokeHere() {
        Breakdown found = new Breakdown(Breakdown.Kind.REVOKED, place, place, 0, 0, null);
        breakDown(found, layer::end);
        revoked(found, layer::end);
        tellAll(found);
    }

    /** Returns when nothing that was started is on its way. */
    final void awaitStarted() {
        for (int slot = 0; slot < SLOTS; slot++) {
            awaitSlot(slot);
        }
    }

    /** All ranks do it together, and nobody of this one calls it any more. */
    final void closeCells() {
        if (tiers != null) {
            tiers.free();
        }
        if (cells != null) {
            cells.close();
        }
    }
}
