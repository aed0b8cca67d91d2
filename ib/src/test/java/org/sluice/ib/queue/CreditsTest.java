package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two ends that know of each other only what packets say. */
final class CreditsTest {
    private static final int SLOTS = 256;

    private final Credits sender = new Credits(new SlotBudget(SLOTS, 64));
    private final Credits receiver = new Credits(new SlotBudget(SLOTS, 64));

    private int send(boolean control) {
        int sent = 0;
        while (sender.mayTake(control)) {
            assertTrue(sender.take(control));
            sent++;
        }
        assertFalse(sender.take(control));
        return sent;
    }

    private void receive(int packets) {
        for (int i = 0; i < packets; i++) {
            assertTrue(receiver.onPacket());
        }
    }

    @Test
    void aQuietPeerHoldsTheLeastAndControlPacketsGoBeyond() {
        assertEquals(Credits.LEAST, send(false));
        assertFalse(sender.mayTake(false));
        assertEquals(Credits.CONTROL_RESERVE, send(true));
        assertFalse(sender.mayTake(true));
    }

    @Test
    void whoUsesUpWhatItHasGetsTwiceAsMuchUpToTheMost() {
        int expected = Credits.LEAST;
        for (int round = 0; round < 10; round++) {
            int sent = send(false);
            assertEquals(expected, sent, "round " + round);
            receive(sent);
            assertTrue(receiver.owesNews(), "the peer has nothing left");
            assertTrue(sender.onLimit(receiver.toTell()));
            assertFalse(receiver.owesNews(), "told once is enough");
            expected = Math.min(64, expected * 2);
        }
    }

    @Test
    void turnsBorrowNothingAndNeedNoNewsOfTheirOwn() {
        for (int turn = 0; turn < 100; turn++) {
            assertTrue(sender.take(false), "turn " + turn);
            receive(1);
            assertFalse(receiver.owesNews() && turn > 0 && receiver.toTell() < turn);
            assertTrue(sender.onLimit(receiver.toTell()));
        }
        assertEquals(Credits.LEAST, send(false));
    }

    @Test
    void whoSendsMoreThanItsCreditIsFound() {
        receive(Credits.LEAST + Credits.CONTROL_RESERVE);
        assertFalse(receiver.onPacket(), "nobody told it of more");
    }

    @Test
    void aGrantBeyondAllSlotsIsNotBelieved() {
        assertTrue(sender.onLimit(Credits.LEAST + SLOTS + 1), "the peer may have more slots than this rank");
        assertTrue(sender.onLimit(Credits.LEAST + Credits.MOST));
        assertFalse(sender.onLimit(Credits.LEAST + 2 * Credits.MOST + 1));
        assertFalse(sender.onLimit(Integer.MAX_VALUE));
        assertFalse(sender.onLimit(Integer.MIN_VALUE));
        assertFalse(sender.onLimit(Credits.LEAST), "that late no news is");
        assertTrue(sender.onLimit(Credits.LEAST + 1), "late news is no fault");
    }

    @Test
    void whatAPeerHeldIsGivenBackOnce() {
        SlotBudget budget = new SlotBudget(SLOTS, 64);
        Credits first = new Credits(budget);
        new Credits(budget);
        int before = budget.lent();
        new Credits(budget).giveBack();
        first.giveBack();
        first.giveBack();
        assertEquals(before / 2, budget.lent());
    }

    @Test
    void nobodyBorrowsWhatIsNotThere() {
        SlotBudget budget = new SlotBudget(2, 64);
        Credits only = new Credits(budget);
        int lent = budget.lent();
        for (int i = 0; i < 100; i++) {
            assertTrue(only.onPacket());
            only.toTell();
        }
        assertEquals(lent, budget.lent());
    }

    /** One peer has borrowed all that one may, and is quiet. */
    private static void borrowAll(Credits lender, Credits borrower) {
        for (int turn = 0; turn < 12; turn++) {
            int sent = 0;
            while (borrower.take(false)) {
                sent++;
            }
            for (int i = 0; i < sent; i++) {
                assertTrue(lender.onPacket());
            }
            assertTrue(borrower.onLimit(lender.toTell()));
        }
    }

    @Test
    void aQuietPeerGivesBackAllButOneAndAnotherCanBorrowThat() {
        SlotBudget budget = new SlotBudget(80, 64);
        Credits quiet = new Credits(budget);
        Credits busy = new Credits(budget);
        Credits other = new Credits(new SlotBudget(80, 64));
        borrowAll(quiet, sender);
        assertEquals(64 + Credits.LEAST, budget.lent());
        borrowAll(busy, other);
        assertTrue(budget.takeRefused(), "there is nothing to borrow");
        assertFalse(budget.takeRefused());
        assertFalse(quiet.isIdle(), "it sent since the last look");
        assertTrue(quiet.isIdle());
        assertTrue(sender.onLimit(quiet.toTell()));
        assertTrue(sender.giveUp());
        assertFalse(sender.giveUp(), "the rest is its own");
        assertEquals(63, quiet.onReturned(sender.returned()));
        assertEquals(0, quiet.onReturned(sender.returned()), "said again");
        assertFalse(quiet.isIdle(), "it holds one");
        borrowAll(busy, other);
        assertFalse(budget.takeRefused());
        assertEquals(64 + Credits.QUIET, budget.lent());
        assertEquals(Credits.QUIET, send(false));
        assertFalse(sender.onLimit(quiet.toTell()) && sender.take(false), "late news gives nothing twice");
    }

    @Test
    void aPeerIsAskedOnceForEachTimeThatItWasBusy() {
        borrowAll(receiver, sender);
        assertFalse(receiver.isIdle());
        assertTrue(receiver.isIdle());
        receiver.asked();
        assertFalse(receiver.isIdle(), "it doesn't answer");
        assertTrue(sender.onLimit(receiver.toTell()));
        assertTrue(sender.take(false));
        receive(1);
        assertFalse(receiver.isIdle(), "it sends");
        assertTrue(receiver.isIdle());
    }

    @Test
    void whoGaveAllBackBorrowsAgainWhenItIsBusy() {
        borrowAll(receiver, sender);
        assertTrue(sender.giveUp());
        assertTrue(receiver.onReturned(sender.returned()) > 0);
        int expected = Credits.QUIET;
        for (int round = 0; round < 10; round++) {
            int sent = send(false);
            assertEquals(expected, sent, "round " + round);
            receive(sent);
            assertTrue(sender.onLimit(receiver.toTell()));
            expected = Math.min(64, expected * 2);
        }
    }

    @Test
    void nobodyGivesBackWhatItDoesNotHave() {
        assertEquals(-1, receiver.onReturned(Credits.LEAST + 1));
        assertEquals(-1, receiver.onReturned(-1));
        assertEquals(1, receiver.onReturned(1));
        assertEquals(-1, receiver.onReturned(0), "less than it gave back before");
        receive(1);
        assertEquals(-1, receiver.onReturned(3), "credit that a packet took");
    }

    /** What gives back goes in order with the packets; asking and news come at any time, also late. */
    @Test
    void askingBackTakesNoRightFromWhatWasSentAndStarvesNobody() {
        long seed = new Random().nextLong();
        System.out.println("CreditsTest seed " + seed);
        Random random = new Random(seed);
        Deque<Integer> news = new ArrayDeque<>();
        Deque<Integer> way = new ArrayDeque<>();
        int arrived = 0;
        for (int step = 0; step < 200_000; step++) {
            boolean isBusy = step / 500 % 2 == 0;
            if (isBusy && random.nextBoolean() && sender.take(random.nextInt(8) == 0)) {
                way.add(-1);
            }
            if (random.nextInt(50) == 0 && sender.giveUp()) {
                way.add(sender.returned());
            }
            if (random.nextInt(3) == 0 && !way.isEmpty()) {
                int next = way.remove();
                if (next < 0) {
                    assertTrue(receiver.onPacket(), "seed " + seed + ", step " + step);
                    arrived++;
                } else {
                    assertTrue(receiver.onReturned(next) >= 0, "seed " + seed + ", step " + step);
                }
            }
            if (random.nextInt(4) == 0 || receiver.owesNews()) {
                news.add(receiver.toTell());
            }
            if (random.nextInt(3) == 0 && !news.isEmpty()) {
                assertTrue(
                        sender.onLimit(random.nextInt(5) == 0 ? news.removeLast() : news.removeFirst()),
                        "seed " + seed);
            }
        }
        assertTrue(arrived > 10_000, arrived + " arrived, seed " + seed);
    }

    /** News is lost, late and repeated; nobody ever sends without right, and nobody starves. */
    @Test
    void lateAndRepeatedNewsDoesNoHarm() {
        long seed = new Random().nextLong();
        System.out.println("CreditsTest seed " + seed);
        Random random = new Random(seed);
        Deque<Integer> news = new ArrayDeque<>();
        int onTheWay = 0;
        int arrived = 0;
        for (int step = 0; step < 200_000; step++) {
            if (random.nextBoolean() && sender.take(false)) {
                onTheWay++;
            }
            if (random.nextInt(3) == 0 && onTheWay > 0) {
                receive(1);
                onTheWay--;
                arrived++;
            }
            if (random.nextInt(4) == 0 || receiver.owesNews()) {
                news.add(receiver.toTell());
            }
            if (random.nextInt(3) == 0 && !news.isEmpty()) {
                int said = news.size() > 1 && random.nextInt(5) == 0 ? news.removeLast() : news.removeFirst();
                assertTrue(sender.onLimit(said), "seed " + seed);
            }
        }
        assertTrue(arrived > 20_000, arrived + " arrived, seed " + seed);
    }
}
