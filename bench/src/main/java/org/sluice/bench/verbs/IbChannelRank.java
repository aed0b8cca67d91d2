package org.sluice.bench.verbs;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.sluice.bench.hop.Cores;
import org.sluice.ib.sim.TimedChannels;

/**
 * The main class of a process in which two ranks send each other messages over a simulated library. Prints what it
 * read. Argument: seconds.
 */
public final class IbChannelRank {
    /** Round trips between two reads of the clock, so few that most batches are disturbed by nothing. */
    private static final int BATCH = 50;

    private static final int BATCHES_MOST = 1_000_000;
    /** Of all batches so many are told, evenly. */
    private static final int TOLD = 1_000;
    /** So much of the time goes before, in which the compilers work: a third. */
    private static final int WARM_UP_PART = 3;

    private IbChannelRank() {}

    public static void main(String[] args) {
        int seconds = Integer.parseInt(args[0]);
        Cores cores = Cores.allowed();
        if (cores.count() > 1) {
            Cores.pinCaller(cores.number(1));
        }
        try (TimedChannels channels = new TimedChannels(IbChannelBench.BYTES)) {
            long warm = TimeUnit.SECONDS.toNanos(seconds) / WARM_UP_PART;
            for (long begin = System.nanoTime(); System.nanoTime() - begin < warm; ) {
                channels.exchange(BATCH);
            }
            Instructions instructions = new Instructions();
            IbChannelReading timed = time(channels, TimeUnit.SECONDS.toNanos(seconds));
            instructions.count(() -> channels.exchange(BATCH).messages());
            System.out.println(new IbChannelReading(
                            timed.messages(),
                            timed.own(),
                            timed.callNs(),
                            timed.calls(),
                            instructions.ofAMessage(),
                            instructions.why())
                    .encode());
        }
    }

    private static IbChannelReading time(TimedChannels channels, long nanos) {
        double[] own = new double[BATCHES_MOST];
        double[] calls = new double[BATCHES_MOST];
        long made = 0;
        int batches = 0;
        for (long begin = System.nanoTime(); batches < BATCHES_MOST && System.nanoTime() - begin < nanos; batches++) {
            TimedChannels.Times times = channels.exchange(BATCH);
            own[batches] = (double) times.ownNanos() / times.messages();
            calls[batches] = (double) times.callNanos() / times.messages();
            made += times.calls();
        }
        double[] sorted = Arrays.copyOf(own, batches);
        double[] sortedCalls = Arrays.copyOf(calls, batches);
        Arrays.sort(sorted);
        Arrays.sort(sortedCalls);
        long messages = 2L * BATCH * batches;
        return new IbChannelReading(messages, told(sorted), sortedCalls[batches / 2], (double) made / messages, -1, "");
    }

    private static double[] told(double[] sorted) {
        double[] told = new double[Math.min(TOLD, sorted.length)];
        for (int i = 0; i < told.length; i++) {
            told[i] = sorted[(int) ((long) i * (sorted.length - 1) / Math.max(1, told.length - 1))];
        }
        return told;
    }
}
