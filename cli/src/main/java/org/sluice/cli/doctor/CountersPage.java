package org.sluice.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sluice.device.counter.Counter;

/**
 * Makes docs/reference/counters.md out of the declarations of the counters; a test compares the page with what is made
 * here.
 */
public final class CountersPage {
    private CountersPage() {}

    /** Called as {@code CountersPage FILE}: writes the page there. */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("one argument is needed: the file to write, docs/reference/counters.md");
        }
        Files.writeString(Path.of(args[0]), text());
    }

    public static String text() {
        StringBuilder page = new StringBuilder("""
            # Counters

            This page is generated from the declarations in `org.sluice.device.counter.Counter` by
            `org.sluice.cli.doctor.CountersPage`; a test compares the two.

            `Device.counters()` returns a snapshot by name while the job runs: sums over all peers and channels of
            this device, since it opened. Each count is written by one thread at a time under a lock that it holds
            anyway, and read without one. So a snapshot may be a little late, and its numbers need not be of one
            moment. They never run backwards.

            Take one before and one after what you want to look at, and subtract: what a program does with other
            ranks (a barrier, for instance) counts too.

            | counter | counts |
            | --- | --- |
            """);
        for (Counter counter : Counter.values()) {
            page.append("| `")
                    .append(counter.key())
                    .append("` | ")
                    .append(counter.help())
                    .append(" |\n");
        }
        return page.toString();
    }
}
