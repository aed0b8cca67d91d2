package org.sluice.hybrid.match;

/**
 * Finds the oldest entry of a waiting list by context id and, as the table is made, source and tag.
 *
 * <p>Entries of one key form a ring through their own links; the oldest stands in the bucket's chain for all of them,
 * so a key that has emptied leaves nothing behind. The table follows its list lazily: it knows the list up to
 * {@link #lastIndexed}. Who searches asks the table, then walks the rest of the list, where each entry that it had to
 * pass is indexed, so that nobody passes it again: what is taken in order, or soon after it came, is never put into a
 * table at all.
 */
class KeyTable {
    /** Large enough for what most programs have waiting, small enough to stay in a first-level cache. */
    static final int INITIAL_BUCKETS = 256;
    /** A table that has grown once will grow again: below this, giving memory back isn't worth growing anew. */
    static final int SHRINK_FLOOR = 4096;

    private final WaitingList list;
    private final int slot;
    private final int bit;
    /** All ones where the key counts, 0 where the table ignores it. */
    private final int sourceMask;

    private final int tagMask;

    private Matchable[] buckets = new Matchable[INITIAL_BUCKETS];
    private int shift = Long.SIZE - Integer.numberOfTrailingZeros(INITIAL_BUCKETS);
    private int keys;
    /** With more keys it grows, with fewer it shrinks. */
    private int growsAt = INITIAL_BUCKETS / 2;

    private int shrinksAt;
    /** The entries of the list up to this one are in the table, those behind it aren't. */
    private Matchable lastIndexed;
    /** Entries looked at since the table was made: the cost in a unit that doesn't depend on the machine. */
    private long visited;

    KeyTable(WaitingList list, int slot, boolean bySource, boolean byTag) {
        this.list = list;
        this.slot = slot;
        this.bit = 1 << slot;
        this.sourceMask = bySource ? -1 : 0;
        this.tagMask = byTag ? -1 : 0;
    }

    /** The oldest entry that the table doesn't know; all that it knows are older. */
    Matchable firstUnindexed() {
        return lastIndexed == null ? list.first : lastIndexed.next;
    }

    /** Takes up {@link #firstUnindexed}, and returns the one after it. */
    Matchable indexNext() {
        Matchable entry = firstUnindexed();
        insert(entry);
        lastIndexed = entry;
        return entry.next;
    }

    /** The oldest entry with this key that the table knows, or null; what the table ignores may have any value. */
    Matchable find(int contextId, int source, int tag) {
        int keySource = source & sourceMask;
        int keyTag = tag & tagMask;
        return find(bucket(contextId, keySource, keyTag), contextId, keySource, keyTag);
    }

    private Matchable find(int index, int contextId, int keySource, int keyTag) {
        Matchable entry = buckets[index];
        int steps = 0;
        while (entry != null) {
            steps++;
            if (entry.contextId == contextId
                    && (entry.source & sourceMask) == keySource
                    && (entry.tag & tagMask) == keyTag) {
                break;
            }
            entry = entry.chain(slot);
        }
        visited += steps;
        return entry;
    }

    private void insert(Matchable entry) {
        int index = bucketOf(entry);
        Matchable oldest = find(index, entry.contextId, entry.source & sourceMask, entry.tag & tagMask);
        if (oldest == null) {
            entry.chain(slot, buckets[index]);
            entry.keyNext(slot, entry);
            entry.keyPrevious(slot, entry);
            buckets[index] = entry;
            if (++keys > growsAt) {
                resize(buckets.length * 2);
            }
        } else {
            Matchable youngest = oldest.keyPrevious(slot);
            entry.chain(slot, entry);
            entry.keyPrevious(slot, youngest);
            entry.keyNext(slot, oldest);
            youngest.keyNext(slot, entry);
            oldest.keyPrevious(slot, entry);
        }
        entry.indexed |= bit;
    }

    /** Forgets an entry; to be called before it leaves the list. */
    void remove(Matchable entry) {
        if (lastIndexed == entry) {
            lastIndexed = entry.previous;
        }
        Matchable younger = entry.keyNext(slot);
        Matchable older = entry.keyPrevious(slot);
        if (entry.chain(slot) == entry) {
            older.keyNext(slot, younger);
            younger.keyPrevious(slot, older);
        } else if (younger == entry) {
            replaceInChain(entry, entry.chain(slot));
            keys--;
        } else {
            older.keyNext(slot, younger);
            younger.keyPrevious(slot, older);
            younger.chain(slot, entry.chain(slot));
            replaceInChain(entry, younger);
        }
        entry.chain(slot, null);
        entry.keyNext(slot, null);
        entry.keyPrevious(slot, null);
        entry.indexed &= ~bit;
        if (keys < shrinksAt) {
            resize(Math.max(SHRINK_FLOOR, buckets.length / 4));
        }
    }

    private void replaceInChain(Matchable entry, Matchable by) {
        int index = bucketOf(entry);
        Matchable at = buckets[index];
        int steps = 1;
        if (at == entry) {
            buckets[index] = by;
        } else {
            while (at != null && at.chain(slot) != entry) {
                at = at.chain(slot);
                steps++;
            }
            if (at == null) {
                throw new IllegalStateException("not found under its own key: " + entry.envelope()
                        + "; an envelope must not change while it waits to be matched");
            }
            at.chain(slot, by);
        }
        visited += steps;
    }

    private void resize(int length) {
        Matchable[] old = buckets;
        buckets = new Matchable[length];
        growsAt = length / 2;
        shrinksAt = length > SHRINK_FLOOR ? length / 32 : 0;
        shift = Long.SIZE - Integer.numberOfTrailingZeros(length);
        for (Matchable first : old) {
            Matchable entry = first;
            while (entry != null) {
                Matchable rest = entry.chain(slot);
                int index = bucketOf(entry);
                entry.chain(slot, buckets[index]);
                buckets[index] = entry;
                entry = rest;
            }
        }
    }

    private int bucketOf(Matchable entry) {
        return bucket(entry.contextId, entry.source & sourceMask, entry.tag & tagMask);
    }

    /**
     * Two odd multiplications with a fold between: tags that differ in any bits only, low or high, spread over all
     * buckets.
     */
    private int bucket(int contextId, int source, int tag) {
        long mixed = contextId * 0x9E3779B97F4A7C15L + source * 0xD1B54A32D192ED03L + tag * 0x8CB92BA72F3D8DD7L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xFF51AFD7ED558CCDL;
        return (int) (mixed >>> shift);
    }

    int keys() {
        return keys;
    }

    int bucketCount() {
        return buckets.length;
    }

    long visited() {
        return visited;
    }

    int longestChain() {
        int longest = 0;
        for (Matchable first : buckets) {
            int length = 0;
            for (Matchable entry = first; entry != null; entry = entry.chain(slot)) {
                length++;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }
}
