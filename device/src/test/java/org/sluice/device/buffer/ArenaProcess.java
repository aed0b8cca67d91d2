package org.sluice.device.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.sluice.device.Device;

/**
 * Uses a ByteBuffer of a foreign arena before and after that is closed, and one whose file is cut short; by reflection,
 * since JDK 17 has arenas elsewhere.
 */
final class ArenaProcess {
    /** So much that the system takes it away at once. */
    private static final long BYTES = 64 << 20;

    private static final int FILE_BYTES = 8192;
    /** So that what the compilers make of the check is tried too. */
    private static final int ROUNDS = 20_000;

    private final boolean incubating = Runtime.version().feature() == 17;
    private final Class<?> arenaType = type(incubating ? "ResourceScope" : "Arena");
    private final Class<?> segmentType = type("MemorySegment");
    private final Object arena =
            arenaType.getMethod(incubating ? "newSharedScope" : "ofShared").invoke(null);

    private ArenaProcess() throws ReflectiveOperationException {}

    private Class<?> type(String name) throws ReflectiveOperationException {
        return Class.forName((incubating ? "jdk.incubator.foreign." : "java.lang.foreign.") + name);
    }

    private ByteBuffer buffer(Object segment) throws ReflectiveOperationException {
        return (ByteBuffer) segmentType.getMethod("asByteBuffer").invoke(segment);
    }

    private ByteBuffer map(Path file) throws ReflectiveOperationException, IOException {
        if (incubating) {
            return buffer(segmentType
                    .getMethod("mapFile", Path.class, long.class, long.class, MapMode.class, arenaType)
                    .invoke(null, file, 0L, (long) FILE_BYTES, MapMode.READ_WRITE, arena));
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return buffer(FileChannel.class
                    .getMethod("map", MapMode.class, long.class, long.class, arenaType)
                    .invoke(channel, MapMode.READ_WRITE, 0L, (long) FILE_BYTES, arena));
        }
    }

    public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
        ArenaProcess process = new ArenaProcess();
        process.cutShort();
        process.closed();
    }

    /** What a cache of registrations asks: an arena is closed without a word to anybody. */
    private static MemoryOwner.Life life(ByteBuffer buffer) {
        return MemoryOwner.life(MemoryOwner.of(buffer, null));
    }

    private void cutShort() throws ReflectiveOperationException, IOException {
        Path file = Files.createTempFile("sluice-arena", "");
        try {
            Files.write(file, UserBufferTest.numbered(1, FILE_BYTES));
            ByteBuffer buffer = map(file);
            System.out.println("mapped memory is freed: " + life(buffer));
            System.out.println("mapped: " + (UserBufferTest.read(buffer, 0, Device.WHOLE).length == FILE_BYTES));
            Files.write(file, new byte[0]);
            for (int i = 0; i < ROUNDS; i++) {
                long bytes = UserBuffer.bytesToSend(buffer, 0, Device.WHOLE)
                        + UserBuffer.bytesToReceive(buffer, 0, Device.WHOLE);
                if (bytes != 2 * FILE_BYTES || !UserBuffer.isMapped(buffer)) {
                    throw new AssertionError(bytes + " bytes of " + buffer);
                }
            }
            try {
                UserBuffer.copy(buffer, 0, FILE_BYTES);
            } catch (BufferLostException e) {
                System.out.println("lost: " + e.getMessage());
            }
        } finally {
            Files.delete(file);
        }
    }

    private void closed() throws ReflectiveOperationException {
        Object segment = incubating
                ? segmentType.getMethod("allocateNative", long.class, arenaType).invoke(null, BYTES, arena)
                : arenaType.getMethod("allocate", long.class).invoke(arena, BYTES);
        ByteBuffer buffer = buffer(segment);
        System.out.println("allocated memory is freed: " + life(buffer));
        byte[] message = UserBufferTest.numbered(1, 64);
        UserBufferTest.write(buffer, 0, 64, message);
        System.out.println("open: " + (UserBufferTest.read(buffer, 0, Device.WHOLE).length == BYTES));
        arenaType.getMethod("close").invoke(arena);
        for (ByteBuffer each : new ByteBuffer[] {buffer, buffer.slice(100, 200)}) {
            try {
                UserBufferTest.read(each, 0, Device.WHOLE);
            } catch (IllegalStateException e) {
                System.out.println("sending refused: " + e.getMessage());
            }
            try {
                UserBufferTest.write(each, 0, 64, message);
            } catch (IllegalStateException e) {
                System.out.println("receiving refused: " + e.getMessage());
            }
        }
    }
}
