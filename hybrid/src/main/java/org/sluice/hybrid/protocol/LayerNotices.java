package org.sluice.hybrid.protocol;

import java.util.ArrayDeque;
import java.util.List;
import org.sluice.device.layer.LayerActivity;
import org.sluice.device.layer.LayerNotice;
import org.sluice.device.layer.LayerWatcher;
import org.sluice.hybrid.request.Failure;

/**
 * What a layer is told, once the round is over in which it came: a channel that hands up is in the middle of its own
 * work.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code LayerTest}.
 */
final class LayerNotices {
    /** Peers say so much before there is somebody who listens, and no more is believed. */
    private static final int MOST = 1 << 16;

    private record Notice(int peer, LayerNotice words) {}

    private final ArrayDeque<Notice> came = new ArrayDeque<>();
    private final LayerWatcher.Ending ending;
    private final LayerWatcher.Telling telling;
    private LayerWatcher watcher;

    LayerNotices(LayerWatcher.Ending ending, LayerWatcher.Telling telling) {
        this.ending = ending;
        this.telling = telling;
    }

    void watch(LayerWatcher newWatcher) {
        watcher = newWatcher;
    }

    List<LayerActivity> activities() {
        return watcher == null ? List.of() : watcher.activities();
    }

    void add(int peer, LayerNotice words) {
        if (came.size() < MOST) {
            came.add(new Notice(peer, words));
        }
    }

    boolean isDue() {
        return watcher != null && !came.isEmpty();
    }

    void tell() {
        for (Notice next; (next = came.poll()) != null; ) {
            watcher.noticed(next.peer, next.words, ending);
        }
    }

    void look() {
        if (watcher != null) {
            watcher.looks(telling);
        }
    }

    void died(Failure failure) {
        if (watcher != null) {
            watcher.died(failure.peer(), failure.code(), failure.message(), ending);
        }
    }
}
