package org.sluice.launch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.random.Unguessable;
import org.sluice.jni.pmix.Pmix;
import org.sluice.jni.pmix.PmixCalls;

/**
 * The job of a launcher that speaks PMIx, as this JVM sees it: each process brings one rank, or as many as are threads
 * of it, and the ranks are numbered through the processes in their order. A process has one PMIx client, which lives
 * until the JVM's end (docs/project/adr/0043-pmix-until-the-end-of-the-jvm.md).
 *
 * <pre>
 *   the first value of each process: magic 4 | version: length 4, UTF-8 | ranks of this JVM 4 | 16 random bytes,
 *                                    of which those of process 0 count
 *   the others, for each of its ranks: rank 4 | count 4 | count times: key: length 4, UTF-8; value: length 4, bytes
 * </pre>
 *
 * <p><i>Thread</i>: any. <i>Owns</i>: the client. <i>Fails</i>: with {@link SluiceException}; after an exchange that
 * failed no device opens in this JVM any more, since nobody knows which of the others have taken part. <i>Proof</i>:
 * {@code PmixJobTest}, {@code MpirunProcessTest}.
 */
final class PmixJob implements PmixEvents.Listener {
    private static final int MAGIC = 0x534c5031;
    private static final int ID_BYTES = 16;
    private static final int VERSION_LIMIT_BYTES = 256;

    private final PmixExchange exchange;
    private final PmixCalls calls;
    private final String version;
    private int jvmRanks;
    /** Of each process the first rank, and the size of the job at the end; null until this JVM has joined. */
    private volatile int[] firstRanks;

    private ByteBuffer id;
    private long timeoutMs;
    private PmixBootstrap[] open;
    /** Processes; also the lock of who is told of them, as deaths come while this JVM joins. */
    private final BitSet dead = new BitSet();

    private final List<PmixBootstrap> told = new ArrayList<>();
    private int[] rounds;
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private final BitSet arrived = new BitSet();
    private int exchanges;
    private boolean exchanging;
    private volatile SluiceException failure;
    private volatile int openCount;

    PmixJob(PmixCalls calls, String version) {
        this.calls = calls;
        this.version = version;
        this.exchange = new PmixExchange(calls);
    }

    /** Loaded, and with it libpmix, where a launcher is around. */
    private static final class OfThisJvm {
        private static final PmixJob JOB = new PmixJob(Pmix.calls(), SluiceVersion.CURRENT);
    }

    /** @throws SluiceException OPEN_FAILED where libpmix can't be used */
    static PmixJob ofThisJvm() {
        if (!Pmix.available()) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    "this process is one of a launcher's job that is joined over PMIx (" + PmixLauncher.NAMESPACE
                            + " is in the environment): " + Pmix.unavailableReason()
                            + "; to be rank 0 of 1 in each process, set SLUICE_JOB_SIZE=1");
        }
        return OfThisJvm.JOB;
    }

    /**
     * Connects to the launcher and learns who the others are, unless this JVM has done so.
     *
     * @param ranksHere ranks that are threads of this JVM
     */
    synchronized void join(int ranksHere, long patienceMs) {
        failIfBroken();
        if (firstRanks != null) {
            if (ranksHere != jvmRanks) {
                throw new IllegalArgumentException("sluice.job.jvm.ranks is " + ranksHere + ", and was " + jvmRanks
                        + " when this JVM joined its job; it must stay the same");
            }
            return;
        }
        jvmRanks = ranksHere;
        timeoutMs = patienceMs;
        try {
            exchange.init(patienceMs);
            PmixEvents events = new PmixEvents(calls, this);
            Runtime.getRuntime().addShutdownHook(new Goodbye(events));
            events.start();
            // The size may be off by what a JVM of several ranks brings: known after this.
            exchange.exchange(greeting(), patienceMs, this::names, "did not open a device");
            readGreetings();
        } catch (SluiceException e) {
            failure = e;
            throw e;
        }
    }

    private byte[] greeting() {
        return new Frame.Writer((byte) 0)
                .number(MAGIC)
                .text(version)
                .number(jvmRanks)
                .bytes(Unguessable.bytes(ID_BYTES))
                .finish();
    }

    private void readGreetings() {
        int[] first = new int[exchange.processes() + 1];
        byte[][] greetings = exchange.values(0, 0, exchange.processes(), timeoutMs);
        for (int process = 0; process < greetings.length; process++) {
            try {
                ByteBuffer greeting = ByteBuffer.wrap(greetings[process])
                        .position(Math.min(greetings[process].length, Frame.HEADER_BYTES + 1));
                if (Frame.number(greeting) != MAGIC) {
                    throw new Frame.Malformed("it is not Sluice's");
                }
                String other = Frame.text(greeting, VERSION_LIMIT_BYTES);
                // What another version says after this may mean something else.
                if (!other.equals(version)) {
                    throw new SluiceException(
                            ErrorCode.OPEN_FAILED,
                            name(process) + " has Sluice " + other + ", " + name(exchange.process()) + " has " + version
                                    + ": use one version for the whole job (look for an older Sluice in the program's"
                                    + " jar or class path)");
                }
                first[process + 1] = Math.addExact(first[process], Math.max(1, Frame.number(greeting)));
                byte[] random = Frame.bytes(greeting, ID_BYTES);
                id = process == 0 ? ByteBuffer.wrap(random) : id;
            } catch (Frame.Malformed | ArithmeticException e) {
                throw new SluiceException(
                        ErrorCode.OPEN_FAILED,
                        -1,
                        "what process " + process + " of the job published can't be read: " + e.getMessage(),
                        e);
            }
        }
        open = new PmixBootstrap[jvmRanks];
        rounds = new int[jvmRanks];
        exchanges = exchange.exchanged();
        firstRanks = first;
    }

    /** Before all have said how many ranks they bring, a process is a rank where this one is. */
    private String name(int process) {
        return (jvmRanks == 1 ? "rank " : "process ") + process;
    }

    int firstRank() {
        return firstRanks[exchange.process()];
    }

    /** As {@link #firstRank}; -1 where this JVM has not joined its job. */
    int joinedAs() {
        return firstRanks == null ? -1 : firstRank();
    }

    int size() {
        return firstRanks[firstRanks.length - 1];
    }

    String namespace() {
        return exchange.namespace();
    }

    int processOf(int rank) {
        int low = 0;
        int high = firstRanks.length - 2;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (firstRanks[middle] <= rank) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Begins a rank's next opening. */
    synchronized PmixBootstrap open(int rank) {
        failIfBroken();
        int index = rank - firstRank();
        if (open[index] != null) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    "rank " + rank + " has a device open, or is opening one: a rank has one at a time");
        }
        ByteBuffer round =
                ByteBuffer.allocate(ID_BYTES).putLong(id.getLong(0)).putLong(id.getLong(Long.BYTES) + rounds[index]++);
        open[index] = new PmixBootstrap(
                this,
                rank,
                size(),
                exchange.processes(),
                exchanges,
                HexFormat.of().formatHex(round.array()));
        openCount++;
        BitSet deadBefore;
        synchronized (dead) {
            told.add(open[index]);
            deadBefore = (BitSet) dead.clone();
        }
        for (int process = deadBefore.nextSetBit(0); process >= 0; process = deadBefore.nextSetBit(process + 1)) {
            loseRanks(open[index], process);
        }
        return open[index];
    }

    void close(PmixBootstrap bootstrap) {
        synchronized (this) {
            open[bootstrap.rank() - firstRank()] = null;
            openCount--;
        }
        synchronized (dead) {
            told.remove(bootstrap);
        }
    }

    /** The last rank of this JVM to come exchanges for all. */
    void fence(PmixBootstrap of, byte[] section, long patienceMs) {
        byte[] value;
        synchronized (this) {
            failIfBroken();
            gathered.writeBytes(section);
            arrived.set(of.rank() - firstRank());
            if (arrived.cardinality() < jvmRanks) {
                awaitExchange(exchanges + 1, of, patienceMs);
                return;
            }
            value = gathered.toByteArray();
            gathered.reset();
            arrived.clear();
            exchanging = true;
        }
        SluiceException failed = new SluiceException(
                ErrorCode.OPEN_FAILED, "the thread that exchanged for the ranks of this JVM failed");
        try {
            exchange.exchange(value, patienceMs, this::names, late(of));
            failed = null;
        } catch (SluiceException e) {
            failed = e;
            throw e;
        } finally {
            endExchange(failed);
        }
    }

    private synchronized void endExchange(SluiceException failed) {
        exchanging = false;
        exchanges++;
        failure = failure != null ? failure : failed;
        notifyAll();
    }

    private static String late(PmixBootstrap of) {
        return of.isNew() ? "did not open a device" : "began to open a device but did not come to the fence";
    }

    private void awaitExchange(int wanted, PmixBootstrap of, long patienceMs) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        while (exchanges < wanted) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (leftMs <= 0 && !exchanging) {
                List<Integer> absent = new ArrayList<>();
                for (int index = arrived.nextClearBit(0); index < jvmRanks; index = arrived.nextClearBit(index + 1)) {
                    absent.add(firstRank() + index);
                }
                failure = new SluiceException(
                        ErrorCode.OPEN_FAILED,
                        RankList.text(absent) + " " + late(of) + " within " + patienceMs
                                + " ms (sluice.open.timeout.ms)");
                notifyAll();
            }
            failIfBroken();
            try {
                // Who exchanges for all has a limit of its own, and tells.
                wait(exchanging ? 0 : leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                // What it brought is there, or on its way to the others: the next exchange would take it for another's.
                failure = new SluiceException(
                        ErrorCode.OPEN_FAILED, -1, "interrupted while waiting for the other ranks", e);
                notifyAll();
            }
        }
        failIfBroken();
    }

    byte[][] values(int number, int process, int count) {
        return exchange.values(number, process, count, timeoutMs);
    }

    private void failIfBroken() {
        SluiceException broken = failure;
        if (broken != null) {
            throw new SluiceException(broken.code(), broken.peer(), broken.getMessage(), broken);
        }
    }

    private String names(List<Integer> processes) {
        int[] first = firstRanks;
        List<Integer> ranks = new ArrayList<>();
        for (int process : processes) {
            for (int rank = first == null ? process : first[process];
                    rank < (first == null ? process + 1 : first[process + 1]);
                    rank++) {
                ranks.add(rank);
            }
        }
        String text = RankList.text(ranks);
        return first != null || jvmRanks == 1
                ? text
                : "process" + (ranks.size() == 1 ? "" : "es") + text.substring(text.indexOf(' '));
    }

    @Override
    public void died(int process) {
        int[] first = firstRanks;
        if (process >= exchange.processes()) {
            return;
        }
        // Before there are listeners: who waits for it has none yet.
        exchange.lose(new SluiceException(
                ErrorCode.OPEN_FAILED,
                first == null ? -1 : first[process],
                names(List.of(process)) + " died while this one opened a device",
                null));
        List<PmixBootstrap> now;
        synchronized (dead) {
            dead.set(process);
            now = List.copyOf(told);
        }
        // Without the lock: a listener may wait for one whose holder closes a bootstrap.
        for (PmixBootstrap bootstrap : now) {
            loseRanks(bootstrap, process);
        }
    }

    private void loseRanks(PmixBootstrap bootstrap, int process) {
        for (int rank = firstRanks[process]; rank < firstRanks[process + 1]; rank++) {
            bootstrap.lose(rank);
        }
    }

    @Override
    public void launcherEnded() {
        JvmLine.endJvm(ranks(), "PMIx lost its connection to it");
    }

    /** Those of this JVM, in words. */
    String ranks() {
        return firstRanks == null
                ? "process " + exchange.process() + " of the job"
                : RankList.range(firstRank(), jvmRanks);
    }

    /** Asks the launcher to end the job, where this JVM has joined it: before that it has no way to. */
    void abort(int status, String message) {
        if (firstRanks != null) {
            exchange.abort(status, message);
        }
    }

    /**
     * At the end of the JVM. One that goes with a device open says nothing, and is a death to its launcher; so is one
     * that never came through to the others.
     */
    private final class Goodbye extends Thread {
        private final PmixEvents events;

        Goodbye(PmixEvents events) {
            super("sluice-pmix-goodbye");
            this.events = events;
        }

        @Override
        public void run() {
            if (openCount == 0 && failure == null) {
                try {
                    exchange.end();
                } catch (SluiceException e) {
                    LastLines.print("sluice: this JVM ends without its launcher's leave: " + e.getMessage()
                            + System.lineSeparator());
                }
                events.end();
            }
        }
    }
}
