package org.sluice.hybrid.match;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.sluice.device.Device;

/**
 * The messages that wait for a receive.
 *
 * <p>There is one table for each pattern, because a message doesn't know which receive will ask for it. A table only
 * holds messages that a search by its pattern had to pass: a program pays for the patterns that it uses.
 */
public final class UnexpectedMessageQueue extends WaitingList {
    private final KeyTable exact = new KeyTable(this, 0, true, true);
    private final KeyTable anySource = new KeyTable(this, 1, false, true);
    private final KeyTable anyTag = new KeyTable(this, 2, true, false);
    private final KeyTable anySourceAnyTag = new KeyTable(this, 3, false, false);
    /** Waiting messages by source. */
    private int[] bySource = new int[16];

    public void add(UnexpectedMessage message) {
        int source = message.source;
        if (source >= bySource.length) {
            bySource = Arrays.copyOf(bySource, Math.max(source + 1, bySource.length * 2));
        }
        append(message);
        bySource[source]++;
    }

    /** Removes and returns the first arrived message that a receive with these arguments accepts; or null. */
    public UnexpectedMessage take(int contextId, int sourceOrAny, int tagOrAny) {
        UnexpectedMessage found = peek(contextId, sourceOrAny, tagOrAny);
        if (found != null) {
            takeOut(found);
        }
        return found;
    }

    /** The message that {@link #take} would remove. */
    public UnexpectedMessage peek(int contextId, int sourceOrAny, int tagOrAny) {
        UnexpectedMessage oldest = (UnexpectedMessage) first;
        // The oldest message of all is the oldest of those that fit, whatever the pattern.
        if (oldest == null || oldest.fits(contextId, sourceOrAny, tagOrAny)) {
            return oldest;
        }
        KeyTable table = tableFor(sourceOrAny, tagOrAny);
        UnexpectedMessage found = (UnexpectedMessage) table.find(contextId, sourceOrAny, tagOrAny);
        if (found == null) {
            found = (UnexpectedMessage) table.firstUnindexed();
            while (found != null && !found.fits(contextId, sourceOrAny, tagOrAny)) {
                found = (UnexpectedMessage) table.indexNext();
            }
        }
        return found;
    }

    private KeyTable tableFor(int sourceOrAny, int tagOrAny) {
        if (tagOrAny == Device.ANY_TAG) {
            return sourceOrAny == Device.ANY_SOURCE ? anySourceAnyTag : anyTag;
        }
        return sourceOrAny == Device.ANY_SOURCE ? anySource : exact;
    }

    /** Takes a message out; false if it doesn't wait here, because it has been taken for instance. */
    public boolean remove(UnexpectedMessage message) {
        if (message.owner != this) {
            return false;
        }
        takeOut(message);
        return true;
    }

    private void takeOut(UnexpectedMessage message) {
        if (message.indexed != 0) {
            unlinkFromTables(message);
        }
        unlink(message);
        bySource[message.source]--;
    }

    private void unlinkFromTables(UnexpectedMessage message) {
        int indexed = message.indexed;
        if ((indexed & 1) != 0) {
            exact.remove(message);
        }
        if ((indexed & 2) != 0) {
            anySource.remove(message);
        }
        if ((indexed & 4) != 0) {
            anyTag.remove(message);
        }
        if ((indexed & 8) != 0) {
            anySourceAnyTag.remove(message);
        }
    }

    /** The newest message that the filter picks, or null. */
    public UnexpectedMessage newest(Predicate<? super UnexpectedMessage> filter) {
        Matchable each = last;
        while (each != null && !filter.test((UnexpectedMessage) each)) {
            each = each.previous;
        }
        return (UnexpectedMessage) each;
    }

    /** Messages of one source that wait, in all contexts. */
    public int countFrom(int source) {
        return source < bySource.length ? bySource[source] : 0;
    }

    /**
     * Visits all messages waiting now, oldest first; the visitor may add and remove messages, and those it removed
     * aren't visited.
     */
    public void forEach(Consumer<? super UnexpectedMessage> visitor) {
        for (Matchable message : snapshot()) {
            if (message.owner == this) {
                visitor.accept((UnexpectedMessage) message);
            }
        }
    }

    /** The table of a pattern, for tests. */
    KeyTable table(int sourceOrAny, int tagOrAny) {
        return tableFor(sourceOrAny, tagOrAny);
    }
}
