package org.sluice.bench.plan;

import java.util.Locale;

/**
 * Where the ranks are and what joins them: threads of one JVM, processes that share memory, processes over verbs,
 * processes that share memory beside one that doesn't.
 */
public enum Route {
    THREADS("threads of one JVM"),
    SHM("processes of one machine"),
    IB("processes of one machine, over verbs"),
    TCP("processes of one machine, over TCP"),
    ALL("processes of one machine, each connected over verbs with a third, which is idle");

    private final String meaning;

    Route(String meaning) {
        this.meaning = meaning;
    }

    /** For titles. */
    public String meaning() {
        return meaning;
    }

    /** Whether ranks can be there only where there is an RDMA device. */
    public boolean needsVerbs() {
        return this == IB || this == ALL;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The routes that {@code --channel} asks for; without it both are measured. */
    public static Route[] of(String label) {
        if (label == null) {
            return new Route[] {THREADS, SHM};
        }
        switch (label) {
            case "threads":
                return new Route[] {THREADS};
            case "shm":
            case "auto":
                return new Route[] {SHM};
            case "ib":
                return new Route[] {IB};
            case "tcp":
                return new Route[] {TCP};
            case "all":
                return new Route[] {ALL};
            default:
                throw new IllegalArgumentException(
                        "--channel '" + label + "' is not known here; there are threads, shm, ib, tcp, auto (what the"
                                + " device picks between two processes of one machine), all (the same"
                                + " beside an idle peer over verbs)");
        }
    }
}
