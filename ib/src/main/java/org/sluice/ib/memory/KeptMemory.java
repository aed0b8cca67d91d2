package org.sluice.ib.memory;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Memory of the program that the adapter didn't let go of, and might still use: it must not be freed as long as this
 * process lives, whoever forgets it. <i>Thread</i>: under the lock of its {@link RegistrationCache}. <i>Proof</i>:
 * {@code RegistrationCacheTest}.
 */
final class KeptMemory {
    /** Of all caches of this process, which come and go. */
    private static final ConcurrentLinkedQueue<Object> OWNERS = new ConcurrentLinkedQueue<>();

    private final Set<Long> addresses = new HashSet<>();

    /** @param owner null where it was collected before: its memory is gone */
    void keep(Registration registration, Object owner) {
        addresses.add(registration.address);
        if (owner != null) {
            OWNERS.add(owner);
        }
    }

    boolean isKept(long address) {
        return addresses.contains(address);
    }
}
