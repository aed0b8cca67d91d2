package org.sluice.mpi;

/**
 * A key under which a program caches a value of its own with communicators (MPI 4.1, section 7.7): each has one value
 * for each key, or none. What happens to values when communicators are duplicated and freed is the key's.
 *
 * <p><i>Thread</i>: any. Callbacks are run by the call that they belong to, with no lock held: they may use the
 * communicator. What they throw that call throws.
 */
public final class AttributeKey<T> {
    /** What a duplicate gets. */
    @FunctionalInterface
    public interface Copy<T> {
        /**
         * Called by {@code duplicate}, before anything is sent.
         *
         * @param communicator the one that is duplicated
         * @return the duplicate's value, or null if it is to have none
         */
        T copy(AnyCommunicator communicator, T value);
    }

    /** The end of a value. */
    @FunctionalInterface
    public interface Delete<T> {
        /** Called when the value is deleted, before another takes its place, and when the communicator is freed. */
        void delete(AnyCommunicator communicator, T value);
    }

    private final Copy<T> copy;
    private final Delete<T> delete;
    private volatile boolean isFreed;

    private AttributeKey(Copy<T> copy, Delete<T> delete) {
        this.copy = copy;
        this.delete = delete;
    }

    /** Duplicates have no value, and the end of one is nobody's business. */
    public static <T> AttributeKey<T> create() {
        return new AttributeKey<>((communicator, value) -> null, (communicator, value) -> {});
    }

    /** As {@link #create}, but duplicates have the same value. */
    public static <T> AttributeKey<T> inherited() {
        return new AttributeKey<>((communicator, value) -> value, (communicator, value) -> {});
    }

    /** With callbacks of the program's. */
    public static <T> AttributeKey<T> of(Copy<T> copy, Delete<T> delete) {
        if (copy == null || delete == null) {
            throw new IllegalArgumentException("the " + (copy == null ? "copy" : "delete")
                    + " callback is null: AttributeKey.create and inherited need none");
        }
        return new AttributeKey<>(copy, delete);
    }

    /**
     * No value is set any more. Those that are there stay, with their callbacks, until they are deleted or their
     * communicators are freed.
     */
    public void free() {
        isFreed = true;
    }

    T copied(AnyCommunicator communicator, Object value) {
        return copy.copy(communicator, cast(value));
    }

    void delete(AnyCommunicator communicator, Object value) {
        delete.delete(communicator, cast(value));
    }

    void checkSettable(T value) {
        if (isFreed) {
            throw new IllegalStateException("the attribute key was freed: no value can be set any more");
        }
        if (value == null) {
            throw new IllegalArgumentException("the value is null: deleteAttribute takes one away");
        }
    }

    /** Only {@link AnyCommunicator#setAttribute} puts values there, of this type. */
    @SuppressWarnings("unchecked")
    T cast(Object value) {
        return (T) value;
    }
}
