package org.sluice.device.buffer;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.sluice.device.Device;

/**
 * Uses arrays, ByteBuffers and message memory as a program without Chronicle does, and says what happens. With the
 * argument "view" it asks for a Bytes view as well.
 */
final class BufferProcess {
    private BufferProcess() {}

    public static void main(String[] arguments) {
        MessageMemory memory = new MessageMemory(new CountingAllocator(), 64);
        Object[] buffers = {
            new boolean[64],
            new byte[64],
            new char[32],
            new short[32],
            new int[16],
            new float[16],
            new long[8],
            new double[8],
            ByteBuffer.allocate(64),
            ByteBuffer.allocateDirect(64),
            memory
        };
        byte[] message = UserBufferTest.numbered(1, 64);
        for (Object buffer : buffers) {
            Object held = UserBuffer.hold(buffer);
            UserBufferTest.write(buffer, 0, Device.WHOLE, message);
            if (!Arrays.equals(message, UserBufferTest.read(buffer, 0, Device.WHOLE))) {
                throw new AssertionError(buffer.getClass().getTypeName() + " came back changed");
            }
            UserBuffer.release(held);
        }
        try {
            UserBuffer.bytesToSend("text", 0, 1);
        } catch (IllegalArgumentException e) {
            System.out.println("refused: " + e.getMessage());
        }
        if (arguments.length > 0) {
            try {
                memory.bytesView();
            } catch (IllegalStateException e) {
                System.out.println("no view: " + e.getMessage());
            }
        }
        memory.close();
        System.out.println(buffers.length + " buffers went well");
    }
}
