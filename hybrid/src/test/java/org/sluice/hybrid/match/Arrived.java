package org.sluice.hybrid.match;

/** A message with nothing but its envelope. */
public final class Arrived extends UnexpectedMessage {
    public static Arrived of(int contextId, int source, int tag) {
        return new Arrived().with(contextId, source, tag);
    }

    Arrived with(int contextId, int source, int tag) {
        this.contextId = contextId;
        this.source = source;
        this.tag = tag;
        return this;
    }

    @Override
    public String toString() {
        return "message(" + envelope() + ")";
    }
}
