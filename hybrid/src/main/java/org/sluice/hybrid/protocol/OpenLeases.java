package org.sluice.hybrid.protocol;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Leases that nobody has closed so far. <i>Thread</i>: under the progress lock. <i>Proof</i>: {@code LeaseCases}. */
final class OpenLeases {
    private final Set<MemoryLease> open = new HashSet<>();

    void opened(MemoryLease lease) {
        open.add(lease);
    }

    void closed(MemoryLease lease) {
        open.remove(lease);
    }

    int size() {
        return open.size();
    }

    /** Ends all. */
    void end() {
        for (MemoryLease lease : List.copyOf(open)) {
            lease.endWithDevice();
        }
    }

    /** Ends those that read memory of peers. The others read this device's, which stays until it is closed. */
    void endOfSenders() {
        for (MemoryLease lease : List.copyOf(open)) {
            if (lease.readsSender()) {
                lease.endWithDevice();
            }
        }
    }
}
