package org.sluice.ib;

import java.io.File;
import org.sluice.jni.verbs.Verbs;

/**
 * Whether this machine has what the ib channel needs, found out without loading anything where there is no device.
 *
 * <p><i>Thread</i>: any. <i>Fails</i>: never; the reason says what is missing. <i>Proof</i>: {@code IbPresenceTest}.
 */
public final class IbPresence {
    private static final String DEVICES = "/sys/class/infiniband";

    private IbPresence() {
    }

    /** Why the ib channel can't be used here, and what to do about it; empty when it can. */
    public static String unavailableReason() {
        String reason = deviceReason(DEVICES);
        return reason.isEmpty() ? Verbs.unavailableReason() : reason;
    }

    static String deviceReason(String folder) {
        String[] devices = new File(folder).list();
        return devices != null && devices.length > 0 ? "" : "this machine has no RDMA device (nothing in " + folder
                + "): load the driver of its adapter, or rdma_rxe to try it over Ethernet";
    }
}
