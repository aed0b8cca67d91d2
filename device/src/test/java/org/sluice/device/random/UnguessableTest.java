package org.sluice.device.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class UnguessableTest {
    @Test
    void everyDrawDiffersAndEveryBitTakesBothValues() {
        Set<UUID> drawn = new HashSet<>();
        BitSet ones = new BitSet();
        BitSet zeros = new BitSet();
        for (int i = 0; i < 200; i++) {
            UUID uuid = Unguessable.uuid();
            drawn.add(uuid);
            BitSet bits = BitSet.valueOf(new long[] {uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()});
            ones.or(bits);
            bits.flip(0, 128);
            zeros.or(bits);
        }
        assertEquals(200, drawn.size());
        assertEquals(128, ones.cardinality());
        assertEquals(128, zeros.cardinality());
        assertNotEquals(Unguessable.number(), Unguessable.number());
    }

    @Test
    void withoutTheKernelsFileOrWithOneCutShortTheJdkServes(@TempDir Path folder) throws Exception {
        Path cut = Files.write(folder.resolve("cut"), new byte[7]);
        for (String source : new String[] {folder.resolve("none").toString(), cut.toString()}) {
            byte[] bytes = Unguessable.bytes(16, source);
            assertEquals(16, bytes.length);
            assertNotEquals(0, ByteBuffer.wrap(bytes).getLong());
        }
    }
}
