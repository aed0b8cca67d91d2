package org.sluice.hybrid.route;

/** Where a peer is, as seen from this rank. */
public enum Locality {
    SELF,
    SAME_JVM,
    SAME_NODE,
    REMOTE
}
