package org.sluice.mpi;

import org.sluice.device.layer.Layer;
import org.sluice.device.option.Option;
import org.sluice.mpi.algorithm.Algorithm;
import org.sluice.mpi.algorithm.Blocks;
import org.sluice.mpi.algorithm.CallComparison;
import org.sluice.mpi.algorithm.Choice;
import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.algorithm.Shape;
import org.sluice.mpi.cell.ArrayCollectives;
import org.sluice.mpi.cell.CellCollectives;
import org.sluice.mpi.cell.InMemory;
import org.sluice.mpi.schedule.Computation;
import org.sluice.mpi.schedule.Execution;
import org.sluice.mpi.schedule.Ranks;
import org.sluice.mpi.schedule.Schedule;

/**
 * One call of a collective: what the caller gave, checked; the schedule that is made of it; and its end. Used again and
 * again, by one call at a time, so that one that was made before allocates nothing.
 *
 * <p><i>Thread</i>: one at a time.
 */
class Call implements Computation {
    private static final int KEPT_BYTES = 1 << 20;
    private static final Algorithm COMPARISON = new CallComparison();
    private static final int KIND_SHIFT = 26;
    private static final int PAIR = 2;
    /** The channel between processes of one node. */
    private static final String THROUGH_MEMORY = "shm";

    static final int HASH_MASK = (1 << KIND_SHIFT) - 1;

    final Layer layer;
    final Ranks ranks;
    private final int rank;
    private final int size;
    private final Execution execution;
    /** Whether ranks compare their calls first. */
    private final boolean isChecked;

    final Shape shape = new Shape();
    final Operand send = new Operand(new Scratch());
    final Operand receive = new Operand(new Scratch());
    private final Scratch[] temps = {new Scratch(), new Scratch()};

    private Collective collective;
    private Reduction reduction;
    /** The last one that was found to take items, and which: most calls have the same. */
    private Reduction checked;

    private Layout checkedItems;
    /** Items that are reduced. */
    Layout items;

    private int root;
    /** {@link #signature}, once it was asked for. */
    private int signature;

    private boolean isSigned;
    /** It is a part of the making of a communicator, and no call of the program's. */
    private boolean isOfMaking;

    boolean deliversBlocks;
    boolean delivers;

    /** Whether all ranks have as many bytes, and how many. */
    private boolean isUniform;

    private long bytes;

    /** For even roots and odd ones, as two ranks often take turns. */
    private final Written[] written = new Written[2];

    /** What it was chosen for that cells, arrays or tiers come before messages where the ranks have them. */
    private Collective chosenFor;

    private long chosenBytes;
    private long chosenUnit;
    private boolean chosenCommutative;
    private boolean chosenOfProgram;
    private boolean fitsCells;
    private boolean fitsArrays;
    private boolean fitsFaster;
    private boolean hasLongBlocks;
    private boolean fitsTiers;
    private final Choice choice;

    /** A schedule, and what it was written for: it is used as it is for the next call of the same shape. */
    private static final class Written {
        private final Schedule schedule;
        private Collective collective;
        private int root;
        private long bytes;
        private long unit;
        private boolean isInPlace;
        private boolean isCommutative;

        Written(Schedule schedule) {
            this.schedule = schedule;
        }

        private boolean isFor(Call call) {
            return collective == call.collective
                    && root == call.root
                    && bytes == call.bytes
                    && unit == call.shape.unit()
                    && isInPlace == call.shape.isInPlace()
                    && isCommutative == call.shape.isCommutative();
        }

        private void isNowFor(Call call) {
            collective = call.collective;
            root = call.root;
            bytes = call.bytes;
            unit = call.shape.unit();
            isInPlace = call.shape.isInPlace();
            isCommutative = call.shape.isCommutative();
        }
    }

    Call(Layer layer, Ranks ranks, int rank) {
        this.layer = layer;
        this.ranks = ranks;
        this.rank = rank;
        this.size = ranks.size();
        this.execution = new Execution(layer, ranks, this);
        this.written[0] = new Written(execution.schedule());
        this.isChecked = layer.options().text(Option.MPI_CHECK).equals("full");
        this.choice = Choice.of(layer.options());
        if (size == PAIR && rank >= 0 && THROUGH_MEMORY.equals(layer.device().channelTo(ranks.inDevice(1 - rank)))) {
            shape.pairInMemory();
        }
    }

    /** For a call beside this one. */
    Call another() {
        return new Call(layer, ranks, rank);
    }

    int rank() {
        return rank;
    }

    int size() {
        return size;
    }

    /** The rank in its group, as programs know it, of one of those that make the call. */
    int callersRank(int caller) {
        return caller;
    }

    String nameOf(int caller) {
        return "rank " + caller;
    }

    Execution execution() {
        return execution;
    }

    Collective collective() {
        return collective;
    }

    // --- what the caller gave ----------------------------------------------------------------------------------------

    final void begin(Collective newCollective, int newRoot) {
        if (newRoot < 0 || newRoot >= size) {
            throw new IllegalArgumentException(
                    "the root is " + newRoot + ", and the communicator has ranks 0 to " + (size - 1));
        }
        if (collective != newCollective) {
            collective = newCollective;
        }
        root = newRoot;
        isSigned = false;
        isOfMaking = false;
        if (reduction != null && !newCollective.isReduction()) {
            reduction = null;
        }
        delivers = false;
        deliversBlocks = false;
        shape.place(rank, size, newRoot);
        shape.contribution(false, true, 1);
    }

    void barrier() {
        barrier(Collective.BARRIER);
    }

    /** @param kind that only the same fits */
    void barrier(Collective kind) {
        begin(kind, 0);
        send.none();
        receive.none();
        uniform(0, 1);
    }

    void broadcast(Object buffer, int newRoot) {
        begin(Collective.BROADCAST, newRoot);
        send.none();
        boolean isRoot = rank == newRoot;
        // What is read and written at one place has to be fit for both at all ranks, as who is the root may change.
        takeItems(receive, buffer, !isRoot || !Operand.hasPositions(buffer));
        receive.prepare(false, isRoot);
        delivers = !isRoot;
        uniform(receive.bytes(), 1);
    }

    void gather(Object given, Object into, boolean hasBlocks, int newRoot) {
        begin(hasBlocks ? Collective.GATHER_BLOCKS : Collective.GATHER, newRoot);
        boolean inPlace = false;
        if (rank == newRoot) {
            inPlace = given == Data.IN_PLACE;
            takeReceiveBlocks(into, hasBlocks);
            delivers = true;
        } else {
            receive.none();
            shape.receive().uniform(0);
        }
        takeContribution(given, inPlace);
        checkBlock(inPlace, rank == newRoot);
        if (rank != newRoot) {
            shape.send().uniform(send.bytes());
        }
        shape.contribution(inPlace, true, 1);
        vary();
    }

    void scatter(Object given, Object into, boolean hasBlocks, int newRoot) {
        begin(hasBlocks ? Collective.SCATTER_BLOCKS : Collective.SCATTER, newRoot);
        boolean inPlace = rank == newRoot && into == Data.IN_PLACE;
        if (inPlace) {
            receive.none();
        } else {
            takeItems(receive, into, true);
            receive.prepare(false, false);
            delivers = true;
        }
        if (rank == newRoot) {
            takeSendBlocks(given, hasBlocks);
            if (!inPlace && shape.send().bytes(rank) != receive.bytes()) {
                throw new IllegalArgumentException("the root's own block has "
                        + shape.send().bytes(rank) + " bytes, and its buffer takes " + receive.bytes());
            }
        } else {
            send.none();
            shape.send().uniform(0);
        }
        shape.receive().uniform(receive.bytes());
        shape.contribution(inPlace, true, 1);
        vary();
    }

    void allGather(Object given, Object into, boolean hasBlocks) {
        begin(hasBlocks ? Collective.ALL_GATHER_BLOCKS : Collective.ALL_GATHER, 0);
        boolean inPlace = given == Data.IN_PLACE;
        takeReceiveBlocks(into, hasBlocks);
        delivers = true;
        takeContribution(given, inPlace);
        checkBlock(inPlace, true);
        shape.contribution(inPlace, true, 1);
        if (hasBlocks) {
            vary();
        } else {
            write(shape.receive().bytes(rank), 1, true);
        }
    }

    void allToAll(Object given, Object into, boolean hasBlocks) {
        begin(hasBlocks ? Collective.ALL_TO_ALL_BLOCKS : Collective.ALL_TO_ALL, 0);
        boolean inPlace = given == Data.IN_PLACE;
        takeReceiveBlocks(into, hasBlocks);
        delivers = true;
        if (inPlace) {
            receive.copyAsideFor(send, shape.receive(), shape.send(), size);
        } else {
            takeSendBlocks(given, hasBlocks);
        }
        if (shape.send().bytes(rank) != shape.receive().bytes(rank)) {
            throw new IllegalArgumentException("this rank's block for itself has "
                    + shape.send().bytes(rank) + " bytes, and what it takes from itself "
                    + shape.receive().bytes(rank));
        }
        shape.contribution(inPlace, true, 1);
        if (hasBlocks) {
            vary();
        } else {
            write(shape.send().bytes(rank), 1, true);
        }
    }

    void reduce(Object given, Object into, Reduction operation, int newRoot) {
        begin(Collective.REDUCE, newRoot);
        boolean isRoot = rank == newRoot;
        takeReduction(operation);
        if (isRoot) {
            takeItems(receive, into, true);
            delivers = true;
        } else {
            receive.none();
        }
        reducing(given, isRoot && given == Data.IN_PLACE, isRoot, operation);
    }

    void allReduce(Object given, Object into, Reduction operation) {
        computeAll(Collective.ALL_REDUCE, given, into, operation);
    }

    void scan(Object given, Object into, Reduction operation, boolean exclusive) {
        computeAll(exclusive ? Collective.EXCLUSIVE_SCAN : Collective.SCAN, given, into, operation);
    }

    void agree(Object given, Object into, Reduction operation) {
        computeAll(Collective.AGREEMENT, given, into, operation);
    }

    private void computeAll(Collective newCollective, Object given, Object into, Reduction operation) {
        begin(newCollective, 0);
        takeReduction(operation);
        takeItems(receive, into, true);
        delivers = true;
        reducing(given, given == Data.IN_PLACE, true, operation);
    }

    final void reduces(Layout newItems) {
        if (items != newItems) {
            items = newItems;
        }
    }

    final void takeReduction(Reduction operation) {
        if (operation == null) {
            throw new IllegalArgumentException("the reduction is null: give one, Reduction.SUM for instance");
        }
        if (reduction != operation) {
            reduction = operation;
        }
    }

    private void reducing(Object given, boolean inPlace, boolean hasResult, Reduction operation) {
        if (inPlace) {
            reduces(receive.layout());
            checkTakes(operation, items);
            receive.prepare(true, true);
            send.alias(receive);
        } else {
            takeItems(send, given, false);
            reduces(send.layout());
            checkTakes(operation, items);
            send.prepare(true, true);
            if (hasResult) {
                checkTakes(operation, receive.layout());
                checkSame(send, receive);
                // An exclusive scan leaves the first rank's result as it was.
                receive.prepare(true, collective == Collective.EXCLUSIVE_SCAN && rank == 0);
            }
        }
        operation.checkCount(items, send.count());
        shape.contribution(inPlace, operation.isCommutative(), operation.unit(items));
        uniform(send.bytes(), shape.unit());
    }

    private void checkTakes(Reduction operation, Layout layout) {
        if (checked != operation || checkedItems != layout) {
            operation.check(layout);
            checked = operation;
            checkedItems = layout;
        }
    }

    static void checkSame(Operand given, Operand into) {
        if (given.bytes() != into.bytes()
                || given.layout().element() != into.layout().element()) {
            throw new IllegalArgumentException("the contribution is " + given.count() + " item(s) of " + given.layout()
                    + ", and the result " + into.count() + " item(s) of " + into.layout()
                    + ": they have to have as many elements of one type");
        }
    }

    /** @param counts items of each rank's result, or null where all have as many */
    void reduceScatter(Object given, Object into, int[] counts, Reduction operation) {
        begin(counts == null ? Collective.REDUCE_SCATTER_BLOCK : Collective.REDUCE_SCATTER, 0);
        takeReduction(operation);
        takeItems(receive, into, true);
        boolean inPlace = given == Data.IN_PLACE;
        if (!inPlace) {
            takeItems(send, given, false);
        }
        Operand all = inPlace ? receive : send;
        reduces(all.layout());
        operation.check(items);
        operation.checkCount(items, all.count());
        if (counts == null) {
            all.split(size, shape.send(), "to reduce");
        } else {
            layOut(counts, size, all, shape.send());
        }
        operation.checkCount(items, shape.send().bytes(rank) / Math.max(1, items.size()));
        long own = shape.send().bytes(rank);
        if (inPlace) {
            receive.prepare(true, true);
            send.alias(receive);
        } else {
            send.prepare(true, true);
            if (receive.bytes() < own) {
                throw new IllegalArgumentException(
                        "this rank's result has " + own + " bytes, and its buffer takes " + receive.bytes());
            }
            receive.prepare(true, true);
        }
        delivers = true;
        shape.contribution(inPlace, operation.isCommutative(), operation.unit(items));
        if (counts == null) {
            write(own, shape.unit(), true);
        } else {
            vary();
        }
    }

    final void layOut(int[] counts, int ranks, Operand all, Blocks into) {
        if (counts.length != ranks) {
            throw new IllegalArgumentException(
                    counts.length + " counts were given, and the communicator has " + ranks + " ranks: one for each");
        }
        into.varied(ranks);
        long at = 0;
        for (int i = 0; i < ranks; i++) {
            if (counts[i] < 0) {
                throw new IllegalArgumentException("the count of rank " + i + " is " + counts[i] + ": 0 or more");
            }
            reduction.checkCount(items, counts[i]);
            long bytes = counts[i] * items.size();
            into.set(i, at, bytes);
            at += bytes;
        }
        if (at > all.bytes()) {
            throw new IllegalArgumentException("the counts add up to " + at / Math.max(1, items.size())
                    + " items, and the contribution has " + all.count());
        }
    }

    static void takeItems(Operand operand, Object given, boolean writing) {
        operand.take(given, writing);
        if (operand.hasBlocks()) {
            throw new IllegalArgumentException("blocks for each rank have no place here: give items");
        }
    }

    private void takeReceiveBlocks(Object into, boolean hasBlocks) {
        receive.take(into, true);
        checkBlocks(receive, hasBlocks);
        // What this rank has in its own block stays where it is in place, and gaps are the caller's.
        if (hasBlocks) {
            receive.prepareBlocks(size, shape.receive(), false, true);
            deliversBlocks = true;
        } else {
            receive.split(size, shape.receive(), "to receive");
            receive.prepare(false, true);
        }
    }

    private void takeSendBlocks(Object given, boolean hasBlocks) {
        send.take(given, false);
        checkBlocks(send, hasBlocks);
        if (hasBlocks) {
            send.prepareBlocks(size, shape.send(), false, true);
        } else {
            send.split(size, shape.send(), "to send");
            send.prepare(false, true);
        }
    }

    final void checkBlocks(Operand operand, boolean hasBlocks) {
        if (operand.hasBlocks() != hasBlocks) {
            throw new IllegalArgumentException(collective.words() + " takes "
                    + (hasBlocks
                            ? "Data.blocks"
                            : "items, and not Data.blocks, which " + collective.words() + "Blocks takes"));
        }
    }

    private void takeContribution(Object given, boolean inPlace) {
        if (inPlace) {
            send.none();
            shape.send().uniform(shape.receive().bytes(rank));
        } else {
            takeItems(send, given, false);
            send.prepare(false, true);
            shape.send().uniform(send.bytes());
        }
    }

    private void checkBlock(boolean inPlace, boolean hasResult) {
        if (!inPlace && hasResult && send.bytes() != shape.receive().bytes(rank)) {
            throw new IllegalArgumentException("this rank's contribution has " + send.bytes()
                    + " bytes, and its block in the result " + shape.receive().bytes(rank));
        }
    }

    // --- the schedule ------------------------------------------------------------------------------------------------

    /** All ranks have as many bytes. */
    private void uniform(long bytes, long unit) {
        shape.send().uniform(bytes);
        shape.receive().uniform(bytes);
        write(bytes, unit, true);
    }

    void vary() {
        write(0, shape.unit(), false);
    }

    private void write(long newBytes, long unit, boolean newUniform) {
        isUniform = newUniform;
        bytes = newBytes;
        if (isUniform) {
            choose(unit);
        } else {
            rewritten();
            writeSchedule();
        }
        bind();
    }

    private void choose(long unit) {
        boolean isOfProgram = reduction != null && reduction.isOfProgram();
        if (chosenFor == collective
                && chosenBytes == bytes
                && chosenUnit == unit
                && chosenCommutative == shape.isCommutative()
                && chosenOfProgram == isOfProgram) {
            return;
        }
        int cells = choice.place(Choice.CELLS, collective, shape, bytes);
        int arrays = choice.place(Choice.ARRAYS, collective, shape, bytes);
        int faster = choice.place(Choice.FASTER, collective, shape, bytes);
        boolean canBeInCells = CellCollectives.takes(collective, bytes, unit, size);
        boolean isLong = canBeInCells && CellCollectives.wantsMany(collective, bytes, size);
        fitsFaster = isLong && faster >= 0 && (cells < 0 || faster < cells);
        fitsCells = canBeInCells && cells >= 0;
        hasLongBlocks = isLong && (fitsCells || fitsFaster);
        fitsArrays = arrays >= 0 && (!fitsCells || arrays < cells) && ArrayCollectives.takes(collective, isOfProgram);
        fitsTiers = choice.prefers(Choice.TIERS, collective, shape, bytes)
                && Tiers.takes(collective, shape.isCommutative());
        chosenFor = collective;
        chosenBytes = bytes;
        chosenUnit = unit;
        chosenCommutative = shape.isCommutative();
        chosenOfProgram = isOfProgram;
    }

    /** Has the schedule be that of this call: not before it is known that it goes as messages. */
    final void schedule() {
        if (!isUniform) {
            return;
        }
        int which = root & 1;
        if (written[which] == null) {
            written[which] = new Written(new Schedule());
        }
        Written found = written[which];
        execution.use(found.schedule);
        if (!found.isFor(this)) {
            writeSchedule();
            found.isNowFor(this);
        }
    }

    private void writeSchedule() {
        execution.schedule().clear();
        if (isChecked) {
            COMPARISON.write(shape, execution.schedule());
        }
        choice.algorithm(collective, shape, bytes).write(shape, execution.schedule());
    }

    /**
     * Says that the ranks are processes that share memory, before the arguments are known: by both an algorithm is
     * chosen, and has to be the same one at all ranks.
     */
    void inMemory() {
        if (!shape.isInMemory()) {
            shape.inMemory();
            chosenFor = null;
            // What was written until now was chosen without it.
            for (Written each : written) {
                if (each != null) {
                    each.collective = null;
                }
            }
        }
    }

    /** An empty schedule, which is another one's than that of this collective. */
    final Schedule rewritten() {
        isUniform = false;
        written[0].collective = null;
        execution.use(written[0].schedule);
        execution.schedule().clear();
        return execution.schedule();
    }

    /** Has the schedule find what the caller gave. */
    final void bind() {
        execution.buffer(Schedule.SEND, send.used(), send.usedBegin());
        execution.buffer(Schedule.RECEIVE, receive.used(), receive.usedBegin());
    }

    /** Whether ranks that have cells do it there: the same at all of them. */
    boolean fitsCells() {
        return isUniform && fitsCells;
    }

    /** As {@link #fitsCells}, of ranks that see each other's arrays, which don't do it in cells then. */
    boolean fitsArrays() {
        return isUniform && fitsArrays;
    }

    /** As {@link #fitsCells}, of what goes there if that is faster than by messages. */
    boolean fitsFaster() {
        return isUniform && fitsFaster;
    }

    /** Of one rank's block, where all have them alike. */
    long bytes() {
        return bytes;
    }

    /** Whether it would go through more cells than a few. */
    boolean hasLongBlocks() {
        return isUniform && hasLongBlocks;
    }

    /** As {@link #fitsCells}, of tiers. */
    boolean fitsTiers() {
        return isUniform && fitsTiers;
    }

    void runIn(InMemory memory, int signature) {
        memory.run(
                collective, shape, this, send.used(), send.usedBegin(), receive.used(), receive.usedBegin(), signature);
    }

    /** Whether all ranks have the same signature, so that the next call's may tell of it. */
    boolean isAlikeEverywhere() {
        return collective != Collective.AGREEMENT;
    }

    /** Behind its arguments: the program has called what makes a communicator, or what that is for. */
    final void makes() {
        isOfMaking = true;
    }

    /**
     * What all ranks have to say alike of a call: which it is, and a number made of the root, the bytes that all have
     * alike, and the reduction.
     */
    int signature() {
        if (!isSigned) {
            signature = signed();
            isSigned = true;
        }
        return signature;
    }

    private int signed() {
        long hash = isOfMaking ? 31 * (1 + collective.ordinal()) + root : root;
        boolean isSized = isUniform && collective != Collective.GATHER && collective != Collective.SCATTER;
        hash = 31 * hash + (isSized ? bytes : 0);
        hash = 31 * hash + (reduction == null ? isChecked ? elements() : 0 : reduction.signature(items));
        int folded = (int) (hash ^ hash >>> KIND_SHIFT) & HASH_MASK;
        return (isOfMaking ? Collective.AGREEMENT : collective).ordinal() << KIND_SHIFT | folded;
    }

    /** Of the same call at a rank that doesn't know its arguments, which fits whatever they are. */
    static int withoutArguments(int signature) {
        return signature | HASH_MASK;
    }

    /** Whether both may be of the same call, where {@link #withoutArguments} may be one of them. */
    static boolean fitTogether(int signature, int other) {
        boolean isSameKind = signature >>> KIND_SHIFT == other >>> KIND_SHIFT;
        boolean isUnknown = withoutArguments(signature) == signature || withoutArguments(other) == other;
        return signature == other || isSameKind && isUnknown;
    }

    /** The type of elements that all ranks have to give, if there is one. */
    int elements() {
        Layout layout;
        switch (collective) {
            case BROADCAST:
            case ALL_GATHER:
            case ALL_TO_ALL:
                layout = receive.layout();
                break;
            case GATHER:
                layout = rank == root ? receive.layout() : send.layout();
                break;
            case SCATTER:
                layout = rank == root ? send.layout() : receive.layout();
                break;
            default:
                return 0;
        }
        return layout == null || layout.element() == null
                ? 0
                : 1 + layout.element().ordinal();
    }

    static Collective collectiveOf(int signature) {
        int kind = signature >>> KIND_SHIFT;
        Collective[] all = Collective.values();
        return kind < all.length ? all[kind] : null;
    }

    /** The result to where the caller wants it, once all steps are done. */
    void deliver() {
        if (deliversBlocks) {
            receive.deliverBlocks(shape.receive());
        } else if (delivers) {
            receive.deliver();
        }
    }

    /**
     * Nothing large of the caller's is kept for longer than its call. What is small is, until the next one: often it is
     * the same, and to write references into an old object costs a fence where the collector is G1.
     *
     * @return whether it was large
     */
    boolean forget() {
        boolean isLarge = send.keptBytes() + receive.keptBytes() > KEPT_BYTES;
        if (isLarge) {
            send.forget();
            receive.forget();
            execution.forget();
            reduction = null;
            checked = null;
            checkedItems = null;
        }
        return isLarge;
    }

    @Override
    public void reduce(Object left, long leftAt, Object right, long rightAt, long bytes) {
        int elementBytes = items.computed().bytes();
        reduction.apply(
                left,
                (int) (leftAt / elementBytes),
                right,
                (int) (rightAt / elementBytes),
                bytes / items.size(),
                items);
    }

    @Override
    public Object temp(int number, long bytes) {
        return temps[number].take(reduction == null ? ElementType.BYTE : items.computed(), bytes);
    }
}
