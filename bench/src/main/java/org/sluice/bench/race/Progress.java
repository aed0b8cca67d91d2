package org.sluice.bench.race;

import java.io.PrintStream;

/** A line on the terminal that says what is going on; without a terminal only warnings. */
public final class Progress {
    private static final int WIDTH = 78;

    private final PrintStream out;
    private final boolean terminal;
    private volatile boolean mute;

    public Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void say(String what) {
        if (terminal) {
            out.print("\r" + String.format("%-" + WIDTH + "." + WIDTH + "s", what));
            out.flush();
        }
    }

    /** Says no more: the harness is being ended, and what its contestants die of is known. */
    public void mute() {
        mute = true;
    }

    void warn(String what) {
        if (mute) {
            return;
        }
        done();
        out.println(what);
    }

    void done() {
        if (terminal) {
            out.print("\r" + " ".repeat(WIDTH) + "\r");
            out.flush();
        }
    }
}
