package org.sluice.hybrid.device;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.route.Locality;

/**
 * Which channel reaches which peer: a function of facts that both ends have, so that both choose the same. Immutable.
 */
final class ChannelChoice {
    static final String THREADS = "threads";
    static final String SHM = "shm";
    private static final List<String> KNOWN = List.of(THREADS, SHM);

    private final List<String> preference = new ArrayList<>();

    ChannelChoice(Options options) {
        String text = options.text(Option.CHANNELS);
        if (text.equals("auto")) {
            preference.addAll(KNOWN);
            return;
        }
        for (String name : text.split(",")) {
            if (!KNOWN.contains(name.trim())) {
                throw new IllegalArgumentException(Option.CHANNELS.property() + " = '" + text + "' (" + options.origin(Option.CHANNELS)
                        + "): there is no channel '" + name.trim() + "'; allowed is auto, or a list of " + String.join(",", KNOWN));
            }
            preference.add(name.trim());
        }
    }

    static Locality locality(int rank, int self, PeerFacts own, PeerFacts peer) {
        if (rank == self) {
            return Locality.SELF;
        }
        if (peer.jvm().equals(own.jvm())) {
            return Locality.SAME_JVM;
        }
        return peer.node().equals(own.node()) ? Locality.SAME_NODE : Locality.REMOTE;
    }

    /** The channel's name. A rank reaches itself through its own queue, whatever is preferred. */
    String channel(int rank, Locality locality, PeerFacts own, PeerFacts peer) {
        if (locality == Locality.SELF) {
            return THREADS;
        }
        for (String name : preference) {
            if (name.equals(THREADS) ? locality == Locality.SAME_JVM : locality != Locality.REMOTE) {
                return name;
            }
        }
        throw new SluiceException(ErrorCode.OPEN_FAILED, rank, "no channel reaches rank " + rank + ": " + (locality == Locality.REMOTE
                ? "it does not share memory with this rank. This rank's node: " + own.node() + "; node of rank " + rank + ": "
                        + peer.node() + ". Ranks must run on one machine, as one user, with one " + Option.SHM_DIR.property()
                        + "; ./sluice doctor looks at it"
                : "it lives in another JVM of this node, and " + Option.CHANNELS.property() + " allows only "
                        + String.join(",", preference)), null);
    }
}
