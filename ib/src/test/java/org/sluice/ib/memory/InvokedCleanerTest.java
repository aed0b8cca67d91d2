package org.sluice.ib.memory;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * A cleaner that the program invokes itself tells nobody; what it freed is given to the next buffer, which is another.
 */
final class InvokedCleanerTest {
    private static final int BYTES = 10_000;

    private final ScriptedRegions regions = new ScriptedRegions();
    private final RegistrationCache cache = new RegistrationCache(
            regions.calls(), 7, VerbsCalls.ACCESS_REMOTE_READ, Long.MAX_VALUE, Long.MAX_VALUE, Options.of(Map.of()));

    @Test
    void whatACleanerFreedServesNoOtherBuffer() throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Method invokeCleaner = type.getMethod("invokeCleaner", ByteBuffer.class);
        boolean wasReused = false;
        for (int i = 0; i < 1000 && !wasReused; i++) {
            ByteBuffer before = ByteBuffer.allocateDirect(BYTES);
            long address = Memory.address(before);
            cache.release(cache.acquire(before, address, BYTES));
            invokeCleaner.invoke(field.get(null), before);
            ByteBuffer after = ByteBuffer.allocateDirect(BYTES);
            regions.takeCalls();
            Registration fresh = cache.acquire(after, Memory.address(after), BYTES);
            assertTrue(regions.takeCalls().contains("register " + BYTES), "the dead registration was found");
            assertSame(fresh, cache.acquire(after, Memory.address(after), BYTES), "and the fresh one is kept");
            cache.release(fresh);
            cache.release(fresh);
            wasReused = Memory.address(after) == address;
        }
        assertTrue(wasReused, "no address came back, so this shows nothing");
    }
}
