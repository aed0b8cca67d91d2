package org.sluice.device.buffer;

import java.nio.ByteBuffer;
import org.sluice.device.Device;

/** Uses a ByteBuffer of a foreign arena before and after that is closed; by reflection, since JDK 17 has it elsewhere. */
final class ArenaProcess {
    /** So much that the system takes it away at once. */
    private static final long BYTES = 64 << 20;

    private ArenaProcess() {
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        boolean incubating = Runtime.version().feature() == 17;
        String home = incubating ? "jdk.incubator.foreign." : "java.lang.foreign.";
        Class<?> arenaType = Class.forName(home + (incubating ? "ResourceScope" : "Arena"));
        Class<?> segmentType = Class.forName(home + "MemorySegment");
        Object arena = arenaType.getMethod(incubating ? "newSharedScope" : "ofShared").invoke(null);
        Object segment = incubating ? segmentType.getMethod("allocateNative", long.class, arenaType).invoke(null, BYTES, arena)
                : arenaType.getMethod("allocate", long.class).invoke(arena, BYTES);
        ByteBuffer buffer = (ByteBuffer) segmentType.getMethod("asByteBuffer").invoke(segment);
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
