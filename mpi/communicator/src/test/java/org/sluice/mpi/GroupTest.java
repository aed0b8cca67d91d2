package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sluice.mpi.Group.Comparison;

/** Groups as sets in an order. */
final class GroupTest {
    /** Ranks of the group and of the job are different, so that one in the other's place shows. */
    private static final Group TENS = group(10, 20, 30, 40, 50, 60, 70, 80);

    private static Group group(int... members) {
        return Group.ofDevice(members);
    }

    private static void assertMembers(Group actual, int... members) {
        assertArrayEquals(members, actual.members(), actual::toString);
        assertEquals(members.length, actual.size());
        for (int i = 0; i < members.length; i++) {
            assertEquals(members[i], actual.member(i));
            assertEquals(i, actual.rankOf(members[i]));
        }
    }

    @Test
    void includesInTheGivenOrder() {
        assertMembers(TENS.include(3, 0, 7), 40, 10, 80);
        assertMembers(TENS.include());
        assertMembers(TENS.include(2).include(0), 30);
    }

    @Test
    void excludesAndKeepsItsOwnOrder() {
        assertMembers(TENS.exclude(7, 0, 3), 20, 30, 50, 60, 70);
        assertEquals(TENS, TENS.exclude());
        assertMembers(TENS.exclude(0, 1, 2, 3, 4, 5, 6, 7));
    }

    @Test
    void rangesHaveAStride() {
        assertMembers(TENS.includeRanges(new int[] {1, 5, 2}), 20, 40, 60);
        assertMembers(TENS.includeRanges(new int[] {1, 6, 2}), 20, 40, 60);
        assertMembers(TENS.includeRanges(new int[] {5, 1, -2}), 60, 40, 20);
        assertMembers(TENS.includeRanges(new int[] {5, 0, -2}), 60, 40, 20);
        assertMembers(TENS.includeRanges(new int[] {7, 7, -1}, new int[] {0, 2, 1}), 80, 10, 20, 30);
        assertMembers(TENS.includeRanges(new int[] {3, 3, 100}), 40);
        assertMembers(TENS.includeRanges(new int[] {4, 3, 1}));
        assertMembers(TENS.includeRanges(new int[] {3, 4, -1}));
        assertMembers(TENS.includeRanges());
        // The last is only how far they go.
        assertMembers(TENS.includeRanges(new int[] {0, 8, 7}), 10, 80);
        assertMembers(TENS.excludeRanges(new int[] {7, 1, -3}), 10, 30, 40, 60, 70);
        assertMembers(TENS.excludeRanges(new int[] {0, 7, 1}));
    }

    @Test
    void setsKeepTheOrderOfTheFirst() {
        Group left = group(5, 3, 9);
        Group right = group(9, 7, 3, 1);
        assertMembers(left.union(right), 5, 3, 9, 7, 1);
        assertMembers(right.union(left), 9, 7, 3, 1, 5);
        assertMembers(left.intersection(right), 3, 9);
        assertMembers(right.intersection(left), 9, 3);
        assertMembers(left.difference(right), 5);
        assertMembers(right.difference(left), 7, 1);
        assertMembers(left.union(Group.EMPTY), 5, 3, 9);
        assertMembers(Group.EMPTY.union(left), 5, 3, 9);
        assertMembers(left.intersection(Group.EMPTY));
        assertMembers(Group.EMPTY.difference(left));
    }

    @Test
    void setsAreAsTheyAreCounted() {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime() % 1_000_000);
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            Group left = drawn(random);
            Group right = drawn(random);
            String what = "seed " + seed + ", " + left + " and " + right;
            for (int member = 0; member < 12; member++) {
                boolean isLeft = left.rankOf(member) != Group.NO_RANK;
                boolean isRight = right.rankOf(member) != Group.NO_RANK;
                assertEquals(isLeft || isRight, left.union(right).rankOf(member) >= 0, what);
                assertEquals(isLeft && isRight, left.intersection(right).rankOf(member) >= 0, what);
                assertEquals(isLeft && !isRight, left.difference(right).rankOf(member) >= 0, what);
            }
            int both = left.intersection(right).size();
            assertEquals(left.size() + right.size() - both, left.union(right).size(), what);
            assertEquals(left.size() - both, left.difference(right).size(), what);
            int[] all = new int[left.size()];
            java.util.Arrays.setAll(all, i -> i);
            int[] translated = left.translate(all, right);
            for (int i = 0; i < all.length; i++) {
                assertEquals(right.rankOf(left.member(i)), translated[i], what);
            }
        }
    }

    private static Group drawn(Random random) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(i);
        }
        java.util.Collections.shuffle(all, random);
        int[] members = new int[random.nextInt(13)];
        java.util.Arrays.setAll(members, all::get);
        return group(members);
    }

    @Test
    void ranksAreTranslated() {
        Group other = group(80, 30, 10);
        assertArrayEquals(
                new int[] {2, Group.NO_RANK, 1, 0, MessageSpace.PROC_NULL},
                TENS.translate(new int[] {0, 1, 2, 7, MessageSpace.PROC_NULL}, other));
        assertArrayEquals(new int[0], TENS.translate(new int[0], other));
        assertArrayEquals(new int[] {Group.NO_RANK}, TENS.translate(new int[] {0}, Group.EMPTY));
        assertEquals(Group.NO_RANK, TENS.rankOf(11));
    }

    @Test
    void groupsAreCompared() {
        assertEquals(Comparison.IDENTICAL, group(1, 2, 3).compare(group(1, 2, 3)));
        assertEquals(Comparison.SIMILAR, group(1, 2, 3).compare(group(3, 2, 1)));
        assertEquals(Comparison.UNEQUAL, group(1, 2, 3).compare(group(1, 2)));
        assertEquals(Comparison.UNEQUAL, group(1, 2).compare(group(1, 2, 3)));
        assertEquals(Comparison.UNEQUAL, group(1, 2, 3).compare(group(1, 2, 4)));
        assertEquals(Comparison.IDENTICAL, Group.EMPTY.compare(TENS.include()));
        assertEquals(group(1, 2), group(1, 2));
        assertEquals(group(1, 2).hashCode(), group(1, 2).hashCode());
        assertNotEquals(group(1, 2), group(2, 1));
    }

    @Test
    void aGroupDoesNotChange() {
        int[] members = {4, 5};
        Group made = group(members);
        members[0] = 9;
        made.members()[1] = 9;
        assertMembers(made, 4, 5);
        made.union(group(7));
        made.exclude(0);
        assertMembers(made, 4, 5);
    }

    @Test
    void ranksOfTheGroupAreGivenOnce() {
        for (int rank : new int[] {-1, 8, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String[] words = {"rank " + rank, "0 to 7"};
            assertRefused(() -> TENS.include(0, rank), words);
            assertRefused(() -> TENS.exclude(rank), words);
            assertRefused(() -> TENS.member(rank), words);
            assertRefused(() -> TENS.translate(new int[] {rank}, TENS), words);
        }
        assertRefused(() -> Group.EMPTY.member(0), "rank 0", "no members");
        assertRefused(() -> TENS.include(1, 2, 1), "twice", "20");
        assertRefused(() -> TENS.exclude(1, 2, 1), "twice", "rank 1");
        assertRefused(() -> TENS.includeRanges(new int[] {0, 4, 2}, new int[] {4, 5, 1}), "twice");
    }

    @Test
    void rangesAreWhole() {
        assertRefused(() -> TENS.includeRanges(new int[] {0, 1}), "[0, 1]", "first, last and a stride");
        assertRefused(() -> TENS.includeRanges(new int[] {0, 1, 1, 1}), "first, last and a stride");
        assertRefused(() -> TENS.excludeRanges(new int[] {0, 1, 0}), "[0, 1, 0]", "other than 0");
        assertRefused(() -> TENS.includeRanges(new int[] {0, 8, 1}), "rank 8", "0 to 7");
        assertRefused(() -> TENS.includeRanges(new int[] {2, -1, -1}), "rank -1", "0 to 7");
        // More than an array holds, or an int counts.
        assertRefused(() -> TENS.includeRanges(new int[] {0, Integer.MAX_VALUE - 1, 1}), "rank 8", "0 to 7");
        assertRefused(() -> TENS.excludeRanges(new int[] {0, Integer.MAX_VALUE, 1}), "rank 8", "0 to 7");
        assertRefused(() -> TENS.includeRanges(new int[] {1, Integer.MIN_VALUE, -1}), "rank -1", "0 to 7");
        assertRefused(
                () -> TENS.includeRanges(new int[] {Integer.MIN_VALUE, Integer.MAX_VALUE, 1}), "rank -2147483648");
    }

    private static void assertRefused(Executable call, String... words) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, call);
        for (String word : words) {
            assertTrue(refused.getMessage().contains(word), refused.getMessage());
        }
    }
}
