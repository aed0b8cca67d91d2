package mpi;

import java.util.function.BinaryOperator;
import org.sluice.mpi.Reduction;

/** What a reduction does with two items. */
public class Op {
    /** MPJ Express's number of it; -1 of the program's own. */
    public int opCode = -1;

    private final Reduction reduction;
    private final User_function function;
    private final boolean commute;
    /** The function as it was used last. */
    private volatile Bound bound;

    /** The program's function, for items of one datatype. */
    private static final class Bound {
        private final Datatype datatype;
        private final Reduction reduction;

        Bound(Datatype datatype, Reduction reduction) {
            this.datatype = datatype;
            this.reduction = reduction;
        }
    }

    Op(Reduction reduction, int opCode) {
        this.reduction = reduction;
        this.opCode = opCode;
        this.function = null;
        this.commute = true;
    }

    /** @param commute whether operands may change places; if not, they are taken in the order of ranks */
    public Op(User_function function, boolean commute) throws MPIException {
        if (function == null) {
            throw new MPIException("the function is null: give an object of a class that extends User_function");
        }
        this.reduction = null;
        this.function = function;
        this.commute = commute;
    }

    public Op(User_function function, boolean commute, int opCode) throws MPIException {
        this(function, commute);
        this.opCode = opCode;
    }

    /** Nothing is kept that would have to be freed. */
    public void free() throws MPIException {}

    /** Does nothing. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    public void finalize() throws MPIException {}

    static Op checked(Op op) {
        if (op == null) {
            throw new MPIException("the operation is null: give MPI.SUM or another");
        }
        return op;
    }

    boolean isOfProgram() {
        return function != null;
    }

    Reduction of(Datatype datatype) {
        if (reduction != null) {
            return reduction;
        }
        Bound known = bound;
        if (known == null || known.datatype != datatype) {
            known = new Bound(
                    datatype,
                    Reduction.of(
                            (left, leftAt, right, rightAt, count, layout) ->
                                    function.Call(left, leftAt, right, rightAt, count, datatype),
                            commute));
            bound = known;
        }
        return known.reduction;
    }

    /** Of arrays of objects. */
    BinaryOperator<Object> ofObjects(Datatype datatype) {
        if (function == null) {
            throw new MPIException("objects are reduced by the program's own operation: give an Op with a User_function"
                    + " instead of MPI's");
        }
        return (left, right) -> {
            function.Call(left, 0, right, 0, ((Object[]) right).length / Math.max(1, datatype.size), datatype);
            return right;
        };
    }
}
