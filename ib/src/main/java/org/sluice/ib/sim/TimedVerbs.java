package org.sluice.ib.sim;

/**
 * Knows how long the calls took that messages make.
 *
 * <p><i>Thread</i>: one makes these calls.
 */
final class TimedVerbs extends SimulatedVerbs {
    private long calls;
    private long nanos;

    long calls() {
        return calls;
    }

    /** Of the calls, and of the clock that is read around them. */
    long nanos() {
        return nanos;
    }

    /**
     * The clock is read three times. What lies between the first two reads is what one takes: as much is in the time of
     * the call, and as much before the first and behind the last.
     */
    private void note(long before, long start) {
        long end = System.nanoTime();
        calls++;
        nanos += end - start + 2 * (start - before);
    }

    @Override
    public int postSend(long queuePair, long workRequest, long badAddress) {
        long before = System.nanoTime();
        long start = System.nanoTime();
        int result = super.postSend(queuePair, workRequest, badAddress);
        note(before, start);
        return result;
    }

    @Override
    public int postReceive(long sharedReceiveQueue, long workRequest, long badAddress) {
        long before = System.nanoTime();
        long start = System.nanoTime();
        int result = super.postReceive(sharedReceiveQueue, workRequest, badAddress);
        note(before, start);
        return result;
    }

    @Override
    public int poll(long queue, int count, long address) {
        long before = System.nanoTime();
        long start = System.nanoTime();
        int result = super.poll(queue, count, address);
        note(before, start);
        return result;
    }
}
