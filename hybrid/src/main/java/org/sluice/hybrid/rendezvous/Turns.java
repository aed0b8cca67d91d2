package org.sluice.hybrid.rendezvous;

import java.util.ArrayList;

/**
 * Messages of which the channel moves piece after piece, in turn: no message waits for the end of another. Who found no
 * room is the first the next time.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Owns</i>: the operations in it. <i>Proof</i>: {@code PulledPiecesTest},
 * {@code WrittenPiecesTest}, {@code BrokenOffTransfersTest}.
 */
public abstract class Turns<T> {
    private static final int FEW = 16;

    /** {@link #step}: a piece was moved, or is on its way. */
    static final int MOVED = 1;
    /** {@link #step}: nothing was done. */
    static final int IDLE = 0;
    /** {@link #step}: the operation has no place here any more. */
    static final int OVER = -1;

    /** How many messages there are in all directions: what every round of progress looks at. */
    public static final class Load {
        public int messages;
        /** The next round may move a piece: the last one did, or a message came since. */
        public boolean isMoving;

        /**
         * A round has moved so many pieces.
         *
         * @return these
         */
        public int moved(int pieces) {
            isMoving = pieces != 0;
            return pieces;
        }
    }

    /** With room from the beginning: one without an array of its own reserves none for the first. */
    private final ArrayList<T> operations = new ArrayList<>(FEW);

    private final Load load;
    private int turn;

    Turns(Load load) {
        this.load = load;
    }

    /**
     * The next piece of one message.
     *
     * @return {@link #MOVED}, {@link #IDLE} or {@link #OVER}
     */
    abstract int step(T operation);

    public void add(T operation) {
        operations.add(operation);
        load.messages++;
        load.isMoving = true;
    }

    /**
     * Takes a message in, and moves its first piece. In this order: whoever ends the device has to find what is on its
     * way.
     */
    final void begin(T operation) {
        add(operation);
        if (step(operation) == OVER) {
            remove(operation);
        }
    }

    void remove(T operation) {
        int index = operations.lastIndexOf(operation);
        if (index >= 0) {
            operations.remove(index);
            load.messages--;
        }
    }

    public int size() {
        return operations.size();
    }

    public T get(int index) {
        return operations.get(index);
    }

    public boolean isEmpty() {
        return operations.isEmpty();
    }

    /**
     * One piece of every message.
     *
     * @return how many pieces
     */
    public int drive() {
        int done = 0;
        int refused = -1;
        for (int left = operations.size(); left > 0 && !operations.isEmpty(); left--) {
            turn = turn < operations.size() ? turn : 0;
            T operation = operations.get(turn);
            int result = step(operation);
            if (result == OVER) {
                remove(operation);
            } else {
                refused = result == IDLE && refused < 0 ? turn : refused;
                turn++;
            }
            done += result == IDLE ? 0 : 1;
        }
        turn = refused < 0 ? turn : refused;
        return done;
    }
}
