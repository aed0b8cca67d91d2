package mpi;

import org.sluice.mpi.ElementType;
import org.sluice.mpi.Reduction;

/** MPI_Op: what a reduction computes. */
public final class Op implements Freeable {
    /** What a program's own is for one datatype. */
    private static final class OfType {
        private final Datatype type;
        private final Reduction reduction;

        private OfType(Datatype type, Reduction reduction) {
            this.type = type;
            this.reduction = reduction;
        }
    }

    private final String name;
    private final Reduction reduction;
    private final UserFunction function;
    private final boolean isCommutative;
    private boolean isFreed;
    private volatile OfType last;

    /** @param reduction null for one that only one-sided calls take */
    Op(String name, Reduction reduction) {
        this.name = name;
        this.reduction = reduction == null ? null : reduction.named(name);
        this.function = null;
        this.isCommutative = true;
    }

    /**
     * MPI_Op_create.
     *
     * @param commute whether operands may change places; if not, they are taken in the order of ranks
     */
    public Op(UserFunction function, boolean commute) {
        if (function == null) {
            throw new IllegalArgumentException("the function is null: give a UserFunction that computes it");
        }
        this.name = null;
        this.reduction = null;
        this.function = function;
        this.isCommutative = commute;
    }

    /** Of items of a datatype. */
    static Reduction reduction(Op op, Datatype type) throws MPIException {
        if (op == null || op.isFreed) {
            throw Errors.of(MPI.ERR_OP, "the operation is null or was freed: MPI.SUM is one");
        }
        Datatype.used(type);
        if (op.function != null) {
            return op.ofProgram(type);
        }
        if (op.reduction == null) {
            throw Errors.of(MPI.ERR_OP, op.name + " is for one-sided calls alone");
        }
        if (type.kind() == Datatype.Kind.ELEMENTS) {
            op.check(type);
            return op.reduction;
        }
        return op.ofPairs(type);
    }

    private void check(Datatype type) throws MPIException {
        try {
            reduction.check(type.layout());
        } catch (IllegalArgumentException e) {
            String instead = type.base() == ElementType.BOOLEAN
                    ? "MPI.LAND, LOR and LXOR do"
                    : "MPI.SUM, PROD, MAX and MIN do, and BAND, BOR and BXOR for whole numbers";
            throw new MPIException(MPI.ERR_OP, name + " makes no sense for " + type + ": " + instead, e);
        }
    }

    /** With one datatype again and again nothing is made. */
    private Reduction ofProgram(Datatype type) throws MPIException {
        OfType known = last;
        if (known == null || known.type != type) {
            known = new OfType(type, Reduction.of(new UserOperation(function, type), isCommutative));
            last = known;
        }
        return known.reduction;
    }

    private Reduction ofPairs(Datatype type) throws MPIException {
        if (type.kind() == Datatype.Kind.COMPLEX) {
            if (this != MPI.SUM && this != MPI.PROD) {
                throw Errors.of(MPI.ERR_OP, name + " makes no sense for complex numbers: MPI.SUM and MPI.PROD do");
            }
            return this == MPI.SUM ? reduction : Reduction.COMPLEX_PRODUCT;
        }
        if (this != MPI.MAXLOC && this != MPI.MINLOC) {
            throw Errors.of(MPI.ERR_OP, name + " makes no sense for " + type + ": MPI.MAXLOC and MPI.MINLOC do");
        }
        return reduction;
    }

    /** MPI_Op_commutative. */
    public boolean isCommutative() {
        return isCommutative;
    }

    /** MPI_Op_free. */
    @Override
    public void free() throws MPIException {
        if (function == null) {
            throw Errors.of(MPI.ERR_OP, name + " is MPI's own and is never freed");
        }
        isFreed = true;
    }

    public boolean isNull() {
        return isFreed;
    }

    @Override
    public String toString() {
        return name == null ? "Op[" + function + "]" : name;
    }
}
