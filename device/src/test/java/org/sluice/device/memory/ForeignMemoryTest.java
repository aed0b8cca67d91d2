package org.sluice.device.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The second way to raw memory, whichever the JVM has for the first. */
@Tag("conformance")
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "java.lang.foreign came with Java 22")
final class ForeignMemoryTest {
    private static final int BYTES = 4096;
    private static final List<Class<?>> KINDS = List.of(
            void.class,
            byte.class,
            boolean.class,
            short.class,
            char.class,
            int.class,
            long.class,
            float.class,
            double.class);
    private static final List<Integer> SIZES = List.of(1, 1, 1, 2, 2, 4, 8, 4, 8);

    private final Random random = new Random(42);

    /** A place of 4 KB of one kind, and what it should hold. */
    private final class Place {
        final Object base;
        final long address;
        final byte[] model = new byte[BYTES];

        Place(int kind) {
            base = kind == 0 ? null : Array.newInstance(KINDS.get(kind), BYTES / SIZES.get(kind));
            address = kind == 0 ? ForeignMemory.allocate(BYTES) : 0;
            for (int i = 0; i < BYTES; i++) {
                model[i] = (byte) (base instanceof boolean[] ? random.nextInt(2) : random.nextInt());
            }
            ForeignMemory.copy(model, 0, base, address, BYTES);
        }

        void check() {
            byte[] found = new byte[BYTES];
            ForeignMemory.copy(base, address, found, 0, BYTES);
            assertArrayEquals(model, found);
            int at = random.nextInt(BYTES - Long.BYTES);
            ByteBuffer expected = ByteBuffer.wrap(model).order(ByteOrder.nativeOrder());
            assertEquals(expected.get(at), ForeignMemory.getByte(base, address + at));
            assertEquals(expected.getShort(at), ForeignMemory.getShort(base, address + at));
            assertEquals(expected.getInt(at), ForeignMemory.getInt(base, address + at));
            assertEquals(expected.getLong(at), ForeignMemory.getLong(base, address + at));
        }
    }

    @Test
    void copiesBetweenAnyTwoKindsOfMemory() {
        for (int from = 0; from < KINDS.size(); from++) {
            for (int to = 0; to < KINDS.size(); to++) {
                for (int i = 0; i < 20; i++) {
                    copy(new Place(from), new Place(to));
                }
            }
        }
    }

    private void copy(Place from, Place to) {
        if (to.base instanceof boolean[]) {
            for (int i = 0; i < BYTES; i++) {
                from.model[i] &= 1;
            }
            ForeignMemory.copy(from.model, 0, from.base, from.address, BYTES);
        }
        int bytes = random.nextInt(random.nextBoolean() ? 100 : BYTES / 2);
        int at = random.nextInt(BYTES - bytes);
        int there = random.nextInt(BYTES - bytes);
        ForeignMemory.copy(from.base, from.address + at, to.base, to.address + there, bytes);
        System.arraycopy(from.model, at, to.model, there, bytes);
        to.check();
        from.check();
        for (Place each : List.of(from, to)) {
            if (each.base == null) {
                ForeignMemory.free(each.address);
            }
        }
    }

    @Test
    void storesAndOrderedAccesses() {
        long at = ForeignMemory.allocate(64);
        ForeignMemory.setZero(at, 64);
        ForeignMemory.putLong(at + 3, 0x0102030405060708L);
        assertEquals(0x0102030405060708L, ForeignMemory.getLong(null, at + 3));
        ForeignMemory.putByte(at, (byte) 1);
        ForeignMemory.putShort(at + 1, (short) 2);
        ForeignMemory.putInt(at + 5, 3);
        assertEquals(
                1 + 2 + 3, ForeignMemory.getByte(at) + ForeignMemory.getShort(at + 1) + ForeignMemory.getInt(at + 5));
        ForeignMemory.putIntVolatile(at + 16, 4);
        ForeignMemory.putIntRelease(at + 20, 5);
        ForeignMemory.putLongVolatile(at + 24, 6);
        ForeignMemory.putLongRelease(at + 32, 7);
        assertEquals(4, ForeignMemory.getAndAddInt(at + 16, 5));
        assertEquals(9 + 5, ForeignMemory.getIntVolatile(at + 16) + ForeignMemory.getInt(at + 20));
        assertTrue(ForeignMemory.compareAndSetLong(at + 24, 6, 8));
        assertFalse(ForeignMemory.compareAndSetLong(at + 24, 6, 9));
        assertEquals(8 + 7, ForeignMemory.getLongVolatile(at + 24) + ForeignMemory.getLong(at + 32));
        double[] doubles = new double[1];
        ForeignMemory.putLong(doubles, 0, Double.doubleToRawLongBits(1.5));
        assertEquals(1.5, doubles[0]);
        ForeignMemory.setZero(at, 64);
        assertEquals(0, ForeignMemory.getLong(at + 24));
        ForeignMemory.free(at);
    }

    @Test
    void whatIsKnownOfBuffers(@TempDir Path folder) throws Exception {
        ByteBuffer direct = ByteBuffer.allocateDirect(100).order(ByteOrder.nativeOrder());
        direct.putLong(8, 42).position(8);
        assertEquals(42, ForeignMemory.getLong(ForeignBuffers.address(direct) + 8));
        assertNull(ForeignBuffers.attachment(direct.slice()));
        assertNull(ForeignBuffers.array(direct));
        assertFalse(ForeignBuffers.isOfFile(direct));
        ByteBuffer heap = ByteBuffer.allocate(100)
                .position(10)
                .slice()
                .order(ByteOrder.nativeOrder())
                .putLong(0, 43);
        assertEquals(43, ForeignMemory.getLong(ForeignBuffers.array(heap), ForeignBuffers.address(heap)));
        ByteBuffer readOnly = heap.asReadOnlyBuffer();
        assertEquals(43, ForeignMemory.getLong(ForeignBuffers.array(readOnly), ForeignBuffers.address(readOnly)));
        Path file = Files.write(folder.resolve("mapped"), new byte[100]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertTrue(ForeignBuffers.isOfFile(
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, 100).slice()));
        }
    }

    @Test
    void aViewKnowsItsOwnerAndKeepsIt() {
        Object owner = new Object();
        long at = ForeignMemory.allocate(64);
        ByteBuffer view = ForeignBuffers.view(at, 64, owner);
        view.putInt(60, 44);
        assertEquals(44, ForeignMemory.getInt(at + 60));
        assertEquals(at, ForeignBuffers.address(view));
        assertSame(owner, ForeignBuffers.attachment(view));
        assertSame(
                owner,
                ForeignBuffers.attachment(view.slice(4, 8).asReadOnlyBuffer().duplicate()));
        assertNull(ForeignBuffers.attachment(ForeignBuffers.view(at, 0, null)));
        ForeignMemory.free(at);
    }
}
