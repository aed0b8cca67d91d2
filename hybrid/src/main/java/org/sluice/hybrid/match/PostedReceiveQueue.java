package org.sluice.hybrid.match;

import java.util.function.Consumer;
import org.sluice.device.Device;

/**
 * The receives that wait for a message.
 *
 * <p>One table holds the receives of all four patterns, since a wildcard is a value that no message has; counts by
 * pattern spare the look-ups that can find nothing.
 */
public final class PostedReceiveQueue extends WaitingList {
    private static final int ANY_SOURCE_BIT = 1;
    private static final int ANY_TAG_BIT = 2;
    /** As many neighbours as most programs receive from at a time. */
    private static final int LOOKED_THROUGH = 8;

    private final KeyTable table = new KeyTable(this, 0, true, true);
    /** Receives in the table by pattern. */
    private final int[] patterns = new int[4];

    private long nextOrder;

    public void add(PostedReceive receive) {
        append(receive);
        receive.order = nextOrder++;
    }

    /**
     * Removes and returns the receive that a message with this envelope belongs to: the first posted that accepts it;
     * or null.
     */
    public PostedReceive take(int contextId, int source, int tag) {
        PostedReceive oldest = (PostedReceive) first;
        if (oldest == null) {
            return null;
        }
        // The oldest receive of all is the oldest of those that match, whatever its pattern.
        PostedReceive found = oldest.accepts(contextId, source, tag) ? oldest : find(contextId, source, tag);
        if (found != null) {
            takeOut(found);
        }
        return found;
    }

    /**
     * True when no receive that was posted before this one could take a message of its source; false also where finding
     * out would take longer than it is worth.
     *
     * @param receive one that waits here, or null for one that would be posted next
     */
    public boolean isFirstOf(int source, PostedReceive receive) {
        int left = LOOKED_THROUGH;
        for (Matchable before = first; before != receive; before = before.next) {
            if (left-- == 0 || before.source == source || before.source == Device.ANY_SOURCE) {
                return false;
            }
        }
        return true;
    }

    private PostedReceive find(int contextId, int source, int tag) {
        PostedReceive found = findIndexed(contextId, source, tag);
        if (found == null) {
            found = (PostedReceive) table.firstUnindexed();
            while (found != null && !found.accepts(contextId, source, tag)) {
                patterns[pattern(found)]++;
                found = (PostedReceive) table.indexNext();
            }
        }
        return found;
    }

    private PostedReceive findIndexed(int contextId, int source, int tag) {
        PostedReceive found = null;
        if (patterns[0] != 0) {
            found = (PostedReceive) table.find(contextId, source, tag);
        }
        if (patterns[ANY_SOURCE_BIT] != 0) {
            found = older(found, table.find(contextId, Device.ANY_SOURCE, tag));
        }
        if (patterns[ANY_TAG_BIT] != 0) {
            found = older(found, table.find(contextId, source, Device.ANY_TAG));
        }
        if (patterns[ANY_SOURCE_BIT | ANY_TAG_BIT] != 0) {
            found = older(found, table.find(contextId, Device.ANY_SOURCE, Device.ANY_TAG));
        }
        return found;
    }

    private static PostedReceive older(PostedReceive found, Matchable candidate) {
        PostedReceive other = (PostedReceive) candidate;
        return found == null || (other != null && other.order < found.order) ? other : found;
    }

    private static int pattern(Matchable receive) {
        return (receive.source == Device.ANY_SOURCE ? ANY_SOURCE_BIT : 0)
                | (receive.tag == Device.ANY_TAG ? ANY_TAG_BIT : 0);
    }

    /** Takes a receive back; false if it isn't posted here, because it has been matched for instance. */
    public boolean remove(PostedReceive receive) {
        if (receive.owner != this) {
            return false;
        }
        takeOut(receive);
        return true;
    }

    private void takeOut(PostedReceive receive) {
        if (receive.indexed != 0) {
            table.remove(receive);
            patterns[pattern(receive)]--;
        }
        unlink(receive);
        receive.order = 0;
    }

    /**
     * Visits all receives posted now, oldest first; the visitor may add and remove receives, and those it removed
     * aren't visited.
     */
    public void forEach(Consumer<? super PostedReceive> visitor) {
        for (Matchable receive : snapshot()) {
            if (receive.owner == this) {
                visitor.accept((PostedReceive) receive);
            }
        }
    }

    /** The oldest, or null. */
    public PostedReceive first() {
        return (PostedReceive) first;
    }

    /** The next younger one, or null. */
    public PostedReceive after(PostedReceive receive) {
        return (PostedReceive) receive.next;
    }

    KeyTable table() {
        return table;
    }
}
