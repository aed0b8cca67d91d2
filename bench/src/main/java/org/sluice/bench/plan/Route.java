package org.sluice.bench.plan;

import java.util.Locale;

/** Where the ranks are: threads of one JVM, or processes of one node. */
public enum Route {
    THREADS, SHM;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The routes that {@code --channel} asks for; without it both are measured. */
    public static Route[] of(String label) {
        if (label == null) {
            return values();
        }
        switch (label) {
            case "threads":
                return new Route[] {THREADS};
            case "shm":
            case "auto":
                return new Route[] {SHM};
            default:
                throw new IllegalArgumentException("--channel '" + label + "' is not known here; there are threads, shm, "
                        + "auto (what the device picks between two processes of one machine)");
        }
    }
}
