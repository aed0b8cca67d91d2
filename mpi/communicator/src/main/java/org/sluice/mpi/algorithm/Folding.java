package org.sluice.mpi.algorithm;

import org.sluice.mpi.schedule.Schedule;

/** A result that grows, in whichever buffer it is: so that as little as possible is copied. */
final class Folding {
    private final Shape shape;
    private final Schedule schedule;
    private final long bytes;
    /** Where the result is by now. */
    private int result = Schedule.SEND;

    Folding(Shape shape, Schedule schedule) {
        this.shape = shape;
        this.schedule = schedule;
        this.bytes = shape.bytes();
    }

    /** From a rank whose operands come next to this one's. */
    void receive(int peer) {
        int incoming = free();
        schedule.receive(peer, incoming, 0, bytes);
        fold(incoming, peer);
    }

    /** With such a rank. */
    void exchange(int peer) {
        int incoming = free();
        schedule.send(peer, result, 0, bytes);
        schedule.receive(peer, incoming, 0, bytes);
        fold(incoming, peer);
    }

    private void fold(int incoming, int peer) {
        if (peer > shape.rank() || shape.isCommutative() && result == Schedule.SEND) {
            if (shape.isCommutative() && result == Schedule.RECEIVE) {
                schedule.reduce(incoming, 0, result, 0, bytes);
            } else {
                schedule.reduce(result, 0, incoming, 0, bytes);
                result = incoming;
            }
        } else {
            if (result == Schedule.SEND) {
                int own = incoming == Schedule.TEMP ? Schedule.TEMP + 1 : Schedule.TEMP;
                schedule.reserve(own, bytes);
                schedule.copy(Schedule.SEND, 0, own, 0, bytes);
                result = own;
            }
            schedule.reduce(incoming, 0, result, 0, bytes);
        }
        schedule.endRound();
    }

    /** A buffer that has nothing of the result. */
    private int free() {
        boolean isTaken = result == Schedule.RECEIVE || shape.isInPlace() && result == Schedule.SEND;
        if (!isTaken) {
            return Schedule.RECEIVE;
        }
        schedule.reserve(Schedule.TEMP, bytes);
        return Schedule.TEMP;
    }

    /** To where the caller wants it. */
    void finish() {
        if (!(shape.isInPlace() && result == Schedule.SEND)) {
            schedule.copy(result, 0, Schedule.RECEIVE, 0, bytes);
        }
        schedule.endRound();
    }
}
