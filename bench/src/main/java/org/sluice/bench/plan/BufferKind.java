package org.sluice.bench.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the messages lie in. */
public enum BufferKind {
    ARRAY("heap arrays"),
    DIRECT("direct ByteBuffers"),
    MESSAGE("MessageBuffers of the device"),
    /** What came is sent back. */
    ONE("one heap array for both ways, so that what came is sent back"),
    /** As a library does that has a buffering layer. */
    PACKED("heap arrays, copied into a MessageBuffer before each send and out of one behind each receive");

    private final String meaning;

    BufferKind(String meaning) {
        this.meaning = meaning;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As the end of a sentence. */
    public String meaning() {
        return meaning;
    }

    /** Why the benchmark isn't run with them, as the rest of a sentence. */
    public Optional<String> refuses(Benchmark benchmark) {
        if (this == ONE && benchmark != Benchmark.LATENCY) {
            return Optional.of("is for latency, not for " + benchmark.label());
        }
        return this == PACKED && (benchmark.isCollective() || benchmark.crowded())
                ? Optional.of("is for latency, bandwidth and rate, not for " + benchmark.label())
                : Optional.empty();
    }

    public static BufferKind of(String label) {
        for (BufferKind kind : values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("--buffer '" + label + "' is not known; there are "
                + Arrays.stream(values()).map(BufferKind::label).collect(Collectors.joining(", ")));
    }
}
