package org.sluice.hybrid.device;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.route.Locality;
import org.sluice.ib.IbPresence;

/**
 * Which channel reaches which peer: a function of facts that both ends have, so that both choose the same. Immutable.
 */
public final class ChannelChoice {
    public static final String THREADS = "threads";
    public static final String SHM = "shm";
    public static final String IB = "ib";
    public static final String TCP = "tcp";
    /** In the order of their speed. */
    private static final List<String> KNOWN = List.of(THREADS, SHM, IB, TCP);

    private final Options options;
    private final List<String> preference = new ArrayList<>();
    private final boolean isAuto;

    ChannelChoice(Options options) {
        this.options = options;
        String text = options.text(Option.CHANNELS);
        isAuto = text.equals(Option.AUTO);
        if (isAuto) {
            preference.addAll(KNOWN);
            return;
        }
        for (String name : text.split(",")) {
            if (!KNOWN.contains(name.trim())) {
                throw new IllegalArgumentException(Option.CHANNELS.property() + " = '" + text + "' ("
                        + options.origin(Option.CHANNELS) + "): there is no channel '" + name.trim()
                        + "'; allowed is auto, or a list of " + String.join(",", KNOWN));
            }
            preference.add(name.trim());
        }
    }

    /**
     * Channels that may be used, the preferred first. For the doctor.
     *
     * @throws IllegalArgumentException when the option names one that there is not
     */
    public static List<String> allowed(Options options) {
        return List.copyOf(new ChannelChoice(options).preference);
    }

    /** Why this rank can't be reached over verbs, or by whom it can. */
    IbPresence.Reach verbs() {
        return preference.contains(IB)
                ? IbPresence.reach(options)
                : new IbPresence.Reach(Option.CHANNELS.property() + " allows only " + String.join(",", preference), "");
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

    private boolean reaches(String name, Locality locality, PeerFacts own, PeerFacts peer) {
        switch (name) {
            case THREADS:
                return locality == Locality.SAME_JVM;
            case SHM:
                return locality != Locality.REMOTE;
            case TCP:
                // Whoever has no folder for segments is told of that, and is not slower without a word.
                return !isAuto || NodeIdentity.isKnown(own.node()) && NodeIdentity.isKnown(peer.node());
            default:
                return own.verbsReason().isEmpty()
                        && peer.verbsReason().isEmpty()
                        && own.verbsLink().equals(peer.verbsLink());
        }
    }

    private static String verbsReason(int rank, PeerFacts own, PeerFacts peer) {
        if (own.verbsReason().isEmpty() && peer.verbsReason().isEmpty()) {
            return "this rank's adapter is on " + own.verbsLink() + ", that of rank " + rank + " on "
                    + peer.verbsLink();
        }
        return own.verbsReason().isEmpty() ? "rank " + rank + " says that " + peer.verbsReason() : own.verbsReason();
    }

    /** Why a peer of the same kernel has a channel that shared memory would come before; empty where that is not so. */
    String noShm(String chosen, PeerFacts own, PeerFacts peer) {
        int shm = preference.indexOf(SHM);
        return shm >= 0 && shm < preference.indexOf(chosen) ? NodeIdentity.apart(own.node(), peer.node()) : "";
    }

    /** The channel's name. A rank reaches itself through its own queue, whatever is preferred. */
    String channel(int rank, Locality locality, PeerFacts own, PeerFacts peer) {
        if (locality == Locality.SELF) {
            return THREADS;
        }
        for (String name : preference) {
            if (reaches(name, locality, own, peer)) {
                return name;
            }
        }
        throw new SluiceException(
                ErrorCode.OPEN_FAILED,
                rank,
                "no channel reaches rank " + rank + ": "
                        + (locality == Locality.REMOTE
                                ? "it does not share memory with this rank. This rank's node: " + own.node()
                                        + "; node of rank " + rank + ": "
                                        + peer.node()
                                        + ". Ranks that share memory run on one machine, as one user, with one "
                                        + Option.SHM_DIR.property()
                                        + " (containers: --ipc=host). And no verbs between them: "
                                        + verbsReason(rank, own, peer)
                                        + (preference.contains(TCP)
                                                ? "; where they are to talk over TCP alone, set "
                                                        + Option.CHANNELS.property() + "=tcp for all ranks"
                                                : "; " + Option.CHANNELS.property()
                                                        + "=auto for all ranks lets them talk over TCP, and over verbs"
                                                        + " where there are some")
                                        + "; ./sluice doctor looks at both"
                                : "it lives "
                                        + (locality == Locality.SAME_JVM
                                                ? "in this JVM"
                                                : "in another JVM of this node")
                                        + ", and "
                                        + Option.CHANNELS.property() + " allows only " + String.join(",", preference)
                                        + (preference.contains(IB)
                                                ? "; no verbs, since " + verbsReason(rank, own, peer)
                                                : "")),
                null);
    }
}
