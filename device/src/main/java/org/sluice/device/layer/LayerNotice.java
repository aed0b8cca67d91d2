package org.sluice.device.layer;

/** What a layer tells the same layer of a peer, whatever that is waiting for: the layer's own words. */
public record LayerNotice(long first, long second, long third, long fourth, long fifth) {}
