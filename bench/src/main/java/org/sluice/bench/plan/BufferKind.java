package org.sluice.bench.plan;

import java.util.Locale;

/** What the messages lie in: a heap array, a direct ByteBuffer, or a MessageBuffer of the device. */
public enum BufferKind {
    ARRAY,
    DIRECT,
    MESSAGE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static BufferKind of(String label) {
        for (BufferKind kind : values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("--buffer '" + label + "' is not known; there are array, direct, message");
    }
}
