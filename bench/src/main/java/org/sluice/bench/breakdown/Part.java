package org.sluice.bench.breakdown;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is timed, one by one. */
public enum Part {
    CLOCK("a reading of the clock", false),
    NATIVE_CALL("a native call that does next to nothing", false),
    LOCK("a lock that nobody else wants, taken and given back", false),
    ATOMIC_ADD("an atomic add to a number that nobody else has", false),
    WAKE_UP("from unpark until the other thread goes on", false),
    COPY("a copy from one array to another", true),
    COPY_OUT("a copy from an array to memory outside of the heap", true),
    REGISTRATION("memory registered with the adapter, and given back", true);

    private final String words;
    private final boolean isOfSize;

    Part(String words, boolean isOfSize) {
        this.words = words;
        this.isOfSize = isOfSize;
    }

    /** In tables and records. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String words() {
        return words;
    }

    /** Whether it depends on how much it is done with. */
    public boolean isOfSize() {
        return isOfSize;
    }

    static Optional<Part> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(part -> part.label().equals(label))
                .findFirst();
    }
}
