package org.sluice.bench.contestant;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines that something printed. <i>Thread</i>: any. */
final class LastLines {
    private static final int KEPT = 12;

    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
        lines.add(line);
        if (lines.size() > KEPT) {
            lines.remove();
        }
    }

    /** For the end of a sentence. */
    @Override
    public synchronized String toString() {
        return lines.isEmpty() ? "it printed nothing" : "its last lines:\n    " + String.join("\n    ", lines);
    }
}
