package org.sluice.hybrid.process;

import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.memory.Memory;

/** Two ranks that exchange every kind of buffer, short and long, without {@code sun.misc.Unsafe}. */
final class DeniedUnsafeRanks {
    private static final int TAG = 1;
    private static final int[] LENGTHS = {0, 1, 8, 64, 1000, 8000, 200_000};

    private DeniedUnsafeRanks() {}

    public static void main(String[] args) throws IOException {
        Say.check(!Memory.isUnsafe(), "this JVM has sun.misc.Unsafe");
        try (Device device = Device.open()) {
            for (int length : LENGTHS) {
                // A multiple of every element's size.
                arrays(device, length / 8 * 8);
                buffers(device, length);
                messageBuffers(device, length);
            }
            device.barrier();
            Say.line("exchanged");
        }
    }

    private static void arrays(Device device, int bytes) {
        for (Class<?> type : new Class<?>[] {
            byte.class, boolean.class, short.class, char.class, int.class, long.class, float.class, double.class
        }) {
            int size = type == boolean.class || type == byte.class
                    ? 1
                    : type == short.class || type == char.class ? 2 : type == int.class || type == float.class ? 4 : 8;
            int count = bytes / size;
            Object from = Array.newInstance(type, count);
            for (int i = 0; i < count; i++) {
                set(from, i, i + device.rank());
            }
            Object to = Array.newInstance(type, count);
            exchange(device, from, to);
            for (int i = 0; i < count; i += 1 + count / 50) {
                Object expected = Array.newInstance(type, 1);
                set(expected, 0, i + 1 - device.rank());
                Say.check(
                        Array.get(expected, 0).equals(Array.get(to, i)), "element " + i + " of " + count + " " + type);
            }
        }
    }

    private static void set(Object array, int at, int value) {
        if (array instanceof boolean[]) {
            Array.setBoolean(array, at, value % 3 == 0);
        } else if (array instanceof char[]) {
            Array.setChar(array, at, (char) value);
        } else if (array instanceof short[]) {
            Array.setShort(array, at, (short) value);
        } else {
            // Wider kinds take it as it is.
            Array.setByte(array, at, (byte) value);
        }
    }

    private static void buffers(Device device, int bytes) throws IOException {
        Path path = Files.createTempFile("sluice-denied", "");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, Math.max(1, bytes))
                    .limit(bytes);
            ByteBuffer[] froms = {
                filled(ByteBuffer.allocate(bytes + 3).position(3).slice(), device),
                filled(ByteBuffer.allocate(bytes), device).asReadOnlyBuffer(),
                filled(ByteBuffer.allocateDirect(bytes + 5).position(5).slice(), device),
                filled(mapped, device)
            };
            for (ByteBuffer from : froms) {
                for (ByteBuffer to : new ByteBuffer[] {ByteBuffer.allocate(bytes), ByteBuffer.allocateDirect(bytes)}) {
                    exchange(device, from, to);
                    Say.check(to.equals(expected(bytes, device)), bytes + " bytes from " + from + " to " + to);
                }
            }
        } finally {
            Files.delete(path);
        }
    }

    private static ByteBuffer filled(ByteBuffer buffer, Device device) {
        return filled(buffer, device.rank());
    }

    private static ByteBuffer filled(ByteBuffer buffer, int rank) {
        for (int i = 0; i < buffer.limit(); i++) {
            buffer.put(i, (byte) (7 * i + rank));
        }
        return buffer;
    }

    private static ByteBuffer expected(int bytes, Device device) {
        return filled(ByteBuffer.allocate(bytes), 1 - device.rank());
    }

    private static void messageBuffers(Device device, int bytes) {
        int other = 1 - device.rank();
        MessageBuffer buffer = device.allocate(bytes);
        filled(buffer.byteBuffer(), device);
        Request send = device.isend(buffer.byteBuffer(), other, TAG);
        try (Lease lease = device.recvInPlace(other, TAG)) {
            Say.check(lease.buffer().equals(expected(bytes, device)), "a lease of " + bytes + " bytes");
        }
        send.waitFor();
        Request gift = device.give(buffer, other, TAG);
        byte[] to = new byte[bytes];
        device.recv(to, other, TAG);
        Say.check(ByteBuffer.wrap(to).equals(expected(bytes, device)), "a gift of " + bytes + " bytes");
        gift.waitFor();
    }

    private static void exchange(Device device, Object from, Object to) {
        int other = 1 - device.rank();
        Request send = device.isend(from, other, TAG);
        Status status = device.recv(to, other, TAG);
        Say.check(status.source() == other, "source " + status.source());
        send.waitFor();
    }
}
