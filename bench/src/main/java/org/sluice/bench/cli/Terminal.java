package org.sluice.bench.cli;

import java.util.List;

/**
 * The streams of this process that a user may be looking at. The script says which of them are terminals: Java knows of both at once at most, and since
 * JDK 22 it has a console where there is none.
 */
enum Terminal {
    OUT("out"), ERR("err");

    static final String PROPERTY = "sluice.terminal";

    private final String label;

    Terminal(String label) {
        this.label = label;
    }

    /** False where this JVM was started by something else than the script. */
    boolean isThere() {
        return isIn(System.getProperty(PROPERTY, ""));
    }

    /** @param streams as the script lists them, with commas between */
    boolean isIn(String streams) {
        return List.of(streams.split(",")).contains(label);
    }
}
