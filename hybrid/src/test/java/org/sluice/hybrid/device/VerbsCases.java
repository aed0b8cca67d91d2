package org.sluice.hybrid.device;

import java.util.Map;

/**
 * What verbs do otherwise than shared memory, and the options that force them although all ranks may live in one JVM.
 */
interface VerbsCases extends DeviceCases {
    @Override
    default Map<String, String> options() {
        return Map.of("sluice.channels", "ib");
    }

    /** Credit beyond the first comes when the receiver polls. */
    @Override
    default boolean takesManyUnattended() {
        return false;
    }

    @Override
    default boolean readsInPlace() {
        return false;
    }

    /** As long as a receive slot takes. */
    @Override
    default int keepsUpTo() {
        return 8 << 10;
    }
}
