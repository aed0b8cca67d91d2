package org.sluice.hybrid.operation;

import org.sluice.hybrid.request.Failure;

/** Somebody who notes what befalls a device. <i>Thread</i>: under the progress lock. */
public interface Witness {
    /** A peer has failed or closed, or the whole device has failed. */
    void failed(Failure failure);

    /** Called whenever the peers are looked at. */
    void look();
}
