package org.sluice.device.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("conformance")
final class MemoryTest {
    private static final int ROOM = 256;
    private static final byte UNTOUCHED = (byte) 0xA5;

    private long address;

    @BeforeEach
    void allocate() {
        address = Memory.allocate(ROOM);
        Memory.setZero(address, ROOM);
    }

    @AfterEach
    void free() {
        Memory.free(address);
    }

    @Test
    void freshMemoryIsZeroed() {
        for (int i = 0; i < ROOM; i++) {
            assertEquals(0, Memory.getByte(address + i));
        }
    }

    @Test
    void plainAccessorsReadWhatTheyWroteAtEveryAlignment() {
        for (int shift = 0; shift < Long.BYTES; shift++) {
            Memory.putByte(address + shift, (byte) -7);
            assertEquals(-7, Memory.getByte(address + shift));
            Memory.putShort(address + shift, (short) -30001);
            assertEquals(-30001, Memory.getShort(address + shift));
            Memory.putInt(address + shift, -2_000_000_011);
            assertEquals(-2_000_000_011, Memory.getInt(address + shift));
            Memory.putLong(address + shift, Long.MIN_VALUE + 11);
            assertEquals(Long.MIN_VALUE + 11, Memory.getLong(address + shift));
        }
    }

    @Test
    void orderedAccessorsReadWhatTheyWrote() {
        Memory.putIntVolatile(address, 11);
        assertEquals(11, Memory.getIntVolatile(address));
        Memory.putIntRelease(address, -12);
        assertEquals(-12, Memory.getIntVolatile(address));
        Memory.putLongVolatile(address, 13L << 40);
        assertEquals(13L << 40, Memory.getLongVolatile(address));
        Memory.putLongRelease(address, -14L << 40);
        Memory.fullFence();
        assertEquals(-14L << 40, Memory.getLongAcquire(address));
    }

    @Test
    void readModifyWritesReturnWhatTheySaw() {
        Memory.putInt(address, 5);
        assertEquals(5, Memory.getAndAddInt(address, -8));
        assertEquals(-3, Memory.getInt(address));
        assertFalse(Memory.compareAndSetLong(address + 8, 1, 2));
        assertTrue(Memory.compareAndSetLong(address + 8, 0, 2));
        assertEquals(2, Memory.getLong(address + 8));
    }

    @Test
    void concurrentAddsAreNotLost() throws InterruptedException {
        int rounds = 50_000;
        Runnable adding = () -> {
            for (int i = 0; i < rounds; i++) {
                Memory.getAndAddInt(address, 1);
            }
        };
        Thread other = new Thread(adding);
        other.start();
        adding.run();
        other.join();
        assertEquals(2 * rounds, Memory.getInt(address));
    }

    @Test
    void bytesLieInNativeOrder() {
        Memory.putLong(address, 0x0102030405060708L);
        byte[] bytes = new byte[Long.BYTES];
        Memory.copy(null, address, bytes, Memory.arrayOffset(bytes), bytes.length);
        assertEquals(
                0x0102030405060708L,
                ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong());
    }

    @Test
    void wordsOfAnArrayAreReachedFromItsStart() {
        long[] words = {1, 2, 3};
        assertEquals(3, Memory.getLong(words, Memory.arrayOffset(words) + 2 * Long.BYTES));
        Memory.putLong(words, Memory.arrayOffset(words) + Long.BYTES, 22);
        assertArrayEquals(new long[] {1, 22, 3}, words);
    }

    @Test
    void elementZeroOfEveryArrayTypeIsFound() {
        Object[] arrays = {
            new boolean[] {true},
            new byte[] {1},
            new short[] {1},
            new char[] {1},
            new int[] {1},
            new long[] {1},
            new float[] {Float.MIN_VALUE},
            new double[] {Double.MIN_VALUE}
        };
        for (Object array : arrays) {
            byte[] first = new byte[1];
            // The lowest byte of a little-endian element; on a big-endian machine it would be the last.
            int last = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : size(array) - 1;
            Memory.copy(array, Memory.arrayOffset(array) + last, first, Memory.arrayOffset(first), 1);
            assertEquals(1, first[0], array.getClass().getTypeName());
        }
    }

    private static int size(Object array) {
        return array instanceof byte[] || array instanceof boolean[]
                ? 1
                : array instanceof short[] || array instanceof char[]
                        ? 2
                        : array instanceof int[] || array instanceof float[] ? 4 : 8;
    }

    /**
     * Every length up to beyond the switch from words to the copy stub, from and to unaligned places, nothing beside
     * them touched.
     */
    @Test
    void copiesOfEveryLengthAndAlignmentBetweenArraysAndMemory() {
        long seed = new Random().nextLong();
        System.out.println("MemoryTest seed " + seed);
        Random random = new Random(seed);
        byte[] source = new byte[ROOM];
        random.nextBytes(source);
        ByteBuffer direct = ByteBuffer.allocateDirect(ROOM).put(0, source);
        byte[] target = new byte[ROOM];
        for (int length = 0; length <= 200; length++) {
            for (int from = 0; from < 9; from += 1 + random.nextInt(3)) {
                int to = random.nextInt(9);
                byte[] expected = expected(source, from, to, length);
                String what = length + " bytes from " + from + " to " + to + ", seed " + seed;
                copyOverArrays(source, target, from, to, length, expected, what);
                copyThroughMemory(source, direct, target, from, to, length, expected, what);
            }
        }
    }

    private static byte[] expected(byte[] source, int from, int to, int length) {
        byte[] expected = new byte[ROOM];
        Arrays.fill(expected, UNTOUCHED);
        System.arraycopy(source, from, expected, to, length);
        return expected;
    }

    private static void copyOverArrays(
            byte[] source, byte[] target, int from, int to, int length, byte[] expected, String what) {
        Arrays.fill(target, UNTOUCHED);
        Memory.copy(source, Memory.arrayOffset(source) + from, target, Memory.arrayOffset(target) + to, length);
        assertArrayEquals(expected, target, "array to array: " + what);
    }

    private void copyThroughMemory(
            byte[] source,
            ByteBuffer direct,
            byte[] target,
            int from,
            int to,
            int length,
            byte[] expected,
            String what) {
        ByteBuffer memory = Memory.view(address, ROOM, null);
        byte[] got = new byte[ROOM];
        Arrays.fill(target, UNTOUCHED);
        memory.put(0, target);
        Memory.copy(source, Memory.arrayOffset(source) + from, null, address + to, length);
        memory.get(0, got);
        assertArrayEquals(expected, got, "array to memory: " + what);
        memory.put(0, target);
        Memory.copy(null, Memory.address(direct) + from, null, address + to, length);
        memory.get(0, got);
        assertArrayEquals(expected, got, "direct to memory: " + what);
        Memory.copy(null, Memory.address(direct) + from, target, Memory.arrayOffset(target) + to, length);
        assertArrayEquals(expected, target, "direct to array: " + what);
        Reference.reachabilityFence(direct);
    }

    @Test
    void whereAByteBufferLies() {
        byte[] array = new byte[64];
        ByteBuffer heap = ByteBuffer.wrap(array);
        assertSame(array, Memory.array(heap));
        if (Memory.isUnsafe()) {
            assertSame(array, Memory.array(heap.asReadOnlyBuffer()), "a read-only buffer may be sent from");
        } else {
            assertArrayEquals(array, Memory.array(heap.asReadOnlyBuffer()), "what is sent from a read-only buffer");
        }
        assertEquals(Memory.arrayOffset(array), Memory.address(heap.position(9)), "the position plays no part");
        assertEquals(Memory.arrayOffset(array) + 9, Memory.address(heap.slice()));
        ByteBuffer direct = ByteBuffer.allocateDirect(64);
        assertNull(Memory.array(direct));
        direct.put(17, (byte) 42);
        assertEquals(42, Memory.getByte(Memory.address(direct) + 17));
        assertEquals(
                Memory.address(direct) + 5, Memory.address(direct.position(5).slice()));
        Reference.reachabilityFence(direct);
    }

    @Test
    void aViewReadsAndWritesTheMemoryAndIsBounded() {
        ByteBuffer view = Memory.view(address + 3, 16, null);
        assertTrue(view.isDirect());
        assertFalse(view.isReadOnly());
        assertEquals(ByteOrder.nativeOrder(), view.order());
        assertEquals(0, view.position());
        assertEquals(16, view.limit());
        assertEquals(16, view.capacity());
        view.putLong(8, -99);
        assertEquals(-99, Memory.getLong(address + 11));
        org.junit.jupiter.api.Assertions.assertThrows(IndexOutOfBoundsException.class, () -> view.get(16));
        assertEquals(-99, view.slice(8, 8).order(ByteOrder.nativeOrder()).getLong(0));
    }

    /** A compiler that believed the fields of a fresh duplicate would see the empty buffer that views are made from. */
    @Test
    void viewsStayRightOnceCompiled() {
        long sum = 0;
        for (int i = 0; i < 200_000; i++) {
            ByteBuffer view = Memory.view(address + (i & 63), 8 + (i & 7), null);
            view.put(7, (byte) 1);
            sum += view.capacity() - (i & 7) + view.get(7) - 1;
        }
        assertEquals(200_000 * 8L, sum);
    }

    @Test
    void aViewKeepsItsOwnerAlive() {
        Object owner = new Object();
        WeakReference<Object> weak = new WeakReference<>(owner);
        ByteBuffer view = Memory.view(address, 8, owner);
        owner = null;
        System.gc();
        assertTrue(weak.get() != null, "the view is still in use");
        assertEquals(8, view.slice().remaining());
        Reference.reachabilityFence(view);
    }

    @Test
    void linesAndPairsArePowersOfTwo() {
        assertEquals(1, Integer.bitCount(Memory.CACHE_LINE));
        assertEquals(2 * Memory.CACHE_LINE, Memory.FALSE_SHARING);
    }
}
