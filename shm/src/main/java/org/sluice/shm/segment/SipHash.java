package org.sluice.shm.segment;

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012), a pseudo-random function: who doesn't know the key can't tell its results
 * from random ones, however many others were seen. Here because the JDK takes 15 ms to set up its digests. Immutable.
 * <i>Proof</i>: {@code SipHashTest}, with the authors' results.
 */
final class SipHash {
    private static final int COMPRESSION_ROUNDS = 2;
    private static final int FINAL_ROUNDS = 4;

    private final long key0;
    private final long key1;

    SipHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    long of(byte[] message) {
        State state = new State(key0, key1);
        int whole = message.length & -Long.BYTES;
        for (int at = 0; at < whole; at += Long.BYTES) {
            state.absorb(word(message, at, Long.BYTES));
        }
        state.absorb(word(message, whole, message.length - whole) | (long) message.length << 56);
        return state.finish();
    }

    private static long word(byte[] message, int from, int count) {
        long word = 0;
        for (int i = 0; i < count; i++) {
            word |= (message[from + i] & 0xffL) << i * Byte.SIZE;
        }
        return word;
    }

    /** The four words of the paper, by the paper's names. */
    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long key0, long key1) {
            v0 = key0 ^ 0x736f6d6570736575L;
            v1 = key1 ^ 0x646f72616e646f6dL;
            v2 = key0 ^ 0x6c7967656e657261L;
            v3 = key1 ^ 0x7465646279746573L;
        }

        void absorb(long word) {
            v3 ^= word;
            rounds(COMPRESSION_ROUNDS);
            v0 ^= word;
        }

        long finish() {
            v2 ^= 0xff;
            rounds(FINAL_ROUNDS);
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void rounds(int count) {
            for (int i = 0; i < count; i++) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v1;
                v0 += v3;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
        }
    }
}
