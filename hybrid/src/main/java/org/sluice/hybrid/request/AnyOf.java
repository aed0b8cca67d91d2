package org.sluice.hybrid.request;

import java.util.Arrays;

/** Reached when one of several requests is done; nulls are skipped. */
public final class AnyOf implements Goal {
    private final Completion[] members;

    public AnyOf(Completion[] members) {
        this.members = members;
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

    public boolean has(Completion completion) {
        for (Completion member : members) {
            if (member == completion) {
                return true;
            }
        }
        return false;
    }

    /** Indices of all that are done. */
    public int[] reached() {
        int[] indices = new int[members.length];
        int count = 0;
        for (int i = 0; i < members.length; i++) {
            if (members[i] != null && members[i].isReached()) {
                indices[count++] = i;
            }
        }
        return Arrays.copyOf(indices, count);
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
