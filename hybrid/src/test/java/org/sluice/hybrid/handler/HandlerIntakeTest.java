package org.sluice.hybrid.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What rounds take for handlers, and whose ring is looked at between them. */
final class HandlerIntakeTest {
    private final HandlerIntake intake = new HandlerIntake();

    private void come(int source, int messages) {
        for (int i = 0; i < messages; i++) {
            intake.came(source);
        }
    }

    private void handle(int messages) {
        for (int i = 0; i < messages; i++) {
            intake.handled();
        }
    }

    @Test
    void aRoundTakesOneWhereMessagesComeOneAtATime() {
        for (int i = 0; i < 10; i++) {
            assertEquals(1, intake.packetsWanted(), "after a round with none");
            come(0, 1);
            handle(1);
            assertEquals(2, intake.packetsWanted(), "after a round that brought what it was to");
        }
    }

    @Test
    void itTakesMoreWhereTheyCrowd() {
        int[] wanted = {1, 2, 4, 8, 16, 16};
        for (int each : wanted) {
            assertEquals(each, intake.packetsWanted());
            come(0, each);
            handle(each);
        }
        assertEquals(16, intake.packetsWanted());
        come(0, 5);
        handle(5);
        assertEquals(5, intake.packetsWanted());
    }

    @Test
    void itTakesNoneWhereEnoughWait() {
        come(0, 16);
        assertEquals(0, intake.packetsWanted());
        handle(1);
        assertEquals(1, intake.packetsWanted());
    }

    @Test
    void whatWasTakenBetweenRoundsMakesThemNoLonger() {
        for (int i = 0; i < 15; i++) {
            intake.taken(0);
        }
        assertEquals(1, intake.packetsWanted());
        assertEquals(15, intake.waiting());
    }

    @Test
    void oneRankIsLookedAtOnceItSendsAllAndRoundsAreMadeAllTheSame() {
        assertEquals(-1, intake.onlySource());
        come(3, 8);
        assertEquals(-1, intake.onlySource(), "too few in a row");
        int rounds = 0;
        for (int i = 0; i < 640; i++) {
            intake.taken(3);
            rounds += intake.onlySource() == 3 ? 0 : 1;
        }
        assertEquals(10, rounds);
        come(4, 1);
        assertEquals(-1, intake.onlySource(), "another rank sends too");
    }
}
