package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Body;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** How communicators are made, are used by threads, and end. */
final class CommunicatorTest {
    private static void run(int ranks, long limitSeconds, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, Place.THREADS)) {
            job.run(limitSeconds, body);
        }
    }

    /** Each rank gives its number: a message that goes astray shows. */
    private static void assertWorks(Communicator communicator) {
        int[] all = new int[communicator.size()];
        communicator.allGather(new int[] {communicator.device().rank()}, all);
        for (int i = 0; i < all.length; i++) {
            assertEquals(communicator.group().member(i), all[i], () -> "of " + communicator);
        }
    }

    @Test
    void worldAndSelfAreAlwaysTheSame() {
        run(3, 30, world -> {
            assertSame(world, Communicator.world(world.device()));
            assertEquals(world.device().rank(), world.rank());
            assertEquals(3, world.size());
            assertEquals("world", world.name());
            Communicator self = Communicator.self(world.device());
            assertSame(self, Communicator.self(world.device()));
            assertEquals(0, self.rank());
            assertEquals(1, self.size());
            assertEquals(world.rank(), self.group().member(0));
            assertWorks(self);
            assertWorks(world);
        });
    }

    @Test
    void aDuplicateHasTheSameRanksAndASpaceOfItsOwn() {
        run(3, 30, world -> {
            Communicator turned = world.split(0, -world.rank());
            Communicator duplicate = turned.duplicate();
            assertEquals(turned.group(), duplicate.group());
            assertEquals(2 - world.rank(), duplicate.rank());
            assertNotEquals(turned.context, duplicate.context);
            assertNotEquals(world.context, duplicate.context);
            assertWorks(duplicate);
            Communicator ofSelf = Communicator.self(world.device()).duplicate();
            assertWorks(ofSelf);
            ofSelf.free();
            duplicate.free();
            turned.free();
        });
    }

    @Test
    void splitOrdersByKeysAndLeavesOutNegativeColours() {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        int ranks = 6;
        run(ranks, 30, world -> {
            Random random = new Random(seed);
            for (int round = 0; round < 50; round++) {
                int[] colours = new int[ranks];
                int[] keys = new int[ranks];
                for (int i = 0; i < ranks; i++) {
                    colours[i] = random.nextInt(4) - 1;
                    keys[i] = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(3) - 1;
                }
                int own = world.rank();
                String what = "seed " + seed + ", round " + round + ", rank " + own;
                Communicator part = world.split(colours[own], keys[own]);
                if (colours[own] < 0) {
                    assertNull(part, what);
                    continue;
                }
                assertArrayEquals(
                        expectedOfSplit(colours, keys, own), part.group().members(), what);
                assertEquals(own, part.group().member(part.rank()), what);
                assertWorks(part);
                part.free();
            }
        });
    }

    /** By insertion, which keeps the order of ranks where keys are equal. */
    private static int[] expectedOfSplit(int[] colours, int[] keys, int own) {
        int[] chosen = new int[colours.length];
        int count = 0;
        for (int rank = 0; rank < colours.length; rank++) {
            if (colours[rank] == colours[own]) {
                int at = count++;
                while (at > 0 && keys[chosen[at - 1]] > keys[rank]) {
                    chosen[at] = chosen[at - 1];
                    at--;
                }
                chosen[at] = rank;
            }
        }
        return java.util.Arrays.copyOf(chosen, count);
    }

    @Test
    void createIsForTheMembersOfAGroup() {
        run(4, 30, world -> {
            Group group = world.group().include(3, 0, 1);
            Communicator created = world.create(group);
            if (world.rank() == 2) {
                assertNull(created);
            } else {
                assertEquals(group, created.group());
                assertWorks(created);
                assertThrows(IllegalArgumentException.class, () -> created.create(world.group()));
                assertWorks(created);
                created.free();
            }
            assertNull(world.create(Group.EMPTY));
            assertWorks(world);
        });
    }

    @Test
    void createGroupIsCalledByTheGroupAlone() {
        run(4, 30, world -> {
            Group odd = world.group().include(3, 1);
            if (world.rank() % 2 == 1) {
                for (int i = 0; i < 20; i++) {
                    Communicator created = world.createGroup(odd, i);
                    assertEquals(odd, created.group());
                    assertWorks(created);
                    created.free();
                }
            } else {
                IllegalArgumentException refused =
                        assertThrows(IllegalArgumentException.class, () -> world.createGroup(odd, 0));
                assertTrue(refused.getMessage().contains(odd.toString()), refused.getMessage());
            }
            assertThrows(IllegalArgumentException.class, () -> world.createGroup(world.group(), -1));
            assertWorks(world);
        });
    }

    @Test
    void whatIsFreedIsNotUsedAnyMore() {
        run(2, 30, world -> {
            Communicator made = world.duplicate();
            made.free();
            IllegalStateException twice = assertThrows(IllegalStateException.class, made::free);
            assertTrue(twice.getMessage().contains("world.duplicate"), twice.getMessage());
            for (Consumer<Communicator> use : uses()) {
                assertThrows(IllegalStateException.class, () -> use.accept(made));
            }
            assertThrows(IllegalStateException.class, world::free);
            assertThrows(IllegalStateException.class, Communicator.self(world.device())::free);
            assertWorks(world);
        });
    }

    private static Iterable<Consumer<Communicator>> uses() {
        Deque<Consumer<Communicator>> uses = new ArrayDeque<>();
        uses.add(Communicator::barrier);
        uses.add(Communicator::ibarrier);
        uses.add(made -> made.broadcast(new byte[1], 0));
        uses.add(Communicator::duplicate);
        uses.add(made -> made.split(0, 0));
        uses.add(made -> made.create(made.group()));
        uses.add(made -> made.createGroup(made.group(), 0));
        return uses;
    }

    @Test
    void numbersAreUsedAgain() {
        run(2, 120, world -> {
            Communicator first = world.duplicate();
            int context = first.context;
            first.free();
            for (int i = 0; i < 20_000; i++) {
                world.duplicate().free();
            }
            Communicator last = world.duplicate();
            assertEquals(context, last.context);
            assertWorks(last);
            last.free();
        });
    }

    @Test
    void thereMayBeMoreThanOneWindowOfThem() {
        int count = 64 * Spaces.WINDOW_WORDS + 70;
        run(2, 60, world -> {
            Deque<Communicator> made = new ArrayDeque<>();
            for (int i = 0; i < count; i++) {
                made.add(world.duplicate());
            }
            assertEquals(
                    count,
                    made.stream().mapToInt(each -> each.context).distinct().count());
            assertWorks(made.getLast());
            int first = made.getFirst().context;
            made.removeFirst().free();
            Communicator again = world.duplicate();
            assertEquals(first, again.context);
            made.add(again);
            made.forEach(Communicator::free);
        });
    }

    @Test
    void membersThatUseDifferentNumbersAgreeOnOne() {
        run(3, 60, world -> {
            Deque<Communicator> made = new ArrayDeque<>();
            // Rank 1 is in both pairs, and so the others use half of what it uses.
            for (int i = 0; i < 200; i++) {
                int left = i % 2 == 0 ? 0 : 1;
                if (world.rank() == left || world.rank() == left + 1) {
                    made.add(world.createGroup(world.group().include(left, left + 1), i));
                }
            }
            Communicator all = world.duplicate();
            int[] contexts = new int[3];
            world.allGather(new int[] {all.context}, contexts);
            assertArrayEquals(new int[] {all.context, all.context, all.context}, contexts);
            assertTrue(made.stream().noneMatch(each -> each.context == all.context));
            assertWorks(all);
            all.free();
            for (Communicator each : made) {
                assertWorks(each);
                each.free();
            }
        });
    }
}
