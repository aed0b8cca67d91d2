package org.sluice.bench.plan;

/** What a sender does to its buffer before each message. */
public enum Rewrite {
    NO,
    YES,
    /** As {@link #YES}; and that alone is timed, in place of the messages. */
    TIMED;

    /** As the lines have it that ranks read. */
    static Rewrite of(String digit) {
        return values()[Integer.parseInt(digit)];
    }

    String digit() {
        return Integer.toString(ordinal());
    }
}
