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

    private IbPresence() {}

    /** Why the ib channel can't be used here, and what to do about it; empty when it can. */
    public static String unavailableReason() {
        String reason = deviceReason(DEVICES);
        return reason.isEmpty() ? Verbs.unavailableReason() : reason;
    }

    /** As {@link #unavailableReason()}, and where the options want none of it. */
    public static String absentReason(Options options) {
        // As the library would, which doesn't know what was given to open.
        return options.text(Option.VERBS).equals("off")
                ? "switched off: " + Option.VERBS.property() + " is off (" + options.origin(Option.VERBS) + ")"
                : unavailableReason();
    }

    /**
     * What decides whether two ranks reach each other over verbs; one of both is empty.
     *
     * @param missing why this rank can't be reached by any
     * @param link what both must have the same of: {@link Adapter#link}
     */
    public record Reach(String missing, String link) {}

    /** As {@link #absentReason}, or why no address of this machine is as the options ask for, or what it is on. */
    public static Reach reach(Options options) {
        String reason = absentReason(options);
        if (!reason.isEmpty()) {
            return new Reach(reason, "");
        }
        try (Adapter adapter = new Adapter(Verbs.calls(), options)) {
            return new Reach("", adapter.link());
        } catch (SluiceException e) {
            return new Reach(e.getMessage(), "");
        }
    }

    /** Why this rank can't be reached by any over verbs; empty where it can. */
    public static String unavailableReason(Options options) {
        return reach(options).missing();
    }

    /**
     * What the channel would use here, in words: device, port, address, kind of link, and how much memory may be
     * locked.
     *
     * @throws SluiceException with why it would find nothing
     */
    public static String describe(Options options) {
        VerbsCalls verbs = Verbs.calls();
        try (Adapter adapter = new Adapter(verbs, options)) {
            long limit = verbs.lockedMemoryLimit();
            return adapter.describe() + "; memory that may be locked: "
                    + (limit == Long.MAX_VALUE ? "unlimited" : limit + " bytes");
        }
    }

    static String deviceReason(String folder) {
        String[] devices = new File(folder).list();
        return devices != null && devices.length > 0
                ? ""
                : "this machine has no RDMA device (nothing in " + folder
                        + "): load the driver of its adapter, or rdma_rxe to try it over Ethernet";
    }
}
