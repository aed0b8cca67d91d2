package org.sluice.bench.gc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A thread that asks for a collection again and again. The JVM's own recording says when each of them began, with the
 * clock that also says when it was asked for.
 *
 * <p><i>Thread</i>: one begins and ends it. <i>Owns</i>: the thread and the recording, until {@link #end}.
 */
final class Collecting {
    private static final String ASKED = "org.sluice.bench.AskedForCollection";
    private static final String COLLECTION = "jdk.GarbageCollection";
    /** Between the end of a collection and the next: messages are to run most of the time. */
    private static final long REST_MS = 20;

    /** From asking until the collection is over. */
    @Name(ASKED)
    @StackTrace(false)
    static final class Asked extends Event {}

    /** A collection that was asked for, and how long it took to begin. */
    record Wait(Instant asked, long nanos) {}

    private final Recording recording = new Recording();
    private final Thread thread = new Thread(this::collect, "bench-collecting");
    private volatile boolean over;

    void begin() {
        recording.enable(Asked.class).withoutThreshold();
        recording.enable(COLLECTION).withoutThreshold();
        recording.start();
        thread.setDaemon(true);
        thread.start();
    }

    private void collect() {
        try {
            while (!over) {
                Asked asked = new Asked();
                asked.begin();
                System.gc();
                asked.commit();
                Thread.sleep(REST_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the thread, and says how long each collection waited. */
    List<Wait> end() throws IOException, InterruptedException {
        over = true;
        thread.join();
        Path file = Files.createTempFile("sluice-bench-", ".jfr");
        try (recording) {
            recording.stop();
            recording.dump(file);
            return waits(RecordingFile.readAllEvents(file));
        } finally {
            Files.delete(file);
        }
    }

    private static List<Wait> waits(List<RecordedEvent> events) {
        NavigableSet<Instant> begun = new TreeSet<>();
        for (RecordedEvent event : events) {
            if (event.getEventType().getName().equals(COLLECTION)) {
                begun.add(event.getStartTime());
            }
        }
        List<Wait> waits = new ArrayList<>();
        for (RecordedEvent event : events) {
            if (event.getEventType().getName().equals(ASKED)) {
                Instant first = begun.ceiling(event.getStartTime());
                if (first != null && !first.isAfter(event.getEndTime())) {
                    waits.add(new Wait(
                            event.getStartTime(),
                            Duration.between(event.getStartTime(), first).toNanos()));
                }
            }
        }
        return waits;
    }
}
