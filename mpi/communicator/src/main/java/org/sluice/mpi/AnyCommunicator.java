package org.sluice.mpi;

/**
 * What communicators of any kind have beside their ranks: a name, values that a program caches with them, and an error
 * handler. All of it is this rank's own, and costs messages and collectives nothing.
 *
 * <p><i>Thread</i>: any.
 */
public abstract class AnyCommunicator {
    /** The highest tag of a message; the lowest is 0. */
    public static final int HIGHEST_TAG = Integer.MAX_VALUE;

    volatile String name;
    private volatile ErrorHandler errorHandler = ErrorHandler.THROW;
    private volatile Attributes attributes = new Attributes();

    // --- the name ----------------------------------------------------------------------------------------------------

    /** As errors and reports call it: says how it was made at first. */
    public final String name() {
        return name;
    }

    /** On this rank alone. */
    public final void rename(String newName) {
        if (newName == null) {
            throw new IllegalArgumentException("the name is null: an empty one is allowed");
        }
        name = newName;
    }

    // --- attributes --------------------------------------------------------------------------------------------------

    /**
     * Sets the value of a key. One that was there before is deleted first; it stays if its delete callback throws.
     *
     * @throws IllegalStateException where the key or the communicator was freed
     */
    public final <T> void setAttribute(AttributeKey<T> key, T value) {
        checkUsable();
        key.checkSettable(value);
        attributes.set(this, key, value);
    }

    /** The value of a key, or null where there is none. */
    public final <T> T attribute(AttributeKey<T> key) {
        return attributes.get(key);
    }

    /** Deletes the value of a key, if there is one; it stays if its delete callback throws. */
    public final void deleteAttribute(AttributeKey<?> key) {
        attributes.delete(this, key);
    }

    /**
     * Deletes the values of all keys, the last set first, as {@code free} does: for a layer that ends without the world
     * or self being freed. What the first callback that fails has thrown is thrown in the end.
     */
    public final void deleteAttributes() {
        RuntimeException failed = attributes.deleteAll(this);
        if (failed != null) {
            throw failed;
        }
    }

    /** What a duplicate is to have. */
    final void copyAttributes(Attributes copies) {
        attributes.copyTo(copies, this);
    }

    final void takeAttributes(Attributes copies) {
        attributes = copies;
    }

    abstract void checkUsable();

    // --- errors ------------------------------------------------------------------------------------------------------

    /** The one that is told of this rank's errors: {@link ErrorHandler#THROW} at first. */
    public final ErrorHandler errorHandler() {
        return errorHandler;
    }

    /**
     * Who is told of what this rank's blocking calls fail with once their arguments were found to be right: a peer that
     * is gone, a message that is too long, ranks that make different calls. Wrong arguments are always thrown. What a
     * request fails with is told by its wait alone. Communicators that are made of this one have the same handler.
     */
    public final void setErrorHandler(ErrorHandler handler) {
        if (handler == null) {
            throw new IllegalArgumentException("the error handler is null: ErrorHandler.THROW is the default");
        }
        errorHandler = handler;
    }

    /** Tells the handler of an error that the program has found, or a layer above this one. */
    public final void callErrorHandler(RuntimeException error) {
        errorHandler.handle(this, error);
    }
}
