package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits in the library for events would hold up the end of its JVM. */
@Timeout(60)
@Tag("once")
final class PmixEventsTest {
    /** Less than it waits for an event. */
    private static final long PATIENCE_MS = 20_000;

    @Test
    void itsEndIsNotWaitedFor() throws InterruptedException {
        PmixEvents events = new PmixEvents(new SimulatedPmix(1).client(0), new PmixEvents.Listener() {
            @Override
            public void died(int process) {
                throw new AssertionError("nobody has died");
            }

            @Override
            public void launcherEnded() {
                throw new AssertionError("it has not ended");
            }
        });
        events.start();
        while (events.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        events.end();
        events.join(PATIENCE_MS);
        assertFalse(events.isAlive());
    }
}
