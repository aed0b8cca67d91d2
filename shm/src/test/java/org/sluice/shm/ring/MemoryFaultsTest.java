package org.sluice.shm.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.ref.Reference;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.memory.Memory;

/** That the JVM at hand reports a lost page no later than where it is asked; run often enough to be compiled. */
final class MemoryFaultsTest {
    private static final int ROUNDS = 20_000;

    @TempDir
    Path directory;

    private long sum;
    private int found;

    @Test
    void anErrorIsTakenWhereItIsAskedFor() throws Exception {
        MappedByteBuffer buffer;
        byte[] target = new byte[1000];
        try (FileChannel channel = FileChannel.open(
                directory.resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16);
            for (int i = 0; i < ROUNDS; i++) {
                look(Memory.address(buffer), target, i % 2 == 0);
            }
            assertEquals(0, found, "nothing is wrong yet");
            channel.truncate(0);
        }
        for (int i = 0; i < ROUNDS; i++) {
            look(Memory.address(buffer), target, i % 2 == 0);
        }
        assertEquals(ROUNDS, found);
        assertFalse(MemoryFaults.settle(), "one error is one error");
        Reference.reachabilityFence(buffer);
    }

    private void look(long address, byte[] target, boolean copy) {
        try {
            if (copy) {
                Memory.copy(null, address, target, Memory.arrayOffset(target), target.length);
            } else {
                sum += Memory.getLongVolatile(address);
            }
            found += MemoryFaults.settle() ? 1 : 0;
        } catch (InternalError e) {
            found++;
            MemoryFaults.settle();
        }
    }
}
