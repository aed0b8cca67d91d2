package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.device.Storm;
import org.sluice.hybrid.device.StormOfCalls;

/**
 * One rank of a job in which others are killed and stopped: called with the seed, the messages of a round, and for how
 * many seconds rounds begin. What it hears of others' ends it prints; what came wrong ends it with a status of its own.
 */
public final class DisturbedRanks {
    public static final int WRONG = 3;

    private DisturbedRanks() {}

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[0]);
        int messages = Integer.parseInt(args[1]);
        int seconds = Integer.parseInt(args[2]);
        try (Device device = Device.open()) {
            device.barrier();
            Say.line("begun");
            StormOfCalls.on(device, seed, messages);
            int rounds = Storm.forSeconds(device, seed, messages, seconds);
            StormOfCalls.on(device, seed + 1, messages);
            Say.line("all came, in " + rounds + " rounds");
        } catch (Exception | Error e) {
            SluiceException end = endOfAnother(e);
            if (end == null) {
                e.printStackTrace();
                Say.line("WRONG: " + e);
                Runtime.getRuntime().halt(WRONG);
            }
            Say.line("heard: " + end.code());
        }
    }

    /** What a call throws when another rank or the whole job has ended; null: it is something else. */
    private static SluiceException endOfAnother(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SluiceException failure) {
                return switch (failure.code()) {
                    case PEER_DEAD, PEER_CLOSED, DEVICE_CLOSED, OPEN_FAILED -> failure;
                    default -> null;
                };
            }
        }
        return null;
    }
}
