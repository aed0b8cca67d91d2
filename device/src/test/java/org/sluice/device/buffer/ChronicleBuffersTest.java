package org.sluice.device.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.buffer.UserBufferTest.numbered;
import static org.sluice.device.buffer.UserBufferTest.read;
import static org.sluice.device.buffer.UserBufferTest.write;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.MappedBytes;
import net.openhft.chronicle.bytes.PointerBytesStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.device.Device;
import org.sluice.device.memory.Memory;

final class ChronicleBuffersTest {

    /** Every kind of memory under a Bytes, with room for 48 bytes at least. */
    static Stream<Supplier<Bytes<?>>> writable() {
        return Stream.of(
                () -> Bytes.allocateElasticDirect(64),
                () -> Bytes.allocateDirect(64),
                () -> Bytes.allocateElasticOnHeap(64),
                () -> Bytes.wrapForWrite(new byte[64]),
                () -> Bytes.elasticByteBuffer(64),
                () -> Bytes.elasticHeapByteBuffer(64),
                () -> Bytes.wrapForWrite(ByteBuffer.allocate(72).position(8).slice()),
                () -> Bytes.wrapForWrite(
                        ByteBuffer.allocateDirect(72).position(8).slice()),
                () -> Bytes.allocateDirect(64).unchecked(true));
    }

    @ParameterizedTest
    @MethodSource("writable")
    void whatIsReadableIsSent(Supplier<Bytes<?>> maker) {
        Bytes<?> bytes = maker.get();
        bytes.write(numbered(0, 40));
        bytes.readPosition(8);
        assertEquals(1, UserBuffer.elementSize(bytes));
        assertArrayEquals(numbered(8, 32), read(bytes, 0, Device.WHOLE));
        assertArrayEquals(numbered(18, 5), read(bytes, 10, 5));
        assertThrows(IndexOutOfBoundsException.class, () -> UserBuffer.bytesToSend(bytes, 30, 3));
        assertEquals(8, bytes.readPosition(), "sending moves nothing");
        assertEquals(40, bytes.writePosition());
    }

    @ParameterizedTest
    @MethodSource("writable")
    void receivingMovesTheWritePosition(Supplier<Bytes<?>> maker) {
        Bytes<?> bytes = maker.get();
        bytes.write(numbered(0, 3));
        write(bytes, 0, Device.WHOLE, numbered(3, 10));
        assertEquals(13, bytes.writePosition());
        assertEquals(0, bytes.readPosition());
        assertArrayEquals(numbered(0, 13), read(bytes, 0, Device.WHOLE));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> UserBuffer.bytesToReceive(bytes, 0, 52),
                "an elastic one isn't grown: that would move it under its user");
        assertEquals(51, UserBuffer.bytesToReceive(bytes, 0, Device.WHOLE));
    }

    @ParameterizedTest
    @MethodSource("writable")
    void aFullOneTakesOnlyTheEmptyMessage(Supplier<Bytes<?>> maker) {
        Bytes<?> bytes = maker.get();
        bytes.write(numbered(0, 64));
        assertEquals(0, UserBuffer.bytesToReceive(bytes, 0, Device.WHOLE));
        write(bytes, 0, Device.WHOLE, new byte[0]);
        assertEquals(64, bytes.writePosition());
    }

    @Test
    void wrappedForReadingIsSentAndNotReceivedInto() {
        ByteBuffer part =
                ByteBuffer.allocate(64).put(0, numbered(0, 64)).position(8).limit(40);
        assertArrayEquals(numbered(8, 32), read(Bytes.wrapForRead(part), 0, Device.WHOLE));
        assertArrayEquals(numbered(8, 32), read(Bytes.wrapForRead(part.slice()), 0, Device.WHOLE));
        ByteBuffer direct = ByteBuffer.allocateDirect(64)
                .put(0, numbered(0, 64))
                .position(8)
                .limit(40);
        assertArrayEquals(numbered(8, 32), read(Bytes.wrapForRead(direct), 0, Device.WHOLE));
        Bytes<?> array = Bytes.wrapForRead(numbered(0, 64));
        assertArrayEquals(numbered(0, 64), read(array, 0, Device.WHOLE));
        assertEquals(0, UserBuffer.bytesToReceive(array, 0, Device.WHOLE), "nothing in it is writable");
    }

    @Test
    void partsOfABytes() {
        for (Bytes<?> whole : new Bytes<?>[] {Bytes.allocateDirect(64), Bytes.wrapForWrite(new byte[64])}) {
            whole.write(numbered(0, 64));
            BytesStore<?, ?> part = whole.subBytes(16, 16);
            assertArrayEquals(numbered(16, 16), read(part.bytesForRead(), 0, Device.WHOLE));
            Bytes<?> writable = part.bytesForWrite();
            assertEquals(16, UserBuffer.bytesToReceive(writable, 0, Device.WHOLE), "it ends where the part ends");
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        PointerBytesStore pointer = new PointerBytesStore();
        pointer.set(Memory.address(memory), 8);
        assertEquals(8, UserBuffer.bytesToReceive(pointer.bytesForWrite(), 0, Device.WHOLE));
        Reference.reachabilityFence(memory);
    }

    @Test
    void oneThatHasNoMemoryYetIsEmpty() {
        Bytes<?> bytes = Bytes.allocateElasticDirect();
        assertArrayEquals(new byte[0], read(bytes, 0, Device.WHOLE));
        write(bytes, 0, Device.WHOLE, new byte[0]);
        UserBuffer.release(UserBuffer.hold(bytes));
        assertEquals(0, bytes.writePosition());
    }

    @Test
    void oneThatWasReleasedIsRefused() {
        Bytes<?> bytes = Bytes.allocateElasticDirect(64);
        bytes.releaseLast();
        String message = assertThrows(IllegalStateException.class, () -> UserBuffer.bytesToSend(bytes, 0, Device.WHOLE))
                .getMessage();
        assertTrue(message.contains("was released"), message);
        assertThrows(IllegalStateException.class, () -> UserBuffer.bytesToReceive(bytes, 0, Device.WHOLE));
    }

    @Test
    void readOnlyMemoryIsNotReceivedInto() {
        Bytes<?> bytes = Bytes.wrapForWrite(ByteBuffer.allocateDirect(64).asReadOnlyBuffer());
        String message = assertThrows(
                        IllegalArgumentException.class, () -> UserBuffer.bytesToReceive(bytes, 0, Device.WHOLE))
                .getMessage();
        assertTrue(message.contains("read-only"), message);
    }

    /** A request reads the memory that it was given, whatever its Bytes does meanwhile. */
    @Test
    void aHeldStoreSurvivesTheGrowthOfItsBytes() {
        Bytes<?> bytes = Bytes.allocateElasticDirect(64);
        bytes.write(numbered(0, 64));
        BytesStore<?, ?> store = bytes.bytesStore();
        long address = UserBuffer.address(bytes, 0, false);
        Object first = UserBuffer.hold(bytes);
        Object second = UserBuffer.hold(bytes);
        bytes.write(new byte[100_000]);
        assertNotSame(store, bytes.bytesStore(), "it grew");
        assertEquals(2, store.refCount());
        UserBuffer.release(first);
        byte[] copy = new byte[64];
        Memory.copy(null, address, copy, Memory.arrayOffset(copy), 64);
        assertArrayEquals(numbered(0, 64), copy);
        UserBuffer.release(second);
        assertEquals(0, store.refCount(), "the last request lets it go");
    }

    @Test
    void aHeldStoreSurvivesTheReleaseOfItsBytes() {
        Bytes<?> bytes = Bytes.allocateElasticDirect(64);
        BytesStore<?, ?> store = bytes.bytesStore();
        Object held = UserBuffer.hold(bytes);
        bytes.releaseLast();
        assertEquals(1, store.refCount());
        UserBuffer.release(held);
        assertEquals(0, store.refCount());
    }

    @ParameterizedTest
    @MethodSource("writable")
    void aReceiveIntoOneThatWasReleasedMeanwhileEndsAsAnyOther(Supplier<Bytes<?>> maker) {
        Bytes<?> bytes = maker.get();
        Object held = UserBuffer.hold(bytes);
        long address = UserBuffer.address(bytes, 0, true);
        bytes.releaseLast();
        UserBuffer.received(bytes, address, 8);
        UserBuffer.release(held);
    }

    @Test
    void whatItRefusesWithoutHavingBeenReleasedIsSaid() {
        Bytes<?> bytes = Bytes.wrapForWrite(new byte[8]);
        assertThrows(RuntimeException.class, () -> UserBuffer.received(bytes, UserBuffer.address(bytes, 0, true), 9));
    }

    /** Whoever runs progress ends a receive; Chronicle refuses a second thread, though the program never used two. */
    @ParameterizedTest
    @MethodSource("writable")
    void anotherThreadMayEndTheReceive(Supplier<Bytes<?>> maker) throws InterruptedException {
        Bytes<?> bytes = maker.get();
        bytes.writeByte((byte) 0).readByte();
        bytes.readPosition(0);
        Object held = UserBuffer.hold(bytes);
        long room = UserBuffer.bytesToReceive(bytes, 0, 8);
        long address = UserBuffer.address(bytes, 0, true);
        Object base = UserBuffer.base(bytes);
        Throwable[] thrown = new Throwable[1];
        Thread progress = new Thread(() -> {
            byte[] message = numbered(1, 8);
            Memory.copy(message, Memory.arrayOffset(message), base, address, room);
            UserBuffer.received(bytes, address, room);
            UserBuffer.release(held);
        });
        progress.setUncaughtExceptionHandler((thread, e) -> thrown[0] = e);
        progress.start();
        progress.join();
        assertEquals(null, thrown[0]);
        bytes.writeByte((byte) 9);
        assertArrayEquals(numbered(0, 10), read(bytes, 0, Device.WHOLE));
    }

    @Test
    void mappedFilesAreSentChunkByChunk(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("mapped");
        try (MappedBytes bytes = MappedBytes.mappedBytes(file.toFile(), 65536, 4096)) {
            bytes.writePosition(65536 + 1000).write(numbered(0, 100));
            bytes.readPosition(65536 + 1000);
            assertArrayEquals(numbered(0, 100), read(bytes, 0, Device.WHOLE));
            bytes.writePosition(65536 + 2000);
            long room = UserBuffer.bytesToReceive(bytes, 0, Device.WHOLE);
            assertTrue(room >= 65536 - 2000 && room <= 65536 + 4096 - 2000, room + " bytes up to the chunk's end");
            write(bytes, room - 10, 10, numbered(50, 10));
            bytes.writePosition(3 * 65536).readPosition(10);
            String message = assertThrows(
                            IllegalArgumentException.class, () -> UserBuffer.bytesToSend(bytes, 0, Device.WHOLE))
                    .getMessage();
            assertTrue(message.contains("mapped chunk"), message);
        }
        try (MappedBytes bytes = MappedBytes.readOnly(file.toFile())) {
            assertTrue(Files.size(file) > 65536);
            assertThrows(IllegalArgumentException.class, () -> UserBuffer.bytesToReceive(bytes, 0, Device.WHOLE));
        }
    }
}
