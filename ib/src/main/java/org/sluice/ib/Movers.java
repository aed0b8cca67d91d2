package org.sluice.ib;

import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.connect.Connection;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Which end moves long messages, by sluice.ib.rendezvous and by what the devices of both ends are. Both ends come to
 * the same, as each knows what device the other has. <i>Thread</i>: any; nothing changes. <i>Proof</i>:
 * {@code MoversTest}.
 */
final class Movers {
    private final boolean isStreamed;
    private final boolean isWritten;
    private final boolean isByDevice;
    private final boolean isSoftRoce;

    /** @param isSoftRoce whether this rank's device is: it completes reads of which bytes are missing */
    Movers(Options options, boolean isSoftRoce) {
        String given = options.text(Option.IB_RENDEZVOUS);
        this.isStreamed = given.equals("stream");
        this.isWritten = given.equals("write");
        this.isByDevice = given.equals("auto");
        this.isSoftRoce = isSoftRoce;
    }

    boolean isStreamed() {
        return isStreamed;
    }

    /** Whether those between this rank and the peer are written by their senders. */
    boolean isWritten(Connection connection) {
        return isWritten || isByDevice && (isSoftRoce || connection.facts().isSoftRoce());
    }

    /** Whether peers may write to this rank's memory; where they may not, what they would have to write is streamed. */
    boolean mayPeersWrite() {
        return isWritten || isByDevice && isSoftRoce;
    }

    /** What peers may do to memory that is registered: what they never have to do, they can't do. */
    int access() {
        return mayPeersWrite() ? VerbsCalls.ACCESS_REMOTE_WRITE : VerbsCalls.ACCESS_REMOTE_READ;
    }
}
