package org.sluice.device.layer;

import org.sluice.device.Request;

/**
 * A request that a layer made and begins again and again: it allocates nothing after that.
 *
 * <p><i>Thread</i>: begun by one at a time, and not before it has ended.
 */
public interface LayerRequest extends Request {
    /** As {@link #isDone}, but makes no progress. */
    boolean isOver();

    /** Of the message, once it is over and went well: what a status would say. */
    int tag();

    /** As {@link #tag}. */
    long bytes();
}
