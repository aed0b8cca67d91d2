package org.sluice.hybrid.match;

/** A receive with nothing but its envelope. */
public final class Receive extends PostedReceive {
    public static Receive of(int contextId, int source, int tag) {
        return new Receive().with(contextId, source, tag);
    }

    Receive with(int contextId, int source, int tag) {
        this.contextId = contextId;
        this.source = source;
        this.tag = tag;
        return this;
    }

    @Override
    public String toString() {
        return "receive(" + envelope() + ")";
    }
}
