package org.sluice.hybrid.request;

import org.sluice.device.Request;

/** Reached when one of several requests is done; nulls are skipped. */
public final class AnyOf implements Goal {
    private final Completion[] members;

    /** @throws IllegalArgumentException for a request that is none of Sluice's own */
    public AnyOf(Request[] requests) {
        members = new Completion[requests.length];
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] != null && !(requests[i] instanceof Completion)) {
                throw new IllegalArgumentException("request " + i + " is a " + requests[i].getClass().getName()
                        + ", not one of a Sluice device");
            }
            members[i] = (Completion) requests[i];
        }
    }

    /** True when there is nothing to wait for. */
    public boolean isEmpty() {
        for (Completion member : members) {
            if (member != null) {
                return false;
            }
        }
        return true;
    }

    /** Index of the first that is done, from {@code from} on; -1 when none is. */
    public int firstReached(int from) {
        for (int i = from; i < members.length; i++) {
            if (members[i] != null && members[i].isReached()) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean isReached() {
        return firstReached(0) >= 0;
    }

    @Override
    public void addWaiter(Thread thread) {
        for (Completion member : members) {
            if (member != null) {
                member.addWaiter(thread);
            }
        }
    }

    @Override
    public void removeWaiter(Thread thread) {
        for (Completion member : members) {
            if (member != null) {
                member.removeWaiter(thread);
            }
        }
    }
}
