package org.sluice.hybrid.request;

/** A device that is waited for without a thread, too. <i>Thread</i>: any. */
public interface AsyncDevice extends Waiting {
    /** The calls for which no thread waits. */
    AsyncCalls async();
}
