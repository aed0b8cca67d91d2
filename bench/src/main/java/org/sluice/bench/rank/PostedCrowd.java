package org.sluice.bench.rank;

import org.sluice.device.Device;
import org.sluice.device.Request;

/** Posted receives, each of a tag of its own that nobody sends with. */
final class PostedCrowd implements Crowd {
    private final Device device;
    private final int peer;
    private final Request[] receives;

    PostedCrowd(Device device, int peer, int count) {
        this.device = device;
        this.peer = peer;
        receives = new Request[count];
    }

    @Override
    public void gather() {
        for (int i = 0; i < receives.length; i++) {
            receives[i] = device.irecv(null, 0, 0, peer, CrowdExchange.FIRST_TAG + i, Device.DEFAULT_CONTEXT);
        }
    }

    /** A receive that can be withdrawn was posted until now. */
    @Override
    public void disperse() {
        int withdrawn = 0;
        for (int i = 0; i < receives.length; i++) {
            if (receives[i].cancel()) {
                withdrawn++;
            }
            receives[i] = null;
        }
        if (withdrawn != receives.length) {
            throw new IllegalStateException(
                    "only " + withdrawn + " of " + receives.length + " receives were still posted at the end");
        }
    }
}
