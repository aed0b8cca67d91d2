package org.sluice.hybrid.route;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Gives operations numbers that a peer can send back, and refuses numbers that were never given or are given back
 * already.
 *
 * <p>An id is a generation (upper half) and a slot (lower half); a slot's generation changes with each use, so that a
 * late or invented id finds nothing. <i>Thread</i>: under the owner's lock. <i>Proof</i>: {@code IdTableTest}.
 */
public class IdTable<T> {
    private Object[] values = new Object[16];
    private int[] generations = new int[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;
    private int size;

    public long add(T value) {
        int slot = freeCount > 0 ? free[--freeCount] : fresh();
        values[slot] = value;
        size++;
        return (long) generations[slot] << 32 | slot;
    }

    private int fresh() {
        if (used == values.length) {
            values = Arrays.copyOf(values, 2 * used);
            generations = Arrays.copyOf(generations, 2 * used);
            free = Arrays.copyOf(free, 2 * used);
        }
        return used++;
    }

    /** What the id stands for; null when it stands for nothing. */
    @SuppressWarnings("unchecked")
    public T get(long id) {
        int slot = (int) id;
        return slot >= 0 && slot < used && generations[slot] == (int) (id >> 32) ? (T) values[slot] : null;
    }

    /**
     * Gives the number back.
     *
     * @return what it stood for, or null
     */
    public T remove(long id) {
        T value = get(id);
        if (value != null) {
            int slot = (int) id;
            values[slot] = null;
            generations[slot]++;
            free[freeCount++] = slot;
            size--;
        }
        return value;
    }

    public int size() {
        return size;
    }

    /** True where the filter picks one. */
    public boolean any(Predicate<? super T> filter) {
        for (int slot = 0; slot < used; slot++) {
            @SuppressWarnings("unchecked")
            T value = (T) values[slot];
            if (value != null && filter.test(value)) {
                return true;
            }
        }
        return false;
    }

    /** Empties it into a list. */
    public void drainTo(List<? super T> all) {
        if (size > 0) {
            drain(value -> true, all::add);
        }
    }

    /** Hands those that the filter picks to the visitor, and removes each afterwards. */
    @SuppressWarnings("unchecked")
    public void drain(Predicate<? super T> filter, Consumer<? super T> visitor) {
        for (int slot = 0; slot < used; slot++) {
            T value = (T) values[slot];
            if (value != null && filter.test(value)) {
                long id = (long) generations[slot] << 32 | slot;
                visitor.accept(value);
                // Not before: where the visitor throws, whoever comes next finds it.
                remove(id);
            }
        }
    }
}
