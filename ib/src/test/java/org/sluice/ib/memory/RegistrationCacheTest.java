package org.sluice.ib.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.verbs.VerbsCalls;

final class RegistrationCacheTest {
    private static final int BYTES = 10_000;

    private final ScriptedRegions regions = new ScriptedRegions();
    private RegistrationCache cache = cache("1m", 8);

    private RegistrationCache cache(String bytes, int count) {
        return cache(bytes, count, Long.MAX_VALUE);
    }

    private RegistrationCache cache(String bytes, int count, long mostBytes) {
        return new RegistrationCache(
                regions.calls(),
                7,
                VerbsCalls.ACCESS_REMOTE_READ,
                mostBytes,
                Long.MAX_VALUE,
                Options.of(Map.of("sluice.ib.cache.bytes", bytes, "sluice.ib.cache.regions", Integer.toString(count))));
    }

    private Registration acquire(ByteBuffer buffer) {
        return cache.acquire(MemoryOwner.of(buffer, null), Memory.address(buffer), buffer.capacity());
    }

    private void use(ByteBuffer buffer) {
        cache.release(acquire(buffer));
    }

    private static ByteBuffer direct() {
        return ByteBuffer.allocateDirect(BYTES);
    }

    @Test
    void aHitMakesNoNativeCall() {
        ByteBuffer buffer = direct();
        use(buffer);
        long crossings = cache.counters().get(Counter.NATIVE_CROSSINGS);
        for (int i = 0; i < 100; i++) {
            use(buffer.slice(i, BYTES - 2 * i).asReadOnlyBuffer());
        }
        assertEquals(1, cache.counters().get(Counter.REGISTRATIONS));
        assertEquals(crossings, cache.counters().get(Counter.NATIVE_CROSSINGS));
        assertEquals(List.of("register " + BYTES), regions.takeCalls());
    }

    /** The library isn't even asked: what it would say, drivers differ in. */
    @Test
    void nothingIsRegisteredThatIsLongerThanTheDeviceTakes() {
        cache = cache("1m", 8, 8192);
        ByteBuffer buffer = direct();
        assertNull(acquire(buffer));
        assertFalse(cache.keep(buffer));
        Registration part = cache.acquire(buffer, Memory.address(buffer), 1000);
        assertNotNull(part, "a shorter message finds its own pages registered");
        cache.release(part);
        assertTrue(regions.takeCalls().stream()
                .allMatch(call -> Long.parseLong(call.substring("register ".length())) <= 8192));
    }

    @Test
    void whatCanBeCopiedIsRegisteredOnceItIsUsedOften() {
        ByteBuffer buffer = direct();
        for (int i = 1; i < RepeatedUse.USES; i++) {
            assertNull(cache.acquireUsual(buffer, Memory.address(buffer), 100), "use " + i);
        }
        assertEquals(List.of(), regions.takeCalls());
        for (int i = 0; i < 100; i++) {
            Registration found = cache.acquireUsual(buffer, Memory.address(buffer), 100);
            assertNotNull(found);
            cache.release(found);
        }
        assertEquals(List.of("register " + BYTES), regions.takeCalls());
        ByteBuffer known = direct();
        use(known);
        cache.release(cache.acquireUsual(known, Memory.address(known), 100));
        assertEquals(List.of("register " + BYTES), regions.takeCalls(), "a registration that is there is used at once");
    }

    /** A working set that the limits don't hold would else be registered for every message. */
    @Test
    void aCacheThatKeepsNothingRegistersNowAndThen() {
        cache = cache("1m", 0);
        ByteBuffer buffer = direct();
        int lent = 0;
        for (int i = 0; i < 10 * RepeatedUse.USES; i++) {
            Registration found = cache.acquireUsual(buffer, Memory.address(buffer), 100);
            if (found != null) {
                lent++;
                cache.release(found);
            }
        }
        assertEquals(10, lent);
        assertEquals(10, cache.counters().get(Counter.REGISTRATIONS));
    }

    /** What an allocator does all day: the same address again, of another owner. */
    @Test
    void aReusedAddressIsNotServedByTheOldRegistration() {
        long address = Memory.allocate(BYTES);
        Object first = new Object();
        Object second = new Object();
        ByteBuffer before = Memory.view(address, BYTES, first);
        Registration old = acquire(before);
        ByteBuffer after = Memory.view(address, BYTES, second);
        Registration fresh = acquire(after);
        assertNotSame(old, fresh);
        assertTrue(old.rkey() != fresh.rkey());
        cache.release(old);
        cache.release(fresh);
        Memory.free(address);
    }

    @Test
    void memoryThatMayGoAtAnyTimeIsRegisteredWhileItIsUsed() {
        long address = Memory.allocate(BYTES);
        ByteBuffer view = Memory.view(address, BYTES, null);
        Registration first = acquire(view);
        Registration second = acquire(view.slice(100, 200));
        assertSame(first, second);
        cache.release(first);
        assertEquals(1, regions.living.size());
        cache.release(second);
        assertEquals(0, regions.living.size());
        assertEquals(0, cache.size());
        assertTrue(cache.keep(view));
        use(view);
        assertEquals(1, regions.living.size(), "registered explicitly, it stays");
        cache.forget(view);
        assertEquals(0, regions.living.size());
        Memory.free(address);
    }

    @Test
    void aMessageBufferIsRegisteredUntilItIsFreed() {
        cache = cache("1m", 8, BYTES);
        List<String> order = new ArrayList<>();
        MessageAllocator allocator = new MessageAllocator() {
            @Override
            public long allocate(long bytes) {
                return Memory.allocate(bytes);
            }

            @Override
            public void free(long address, long bytes) {
                cache.freed(address);
                order.add(regions.living.size() + " living");
                Memory.free(address);
            }
        };
        MessageMemory memory = new MessageMemory(allocator, BYTES);
        use(memory.byteBuffer(100, 500));
        cache.release(cache.acquire(memory, memory.address(), BYTES));
        assertEquals(List.of("register " + BYTES), regions.takeCalls());
        MessageMemory other = new MessageMemory(allocator, BYTES);
        other.close();
        assertEquals(1, regions.living.size());
        memory.close();
        assertEquals(List.of("1 living", "0 living"), order);
        MessageMemory longer = new MessageMemory(allocator, BYTES + 1);
        assertNull(
                cache.acquire(longer, longer.address(), 100),
                "it is registered whole, and longer than the device takes");
        longer.close();
    }

    /** Its owner may be forgotten, and its memory freed, while somebody uses it. */
    @Test
    void memoryThatIsFreedIsLetGoOfFirstWhoeverUsesIt() {
        List<Integer> living = new ArrayList<>();
        MessageMemory memory = new MessageMemory(
                new MessageAllocator() {
                    @Override
                    public long allocate(long bytes) {
                        return Memory.allocate(bytes);
                    }

                    @Override
                    public void free(long address, long bytes) {
                        cache.freed(address);
                        living.add(regions.living.size());
                        Memory.free(address);
                    }
                },
                BYTES);
        Registration used = cache.acquire(memory, memory.address(), BYTES);
        cache.forget(memory);
        assertEquals(1, regions.living.size(), "it is in use");
        memory.close();
        assertEquals(List.of(0), living);
        cache.release(used);
        assertEquals(
                1,
                regions.takeCalls().stream()
                        .filter(call -> call.startsWith("deregister"))
                        .count());
    }

    @Test
    void whatIsForgottenInUseEndsWithTheCache() {
        ByteBuffer buffer = direct();
        acquire(buffer);
        cache.forget(buffer);
        assertEquals(1, regions.living.size());
        cache.close();
        assertEquals(0, regions.living.size());
        Reference.reachabilityFence(buffer);
    }

    /**
     * The pages stay pinned until the adapter lets go of them, so the order of the two does not matter; only that both
     * happen.
     */
    @Test
    void aCollectedOwnerIsLetGoOf() throws InterruptedException {
        use(direct());
        for (int i = 0; i < 200 && !regions.living.isEmpty(); i++) {
            System.gc();
            Thread.sleep(10);
            cache.endCollected();
        }
        assertEquals(0, regions.living.size(), "kept by the cache itself");
        assertEquals(0, cache.size());
    }

    @Test
    void whatIsInUseKeepsItsOwner() throws InterruptedException {
        Registration held = acquire(direct());
        for (int i = 0; i < 20; i++) {
            System.gc();
            Thread.sleep(10);
            cache.endCollected();
        }
        assertEquals(1, regions.living.size());
        assertNotNull(held.get());
        cache.release(held);
    }

    @Test
    void whatWasUsedLongestAgoGoesFirst() {
        ByteBuffer[] buffers = new ByteBuffer[9];
        for (int i = 0; i < 8; i++) {
            buffers[i] = ByteBuffer.allocateDirect(BYTES + i);
            use(buffers[i]);
        }
        use(buffers[0]);
        regions.takeCalls();
        buffers[8] = ByteBuffer.allocateDirect(BYTES + 8);
        use(buffers[8]);
        assertEquals(List.of("deregister " + (BYTES + 1), "register " + (BYTES + 8)), regions.takeCalls());
        use(buffers[0]);
        assertEquals(List.of(), regions.takeCalls());
        Reference.reachabilityFence(buffers);
    }

    @Test
    void whatIsInUseOrPinnedStaysWhateverTheLimitSays() {
        cache = cache("16k", 100);
        ByteBuffer pinned = ByteBuffer.allocateDirect(5000);
        ByteBuffer used = ByteBuffer.allocateDirect(5000);
        ByteBuffer idle = ByteBuffer.allocateDirect(5000);
        assertTrue(cache.keep(pinned));
        Registration held = acquire(used);
        use(idle);
        ByteBuffer more = ByteBuffer.allocateDirect(5001);
        Registration third = acquire(more);
        assertEquals(
                List.of("register 5000", "register 5000", "register 5000", "deregister 5000", "register 5001"),
                regions.takeCalls());
        ByteBuffer beyond = ByteBuffer.allocateDirect(5002);
        Registration fourth = acquire(beyond);
        assertEquals(4, regions.living.size());
        cache.release(third);
        assertEquals(List.of("register 5002", "deregister 5001"), regions.takeCalls(), "back within the limit");
        cache.release(fourth);
        cache.release(held);
        assertEquals(3, regions.living.size());
        assertThrows(IllegalStateException.class, () -> cache.release(held));
        Reference.reachabilityFence(List.of(pinned, used, idle, more, beyond));
    }

    @Test
    void nothingIsKeptWhereTheLimitIsZero() {
        for (RegistrationCache none : List.of(cache("0", 8), cache("1m", 0))) {
            cache = none;
            ByteBuffer buffer = direct();
            Registration held = acquire(buffer);
            assertSame(held, acquire(buffer));
            cache.release(held);
            assertEquals(1, regions.living.size());
            cache.release(held);
            assertEquals(0, regions.living.size());
        }
    }

    @Test
    void ofAnOwnerThatIsTooLargeOnlyThePartIsRegistered() {
        ByteBuffer large = ByteBuffer.allocateDirect(2 << 20);
        long start = Memory.address(large);
        Registration part = cache.acquire(large, start + 100_000, 50_000);
        assertTrue(part.covers(start + 100_000, 50_000) && part.bytes < 50_000 + 2 * 4096, part.toString());
        assertSame(part, cache.acquire(large, start + 100_001, 49_000));
        assertNotSame(part, cache.acquire(large, start + 90_000, 50_000));
        assertNull(cache.acquire(large, start + (2 << 20) - 10, 11), "outside of the owner's memory");
        assertNull(cache.acquire(large, start - 1, 10));
        assertNull(cache.acquire(large, start, -1));
    }

    @Test
    void whereNoMemoryMayBeLockedTheOldestGoAndThenItSaysNo() {
        regions.memoryLimit = 25_000;
        ByteBuffer[] buffers = {direct(), direct(), direct()};
        for (ByteBuffer each : buffers) {
            use(each);
        }
        assertEquals(2, regions.living.size());
        Registration second = acquire(buffers[1]);
        Registration third = acquire(buffers[2]);
        assertNull(acquire(buffers[0]));
        cache.release(second);
        assertNotNull(acquire(buffers[0]));
        cache.release(third);
    }

    @Test
    void closingLetsGoOfAllAndLateCallsDoNothing() {
        ByteBuffer used = direct();
        Registration held = acquire(used);
        ByteBuffer pinned = direct();
        cache.keep(pinned);
        MessageMemory memory = new MessageMemory(
                new MessageAllocator() {
                    @Override
                    public long allocate(long bytes) {
                        return Memory.allocate(bytes);
                    }

                    @Override
                    public void free(long address, long bytes) {
                        cache.freed(address);
                        Memory.free(address);
                    }
                },
                100);
        cache.release(cache.acquire(memory, memory.address(), 100));
        cache.close();
        assertEquals(0, regions.living.size());
        cache.release(held);
        cache.close();
        memory.close();
        cache.endCollected();
        cache.forget(pinned);
        assertNull(acquire(direct()));
        assertFalse(cache.keep(pinned));
        assertEquals(
                3,
                regions.takeCalls().stream()
                        .filter(call -> call.startsWith("deregister"))
                        .count());
    }

    /**
     * Against a plain model: what is acquired covers what was asked for, and every region lives as long as somebody
     * uses it.
     */
    @Test
    void manyOwnersUsedAtRandom() {
        long seed = new Random().nextLong();
        System.out.println("RegistrationCacheTest seed " + seed);
        Random random = new Random(seed);
        cache = cache("300k", 20);
        ByteBuffer[] owners = new ByteBuffer[50];
        for (int i = 0; i < owners.length; i++) {
            owners[i] = ByteBuffer.allocateDirect(1 + random.nextInt(100_000));
        }
        List<Registration> held = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer owner = owners[random.nextInt(owners.length)];
            if (held.size() < 30 && random.nextInt(3) != 0) {
                int from = random.nextInt(owner.capacity());
                int length = 1 + random.nextInt(owner.capacity() - from);
                Registration got = cache.acquire(owner, Memory.address(owner) + from, length);
                assertTrue(got.covers(Memory.address(owner) + from, length));
                assertSame(owner, got.get());
                held.add(got);
            } else if (!held.isEmpty()) {
                cache.release(held.remove(random.nextInt(held.size())));
            }
            if (random.nextInt(500) == 0) {
                cache.forget(owner);
            }
            for (Registration each : held) {
                assertTrue(regions.living.containsKey(each.handle), "a region in use was ended, seed " + seed);
            }
        }
        held.forEach(cache::release);
        assertTrue(cache.size() <= 20 && regions.living.size() == cache.size(), cache.toString());
        assertTrue(
                regions.living.values().stream().mapToLong(region -> region[1]).sum() <= 300 << 10);
        cache.close();
        assertEquals(0, regions.living.size());
    }
}
