package org.sluice.bench.rank;

import org.sluice.bench.plan.BufferKind;
import org.sluice.device.Device;
import org.sluice.device.Handler;
import org.sluice.device.Handlers;
import org.sluice.device.Lease;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Message-driven: a message's handler sends it back where it lies. A neighbour may be one iteration ahead, so messages
 * are counted by place.
 *
 * <p>Handlers may run on the device's thread while the rank's leaves its wait, so the counts are behind one lock.
 */
final class AnsweredHandlers extends AnsweredSteps {
    /** Of the message in place 0; an answer has its message's id, and so many more. */
    private static final int FIRST_ID = 16;

    private static final int ANSWERS = 1 << 10;

    private final Handlers handlers;
    private final Status status = new Status();
    private Request[] sends = {};
    /** The last one of each place: whoever sent again has had those before. */
    private Request[] answers = {};
    /** By place, how many messages have come; under the lock, as all that follow. */
    private int[] come = {};
    /** By place, how many answers have come. */
    private int[] answered = {};

    private int current;
    /** Places of the current iteration that something is to come in. */
    private int missing;

    private int counted;
    private Throwable failure;

    AnsweredHandlers(Device device, BufferKind kind) {
        super(device, kind, device.handlers()::allocate);
        handlers = device.handlers();
    }

    @Override
    void begin() {
        sends = new Request[partners.to.length];
        answers = new Request[partners.from.length];
        synchronized (this) {
            come = new int[partners.from.length];
            answered = new int[partners.to.length];
            current = -1;
        }
        for (int i = 0; i < come.length; i++) {
            handlers.register(FIRST_ID + partners.fromPlace[i], new OfMessages(i));
        }
        for (int i = 0; i < answered.length; i++) {
            handlers.register(FIRST_ID + ANSWERS + i, new OfAnswers(i));
        }
    }

    @Override
    void once(int iteration) {
        boolean waits = await(iteration);
        for (int place = 0; place < sends.length; place++) {
            sends[place] = handlers.isend(
                    partners.to[place], FIRST_ID + place, filled(iteration, place), 0, partners.bytes(place));
        }
        if (waits) {
            handlers.serve();
        }
        rethrow();
        for (int place = 0; place < sends.length; place++) {
            sends[place].waitFor(status);
            sends[place] = null;
        }
    }

    /** @return whether anything is to come that has not; then its last one stops the serving */
    private synchronized boolean await(int iteration) {
        current = iteration;
        missing = partners.to.length;
        counted = partners.counted();
        for (int messages : come) {
            missing += messages <= iteration ? 1 : 0;
        }
        return missing > 0;
    }

    private void answer(int source, Lease message, int place) {
        int sent = partners.fromPlace[place];
        checkFrom(source, partners.from[place], message, partners.bytes(sent));
        int iteration = come[place]++;
        if (message.bytes() > 0) {
            check(message.buffer(), iteration, place);
        }
        if (partners.answerBytes(sent) > 0) {
            answers[place] = handlers.forward(source, FIRST_ID + ANSWERS + sent, message);
        } else {
            answers[place] = handlers.isend(source, FIRST_ID + ANSWERS + sent, null);
        }
        if (iteration == current) {
            arrived();
        }
    }

    private void answered(int source, Lease message, int place) {
        checkFrom(source, partners.to[place], message, partners.answerBytes(place));
        if (message.bytes() > 0) {
            checkAnswer(message.buffer(), answered[place], place);
        }
        answered[place]++;
        if (!partners.isHuge(place) && --counted == 0) {
            counted();
        }
        arrived();
    }

    private void arrived() {
        if (--missing == 0) {
            handlers.stop();
        }
    }

    private void checkFrom(int source, int expected, Lease message, int bytes) {
        if (source != expected || message.bytes() != bytes) {
            throw new IllegalStateException("received " + message.bytes() + " B from rank " + source + " where " + bytes
                    + " B from rank " + expected + " were to come");
        }
    }

    /** What it throws ends the step. */
    private abstract class Guarded implements Handler {
        final int place;

        Guarded(int place) {
            this.place = place;
        }

        abstract void take(int source, Lease message);

        @Override
        public void handle(int source, Lease message) {
            synchronized (AnsweredHandlers.this) {
                if (failure != null) {
                    return;
                }
                try {
                    take(source, message);
                } catch (RuntimeException | Error e) {
                    failure = e;
                    handlers.stop();
                }
            }
        }
    }

    private final class OfMessages extends Guarded {
        OfMessages(int place) {
            super(place);
        }

        @Override
        void take(int source, Lease message) {
            answer(source, message, place);
        }
    }

    private final class OfAnswers extends Guarded {
        OfAnswers(int place) {
            super(place);
        }

        @Override
        void take(int source, Lease message) {
            answered(source, message, place);
        }
    }

    private synchronized boolean hasFailed() {
        return failure != null;
    }

    private void rethrow() {
        if (hasFailed()) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
    }

    @Override
    void end() {
        for (int place = 0; place < answers.length; place++) {
            if (answers[place] != null && !hasFailed()) {
                answers[place].waitFor(status);
            }
            handlers.deregister(FIRST_ID + partners.fromPlace[place]);
        }
        for (int place = 0; place < sends.length; place++) {
            handlers.deregister(FIRST_ID + ANSWERS + place);
        }
    }
}
