package org.sluice.ib.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.SluiceException;
import org.sluice.device.arena.Arena;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.verbs.VerbsCalls;

/** Message buffers in extents that the adapter knows as wholes. */
final class RegisteredPoolTest {
    private static final int STEP = 1 << 20;
    private static final int BYTES = 64 << 10;

    private final ScriptedRegions regions = new ScriptedRegions();
    private RegistrationCache cache;
    private PrivateExtents extents;
    private Arena arena;
    private MessageAllocator allocator;

    RegisteredPoolTest() {
        begin(Map.of());
    }

    private void begin(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(
                Map.of("sluice.ib.pool.step.bytes", Integer.toString(STEP), "sluice.ib.cache.bytes", "0"));
        all.putAll(more);
        Options options = Options.of(all);
        cache = new RegistrationCache(
                regions.calls(), 7, VerbsCalls.ACCESS_REMOTE_READ, Long.MAX_VALUE, Long.MAX_VALUE, options);
        extents = new PrivateExtents(options, cache);
        arena = new Arena(extents);
        cache.pool(arena);
        allocator = new MessageAllocator() {
            @Override
            public long allocate(long bytes) {
                return arena.allocate(bytes);
            }

            @Override
            public void free(long address, long bytes) {
                if (cache.freed(address)) {
                    arena.free(address);
                }
            }
        };
    }

    private Registration acquire(MessageMemory memory) {
        return cache.acquire(memory, memory.address(), memory.bytes());
    }

    private long count(Counter counter) {
        return cache.counters().get(counter) + arena.counters().get(counter);
    }

    @Test
    void allocatingSendingAndFreeingRegistersNothing() {
        for (int i = 0; i < 1000; i++) {
            try (MessageMemory memory = new MessageMemory(allocator, BYTES)) {
                Registration used = acquire(memory);
                assertTrue(used.covers(memory.address(), BYTES));
                cache.release(used);
                cache.release(acquire(memory));
            }
        }
        assertEquals(List.of("register " + STEP), regions.takeCalls());
        assertEquals(1, count(Counter.REGISTRATIONS));
        assertEquals(1, count(Counter.POOL_REGIONS));
        assertEquals(STEP, count(Counter.POOL_BYTES));
        assertEquals(1999, count(Counter.POOL_HITS));
        assertEquals(1, count(Counter.ARENA_EXTENTS));
        assertEquals(STEP, count(Counter.ARENA_BYTES));
        assertEquals(0, count(Counter.ARENA_USED_BYTES));
        assertEquals(0, cache.size());
        cache.close();
        assertEquals(List.of("deregister " + STEP), regions.takeCalls());
    }

    @Test
    void itGrowsInStepsAndALargeBufferGetsAnExtentOfItsOwn() {
        MessageMemory[] buffers = new MessageMemory[STEP / BYTES + 1];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = new MessageMemory(allocator, BYTES);
            cache.release(acquire(buffers[i]));
        }
        assertEquals(List.of("register " + STEP, "register " + STEP), regions.takeCalls());
        assertEquals((long) BYTES * buffers.length, count(Counter.ARENA_USED_BYTES));
        MessageMemory large = new MessageMemory(allocator, 3 * STEP);
        cache.release(acquire(large));
        assertEquals(List.of("register " + 3 * STEP), regions.takeCalls());
        large.close();
        MessageMemory again = new MessageMemory(allocator, 2 * STEP);
        cache.release(acquire(again));
        assertEquals(List.of(), regions.takeCalls(), "it was kept");
        assertEquals(5L * STEP, count(Counter.POOL_BYTES));
    }

    /** A peer died, say, and its queue pair can't be destroyed. */
    @Test
    void memoryThatTheAdapterMayUseIsNobodysUntilItsLastUseEnds() {
        MessageMemory memory = new MessageMemory(allocator, STEP);
        long address = memory.address();
        Registration used = acquire(memory);
        Registration another = acquire(memory);
        memory.close();
        MessageMemory other = new MessageMemory(allocator, STEP);
        assertNotEquals(address, other.address());
        cache.release(used);
        assertEquals(2L * STEP, count(Counter.ARENA_USED_BYTES));
        cache.release(another);
        assertEquals(STEP, count(Counter.ARENA_USED_BYTES));
        MessageMemory next = new MessageMemory(allocator, STEP);
        assertEquals(address, next.address(), "now it is free");
        assertEquals(address, acquire(next).address, "and its new owner's");
        assertEquals(List.of("register " + STEP), regions.takeCalls());
    }

    @Test
    void whatNobodyGaveBackGoesWhenTheAdapterHasLetGoOfItsExtent() {
        MessageMemory memory = new MessageMemory(allocator, BYTES);
        acquire(memory);
        memory.close();
        assertEquals(BYTES, count(Counter.ARENA_USED_BYTES));
        cache.close();
        assertEquals(0, count(Counter.ARENA_USED_BYTES));
        assertEquals(0, regions.living.size());
    }

    @Test
    void anExtentThatTheAdapterKeepsIsNeverFreed() {
        MessageMemory open = new MessageMemory(allocator, BYTES);
        MessageMemory used = new MessageMemory(allocator, BYTES);
        cache.release(acquire(open));
        acquire(used);
        used.close();
        regions.isStubborn = true;
        assertThrows(IllegalStateException.class, cache::close);
        open.close();
        extents.close();
        arena.close();
        assertEquals(2L * BYTES, count(Counter.ARENA_USED_BYTES), "nobody else gets it");
        Memory.putLong(open.address(), 42);
        assertFalse(cache.freed(open.address()));
    }

    @Test
    void aBufferOutlivesTheDeviceAndNoneBeginsAfterIt() {
        MessageMemory memory = new MessageMemory(allocator, BYTES);
        cache.release(acquire(memory));
        cache.close();
        extents.close();
        arena.close();
        memory.putLong(BYTES - 8, 42);
        assertEquals(42, memory.getLong(BYTES - 8));
        assertThrows(SluiceException.class, () -> new MessageMemory(allocator, BYTES));
        memory.close();
        assertEquals(0, count(Counter.ARENA_USED_BYTES));
    }

    @Test
    void beyondTheLimitBuffersAreRegisteredOneByOne() {
        begin(Map.of("sluice.ib.pool.limit.bytes", Integer.toString(STEP), "sluice.ib.cache.bytes", "1g"));
        MessageMemory first = new MessageMemory(allocator, STEP);
        MessageMemory second = new MessageMemory(allocator, BYTES);
        cache.release(acquire(first));
        cache.release(acquire(second));
        assertEquals(List.of("register " + STEP, "register " + BYTES), regions.takeCalls());
        second.close();
        first.close();
        assertEquals(List.of("deregister " + BYTES), regions.takeCalls());
        begin(Map.of("sluice.ib.pool.limit.bytes", "0", "sluice.ib.cache.bytes", "1g"));
        cache.release(acquire(new MessageMemory(allocator, BYTES)));
        assertEquals(List.of("register " + BYTES), regions.takeCalls());
    }

    @Test
    void whereNotAllMayBeLockedBuffersAreRegisteredOneByOneAndItSaysWhy() {
        regions.memoryLimit = STEP - 1;
        MessageMemory memory = new MessageMemory(allocator, BYTES);
        assertNotNull(acquire(memory));
        assertNotNull(acquire(new MessageMemory(allocator, BYTES)));
        assertEquals(
                List.of("register " + STEP, "register " + BYTES, "register " + BYTES),
                regions.takeCalls(),
                "the extent is tried once");
        assertTrue(cache.toString().contains("ulimit -l"), cache.toString());
        assertEquals(0, count(Counter.POOL_BYTES));
        regions.memoryLimit = 0;
        assertNull(acquire(new MessageMemory(allocator, BYTES)), "it has to be streamed");
    }

    @Test
    void whatCanBeCopiedUsesAnExtentThatIsThereAndElseOnlyIfItsBuffersAreUsedOften() {
        for (int i = 1; i < RepeatedUse.USES; i++) {
            MessageMemory once = new MessageMemory(allocator, BYTES);
            assertNull(cache.acquireUsual(once, once.address(), 100), "use " + i);
            once.close();
        }
        for (int i = 0; i < 10; i++) {
            MessageMemory once = new MessageMemory(allocator, BYTES);
            Registration used = cache.acquireUsual(once, once.address(), 100);
            assertNotNull(used);
            cache.release(used);
            once.close();
        }
        assertEquals(List.of("register " + STEP), regions.takeCalls());
    }

    @Test
    void whatAProgramRegistersIsRegisteredWithItsExtent() {
        MessageMemory memory = new MessageMemory(allocator, BYTES);
        assertTrue(cache.keep(memory));
        assertTrue(cache.keep(memory));
        cache.forget(memory);
        cache.forget(memory);
        cache.release(acquire(memory));
        memory.close();
        assertEquals(List.of("register " + STEP), regions.takeCalls());
    }

    @Test
    void whatIsUsedAgainIsZeroUnlessAMessageFillsIt() {
        MessageMemory memory = new MessageMemory(allocator, BYTES);
        long address = memory.address();
        memory.putLong(0, 42);
        memory.close();
        long again = arena.allocateUnzeroed(BYTES);
        assertEquals(address, again);
        assertEquals(42, Memory.getLong(again));
        arena.free(again);
        assertEquals(0, Memory.getLong(arena.allocate(BYTES)));
    }

    @Test
    void manyBuffersUsedAtRandom() {
        long seed = new Random().nextLong();
        System.out.println("RegisteredPoolTest seed " + seed);
        Random random = new Random(seed);
        Map<MessageMemory, Registration> held = new HashMap<>();
        Map<Long, Registration> closedInUse = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            if (held.size() < 20 && random.nextBoolean()) {
                MessageMemory memory = new MessageMemory(allocator, 1 + random.nextInt(100_000));
                assertFalse(closedInUse.containsKey(memory.address()), "of the adapter, seed " + seed);
                held.put(memory, acquire(memory));
            } else if (!held.isEmpty()) {
                MessageMemory memory = held.keySet().iterator().next();
                Registration used = held.remove(memory);
                if (random.nextInt(4) == 0) {
                    closedInUse.put(memory.address(), used);
                } else {
                    cache.release(used);
                }
                memory.close();
            }
            if (random.nextInt(8) == 0 && !closedInUse.isEmpty()) {
                cache.release(closedInUse.remove(closedInUse.keySet().iterator().next()));
            }
        }
        held.forEach((memory, used) -> {
            cache.release(used);
            memory.close();
        });
        closedInUse.values().forEach(cache::release);
        assertEquals(0, count(Counter.ARENA_USED_BYTES));
        assertEquals(count(Counter.POOL_REGIONS), regions.living.size());
    }
}
