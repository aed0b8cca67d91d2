package org.sluice.hybrid.route;

import java.util.function.Predicate;

/**
 * First in, first out. Unlike a JDK's deque, which writes what is added before it finds that it can't grow, and then
 * takes itself for empty, this is as it was where memory runs out.
 *
 * <p><i>Thread</i>: under the owner's lock. <i>Fails</i>: {@link #add}, with OutOfMemoryError. <i>Proof</i>:
 * {@code FifoTest}.
 */
public class Fifo<T> {
    private static final int FEW = 16;

    /** A ring, whose length is a power of two. */
    private Object[] ring = new Object[FEW];

    private int first;
    private int size;

    public void add(T value) {
        if (size == ring.length) {
            Object[] larger = array(2 * size);
            for (int i = 0; i < size; i++) {
                larger[i] = ring[at(i)];
            }
            ring = larger;
            first = 0;
        }
        ring[at(size++)] = value;
    }

    /** Apart, for the test in which there is no memory for it. */
    Object[] array(int length) {
        return new Object[length];
    }

    private int at(int index) {
        return first + index & ring.length - 1;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** What was added first, or null. */
    public T peek() {
        return size == 0 ? null : get(0);
    }

    /** What was added last, or null. */
    public T peekLast() {
        return size == 0 ? null : get(size - 1);
    }

    @SuppressWarnings("unchecked")
    private T get(int index) {
        return (T) ring[at(index)];
    }

    /** Takes out what was added first; null when there is nothing. */
    public T poll() {
        T value = peek();
        if (size > 0) {
            ring[first] = null;
            first = at(1);
            size--;
        }
        return value;
    }

    /** Takes out those that the filter picks; the others keep their order. */
    public void removeIf(Predicate<? super T> filter) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            T value = get(i);
            if (!filter.test(value)) {
                ring[at(kept++)] = value;
            }
        }
        for (int i = kept; i < size; i++) {
            ring[at(i)] = null;
        }
        size = kept;
    }
}
