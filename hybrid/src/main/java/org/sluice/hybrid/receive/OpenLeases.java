package org.sluice.hybrid.receive;

import org.sluice.hybrid.progress.ProgressEngine;

/**
 * Leases that nobody has closed so far, linked with each other, so that none needs memory to be here. <i>Thread</i>:
 * under the progress lock. <i>Proof</i>: {@code LeaseCases}.
 */
public final class OpenLeases {
    private ProgressEngine engine;
    private MemoryLease first;
    private int size;

    public void engine(ProgressEngine newEngine) {
        engine = newEngine;
    }

    /** For who doesn't hold the lock. */
    void locked(Runnable action) {
        engine.locked(action);
    }

    public void opened(MemoryLease lease) {
        lease.next = first;
        if (first != null) {
            first.previous = lease;
        }
        first = lease;
        size++;
    }

    /** One that is open. */
    void closed(MemoryLease lease) {
        if (lease.previous == null) {
            first = lease.next;
        } else {
            lease.previous.next = lease.next;
        }
        if (lease.next != null) {
            lease.next.previous = lease.previous;
        }
        lease.next = null;
        lease.previous = null;
        size--;
    }

    public int size() {
        return size;
    }

    /** Ends all. */
    public void end() {
        while (first != null) {
            first.endWithDevice();
        }
    }

    /** Ends those that read memory of peers. The others read this device's, which stays until it is closed. */
    public void endOfSenders() {
        for (MemoryLease lease = first, next; lease != null; lease = next) {
            next = lease.next;
            if (lease.readsSender()) {
                lease.endWithDevice();
            }
        }
    }
}
