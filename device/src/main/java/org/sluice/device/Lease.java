package org.sluice.device;

import java.nio.ByteBuffer;

/**
 * A message read in place, where the sender's memory or the device's holds it, until closed. Closing completes the
 * sender's request where the memory is the sender's, so a lease is held no longer than needed.
 *
 * <p><i>Thread</i>: one at a time. <i>Lends</i>: the memory, until {@link #close()}; later accesses through the lease
 * throw {@link IllegalStateException}. A lease that is never closed is closed when the device closes, and when it fails
 * if the memory is the sender's.
 */
public interface Lease extends AutoCloseable {
    Status status();

    long bytes();

    /** A read-only view of at most 2 GB from {@code offset} on, in native byte order; not to be used after close. */
    ByteBuffer buffer(long offset, int bytes);

    /** The whole message as a read-only view; an {@link IllegalStateException} above 2 GB. */
    ByteBuffer buffer();

    byte getByte(long offset);

    short getShort(long offset);

    char getChar(long offset);

    int getInt(long offset);

    long getLong(long offset);

    float getFloat(long offset);

    double getDouble(long offset);

    /** True when the bytes lie where the sender put them, or where its adapter did: this rank copied nothing. */
    boolean inPlace();

    /**
     * The message for longer than its handler runs: a lease of its own, which whoever has it closes, on whatever
     * thread. Nothing is copied for it but a message of at most 64 bytes. The handler's own object shows nothing from
     * then on. Where this is no handler's message it is this lease itself.
     *
     * @throws IllegalStateException where the handler has returned, or has kept, sent on or closed the message
     * @throws SluiceException DEVICE_CLOSED or DEVICE_FAILED: no lease begins any more
     */
    default Lease keep() {
        return this;
    }

    /**
     * Ends it; a second time does nothing. The close of the device ends it in any case.
     *
     * @throws IllegalStateException where the memory is the device's and a request still uses it; the lease is as open
     *     as before, and can be closed again
     */
    @Override
    void close();
}
