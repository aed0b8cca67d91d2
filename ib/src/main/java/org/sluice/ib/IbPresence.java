package org.sluice.ib;

import java.io.File;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.adapter.Adapter;
import org.sluice.jni.verbs.Verbs;
import org.sluice.jni.verbs.VerbsCalls;

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

    /** As {@link #unavailableReason()}, and where the options want none of it. */
    public static String absentReason(Options options) {
        // As the library would, which doesn't know what was given to open.
        return options.text(Option.VERBS).equals("off") ? "switched off: " + Option.VERBS.property() + " is off (" + options.origin(Option.VERBS) + ")"
                : unavailableReason();
    }

    /** As {@link #absentReason}, and why no address of this machine is as the options ask for. */
    public static String unavailableReason(Options options) {
        String reason = absentReason(options);
        if (!reason.isEmpty()) {
            return reason;
        }
        try (Adapter adapter = new Adapter(Verbs.calls(), options)) {
            return "";
        } catch (SluiceException e) {
            return e.getMessage();
        }
    }

    /**
     * What the channel would use here, in words: device, port, address, kind of link, and how much memory may be locked.
     *
     * @throws SluiceException with why it would find nothing
     */
    public static String describe(Options options) {
        VerbsCalls verbs = Verbs.calls();
        try (Adapter adapter = new Adapter(verbs, options)) {
            long limit = verbs.lockedMemoryLimit();
            return adapter.describe() + "; memory that may be locked: " + (limit == Long.MAX_VALUE ? "unlimited" : limit + " bytes");
        }
    }

    static String deviceReason(String folder) {
        String[] devices = new File(folder).list();
        return devices != null && devices.length > 0 ? "" : "this machine has no RDMA device (nothing in " + folder
                + "): load the driver of its adapter, or rdma_rxe to try it over Ethernet";
    }
}
