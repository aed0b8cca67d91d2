package org.sluice.launch;

import java.nio.charset.StandardCharsets;

/**
 * What one rank has put since its last fence: whoever keeps it for the fence must not grow without bound. Rank and
 * launcher count alike, also what a later value has replaced.
 *
 * <p>Thread: one at a time.
 *
 * <p>Proof: {@code JobServerTest}.
 */
final class PutBudget {
    /** For lengths, and what a pair takes besides. */
    private static final int PAIR_BYTES = 16;

    private int used;

    /**
     * A pair that a caller puts.
     *
     * @return the key in UTF-8
     * @throws IllegalArgumentException where it is too large, or there are too many
     */
    byte[] take(String key, byte[] value) {
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        if (keyBytes.length > Bootstrap.KEY_LIMIT_BYTES) {
            throw new IllegalArgumentException(
                    "a key of " + keyBytes.length + " bytes; " + Bootstrap.KEY_LIMIT_BYTES + " are allowed: " + key);
        }
        if (value.length > Bootstrap.VALUE_LIMIT_BYTES) {
            throw new IllegalArgumentException("a value of " + value.length + " bytes under " + key + "; "
                    + Bootstrap.VALUE_LIMIT_BYTES + " are allowed");
        }
        String wrong = refuse(bytes(keyBytes.length, value.length));
        if (wrong != null) {
            throw new IllegalArgumentException(wrong);
        }
        return keyBytes;
    }

    /** At least what it takes in the answer to a fence. */
    static int bytes(int keyBytes, int valueBytes) {
        return keyBytes + valueBytes + PAIR_BYTES;
    }

    /**
     * @param bytes of one more pair, see {@link #bytes}
     * @return what is wrong with it, or null
     */
    String refuse(int bytes) {
        if (bytes > Bootstrap.FENCE_LIMIT_BYTES - used) {
            return "values of " + (used + bytes) + " bytes, with their keys and " + PAIR_BYTES
                    + " for each, without a fence; " + Bootstrap.FENCE_LIMIT_BYTES + " are allowed between two";
        }
        used += bytes;
        return null;
    }

    /** All that was put goes with this fence. */
    void fence() {
        used = 0;
    }
}
