package org.sluice.mpi;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How a program's objects become bytes and bytes objects, for an {@link ObjectSpace}.
 *
 * <p><i>Thread</i>: those that send and receive, several at once where these do. <i>Fails</i>: whatever it throws is
 * told to its caller, see {@link ObjectSpace}.
 */
public interface Codec<T> {
    /** @return an array that is not written any more, as it may be on its way for some time */
    byte[] encode(T value) throws IOException;

    /** @param bytes what {@link #encode} has returned at some rank, from the position to the limit, on the heap */
    T decode(ByteBuffer bytes) throws IOException;
}
