package mpi;

import mpjbuf.Type;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.Layout;

/** A type of single elements, or of bounds. */
public class BasicType extends Datatype {
    /** In the order of MPJ Express's numbers, from 1 on. */
    private static final ElementType[] ELEMENTS = {
        ElementType.BYTE,
        ElementType.CHAR,
        ElementType.SHORT,
        ElementType.BOOLEAN,
        ElementType.INT,
        ElementType.LONG,
        ElementType.FLOAT,
        ElementType.DOUBLE
    };

    private static final Type[] TYPES = {
        Type.BYTE, Type.CHAR, Type.SHORT, Type.BOOLEAN, Type.INT, Type.LONG, Type.FLOAT, Type.DOUBLE
    };

    BasicType(int type) {
        if (type == LB || type == UB) {
            lbSet = type == LB;
            ubSet = type == UB;
            return;
        }
        baseType = type;
        size = 1;
        ub = 1;
        extent = 1;
        if (type >= 1 && type <= ELEMENTS.length) {
            ElementType element = ELEMENTS[type - 1];
            byteSize = element.bytes();
            layout = Layout.of(element);
            arrayClass = element.array(0).getClass();
            bufferType = TYPES[type - 1];
        } else if (type == OBJECT) {
            places = new int[] {0};
            bufferType = Type.OBJECT;
        }
    }

    /** Whether it only says where an item begins or ends. */
    boolean isBound() {
        return lbSet || ubSet;
    }

    @Override
    public String toString() {
        return isBound() ? lbSet ? "MPI.LB" : "MPI.UB" : super.toString();
    }
}
