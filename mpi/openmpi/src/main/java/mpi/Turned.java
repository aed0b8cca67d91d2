package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sluice.mpi.Data;
import org.sluice.mpi.ElementType;
import org.sluice.mpi.Layout;
import org.sluice.mpi.Packing;

/**
 * Items of a buffer in the other byte order than the machine's, turned round so that a reduction computes with them: a
 * copy, which goes back when there is a result. <i>Thread</i>: one after the other.
 */
final class Turned {
    private final Data items;
    private final Datatype type;
    private final long count;
    /** Packed items. */
    private final byte[] bytes;
    /** The same in an array of their elements' type; the bytes themselves if they are of several. */
    private final Object array;

    private Turned(ByteBuffer buffer, long count, Datatype type) throws MPIException {
        this.items = Data.of(Buffers.whole(buffer), 0, count, type.layout());
        this.type = type;
        this.count = count;
        this.bytes = new byte[Math.toIntExact(count * type.layout().size())];
        Packing.pack(items, bytes, 0);
        turn();
        ElementType element = type.layout().element();
        if (element == null) {
            array = bytes;
        } else {
            array = element.array(bytes.length / element.bytes());
            Packing.unpack(bytes, 0, array);
        }
    }

    /** Null where the buffer is as the machine has it, which is nearly always. */
    static Turned of(Object buffer, long count, Datatype type) throws MPIException {
        boolean isOther = buffer instanceof ByteBuffer && ((ByteBuffer) buffer).order() != ByteOrder.nativeOrder();
        if (!isOther || Datatype.used(type).layout().element() == ElementType.BYTE) {
            return null;
        }
        return new Turned((ByteBuffer) buffer, count, type);
    }

    /** Items to be reduced, turned if they have to be. */
    static Object contribution(Object buffer, long count, Datatype type) throws MPIException {
        Turned turned = of(buffer, count, type);
        return turned == null ? Buffers.reduced(buffer, count, type) : turned.data();
    }

    /** For the reduction. */
    Object data() throws MPIException {
        int size = Math.toIntExact(type.layout().size());
        ElementType element = ElementType.of(array);
        return Data.of(array, 0, count, Layout.of(element).contiguous(size / element.bytes()));
    }

    /** The result is there. */
    void deliver() {
        if (array != bytes) {
            Packing.pack(array, bytes, 0);
        }
        turn();
        Packing.unpack(bytes, 0, items);
    }

    private void turn() {
        ElementType[] mixed = type.mixed();
        if (mixed == null) {
            int size = type.layoutElementBytes();
            for (int at = 0; at < bytes.length; at += size) {
                turn(at, size);
            }
            return;
        }
        int at = 0;
        for (long item = 0; item < count; item++) {
            for (ElementType element : mixed) {
                turn(at, element.bytes());
                at += element.bytes();
            }
        }
    }

    private void turn(int at, int size) {
        for (int low = at, high = at + size - 1; low < high; low++, high--) {
            byte swapped = bytes[low];
            bytes[low] = bytes[high];
            bytes[high] = swapped;
        }
    }
}
