package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sluice.device.memory.Memory;

/** Layouts: their figures, and that packing and unpacking do what a list of bytes says. */
final class LayoutTest {
    private static void check(Layout layout, long size, long lowerBound, long extent, int runs) {
        assertEquals(size, layout.size(), layout::toString);
        assertEquals(lowerBound, layout.lowerBound(), layout::toString);
        assertEquals(extent, layout.extent(), layout::toString);
        assertTrue(layout.toString().contains(" in " + runs + " run(s)"), layout::toString);
    }

    @Test
    void singleElementsHaveTheSizeOfTheirType() {
        for (ElementType type : ElementType.values()) {
            Layout layout = Layout.of(type);
            check(layout, type.bytes(), 0, type.bytes(), 1);
            assertEquals(type, layout.element());
            assertTrue(layout.isContiguous());
            assertEquals(3L * type.bytes(), layout.reach(3));
        }
    }

    @Test
    void runsThatTouchAreJoined() {
        check(Layout.INT.contiguous(5), 20, 0, 20, 1);
        assertTrue(Layout.INT.contiguous(5).isContiguous());
        check(Layout.INT.vector(3, 2, 2), 24, 0, 24, 1);
        assertTrue(Layout.INT.vector(3, 2, 2).isContiguous());
        assertEquals(Layout.INT.contiguous(6), Layout.INT.vector(3, 2, 2));
        check(Layout.INT.indexed(new int[] {1, 2, 1}, new int[] {0, 1, 5}), 16, 0, 24, 2);
        // They are packed in their order, so these don't touch.
        check(Layout.INT.indexed(new int[] {1, 1}, new int[] {1, 0}), 8, 0, 8, 2);
        assertFalse(Layout.INT.indexed(new int[] {1, 1}, new int[] {1, 0}).isContiguous());
    }

    @Test
    void vectorsHaveBlocksAtAStride() {
        check(Layout.DOUBLE.vector(3, 2, 4), 48, 0, 80, 3);
        check(Layout.DOUBLE.hvector(3, 1, 12), 24, 0, 32, 3);
        check(Layout.INT.vector(3, 1, -2), 12, -16, 20, 3);
        check(Layout.INT.vector(1, 4, 100), 16, 0, 16, 1);
        check(Layout.INT.vector(0, 4, 2), 0, 0, 0, 0);
        check(Layout.INT.vector(4, 0, 2), 0, 0, 0, 0);
        // A stride in items is one of extents.
        check(Layout.INT.resized(0, 12).vector(2, 1, 2), 8, 0, 36, 2);
        assertFalse(Layout.DOUBLE.vector(3, 2, 4).isContiguous());
    }

    @Test
    void blocksLieWhereTheyAreSaidTo() {
        check(Layout.INT.indexed(new int[] {2, 1}, new int[] {3, -1}), 12, -4, 24, 2);
        check(Layout.INT.hindexed(new int[] {1, 1}, new long[] {3, 10}), 8, 3, 11, 2);
        check(Layout.INT.hindexed(new int[0], new long[0]), 0, 0, 0, 0);
        Layout mixed = Layout.struct(new int[] {1, 2}, new long[] {0, 8}, new Layout[] {Layout.INT, Layout.DOUBLE});
        check(mixed, 20, 0, 24, 2);
        assertNull(mixed.element());
        assertTrue(mixed.toString().contains("several types"), mixed.toString());
        Layout same = Layout.struct(
                new int[] {1, 1}, new long[] {0, 8}, new Layout[] {Layout.DOUBLE, Layout.DOUBLE.contiguous(2)});
        check(same, 24, 0, 24, 1);
        assertEquals(ElementType.DOUBLE, same.element());
    }

    /** What has no elements says nothing of their type. */
    @Test
    void emptyBlocksHaveNoType() {
        Layout one = Layout.struct(
                new int[] {0, 2, 0}, new long[] {0, 0, 8}, new Layout[] {Layout.INT, Layout.DOUBLE, Layout.CHAR});
        assertEquals(ElementType.DOUBLE, one.element());
        assertEquals(ElementType.INT, Layout.INT.contiguous(0).element());
    }

    @Test
    void resizedItemsLieCloserOrFarther() {
        Layout far = Layout.INT.resized(0, 12);
        check(far, 4, 0, 12, 1);
        assertFalse(far.isContiguous());
        check(far.contiguous(3), 12, 0, 36, 3);
        assertEquals(28, far.reach(3));
        Layout back = Layout.INT.resized(0, -4);
        assertEquals(4, back.reach(3));
        assertEquals(-8, back.lowest(3));
        assertTrue(Layout.INT.resized(0, 12).resized(0, 4).isContiguous());
        check(Layout.INT.resized(-4, 8), 4, -4, 8, 1);
        // All of it lies before where it begins, or behind.
        assertEquals(
                12,
                Layout.INT
                        .hindexed(new int[] {1}, new long[] {-8})
                        .resized(0, 8)
                        .reach(3));
        assertEquals(
                -4,
                Layout.INT
                        .hindexed(new int[] {1}, new long[] {12})
                        .resized(0, -8)
                        .lowest(3));
        assertThrows(ArithmeticException.class, () -> far.reach(Long.MAX_VALUE / 2));
        assertThrows(ArithmeticException.class, () -> back.lowest(Long.MAX_VALUE / 2));
        assertEquals(0, far.reach(0));
        assertEquals(0, back.lowest(0));
    }

    @Test
    void equalOnesAreEqual() {
        assertEquals(Layout.INT.vector(2, 1, 3), Layout.INT.hvector(2, 1, 12));
        assertEquals(
                Layout.INT.vector(2, 1, 3).hashCode(),
                Layout.INT.hvector(2, 1, 12).hashCode());
        assertNotEquals(Layout.INT, Layout.FLOAT);
        assertNotEquals(Layout.INT, Layout.INT.resized(0, 8));
        assertNotEquals(Layout.INT, Layout.INT.resized(-4, 4));
        assertNotEquals(Layout.INT.vector(2, 1, 3), Layout.INT.vector(2, 1, 4));
    }

    @Test
    void mistakesAreTold() {
        int[] one = {1};
        assertRefused(() -> Layout.INT.contiguous(-1), "-1 items", "0 or more");
        assertRefused(() -> Layout.INT.vector(-2, 1, 1), "-2 blocks", "0 or more");
        assertRefused(() -> Layout.INT.vector(2, -3, 1), "-3 items", "0 or more");
        assertRefused(() -> Layout.INT.hvector(1, -1, 8), "-1 items", "0 or more");
        assertRefused(() -> Layout.INT.indexed(new int[] {1, -1}, new int[2]), "-1 items of block 1", "0 or more");
        assertRefused(() -> Layout.INT.indexed(one, new int[2]), "1 block lengths", "2 displacements");
        assertRefused(() -> Layout.INT.hindexed(new int[2], new long[1]), "2 block lengths", "1 displacements");
        Layout[] two = {Layout.INT, Layout.BYTE};
        assertRefused(() -> Layout.struct(one, new long[1], two), "1 block lengths", "2 displacements or layouts");
        assertRefused(() -> Layout.struct(one, new long[2], two), "1 block lengths", "2 displacements or layouts");
    }

    private static void assertRefused(Executable call, String... words) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, call);
        for (String word : words) {
            assertTrue(refused.getMessage().contains(word), refused.getMessage());
        }
    }

    // --- against a list of bytes -------------------------------------------------------------------------------------

    /** A layout, and where each of its bytes lies, in their order. */
    private static final class Model {
        private final Layout layout;
        private final List<Long> bytes;
        private final long low;
        private final long extent;

        Model(Layout layout, List<Long> bytes, long low, long extent) {
            this.layout = layout;
            this.bytes = bytes;
            this.low = low;
            this.extent = extent;
        }

        /** Blocks of this one. */
        Model blocks(Layout made, int[] lengths, long[] displacements) {
            List<Long> all = new ArrayList<>();
            long lowest = Long.MAX_VALUE;
            long highest = Long.MIN_VALUE;
            for (int i = 0; i < lengths.length; i++) {
                for (int item = 0; item < lengths[i]; item++) {
                    long begin = displacements[i] + item * extent;
                    bytes.forEach(each -> all.add(begin + each));
                    lowest = Math.min(lowest, begin + low);
                    highest = Math.max(highest, begin + low + extent);
                }
            }
            return lowest > highest ? new Model(made, all, 0, 0) : new Model(made, all, lowest, highest - lowest);
        }
    }

    private static Model drawn(Random random, int depth) {
        if (depth == 0) {
            Layout basic = Layout.of(ElementType.values()[random.nextInt(ElementType.values().length)]);
            List<Long> bytes = new ArrayList<>();
            for (long i = 0; i < basic.size(); i++) {
                bytes.add(i);
            }
            return new Model(basic, bytes, 0, basic.size());
        }
        Model inner = drawn(random, depth - 1);
        int count = random.nextInt(4);
        int[] lengths = new int[count];
        int[] places = new int[count];
        long[] displacements = new long[count];
        int kind = random.nextInt(6);
        int length = random.nextInt(3);
        int stride = random.nextInt(9) - 4;
        for (int i = 0; i < count; i++) {
            lengths[i] = kind < 3 ? kind == 0 ? 1 : length : random.nextInt(3);
            places[i] = random.nextInt(20) - 10;
            displacements[i] = kind == 0
                    ? i * inner.extent
                    : kind == 1
                            ? i * stride * inner.extent
                            : kind == 2 ? (long) i * stride : kind == 3 ? places[i] * inner.extent : places[i];
        }
        switch (kind) {
            case 0:
                return inner.blocks(inner.layout.contiguous(count), lengths, displacements);
            case 1:
                return inner.blocks(inner.layout.vector(count, length, stride), lengths, displacements);
            case 2:
                return inner.blocks(inner.layout.hvector(count, length, stride), lengths, displacements);
            case 3:
                return inner.blocks(inner.layout.indexed(lengths, places), lengths, displacements);
            case 4:
                return inner.blocks(inner.layout.hindexed(lengths, displacements), lengths, displacements);
            default:
                long low = random.nextInt(9) - 4;
                long extent = random.nextInt(40);
                return new Model(inner.layout.resized(low, extent), inner.bytes, low, extent);
        }
    }

    @Test
    void itemsArePackedAsAListOfBytesSays() {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        Random random = new Random(seed);
        for (int round = 0; round < 3_000; round++) {
            Model model = drawn(random, random.nextInt(4));
            int count = random.nextInt(4);
            String what = "seed " + seed + ", round " + round + ", " + count + " of " + model.layout;
            assertEquals(model.bytes.size(), model.layout.size(), what);
            assertEquals(model.extent, model.layout.extent(), what);
            assertEquals(model.low, model.layout.lowerBound(), what);
            checkPacking(model, count, random, what);
        }
    }

    private static void checkPacking(Model model, int count, Random random, String what) {
        List<Long> places = new ArrayList<>();
        long highest = 0;
        long lowest = 0;
        for (int item = 0; item < count; item++) {
            for (long each : model.bytes) {
                long place = item * model.extent + each;
                places.add(place);
                highest = Math.max(highest, place + 1);
                lowest = Math.min(lowest, place);
            }
        }
        assertEquals(highest, model.layout.reach(count), what);
        assertEquals(lowest, model.layout.lowest(count), what);
        int begin = (int) -lowest + 3;
        byte[] memory = new byte[begin + (int) highest + 3];
        random.nextBytes(memory);
        byte[] packed = new byte[places.size() + 4];
        byte[] expected = packed.clone();
        for (int i = 0; i < places.size(); i++) {
            expected[2 + i] = memory[begin + places.get(i).intValue()];
        }
        long offset = Memory.arrayOffset(packed);
        model.layout.pack(memory, offset + begin, packed, offset + 2, count);
        assertArrayEquals(expected, packed, what);
        if (model.layout.isContiguous()) {
            for (int i = 0; i < places.size(); i++) {
                assertEquals(i, places.get(i), what);
            }
        }
        byte[] unpacked = new byte[memory.length];
        byte[] restored = new byte[memory.length];
        for (int i = 0; i < places.size(); i++) {
            restored[begin + places.get(i).intValue()] = expected[2 + i];
        }
        model.layout.unpack(packed, offset + 2, unpacked, offset + begin, count);
        assertArrayEquals(restored, unpacked, what);
    }
}
