package org.sluice.hybrid.receive;

import org.sluice.device.Message;
import org.sluice.device.Status;

/** A message of a layer above the device, whose statuses have the layer's own ranks. <i>Thread</i>: any. */
public interface LayerMessage extends Message {
    /** What the device knows of it; the status there is the layer's already. */
    TakenMessage taken();

    /**
     * Makes the device's status of a receive the layer's.
     *
     * @param elementSize of what it was received into, in bytes
     */
    void rename(Status status, int elementSize);
}
