package org.sluice.ib.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/** An adapter that doesn't let go of the program's memory. */
final class KeptMemoryTest {
    private static final int BYTES = 10_000;

    private final ScriptedRegions regions = new ScriptedRegions();
    private boolean refuses = true;
    private final RegistrationCache cache = new RegistrationCache(
            (VerbsCalls) Proxy.newProxyInstance(
                    VerbsCalls.class.getClassLoader(),
                    new Class<?>[] {VerbsCalls.class},
                    (proxy, method, arguments) -> refuses && method.getName().equals("deregisterMemory")
                            ? -Errno.EIO
                            : method.invoke(regions.calls(), arguments)),
            7,
            VerbsCalls.ACCESS_REMOTE_READ,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Options.of(Map.of()));

    private WeakReference<ByteBuffer> registered() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        cache.release(cache.acquire(MemoryOwner.of(buffer, null), Memory.address(buffer), BYTES));
        return new WeakReference<>(buffer);
    }

    private String closeIsRefused() {
        return assertThrows(IllegalStateException.class, cache::close).getMessage();
    }

    /** A collected buffer's memory would be given to somebody else. */
    @Test
    void whatTheProgramForgetsIsNotCollected() throws InterruptedException {
        WeakReference<ByteBuffer> buffer = registered();
        String told = closeIsRefused();
        assertTrue(told.contains("ibv_dereg_mr: EIO"), told);
        for (int i = 0; i < 20; i++) {
            System.gc();
            Thread.sleep(5);
        }
        assertNotNull(buffer.get());
    }

    /** Or the test above shows nothing. */
    @Test
    void whatWasLetGoOfIsCollected() throws InterruptedException {
        refuses = false;
        WeakReference<ByteBuffer> buffer = registered();
        cache.close();
        for (int i = 0; i < 1000 && buffer.get() != null; i++) {
            System.gc();
            Thread.sleep(5);
        }
        assertEquals(null, buffer.get());
    }

    @Test
    void aMessageBufferIsNotFreed() {
        boolean[] mayFree = {true, true};
        MessageAllocator allocator = new MessageAllocator() {
            @Override
            public long allocate(long bytes) {
                return Memory.allocate(bytes);
            }

            @Override
            public void free(long address, long bytes) {
                boolean may = cache.freed(address);
                mayFree[refuses ? 0 : 1] = may;
                if (may) {
                    Memory.free(address);
                }
            }
        };
        for (boolean refusing : new boolean[] {false, true}) {
            refuses = refusing;
            MessageMemory memory = new MessageMemory(allocator, BYTES);
            cache.release(cache.acquire(memory, memory.address(), BYTES));
            memory.close();
        }
        assertFalse(mayFree[0], "the adapter has it");
        assertTrue(mayFree[1], "the adapter let go of it");
        closeIsRefused();
    }
}
