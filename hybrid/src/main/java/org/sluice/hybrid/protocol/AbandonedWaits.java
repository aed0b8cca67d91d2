package org.sluice.hybrid.protocol;

import java.util.concurrent.TimeUnit;
import org.sluice.hybrid.route.Route;

/**
 * Says once that this rank waits for a message from any source, and once that it serves its handlers, although no other
 * rank can send one any more. No call fails of it: another thread of the rank may yet send to it.
 *
 * <p><i>Thread</i>: under the progress lock; what it says is printed on a thread of its own. <i>Proof</i>:
 * {@code AbandonedWaitsTest}, {@code CloseProcessTest}, {@code BlockedErrorStreamTest}.
 */
public final class AbandonedWaits {
    /** Messages of its own come sooner, where a rank lives on them. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int rank;
    private final Route[] routes;
    private final ExchangeInspection inspection;
    private final Patience receiving = new Patience();
    private final Patience serving = new Patience();

    public AbandonedWaits(int rank, Route[] routes, Exchange exchange) {
        this.rank = rank;
        this.routes = routes;
        this.inspection = exchange.inspection();
    }

    /** Whenever the peers are looked at. */
    public void look() {
        if (receiving.isOver && serving.isOver || !hasNobodyLeft()) {
            return;
        }
        long received = inspection.receivedMessages(rank);
        long now = System.nanoTime();
        // A program that is made for one rank receives its own messages from anybody; handlers are another rank's to
        // call.
        if (routes.length > 1 && !receiving.isOver && receiving.isDue(inspection.isOpenToAny(), received, now)) {
            receiving.isOver = true;
            say("waits for a message from any source", "send one");
        }
        if (!serving.isOver && serving.isDue(inspection.isServingNothing(), received, now)) {
            serving.isOver = true;
            say("serves its handlers", "send them a message, or call stop");
        }
    }

    private boolean hasNobodyLeft() {
        for (Route route : routes) {
            if (route.peer() != rank && route.failure() == null) {
                return false;
            }
        }
        return true;
    }

    /** Who looks has the lock, and nobody makes progress while standard error is a full pipe that nobody reads. */
    private void say(String what, String end) {
        String line = "sluice: rank " + rank + " " + what + ", but "
                + (routes.length > 1
                        ? "every other rank has closed its device or is dead"
                        : "the job has no other rank")
                + ": only rank " + rank + " itself could " + end + System.lineSeparator();
        try {
            Thread thread = new Thread(null, () -> System.err.print(line), "sluice-says-" + rank, 0, false);
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            // Nothing depends on it, and each further try would have the JVM warn of a thread that it can't start.
            return;
        }
    }

    /** How long one kind of call has waited for what nobody sends. */
    static final class Patience {
        private boolean isOver;
        private boolean isAbandoned;
        private long sinceNanos;
        private long received;

        /**
         * @param waits whether somebody does, while nobody is left
         * @param ownMessages that have come from this rank so far
         */
        boolean isDue(boolean waits, long ownMessages, long nowNanos) {
            if (!isAbandoned || !waits || ownMessages != received) {
                isAbandoned = waits;
                sinceNanos = nowNanos;
                received = ownMessages;
            }
            return isAbandoned && nowNanos - sinceNanos >= PATIENCE_NANOS;
        }
    }
}
