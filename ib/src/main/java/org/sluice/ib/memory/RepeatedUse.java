package org.sluice.ib.memory;

/**
 * Tells memory that is used again and again from memory that is used once, without keeping it: registering costs as
 * much as many small copies. Counts are shared by owners whose hashes meet, so one may be taken for usual a little
 * early. <i>Thread</i>: under the lock of the cache.
 */
final class RepeatedUse {
    /**
     * Uses that were copied before a registration pays; also between two registrations, where the cache is too small to
     * keep one.
     */
    static final int USES = 8;

    private final byte[] uses = new byte[256];

    /** @return true with every {@link #USES}-th use */
    boolean isUsual(Object owner) {
        int at = System.identityHashCode(owner) & uses.length - 1;
        if (++uses[at] < USES) {
            return false;
        }
        uses[at] = 0;
        return true;
    }
}
