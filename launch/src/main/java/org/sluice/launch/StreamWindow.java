package org.sluice.launch;

/**
 * How much of a stream may be on the way to a reader that is elsewhere.
 *
 * <p>Thread: one sends, any other says what was taken. <i>Proof</i>: {@code StreamWindowTest}.
 */
final class StreamWindow {
    private long left = NodeWire.WINDOW_BYTES;
    private boolean isOpen;

    /** Waits until a chunk may go, or nobody counts any more. */
    synchronized void await(int bytes) throws InterruptedException {
        while (left < bytes && !isOpen) {
            wait();
        }
        left -= bytes;
    }

    synchronized void taken(int bytes) {
        left += bytes;
        notifyAll();
    }

    /** Nobody reads any more: nothing waits. */
    synchronized void open() {
        isOpen = true;
        notifyAll();
    }
}
