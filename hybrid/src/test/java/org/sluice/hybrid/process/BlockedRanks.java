package org.sluice.hybrid.process;

import java.util.Arrays;
import java.util.Map;
import org.sluice.device.Device;
import org.sluice.hybrid.progress.ProgressEngine;

/**
 * Program of {@link PeerDeathProcessTest}: rank 0 is blocked in the call that the argument names, and does nothing
 * else; rank 1 never answers.
 */
final class BlockedRanks {
    private static final int VICTIM = 1;
    private static final int TAG = 5;
    private static final int LARGE = 4 << 20;
    private static final int SMALL = 1000;
    private static final long FOR_EVER_MS = 60_000;
    /** The last of them is as long as sleeps become. */
    private static final long SETTLED_SLEEPS = 3;

    private final Device device;
    private final Thread caller = Thread.currentThread();

    private BlockedRanks(Device device) {
        this.device = device;
    }

    /** Called with the call, and with true where it is to be asleep when its peer dies. */
    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            device.barrier();
            if (device.rank() == VICTIM) {
                Thread.sleep(FOR_EVER_MS);
                throw new IllegalStateException("the victim lives on");
            }
            new BlockedRanks(device).run(args[0], Boolean.parseBoolean(args[1]));
        }
    }

    private void run(String call, boolean asleep) {
        Map<String, Runnable> calls = Map.of(
                "recv", () -> device.recv(new byte[8], VICTIM, TAG),
                "wildcard", () -> device.recv(new byte[8], Device.ANY_SOURCE, TAG),
                "ssend", () -> device.ssend(new byte[8], VICTIM, TAG),
                "rendezvous", () -> device.send(new byte[LARGE], VICTIM, TAG),
                "flood", this::sendForEver);
        Thread watcher = new Thread(() -> tellWhenBlocked(asleep), "watcher");
        watcher.setDaemon(true);
        watcher.start();
        Say.failure(call, calls.get(call));
        Say.line("parks " + device.counters().get("parks"));
    }

    private void sendForEver() {
        while (true) {
            device.send(new byte[SMALL], VICTIM, TAG);
        }
    }

    private void tellWhenBlocked(boolean asleep) {
        try {
            long sleepsBefore = device.counters().get("sleeps");
            while (asleep
                    ? device.counters().get("sleeps") - sleepsBefore < SETTLED_SLEEPS || !isParked(caller.getState())
                    : !waitsInDevice()) {
                Thread.sleep(1);
            }
            Say.line("blocked");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Who waits for ever looks now and then whether the device was left half-way. */
    private static boolean isParked(Thread.State state) {
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private boolean waitsInDevice() {
        return Arrays.stream(caller.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(ProgressEngine.class.getName())
                        && frame.getMethodName().equals("await"));
    }
}
