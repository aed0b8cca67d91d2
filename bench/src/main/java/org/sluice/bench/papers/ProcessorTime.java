package org.sluice.bench.papers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What all processors have done since the machine began, in the kernel's ticks. */
record ProcessorTime(long all, long idle, long steal) {
    private static final Path STAT = Path.of("/proc/stat");
    private static final int IDLE = 4;
    private static final int IOWAIT = 5;
    private static final int STEAL = 8;
    private static final double PERCENT = 100;

    /** Nothing at all if the kernel doesn't say. */
    static ProcessorTime now() {
        try {
            return parse(Files.readAllLines(STAT).get(0));
        } catch (IOException e) {
            return new ProcessorTime(0, 0, 0);
        }
    }

    /** @param line the first of /proc/stat */
    static ProcessorTime parse(String line) {
        String[] words = line.trim().split(" +");
        long all = 0;
        // What guests take is in the two fields before, too.
        for (int i = 1; i < words.length && i <= STEAL; i++) {
            all += Long.parseLong(words[i]);
        }
        return new ProcessorTime(
                all,
                Long.parseLong(words[IDLE]) + Long.parseLong(words[IOWAIT]),
                words.length > STEAL ? Long.parseLong(words[STEAL]) : 0);
    }

    /** In percent of the time between. */
    double busySince(ProcessorTime before) {
        return all == before.all ? 0 : PERCENT * (1 - (double) (idle - before.idle) / (all - before.all));
    }

    double stealSince(ProcessorTime before) {
        return all == before.all ? 0 : PERCENT * (steal - before.steal) / (all - before.all);
    }
}
