package org.sluice.mpi;

/**
 * What messages call things, for a layer above communicators whose programs know other names: they read those that they
 * have called.
 *
 * <p><i>Thread</i>: any.
 */
public interface Naming {
    /** Names as they are here. */
    Naming OWN = new Naming() {};

    /** A collective, which is named so here: {@code allGather}, or {@code the making of a communicator}. */
    default String collective(String name) {
        return name;
    }

    /** What to do when a rank has died. */
    default String afterDeath() {
        return "shrink() makes a communicator of those that live";
    }
}
