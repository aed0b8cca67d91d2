package org.sluice.hybrid.match;

/**
 * What a receive and a message have in common: an envelope to match by, and its own links, so that waiting allocates
 * nothing. The envelope must not change while the object waits in a queue.
 *
 * <p>The links are numbered fields, not an array of four small objects: a million waiting messages would pay for those
 * in memory and every visit in a cache miss.
 */
public abstract sealed class Matchable permits PostedReceive, UnexpectedMessage {
    public int contextId;
    public int source;
    public int tag;

    /** The list that this waits in; null when it waits in none. */
    WaitingList owner;
    /** Neighbours in the order of posting or arrival. */
    Matchable next;

    Matchable previous;

    /** Bit i is set while the key table with slot i knows this. */
    int indexed;

    private Matchable next0;
    private Matchable previous0;
    private Matchable chain0;
    private Matchable next1;
    private Matchable previous1;
    private Matchable chain1;
    private Matchable next2;
    private Matchable previous2;
    private Matchable chain2;
    private Matchable next3;
    private Matchable previous3;
    private Matchable chain3;

    Matchable() {}

    /** The later one with the same key; the last one's is the first. */
    final Matchable keyNext(int slot) {
        return switch (slot) {
            case 0 -> next0;
            case 1 -> next1;
            case 2 -> next2;
            default -> next3;
        };
    }

    final void keyNext(int slot, Matchable to) {
        switch (slot) {
            case 0 -> next0 = to;
            case 1 -> next1 = to;
            case 2 -> next2 = to;
            default -> next3 = to;
        }
    }

    /** The earlier one with the same key; the first one's is the last. */
    final Matchable keyPrevious(int slot) {
        return switch (slot) {
            case 0 -> previous0;
            case 1 -> previous1;
            case 2 -> previous2;
            default -> previous3;
        };
    }

    final void keyPrevious(int slot, Matchable to) {
        switch (slot) {
            case 0 -> previous0 = to;
            case 1 -> previous1 = to;
            case 2 -> previous2 = to;
            default -> previous3 = to;
        }
    }

    /**
     * For the first of its key, the first of the next key in the bucket; itself for all others, which are in no bucket.
     */
    final Matchable chain(int slot) {
        return switch (slot) {
            case 0 -> chain0;
            case 1 -> chain1;
            case 2 -> chain2;
            default -> chain3;
        };
    }

    final void chain(int slot, Matchable to) {
        switch (slot) {
            case 0 -> chain0 = to;
            case 1 -> chain1 = to;
            case 2 -> chain2 = to;
            default -> chain3 = to;
        }
    }

    /** The envelope in words, for errors. */
    final String envelope() {
        return "context " + contextId + ", source " + source + ", tag " + tag;
    }
}
