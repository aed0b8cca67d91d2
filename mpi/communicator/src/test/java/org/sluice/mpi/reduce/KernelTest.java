package org.sluice.mpi.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.memory.Memory;
import org.sluice.mpi.ElementType;

/** Every loop of a kernel gives what single elements give, and touches nothing beside. */
final class KernelTest {
    private static final int[] LENGTHS = {2, Kernel.FEW - 2, Kernel.FEW, 3 * Kernel.FEW + 2};
    private static final int[][] PLACES = {{0, 0}, {5, 5}, {0, 3}, {4, 1}};
    private static final int BESIDE = 8;

    @ParameterizedTest
    @EnumSource
    void longRunsGiveWhatSingleElementsGive(ElementType type) {
        Kernel kernel = Kernel.of(type);
        Random random = new Random(31L * type.ordinal());
        int tried = 0;
        for (Operation operation : Operation.values()) {
            if (!kernel.takes(operation)) {
                continue;
            }
            int step = operation.takesPairs() ? 2 : 1;
            for (int length : LENGTHS) {
                for (int[] places : PLACES) {
                    Object left = random(type, length + BESIDE, random);
                    Object right = random(type, length + BESIDE, random);
                    Object expected = type.array(length + BESIDE);
                    System.arraycopy(right, 0, expected, 0, length + BESIDE);
                    for (int i = 0; i < length; i += step) {
                        kernel.apply(operation, left, places[0] + i, expected, places[1] + i, step);
                    }
                    kernel.apply(operation, left, places[0], right, places[1], length);
                    for (int i = 0; i < length + BESIDE; i++) {
                        assertEquals(
                                Array.get(expected, i),
                                Array.get(right, i),
                                operation + " of " + length + " at " + places[0] + " and " + places[1] + ", " + i);
                    }
                    tried++;
                }
            }
        }
        assertTrue(tried > 0, "no operation takes " + type);
    }

    private static Object random(ElementType type, int length, Random random) {
        byte[] bytes = new byte[length * type.bytes()];
        random.nextBytes(bytes);
        for (int i = 0; type == ElementType.BOOLEAN && i < bytes.length; i++) {
            bytes[i] &= 1;
        }
        Object array = type.array(length);
        Memory.copy(bytes, Memory.arrayOffset(bytes), array, Memory.arrayOffset(array), bytes.length);
        return array;
    }
}
