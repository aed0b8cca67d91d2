package org.sluice.device.layer;

import org.sluice.device.Message;

/** A message of a layer's around the one that its device has taken, for whoever receives that in another way. */
public interface WrappedMessage extends Message {
    Message inner();
}
