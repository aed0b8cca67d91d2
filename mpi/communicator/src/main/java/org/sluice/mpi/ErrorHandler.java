package org.sluice.mpi;

/**
 * What becomes of an error of a communicator's (MPI 4.1, section 9.3). A handler throws what the call is to throw, the
 * error itself for instance; where it returns, the call returns, too: its buffers then have anything, and its result is
 * a status with the error's code, or null.
 *
 * <p><i>Thread</i>: that of the call, with no lock held.
 */
@FunctionalInterface
public interface ErrorHandler {
    /** What communicators have at first. */
    ErrorHandler THROW = new ErrorHandler() {
        @Override
        public void handle(AnyCommunicator communicator, RuntimeException error) {
            throw error;
        }
    };

    /**
     * Is told of an error.
     *
     * @param error a {@link org.sluice.device.SluiceException}, which has a code and a peer, or another
     */
    void handle(AnyCommunicator communicator, RuntimeException error);
}
