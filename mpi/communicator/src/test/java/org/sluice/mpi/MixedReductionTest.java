package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Reductions of items of several types, of complex numbers, and of numbers in the other byte order. */
final class MixedReductionTest {
    private static final int RANKS = 3;
    private static final int PAIRS = 9;
    private static final ByteOrder OTHER =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;

    private static void run(CommunicatorJob.Body body) {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, Place.THREADS)) {
            job.run(body);
        }
    }

    /** A value, and behind a hole an int. */
    private static Layout pair(ElementType value) {
        return Layout.struct(new int[] {1, 1}, new long[] {0, 12}, new Layout[] {Layout.of(value), Layout.INT})
                .resized(0, 16);
    }

    private static double get(ByteBuffer buffer, int at, ElementType value) {
        switch (value) {
            case DOUBLE:
                return buffer.getDouble(at);
            case FLOAT:
                return buffer.getFloat(at);
            case LONG:
                return buffer.getLong(at);
            case INT:
                return buffer.getInt(at);
            case SHORT:
                return buffer.getShort(at);
            case CHAR:
                return buffer.getChar(at);
            default:
                return buffer.get(at);
        }
    }

    private static void put(ByteBuffer buffer, int at, ElementType value, int number) {
        switch (value) {
            case DOUBLE:
                buffer.putDouble(at, number);
                break;
            case FLOAT:
                buffer.putFloat(at, number);
                break;
            case LONG:
                buffer.putLong(at, number);
                break;
            case INT:
                buffer.putInt(at, number);
                break;
            case SHORT:
                buffer.putShort(at, (short) number);
                break;
            case CHAR:
                buffer.putChar(at, (char) number);
                break;
            default:
                buffer.put(at, (byte) number);
                break;
        }
    }

    /** Every rank knows what all give. */
    private static ByteBuffer given(ElementType value, int rank, ByteOrder order) {
        Random random = new Random(31 * value.ordinal() + rank);
        ByteBuffer buffer = ByteBuffer.allocate(16 * PAIRS).order(order);
        for (int i = 0; i < PAIRS; i++) {
            put(buffer, 16 * i, value, random.nextInt(4));
            buffer.putInt(16 * i + 12, random.nextInt(100));
        }
        return buffer;
    }

    private static void checkLocation(ByteBuffer result, ElementType value, boolean isMaximum, ByteOrder order) {
        for (int i = 0; i < PAIRS; i++) {
            double best = Double.NaN;
            int index = 0;
            for (int rank = 0; rank < RANKS; rank++) {
                ByteBuffer each = given(value, rank, order);
                double number = get(each, 16 * i, value);
                int at = each.getInt(16 * i + 12);
                boolean isBetter = isMaximum ? number > best : number < best;
                if (Double.isNaN(best) || isBetter || number == best && at < index) {
                    best = number;
                    index = at;
                }
            }
            assertEquals(best, get(result, 16 * i, value), value + " " + i);
            assertEquals(index, result.getInt(16 * i + 12), value + " " + i);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"BOOLEAN"})
    void locationsOfAnyValue(ElementType value) {
        run(world -> {
            for (ByteOrder order : new ByteOrder[] {ByteOrder.nativeOrder(), OTHER}) {
                ByteBuffer own = given(value, world.rank(), order);
                ByteBuffer all = ByteBuffer.allocate(16 * PAIRS).order(order);
                Layout items = pair(value);
                world.allReduce(
                        Data.inItsOrder(own, 0, PAIRS, items),
                        Data.inItsOrder(all, 0, PAIRS, items),
                        Reduction.MAX_LOCATION);
                checkLocation(all, value, true, order);
                Layout three = items.contiguous(3);
                world.iallReduce(Data.IN_PLACE, Data.inItsOrder(own, 0, 3, three), Reduction.MIN_LOCATION)
                        .waitFor();
                checkLocation(own, value, false, order);
            }
        });
    }

    @Test
    void numbersInTheOtherOrder() {
        run(world -> {
            ByteBuffer own = ByteBuffer.allocateDirect(44).order(OTHER);
            ByteBuffer sum = ByteBuffer.allocate(44).order(OTHER);
            for (int i = 0; i < 5; i++) {
                own.putLong(4 + 8 * i, 1000L * i + world.rank());
            }
            world.reduce(
                    Data.inItsOrder(own, 4, 5, Layout.LONG), Data.inItsOrder(sum, 4, 5, Layout.LONG), Reduction.SUM, 1);
            if (world.rank() == 1) {
                for (int i = 0; i < 5; i++) {
                    assertEquals(RANKS * 1000L * i + 3, sum.getLong(4 + 8 * i));
                }
            }
            // One rank has them in an array.
            long[] array = {1, 2, 3, 4, 5};
            Object mine = world.rank() == 2 ? array : Data.inItsOrder(own, 4, 5, Layout.LONG);
            long[] all = new long[5];
            world.allReduce(mine, all, Reduction.SUM);
            assertArrayEquals(new long[] {2, 2003, 4004, 6005, 8006}, all);
            world.exclusiveScan(Data.IN_PLACE, Data.inItsOrder(own, 4, 5, Layout.LONG), Reduction.MAX);
            assertEquals(1000L + Math.max(0, world.rank() - 1), own.getLong(12));
            // What is moved and not computed goes as it lies.
            world.broadcast(Data.inItsOrder(own, 4, 5, Layout.LONG), 2);
            assertEquals(1001, own.getLong(12));
        });
    }

    @Test
    void complexNumbers() {
        run(world -> {
            double[] own = {1 + world.rank(), 1, 1, 2};
            world.allReduce(Data.IN_PLACE, own, Reduction.COMPLEX_PRODUCT);
            assertArrayEquals(new double[] {0, 10, -11, -2}, own);
            float[] floats = {1 + world.rank(), 1};
            world.allReduce(Data.IN_PLACE, floats, Reduction.COMPLEX_PRODUCT);
            assertArrayEquals(new float[] {0, 10}, floats);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> world.allReduce(new int[2], new int[2], Reduction.COMPLEX_PRODUCT));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> world.allReduce(new double[3], new double[3], Reduction.COMPLEX_PRODUCT));
        });
    }

    @Test
    void ofTheProgramsOwnBytesAreGiven() {
        run(world -> {
            Layout items = pair(ElementType.DOUBLE);
            ByteBuffer own = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder());
            own.putDouble(0, 1.5).putInt(12, world.rank()).putDouble(16, 2.5).putInt(28, 7);
            Reduction sums = Reduction.of(
                    (left, leftAt, right, rightAt, count, layout) -> {
                        ByteBuffer in = ByteBuffer.wrap((byte[]) left).order(ByteOrder.nativeOrder());
                        ByteBuffer inOut = ByteBuffer.wrap((byte[]) right).order(ByteOrder.nativeOrder());
                        for (int i = 0; i < 12 * count; i += 12) {
                            inOut.putDouble(rightAt + i, in.getDouble(leftAt + i) + inOut.getDouble(rightAt + i));
                            inOut.putInt(rightAt + i + 8, in.getInt(leftAt + i + 8) + inOut.getInt(rightAt + i + 8));
                        }
                    },
                    true);
            world.allReduce(Data.IN_PLACE, Data.of(own, 0, 2, items), sums);
            assertEquals(4.5, own.getDouble(0));
            assertEquals(3, own.getInt(12));
            assertEquals(7.5, own.getDouble(16));
            assertEquals(21, own.getInt(28));
        });
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        run(world -> {
            ByteBuffer bytes = ByteBuffer.allocate(64);
            Layout reversed =
                    Layout.struct(new int[] {1, 1}, new long[] {0, 4}, new Layout[] {Layout.INT, Layout.DOUBLE});
            Layout two = Layout.struct(new int[] {2, 1}, new long[] {0, 16}, new Layout[] {Layout.DOUBLE, Layout.INT});
            for (Layout none : new Layout[] {reversed, two}) {
                IllegalArgumentException thrown = assertThrows(
                        IllegalArgumentException.class,
                        () -> world.allReduce(Data.IN_PLACE, Data.of(bytes, 0, 1, none), Reduction.MAX_LOCATION));
                assertTrue(thrown.getMessage().contains("several types"), thrown::getMessage);
            }
            assertThrows(
                    IllegalArgumentException.class,
                    () -> world.allReduce(
                            Data.IN_PLACE, Data.of(bytes, 0, 1, pair(ElementType.DOUBLE)), Reduction.SUM));
        });
    }

    @Test
    void bytesOfElementsIsTheReverseOfElements() {
        Layout inner = pair(ElementType.SHORT).contiguous(2);
        Layout items = Layout.struct(new int[] {3, 2}, new long[] {0, 24}, new Layout[] {Layout.DOUBLE, inner});
        Layout[] all = {Layout.INT, items, pair(ElementType.LONG), Layout.DOUBLE.contiguous(0)};
        for (Layout layout : all) {
            for (long elements = 0; elements < 40; elements++) {
                long bytes = layout.bytesOf(elements);
                assertEquals(layout.size() == 0 ? 0 : elements, layout.elements(bytes));
            }
        }
    }
}
