package org.sluice.hybrid.match;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Device;

/** Matching as the standard words it: two lists in order, searched from the front. */
public final class ReferenceMatching {
    public final List<Receive> posted = new ArrayList<>();
    public final List<Arrived> unexpected = new ArrayList<>();

    public Receive receiveFor(int contextId, int source, int tag) {
        for (Receive receive : posted) {
            if (matches(receive.contextId, receive.source, receive.tag, contextId, source, tag)) {
                return receive;
            }
        }
        return null;
    }

    public Arrived messageFor(int contextId, int source, int tag) {
        for (Arrived message : unexpected) {
            if (matches(contextId, source, tag, message.contextId, message.source, message.tag)) {
                return message;
            }
        }
        return null;
    }

    int countFrom(int source) {
        return (int)
                unexpected.stream().filter(message -> message.source == source).count();
    }

    private static boolean matches(
            int wantedContext, int wantedSource, int wantedTag, int contextId, int source, int tag) {
        if (wantedContext != contextId) {
            return false;
        }
        boolean sourceFits = wantedSource == Device.ANY_SOURCE || wantedSource == source;
        boolean tagFits = wantedTag == Device.ANY_TAG || wantedTag == tag;
        return sourceFits && tagFits;
    }
}
