package org.sluice.bench.rank;

import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/** Empty messages from the peer, each of a tag of its own, that arrived and that nobody has asked for yet. */
final class UnexpectedCrowd implements Crowd {
    private final Device device;
    private final int peer;
    private final int contextId;
    private final Status status = new Status();
    /** Past the peer's share for eager messages a send isn't over until it is received, so none of them may block. */
    private final Request[] sends;

    UnexpectedCrowd(Device device, int peer, int contextId, int count) {
        this.device = device;
        this.peer = peer;
        this.contextId = contextId;
        sends = new Request[count];
    }

    /** When the last has arrived all have: messages of one sender come in order. */
    @Override
    public void gather() {
        for (int i = 0; i < sends.length; i++) {
            sends[i] = device.isend(null, 0, 0, peer, CrowdExchange.FIRST_TAG + i, contextId);
        }
        device.probe(peer, CrowdExchange.FIRST_TAG + sends.length - 1, contextId);
    }

    @Override
    public void disperse() {
        int found = 0;
        for (int i = 0; i < sends.length; i++) {
            int tag = CrowdExchange.FIRST_TAG + i;
            if (device.iprobe(peer, tag, contextId) != null) {
                device.recv(null, 0, 0, peer, tag, contextId, status);
                found++;
            }
        }
        if (found != sends.length) {
            throw new IllegalStateException(
                    "only " + found + " of " + sends.length + " messages still waited at the end");
        }
        for (int i = 0; i < sends.length; i++) {
            sends[i].waitFor(status);
            sends[i] = null;
        }
    }
}
