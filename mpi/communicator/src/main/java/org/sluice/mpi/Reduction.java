package org.sluice.mpi;

import org.sluice.mpi.reduce.Kernel;
import org.sluice.mpi.reduce.Operation;
import org.sluice.mpi.reduce.PairKernel;

/**
 * What a reduction does with two elements: MPI's operations, and those of programs. Immutable, and the same for any
 * communicator.
 *
 * <p>Sums and products of integers wrap round, as Java's do. {@link #MAX_LOCATION} and {@link #MIN_LOCATION} take pairs
 * of neighbouring elements, a value and a location, or items of a value of any type and an int behind it; they give the
 * lower location of equal values.
 */
public final class Reduction {
    public static final Reduction SUM = new Reduction(Operation.SUM);
    public static final Reduction PRODUCT = new Reduction(Operation.PRODUCT);
    public static final Reduction MAX = new Reduction(Operation.MAX);
    public static final Reduction MIN = new Reduction(Operation.MIN);
    public static final Reduction LOGICAL_AND = new Reduction(Operation.LOGICAL_AND);
    public static final Reduction LOGICAL_OR = new Reduction(Operation.LOGICAL_OR);
    public static final Reduction LOGICAL_XOR = new Reduction(Operation.LOGICAL_XOR);
    public static final Reduction BITWISE_AND = new Reduction(Operation.BITWISE_AND);
    public static final Reduction BITWISE_OR = new Reduction(Operation.BITWISE_OR);
    public static final Reduction BITWISE_XOR = new Reduction(Operation.BITWISE_XOR);
    public static final Reduction MAX_LOCATION = new Reduction(Operation.MAX_LOCATION);
    public static final Reduction MIN_LOCATION = new Reduction(Operation.MIN_LOCATION);

    /** Of complex numbers, which are a real part and an imaginary one behind it. */
    public static final Reduction COMPLEX_PRODUCT = new Reduction(Operation.COMPLEX_PRODUCT);

    /** Those of elements, and several. */
    private static final int TYPES = ElementType.values().length + 1;

    private final Operation operation;
    private final UserReduction own;
    private final boolean commutative;
    /** Null for one of the program's own. */
    private final String name;

    private Reduction(Operation operation) {
        this(operation, operation.toString());
    }

    private Reduction(Operation operation, String name) {
        this.operation = operation;
        this.own = null;
        this.commutative = true;
        this.name = name;
    }

    private Reduction(UserReduction own, boolean commutative) {
        this.operation = null;
        this.own = own;
        this.commutative = commutative;
        this.name = null;
    }

    /**
     * Of the program's own, which has to be associative.
     *
     * @param commutative whether operands may change places; if not, they are taken in the order of ranks
     */
    public static Reduction of(UserReduction own, boolean commutative) {
        if (own == null) {
            throw new IllegalArgumentException("the reduction is null: give what computes it");
        }
        return new Reduction(own, commutative);
    }

    /** The same, which messages call so: ranks need not give the same names. */
    public Reduction named(String newName) {
        return operation == null ? this : new Reduction(operation, newName);
    }

    public boolean isCommutative() {
        return commutative;
    }

    /**
     * On this rank alone: {@code inOut = in op inOut}, item by item, as MPI's reduce_local.
     *
     * @param in a buffer or a {@link Data}, as are the results
     */
    public void local(Object in, Object inOut) {
        Operand left = new Operand(new Scratch());
        Operand right = new Operand(new Scratch());
        left.take(in, false);
        right.take(inOut, true);
        if (left.hasBlocks() || right.hasBlocks()) {
            throw new IllegalArgumentException("blocks for each rank have no place here: give items");
        }
        Layout items = left.layout();
        check(items);
        check(right.layout());
        if (left.bytes() != right.bytes() || items.element() != right.layout().element()) {
            throw new IllegalArgumentException("the operands are " + left.count() + " item(s) of " + items + " and "
                    + right.count() + " item(s) of " + right.layout() + ": they have to have as many elements of one"
                    + " type");
        }
        checkCount(items, left.count());
        if (left.count() == 0) {
            return;
        }
        left.prepare(true, true);
        right.prepare(true, true);
        int elementBytes = items.computed().bytes();
        apply(
                left.used(),
                (int) (left.usedBegin() / elementBytes),
                right.used(),
                (int) (right.usedBegin() / elementBytes),
                left.count(),
                items);
        right.deliver();
    }

    /** As {@link UserReduction}, of whole items. */
    void apply(Object left, int leftAt, Object right, int rightAt, long count, Layout layout) {
        if (own != null) {
            own.apply(left, leftAt, right, rightAt, (int) count, layout);
        } else {
            ElementType type = layout.computed();
            Kernel kernel = layout.element() == null ? PairKernel.of(layout.valueOfPairs()) : Kernel.of(type);
            kernel.apply(operation, left, leftAt, right, rightAt, (int) (count * layout.size() / type.bytes()));
        }
    }

    /** @throws IllegalArgumentException where it makes no sense for such items */
    public void check(Layout layout) {
        if (operation == null) {
            return;
        }
        ElementType type = layout.element();
        if (type == null) {
            if (layout.valueOfPairs() == null || !operation.isLocation()) {
                throw new IllegalArgumentException(this + " can't take items of several types: " + layout
                        + "; those of a value and an int take MAX_LOCATION and MIN_LOCATION, all take one of the"
                        + " program's own");
            }
            return;
        }
        if (!Kernel.of(type).takes(operation)) {
            throw new IllegalArgumentException(this + " makes no sense for elements of type " + type
                    + (type == ElementType.BOOLEAN
                            ? ": logical operations do"
                            : ": sums, products, maxima and minima do, bitwise ones for whole numbers"));
        }
    }

    /** @throws IllegalArgumentException where so many items are no whole pairs */
    void checkCount(Layout layout, long count) {
        if (operation != null
                && operation.takesPairs()
                && layout.element() != null
                && count * layout.size() / layout.element().bytes() % 2 != 0) {
            throw new IllegalArgumentException(this + " takes pairs of elements, a value and what"
                    + " stands beside it: "
                    + count * layout.size() / layout.element().bytes()
                    + " element(s) are no pairs");
        }
    }

    /** Whether it calls the program's own code. */
    boolean isOfProgram() {
        return own != null;
    }

    /** Bytes that are never cut: those of an item, or of the two that are a pair. */
    long unit(Layout layout) {
        boolean isHalf = operation != null
                && operation.takesPairs()
                && layout.element() != null
                && layout.size() / layout.element().bytes() % 2 != 0;
        return isHalf ? 2 * layout.size() : layout.size();
    }

    /** What all ranks have to say alike of it. */
    int signature(Layout items) {
        return (operation == null ? -1 : operation.ordinal()) * TYPES
                + (items.element() == null ? TYPES - 1 : items.element().ordinal());
    }

    @Override
    public String toString() {
        return operation != null ? name : "reduction of the program's own (" + own + ")";
    }
}
