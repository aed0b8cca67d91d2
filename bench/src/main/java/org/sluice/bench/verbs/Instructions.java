package org.sluice.bench.verbs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.sluice.jni.os.Os;

/**
 * How many instructions the calling thread executes for a message, by {@code perf}, if that is here and the processor
 * lets it count.
 */
final class Instructions {
    private static final String EVENT = "instructions:u";
    private static final String SECONDS = "0.5";
    private static final int PATIENCE_S = 5;

    private double ofAMessage = -1;
    private String why = "";

    /** @param work exchanges messages for a moment, and says how many */
    void count(LongSupplier work) {
        int thread = Os.calls().gettid();
        if (thread <= 0) {
            why = "the native library is not loaded";
            return;
        }
        try {
            Process perf = new ProcessBuilder(
                            "perf", "stat", "-x,", "-e", EVENT, "-t", Integer.toString(thread), "sleep", SECONDS)
                    .redirectErrorStream(true)
                    .start();
            long messages = 0;
            while (perf.isAlive()) {
                messages += work.getAsLong();
            }
            perf.waitFor(PATIENCE_S, TimeUnit.SECONDS);
            read(new String(perf.getInputStream().readAllBytes()), messages);
        } catch (IOException e) {
            why = "there is no perf";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = "interrupted";
        }
    }

    /** @param said {@code NUMBER,,instructions:u,...}, or why there is none in its place */
    void read(String said, long messages) {
        for (String line : said.split("\n")) {
            String[] fields = line.split(",");
            if (line.contains(EVENT) && fields[0].matches("[0-9]+")) {
                ofAMessage = Double.parseDouble(fields[0]) / messages;
                return;
            }
            if (line.contains(EVENT)) {
                why = "perf says " + fields[0];
            }
        }
        why = why.isEmpty() ? "perf counts nothing here" : why;
    }

    /** Negative where that can't be counted. */
    double ofAMessage() {
        return ofAMessage;
    }

    String why() {
        return why;
    }
}
