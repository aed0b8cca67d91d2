package org.sluice.hybrid.protocol;

/** Why a device is failed whose rank, a thread of a JVM that lives on, has ended without closing it. */
public final class EndedOpen extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public EndedOpen(int rank) {
        super("the main method of rank " + rank + " ended with its device open");
    }
}
