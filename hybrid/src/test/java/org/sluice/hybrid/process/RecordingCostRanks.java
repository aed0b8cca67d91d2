package org.sluice.hybrid.process;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import org.sluice.device.Device;
import org.sluice.device.Status;

/**
 * Program of {@code RecordingCostProcessTest}: rank 0 sends to rank 1, before a recording, under one and after it, and
 * both tell what that allocated in the cheapest of many rounds. In each round first come messages that nobody waits
 * for, as they find room and are there when they are received, then some that are waited for.
 */
final class RecordingCostRanks {
    private static final int TAG = 7;
    /** Behind those that nobody waits for. */
    private static final int LAST = 8;

    private static final int READY = 9;
    private static final int MESSAGES = 64;
    private static final int WAITS = 4;
    /** Longer than a receive looks before it begins to wait. */
    private static final long PAUSE_NANOS = 1_000_000;

    private static final int ROUNDS = 150;
    /** Those before warm up, and have the recording noticed. */
    private static final int COUNTED = 50;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Device device;
    private final byte[] message = new byte[8];
    private final byte[] nothing = new byte[0];
    private final Status status = new Status();
    private long waited;

    private RecordingCostRanks(Device device) {
        this.device = device;
    }

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            RecordingCostRanks rank = new RecordingCostRanks(device);
            rank.tell("before");
            Say.awaitTest("record");
            Recorder.recorded(() -> rank.tell("under"));
            rank.tell("after");
        }
    }

    /** Apart, so that nothing of the recorder is loaded before. */
    private static final class Recorder {
        static void recorded(Runnable body) {
            try (Recording recording = new Recording()) {
                recording.enable("org.sluice.SlowRequest");
                recording.start();
                body.run();
            }
        }
    }

    private void tell(String when) {
        long atOnce = Long.MAX_VALUE;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            waited = 0;
            long bytes = device.rank() == 0 ? send() : receive();
            if (round >= ROUNDS - COUNTED) {
                atOnce = Math.min(atOnce, bytes);
                least = Math.min(least, waited);
            }
        }
        Say.line(when + " " + atOnce + " " + least);
    }

    private long send() {
        device.recv(nothing, 1, READY, status);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MESSAGES; i++) {
            device.send(message, 1, TAG);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        device.send(nothing, 1, LAST);
        for (int i = 0; i < WAITS; i++) {
            device.recv(nothing, 1, READY, status);
            LockSupport.parkNanos(PAUSE_NANOS);
            device.send(message, 1, TAG);
        }
        return bytes;
    }

    private long receive() {
        device.send(nothing, 0, READY);
        device.probe(0, LAST);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MESSAGES; i++) {
            device.recv(message, 0, TAG, status);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        device.recv(nothing, 0, LAST, status);
        for (int i = 0; i < WAITS; i++) {
            device.send(nothing, 0, READY);
            long beforeWait = threads.getCurrentThreadAllocatedBytes();
            device.recv(message, 0, TAG, status);
            waited += threads.getCurrentThreadAllocatedBytes() - beforeWait;
        }
        return bytes;
    }
}
