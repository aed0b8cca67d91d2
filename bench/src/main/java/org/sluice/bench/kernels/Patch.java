package org.sluice.bench.kernels;

/**
 * A patch, and the bodies that are in it. In each step it shows its neighbours where its bodies are, those included
 * that have just left it. Who they left for takes them from what was shown. It then has all that its bodies feel.
 *
 * <p>What is shown in a step is not written again before the step after the next. No neighbour reads it then: each has
 * shown the next step by that time, and so has gone on from this one.
 *
 * <pre>
 *   what is shown, as doubles:
 *   0  for the driver that sends it      3 on               x, y, z of each body, from the patch's corner
 *   1  bodies                            behind them        of each that has left: direction, which of the bodies it
 *   2  those of them that have left                         is, its number, and its speed along x, y and z
 * </pre>
 */
final class Patch {
    /** For a driver; patches don't read it. */
    static final int ADDRESS = 0;

    static final int AXES = 3;
    static final int NEIGHBOURS = PatchGrid.DIRECTIONS - 1;

    private static final int COUNT = 1;
    private static final int LEFT = 2;
    private static final int HEADER = 3;
    private static final int LEAVING_NUMBERS = 6;
    /** Of a body that has left: what stands before its speed. */
    private static final int SPEED = 3;

    static final double TIME_STEP = 1.0 / 256;

    private final int room;
    private final double[][] shown;
    private final double[][][] heard = new double[2][PatchGrid.DIRECTIONS][];
    private final int[] missing = {NEIGHBOURS, NEIGHBOURS};
    private final double[] places;
    private final double[] speeds;
    private final int[] numbers;
    private int count;
    private int step;
    private boolean isShown;

    /** @param room for so many bodies */
    Patch(int room) {
        this.room = room;
        shown = new double[2][shownMost(room)];
        places = new double[room * AXES];
        speeds = new double[room * AXES];
        numbers = new int[room];
    }

    /** The most that is shown, in doubles; a quarter of the bodies may leave at once. */
    static int shownMost(int room) {
        return HEADER + room * AXES + room / 4 * LEAVING_NUMBERS;
    }

    static int length(double[] message) {
        return HEADER + (int) message[COUNT] * AXES + (int) message[LEFT] * LEAVING_NUMBERS;
    }

    int step() {
        return step;
    }

    int count() {
        return count;
    }

    /** Which body of all this one is. */
    int number(int body) {
        return numbers[body];
    }

    /** From the patch's corner. */
    double place(int body, int axis) {
        return places[body * AXES + axis];
    }

    double speed(int body, int axis) {
        return speeds[body * AXES + axis];
    }

    /** A body that comes; by its place from this patch's corner, and its speed. */
    void add(int number, double[] place, double[] from, int speedAt) {
        if (count == room) {
            throw new IllegalStateException("a patch has room for " + room + " bodies, and one more comes");
        }
        numbers[count] = number;
        System.arraycopy(place, 0, places, count * AXES, AXES);
        System.arraycopy(from, speedAt, speeds, count * AXES, AXES);
        count++;
    }

    /** Begins a step: what neighbours have to hear, the driver's own number before it. Who has left is here no more. */
    double[] show() {
        double[] message = shown[step & 1];
        message[COUNT] = count;
        System.arraycopy(places, 0, message, HEADER, count * AXES);
        int at = HEADER + count * AXES;
        int left = 0;
        int stay = 0;
        for (int body = 0; body < count; body++) {
            int from = body * AXES;
            int direction = PatchGrid.direction(side(places[from]), side(places[from + 1]), side(places[from + 2]));
            if (direction == PatchGrid.HERE) {
                numbers[stay] = numbers[body];
                System.arraycopy(places, from, places, stay * AXES, AXES);
                System.arraycopy(speeds, from, speeds, stay * AXES, AXES);
                stay++;
                continue;
            }
            if (++left > room / 4) {
                throw new IllegalStateException("more than " + room / 4 + " bodies leave a patch in one step");
            }
            message[at] = direction;
            message[at + 1] = body;
            message[at + 2] = numbers[body];
            System.arraycopy(speeds, from, message, at + SPEED, AXES);
            at += LEAVING_NUMBERS;
        }
        message[LEFT] = left;
        count = stay;
        isShown = true;
        return message;
    }

    /** Whether it is below, within or above the patch. */
    private static int side(double place) {
        return place < 0 ? -1 : place < PatchGrid.LENGTH ? 0 : 1;
    }

    /**
     * A neighbour's message. It may be one step ahead, never more: for that it would need what this patch shows next.
     *
     * @param direction where the neighbour is
     * @param of the step that it is about
     * @return whether it was the last that this patch waits for
     */
    boolean hear(int direction, int of, double[] message) {
        heard[of & 1][direction] = message;
        missing[of & 1]--;
        return of == step && canMove();
    }

    /** Whether it knows all that its bodies feel. */
    boolean canMove() {
        return isShown && missing[step & 1] == 0;
    }

    /** Ends a step: takes who has come, and moves its bodies by what all near ones do to them. */
    void move(FeltBodies felt) {
        double[][] messages = heard[step & 1];
        messages[PatchGrid.HERE] = shown[step & 1];
        felt.clear();
        for (int direction = 0; direction < messages.length; direction++) {
            felt.add(messages[direction], HEADER, (int) messages[direction][COUNT], direction);
            take(messages[direction], direction, felt);
        }
        for (int body = 0; body < count; body++) {
            move(body, felt);
        }
        missing[step & 1] = NEIGHBOURS;
        isShown = false;
        step++;
    }

    /** Those who left the neighbour in this direction for here. */
    private void take(double[] message, int direction, FeltBodies felt) {
        int shownCount = (int) message[COUNT];
        int at = HEADER + shownCount * AXES;
        for (int i = 0; i < (int) message[LEFT]; i++, at += LEAVING_NUMBERS) {
            if (message[at] == PatchGrid.opposite(direction)) {
                add((int) message[at + 2], felt.ofLast(shownCount, (int) message[at + 1]), message, at + SPEED);
            }
        }
    }

    private void move(int body, FeltBodies felt) {
        int at = body * AXES;
        double[] push = felt.push(places[at], places[at + 1], places[at + 2]);
        for (int axis = 0; axis < AXES; axis++) {
            speeds[at + axis] += TIME_STEP * push[axis];
            double way = TIME_STEP * speeds[at + axis];
            if (Math.abs(way) > PatchGrid.MARGIN) {
                throw new IllegalStateException(
                        "a body goes " + way + " in one step; patches allow " + PatchGrid.MARGIN);
            }
            places[at + axis] += way;
        }
    }
}
