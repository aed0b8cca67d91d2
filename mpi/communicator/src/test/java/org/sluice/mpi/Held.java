package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** Items of one type in some kind of buffer, by number; what lies between them is watched. */
final class Held {
    /** How they lie there. */
    enum Kind {
        WHOLE_ARRAY,
        PART_OF_ARRAY,
        DIRECT,
        HEAP_BUFFER,
        APART
    }

    private static final int MARGIN = 3;
    private static final long UNTOUCHED = 77;

    final ElementType type;
    private final Object buffer;
    /** By number of the item. */
    private final int[] places;

    private final int length;
    private Data data;
    private final int elements;

    private Held(ElementType type, Object buffer, int[] places, int length, int elements) {
        this.type = type;
        this.buffer = buffer;
        this.places = places;
        this.length = length;
        this.elements = elements;
        for (int i = 0; i < length; i++) {
            putAt(i, UNTOUCHED);
        }
    }

    /** @param perItem elements of each item */
    static Held of(Kind kind, ElementType type, int items, int perItem) {
        int elements = items * perItem;
        int[] places = new int[elements];
        int first = kind == Kind.WHOLE_ARRAY ? 0 : MARGIN;
        int stride = kind == Kind.APART ? 2 : 1;
        for (int i = 0; i < elements; i++) {
            places[i] = first + i * stride;
        }
        int length = first + elements * stride + (kind == Kind.WHOLE_ARRAY ? 0 : MARGIN);
        Held held = new Held(type, buffer(kind, type, length), places, length, elements);
        Layout one = Layout.of(type);
        Layout item = perItem == 1 ? one : one.contiguous(perItem);
        if (kind == Kind.APART) {
            item = one.vector(perItem, 1, 2).resized(0, 2L * perItem * type.bytes());
        }
        boolean inBytes = kind == Kind.DIRECT || kind == Kind.HEAP_BUFFER;
        if (kind == Kind.WHOLE_ARRAY && perItem == 1) {
            held.data = null;
        } else {
            held.data = Data.of(held.buffer, (long) first * (inBytes ? type.bytes() : 1), items, item);
        }
        return held;
    }

    /** A block for each rank, with gaps between them and in any order. */
    static Held blocks(Random random, boolean apart, ElementType type, int[] counts) {
        int ranks = counts.length;
        int[] order = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            order[i] = i;
        }
        for (int i = ranks - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        int[] displacements = new int[ranks];
        int at = 0;
        for (int each : order) {
            at += random.nextInt(3);
            displacements[each] = at;
            at += counts[each];
        }
        int stride = apart ? 2 : 1;
        int elements = 0;
        for (int count : counts) {
            elements += count;
        }
        int[] places = new int[elements];
        int number = 0;
        for (int rank = 0; rank < ranks; rank++) {
            for (int i = 0; i < counts[rank]; i++) {
                places[number++] = MARGIN + (displacements[rank] + i) * stride;
            }
        }
        int length = MARGIN + at * stride + MARGIN;
        Held held = new Held(type, type.array(length), places, length, elements);
        Layout one = Layout.of(type);
        held.data = Data.blocks(
                held.buffer, MARGIN, counts, displacements, apart ? one.resized(0, 2L * type.bytes()) : one);
        return held;
    }

    private static Object buffer(Kind kind, ElementType type, int length) {
        switch (kind) {
            case DIRECT:
                return ByteBuffer.allocateDirect(length * type.bytes()).order(ByteOrder.nativeOrder());
            case HEAP_BUFFER:
                return ByteBuffer.allocate(length * type.bytes()).order(ByteOrder.nativeOrder());
            default:
                return type.array(length);
        }
    }

    /** As a call takes it. */
    Object given() {
        return data == null ? buffer : data;
    }

    int elements() {
        return elements;
    }

    void put(int number, long value) {
        putAt(places[number], value);
    }

    long get(int number) {
        return getAt(places[number]);
    }

    /** What it holds must be this, and nothing besides may have been written. */
    void check(long[] expected, String what) {
        boolean[] isItem = new boolean[length];
        for (int i = 0; i < elements; i++) {
            isItem[places[i]] = true;
            assertEquals(stored(type, expected[i]), get(i), () -> what + ", an element");
        }
        for (int i = 0; i < length; i++) {
            if (!isItem[i]) {
                assertEquals(stored(type, UNTOUCHED), getAt(i), what + ", beside the elements, at " + i);
            }
        }
    }

    /** A value as this type keeps it. */
    static long stored(ElementType type, long value) {
        switch (type) {
            case BOOLEAN:
                return value & 1;
            case BYTE:
                return (byte) value;
            case CHAR:
                return (char) value;
            case SHORT:
                return (short) value;
            case INT:
                return (int) value;
            case FLOAT:
                return (long) (float) value;
            default:
                return value;
        }
    }

    private void putAt(int place, long value) {
        if (buffer instanceof ByteBuffer) {
            putInto((ByteBuffer) buffer, place * type.bytes(), value);
            return;
        }
        switch (type) {
            case BOOLEAN:
                Array.setBoolean(buffer, place, (value & 1) != 0);
                break;
            case BYTE:
                Array.setByte(buffer, place, (byte) value);
                break;
            case CHAR:
                Array.setChar(buffer, place, (char) value);
                break;
            case SHORT:
                Array.setShort(buffer, place, (short) value);
                break;
            case INT:
                Array.setInt(buffer, place, (int) value);
                break;
            case FLOAT:
                Array.setFloat(buffer, place, value);
                break;
            case DOUBLE:
                Array.setDouble(buffer, place, value);
                break;
            default:
                Array.setLong(buffer, place, value);
                break;
        }
    }

    private void putInto(ByteBuffer bytes, int at, long value) {
        switch (type) {
            case BOOLEAN:
                bytes.put(at, (byte) (value & 1));
                break;
            case BYTE:
                bytes.put(at, (byte) value);
                break;
            case CHAR:
            case SHORT:
                bytes.putShort(at, (short) value);
                break;
            case INT:
                bytes.putInt(at, (int) value);
                break;
            case FLOAT:
                bytes.putFloat(at, value);
                break;
            case DOUBLE:
                bytes.putDouble(at, value);
                break;
            default:
                bytes.putLong(at, value);
                break;
        }
    }

    private long getAt(int place) {
        if (buffer instanceof ByteBuffer) {
            return getFrom((ByteBuffer) buffer, place * type.bytes());
        }
        if (type == ElementType.BOOLEAN) {
            return Array.getBoolean(buffer, place) ? 1 : 0;
        }
        if (type == ElementType.FLOAT || type == ElementType.DOUBLE) {
            return (long) Array.getDouble(buffer, place);
        }
        return type == ElementType.CHAR ? Array.getChar(buffer, place) : Array.getLong(buffer, place);
    }

    private long getFrom(ByteBuffer bytes, int at) {
        switch (type) {
            case BOOLEAN:
            case BYTE:
                return bytes.get(at);
            case CHAR:
                return bytes.getChar(at);
            case SHORT:
                return bytes.getShort(at);
            case INT:
                return bytes.getInt(at);
            case FLOAT:
                return (long) bytes.getFloat(at);
            case DOUBLE:
                return (long) bytes.getDouble(at);
            default:
                return bytes.getLong(at);
        }
    }
}
