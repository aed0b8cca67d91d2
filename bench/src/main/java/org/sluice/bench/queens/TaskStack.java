package org.sluice.bench.queens;

/**
 * What a rank has to do. The latest comes first, so that few wait at a time.
 *
 * <p><i>Thread</i>: any.
 */
final class TaskStack {
    private static final int FIRST = 256;

    private long[] longs = new long[FIRST * Task.LONGS];
    private int used;

    synchronized void push(Task task) {
        if (used == longs.length) {
            longs = java.util.Arrays.copyOf(longs, 2 * used);
        }
        System.arraycopy(task.longs, 0, longs, used, Task.LONGS);
        used += Task.LONGS;
    }

    synchronized boolean isEmpty() {
        return used == 0;
    }

    /** @return whether there was one */
    synchronized boolean pop(Task task) {
        if (used == 0) {
            return false;
        }
        used -= Task.LONGS;
        System.arraycopy(longs, used, task.longs, 0, Task.LONGS);
        return true;
    }
}
