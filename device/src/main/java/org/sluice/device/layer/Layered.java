package org.sluice.device.layer;

import org.sluice.device.Device;

/** A device that layers can stand upon; every one of {@link Device#open} is. */
public interface Layered {
    /** Always the same object. */
    Layer layer();
}
