package org.sluice.hybrid.match;

/** Everything that waits in one queue, in the order of posting or arrival. */
abstract class WaitingList {
    Matchable first;
    Matchable last;
    private int size;

    public final int size() {
        return size;
    }

    final void append(Matchable entry) {
        if (entry.owner != null) {
            throw new IllegalStateException("already waits to be matched: " + entry.envelope()
                    + "; take or remove it before it is added again");
        }
        Matchable end = last;
        entry.owner = this;
        entry.previous = end;
        if (end == null) {
            first = entry;
        } else {
            end.next = entry;
        }
        last = entry;
        size++;
    }

    final void unlink(Matchable entry) {
        Matchable before = entry.previous;
        Matchable after = entry.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        entry.next = null;
        entry.previous = null;
        entry.owner = null;
        size--;
    }

    /** All entries now, oldest first: lets a visitor remove what it likes. */
    final Matchable[] snapshot() {
        Matchable[] all = new Matchable[size];
        int count = 0;
        for (Matchable entry = first; entry != null; entry = entry.next) {
            all[count++] = entry;
        }
        return all;
    }
}
