package org.sluice.hybrid.process;

import java.util.Arrays;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Rank 0 sends rank 1 as many messages as the argument says, many at once, of 8 to 64 bytes; rank 1 knows what each has
 * to be. By hand, over SoftRoCE (docs/project/testing.md says how).
 */
final class CountedRanks {
    private static final int ON_THE_WAY = 1024;
    private static final int LONGEST_WORDS = 8;
    private static final int TAG = 5;
    private static final int REPORTS = 10;

    private CountedRanks() {}

    public static void main(String[] args) {
        long messages = Long.parseLong(args[0]);
        try (Device device = Device.open()) {
            long start = System.nanoTime();
            if (device.rank() == 0) {
                send(device, messages, start);
            } else {
                receive(device, messages, start);
            }
            report(device, messages, start);
            System.out.println("rank " + device.rank() + ": " + messages + " messages, "
                    + device.counters().get("work.requests") + " work requests");
        }
    }

    private static int words(long number) {
        return 1 + (int) (number * 0x9E3779B97F4A7C15L >>> 61);
    }

    private static void fill(long[] body, long number) {
        for (int i = 0; i < LONGEST_WORDS; i++) {
            body[i] = (number + i) * 0xD1342543DE82EF95L;
        }
    }

    private static void report(Device device, long done, long start) {
        System.out.println(
                "rank " + device.rank() + ": " + done + " after " + (System.nanoTime() - start) / 1_000_000_000 + " s");
    }

    private static void send(Device device, long messages, long start) {
        long[][] bodies = new long[ON_THE_WAY][LONGEST_WORDS];
        Request[] sent = new Request[ON_THE_WAY];
        for (long i = 0; i < messages; i++) {
            int place = (int) (i % ON_THE_WAY);
            if (sent[place] != null) {
                sent[place].waitFor();
            }
            fill(bodies[place], i);
            sent[place] = device.isend(bodies[place], 0, words(i), 1, TAG);
            if ((i + 1) % Math.max(1, messages / REPORTS) == 0) {
                report(device, i + 1, start);
            }
        }
        device.waitAll(sent);
        device.recv(new byte[1], 1, TAG);
    }

    private static void receive(Device device, long messages, long start) {
        long[] body = new long[LONGEST_WORDS];
        long[] expected = new long[LONGEST_WORDS];
        Status status = new Status();
        for (long i = 0; i < messages; i++) {
            device.recv(body, 0, LONGEST_WORDS, 0, TAG, 0, status);
            fill(expected, i);
            int words = words(i);
            Say.check(
                    status.count() == words && Arrays.equals(body, 0, words, expected, 0, words),
                    "message " + i + " came as " + status);
            if ((i + 1) % Math.max(1, messages / REPORTS) == 0) {
                report(device, i + 1, start);
            }
        }
        device.send(new byte[1], 0, TAG);
    }
}
