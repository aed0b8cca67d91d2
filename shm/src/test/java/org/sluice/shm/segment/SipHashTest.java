package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SipHashTest {
    /** Appendix A of the paper, and the first entries of the authors' table: key and message are 0, 1, 2, ... */
    @Test
    void theAuthorsResults() {
        SipHash hash = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        assertEquals(0xa129ca6149be45e5L, hash.of(countTo(15)));
        assertEquals(0x726fdb47dd0e0e31L, hash.of(countTo(0)));
        assertEquals(0x74f839c593dc67fdL, hash.of(countTo(1)));
        assertEquals(0x93f5f5799a932462L, hash.of(countTo(8)));
    }

    private static byte[] countTo(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }
}
