package org.sluice.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * The connection of a rank's JVM to its launcher, for as long as both live. By it the JVM notices that its launcher
 * ended, however it ended, and then exits, as nobody is left who would end it. And on it the launcher is told what it
 * can't see of a rank's end. Of one that is a thread: that its program has ended; who waits for it to open a device
 * would wait until the time is up; and whether it failed. And of one whose program ends with an exception: of which
 * other rank's end that came. No other connection may say so of these ranks.
 *
 * <p>Thread: any; one of its own, a daemon, reads.
 *
 * <p>Owns: the connection.
 *
 * <p>Fails: at the launcher's end by ending the JVM with the status of a SIGTERM, unless it is to live on.
 *
 * <p>Proof: {@code LauncherDeathProcessTest}, {@code UnreadOrphanProcessTest}, {@code LastWordTest},
 * {@code OrphanAtItsEndProcessTest}.
 */
final class JvmLine {
    /** In place of the rank that is to blame. */
    static final int NOBODY = -1;

    private static final int STATUS = 143;
    /** In all, whatever hangs: an orphan is gone within two seconds. */
    private static final long END_PATIENCE_MS = 1500;

    private static final long PRINT_PATIENCE_MS = 300;
    private static final int HELLO_PATIENCE_MS = 20_000;
    private static final int ANSWER_PATIENCE_MS = 2000;

    private final JobAddress address;
    private final ServerLine line;
    private final String ranks;
    private final boolean outlives;
    private int said;
    private int heard;
    private boolean isOver;

    private JvmLine(JobAddress address, ServerLine line, String ranks, boolean outlives) {
        this.address = address;
        this.line = line;
        this.ranks = ranks;
        this.outlives = outlives;
    }

    /**
     * Of the JVM that these options are of.
     *
     * @param outlives that this JVM lives on when the launcher ends
     * @throws SluiceException OPEN_FAILED where there is no launcher, or it has such a line
     */
    static JvmLine hold(Options options, boolean outlives) {
        return hold(
                JobAddress.of(options),
                options.count(Option.JOB_RANK),
                options.count(Option.JOB_JVM_RANKS),
                options.count(Option.JOB_SIZE),
                outlives);
    }

    static JvmLine hold(JobAddress address, int firstRank, int jvmRanks, int size, boolean outlives) {
        try {
            byte[] hello = Hello.frame(Hello.ROLE_JVM, firstRank, jvmRanks, size, SluiceVersion.CURRENT);
            JvmLine held = new JvmLine(
                    address,
                    ServerLine.join(address, hello, HELLO_PATIENCE_MS),
                    RankList.range(firstRank, jvmRanks),
                    outlives);
            Thread watcher = new Thread(null, held::watch, "sluice-life-line", 0, false);
            watcher.setDaemon(true);
            watcher.start();
            lookFromExitOn(held.line);
            return held;
        } catch (ServerLine.Refused e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED, "refused by the job's launcher at " + address + ": " + e.getMessage());
        } catch (IOException e) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    "the launcher at " + address + " doesn't answer ("
                            + e.getMessage()
                            + "): it has ended, or is stopped; start ranks with ./sluice run",
                    e);
        }
    }

    /** A launcher that ends while the program's shutdown hooks run is noticed all the same. */
    private static void lookFromExitOn(ServerLine line) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread("sluice-exit-line") {
                @Override
                public void run() {
                    line.look();
                }
            });
        } catch (IllegalStateException e) {
            // This JVM has begun to end: it only takes longer.
            return;
        }
    }

    /**
     * @param blame null where no other rank's end has anything to do with it
     * @param reason what it failed of by itself; empty if it did not, or there is nothing to tell
     * @param failed that it failed, and its JVM lives on
     * @return false where the launcher has not answered that it knows
     */
    boolean lastWord(int rank, Blame blame, String reason, boolean failed) {
        byte[] frame = new Frame.Writer(Frame.LAST_WORD)
                .number(rank)
                .number(blame == null ? NOBODY : blame.peer())
                .flag(blame != null && blame.certain() ? 1 : 0)
                .flag(failed ? 1 : 0)
                .text(reason)
                .finish();
        try {
            // Answers come in the order of what was said.
            synchronized (this) {
                line.write(frame);
                return isHeard(++said);
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** Interrupts are kept, and end no wait. */
    private boolean isHeard(int word) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_PATIENCE_MS);
        boolean interrupted = false;
        for (long leftMs = ANSWER_PATIENCE_MS; heard < word && !isOver && leftMs > 0; leftMs = ServerLine.leftMs(end)) {
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return heard >= word;
    }

    /** Nothing but answers comes on this connection: whatever else comes of a read is its end. */
    private void watch() {
        String how = "the thread that reads from it failed";
        try {
            for (ByteBuffer frame = read(); frame.get(0) == Frame.HEARD; frame = read()) {
                synchronized (this) {
                    heard++;
                    notifyAll();
                }
            }
            how = "it said something unexpected";
        } catch (IOException e) {
            how = e.getMessage();
        } finally {
            line.close();
            synchronized (this) {
                isOver = true;
                notifyAll();
            }
            if (!outlives) {
                endOrphan(how);
            }
        }
    }

    private ByteBuffer read() throws IOException {
        return line.read(Frame.TEXT_LIMIT_BYTES, ServerLine.NEVER);
    }

    private void endOrphan(String how) {
        try {
            if (address.isLocal()) {
                // Where it was killed it could not do that itself.
                JobFolder.remove(Path.of(address.text()));
            }
        } finally {
            endJvm(ranks, how);
        }
    }

    /**
     * Doesn't return.
     *
     * @param how it was noticed
     */
    static void endJvm(String ranks, String how) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_PATIENCE_MS);
        try {
            LastLines.print(
                    "sluice: " + ranks + ": the launcher ended (" + how + "), so this JVM ends too"
                            + System.lineSeparator(),
                    PRINT_PATIENCE_MS);
            Thread exit = new Thread(null, () -> System.exit(STATUS), "sluice-exit", 0, false);
            exit.setDaemon(true);
            exit.start();
            ServerLine.join(exit, Math.max(0, ServerLine.leftMs(end)));
        } finally {
            // A shutdown hook of the program hangs: it may well wait for a rank that is no more, or for who reads its
            // output.
            Runtime.getRuntime().halt(STATUS);
        }
    }
}
