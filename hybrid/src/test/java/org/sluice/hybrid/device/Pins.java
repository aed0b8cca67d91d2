package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records which virtual threads of this JVM wait and can't leave their carriers: for a native frame or, on 21, a
 * monitor; and at the end one that is made so on purpose, as one who records nothing would find nothing.
 */
public final class Pins implements AutoCloseable {
    private static final String EVENT = "jdk.VirtualThreadPinned";
    private static final int FRAMES = 12;

    private final Recording before = new Recording();
    private final Recording recording = new Recording();

    /**
     * Who loads or waits for a class is pinned, and that once: what is to be seen is done before {@link #begin} too,
     * with a recording, which has classes of its own.
     */
    public Pins() {
        before.start();
    }

    public void begin() {
        recording.enable(EVENT).withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
    }

    /** @return where threads waited so with Sluice's frames on their stacks */
    public List<String> end() throws Exception {
        // As the tests are compiled for 17.
        Method starter = Thread.class.getMethod("startVirtualThread", Runnable.class);
        ((Thread) starter.invoke(null, (Runnable) OnPurpose::waitAWhile)).join();
        recording.stop();
        Path file = Files.createTempFile("pins-", ".jfr");
        try {
            recording.dump(file);
            return ofSluice(RecordingFile.readAllEvents(file));
        } finally {
            Files.delete(file);
        }
    }

    private static List<String> ofSluice(List<RecordedEvent> events) {
        List<String> found = new ArrayList<>();
        int onPurpose = 0;
        for (RecordedEvent event : events) {
            if (event.getEventType().getName().equals(EVENT) && event.getStackTrace() != null) {
                List<String> frames = event.getStackTrace().getFrames().stream()
                        .map(Pins::name)
                        .toList();
                if (frames.stream().anyMatch(frame -> frame.startsWith(OnPurpose.class.getName()))) {
                    onPurpose++;
                } else if (frames.stream().anyMatch(frame -> frame.startsWith("org.sluice."))) {
                    found.add(frames.stream().limit(FRAMES).toList().toString());
                }
            }
        }
        assertTrue(onPurpose > 0, "not even the one that is pinned on purpose was recorded");
        return found;
    }

    private static String name(RecordedFrame frame) {
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }

    @Override
    public void close() {
        before.close();
        recording.close();
    }

    /** A class's initializer is called by native code. */
    private static final class OnPurpose {
        static {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }

        static void waitAWhile() {}
    }
}
