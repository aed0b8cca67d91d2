package org.sluice.device.layer;

/** Is told that a request of a layer's has ended. */
@FunctionalInterface
public interface LayerListener {
    /**
     * On whichever thread leaves the device when it is due, outside its locks; neither blocks nor takes long, and may
     * begin other requests.
     */
    void ended(LayerRequest request);
}
