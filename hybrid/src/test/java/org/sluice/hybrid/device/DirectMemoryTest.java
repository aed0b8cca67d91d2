package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.memory.Memory;

/** Memory for message buffers where no other process shares any. */
final class DirectMemoryTest {
    private final DirectMemory memory = new DirectMemory();

    @Test
    void everyBufferIsAlignedZeroAndItsOwn() {
        int[] sizes = {0, 1, 7, 8, 63, 64, 65, 1000, 4096, 1 << 20};
        List<Long> addresses = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            long address = memory.allocate(sizes[i]);
            assertEquals(0, address % Memory.CACHE_LINE, sizes[i] + " bytes");
            for (int at = 0; at < sizes[i]; at++) {
                assertEquals(0, Memory.getByte(address + at), "byte " + at + " of " + sizes[i]);
                Memory.putByte(address + at, (byte) (i + 1));
            }
            addresses.add(address);
        }
        for (int i = 0; i < sizes.length; i++) {
            for (int at = 0; at < sizes[i]; at++) {
                assertEquals(i + 1, Memory.getByte(addresses.get(i) + at), "byte " + at + " of " + sizes[i]);
            }
            memory.free(addresses.get(i), sizes[i]);
        }
    }

    @Test
    void whatIsUsedAgainIsZeroAgain() {
        for (int round = 0; round < 1000; round++) {
            long address = memory.allocate(100);
            for (int at = 0; at < 100; at++) {
                assertEquals(0, Memory.getByte(address + at), "round " + round);
                Memory.putByte(address + at, (byte) 0x5a);
            }
            memory.free(address, 100);
        }
    }

    @Test
    void moreThanThereIsSaysHowMuchWasAskedFor() {
        for (long bytes : new long[] {1L << 60, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            SluiceException none = assertThrows(SluiceException.class, () -> memory.allocate(bytes));
            assertEquals(ErrorCode.NO_MEMORY, none.code());
            assertTrue(none.getMessage().contains(Long.toString(bytes)), none.getMessage());
        }
    }
}
