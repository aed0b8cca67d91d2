package org.sluice.device.layer;

import org.sluice.device.Message;
import org.sluice.device.Request;

/** A request that takes a message out of the queue. <i>Thread</i>: as any request. */
public interface LayerTaking extends Request {
    /** What it has taken, to be received once. To be asked for by one thread, once this has ended well. */
    Message message();
}
