package org.sluice.bench.plan;

import java.util.Locale;

/** Which calls are measured: send and recv, or isend and irecv with a wait. */
public enum Api {
    BLOCKING, REQUEST;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Api of(String label) {
        for (Api api : values()) {
            if (api.label().equals(label)) {
                return api;
            }
        }
        throw new IllegalArgumentException("--api '" + label + "' is not known; there are blocking, request");
    }
}
