package org.sluice.launch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A job that was started: watches its processes and ends the rest when one dies.
 *
 * <p>When a rank dies (an exit status other than 0, or a signal) the others are told through the bootstrap, get the
 * grace, then SIGTERM, and after {@value #TERM_PATIENCE_MS} ms more SIGKILL. When this JVM is asked to end (Ctrl-C,
 * SIGTERM) the ranks get SIGTERM at once.
 *
 * <p>Thread: any may wait or stop; one of its own supervises and never waits for a stream, and one for each process
 * waits for its end.
 *
 * <p>Owns: the processes and the job's server, which is closed after the last rank has ended.
 *
 * <p>Proof: {@code LauncherProcessTest}, {@code LauncherDeathProcessTest}.
 */
public final class RunningJob {
    static final long TERM_PATIENCE_MS = 3000;
    private static final long GONE_PATIENCE_MS = 1000;
    private static final int STOP_REQUEST = -1;
    private static final int RANK_FAILED = -2;
    private static final int LINE = -3;
    /** That of a SIGTERM, which is what ranks get when the launcher is told to end. */
    private static final int STOPPED_STATUS = 143;

    /**
     * A process ended, or (jvm {@value #STOP_REQUEST}) somebody wants the job to end, or (jvm {@value #RANK_FAILED}) a
     * rank that is a thread failed, or (jvm {@value #LINE}) there is something to say.
     */
    private record Event(int jvm, int status, int rank, String text) {
        Event(int jvm, int status, int rank) {
            this(jvm, status, rank, "");
        }
    }

    private final JobServer server;
    /** Null where all ranks are on this machine. */
    private final RemoteNodes nodes;

    private final List<RankProcess> processes;
    private final int graceSeconds;
    private final boolean survive;
    private final Announcer announcer;
    private final MemoryKills memoryKills = new MemoryKills();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<JobResult> result = new CompletableFuture<>();
    private final Thread hook = new Thread(this::endWithThisJvm, "sluice-launcher-hook");

    private volatile List<Integer> statuses;
    /** In the order in which they ended, until they were told to. */
    private final List<JvmEnd> ended = new ArrayList<>();
    /** Those that failed while their JVM lived on. */
    private final BitSet failedThreads = new BitSet();

    private boolean anyFailed;
    /** The last that failed, when nobody was left: the last line may be of another. */
    private JvmEnd unsaid;

    private long actAtNanos = Long.MAX_VALUE;
    private boolean terminated;
    private boolean killed;
    private boolean stopped;

    RunningJob(
            JobServer server,
            RemoteNodes nodes,
            List<RankProcess> processes,
            int graceSeconds,
            boolean survive,
            Consumer<String> messages) {
        this.server = server;
        this.nodes = nodes;
        this.processes = processes;
        this.graceSeconds = graceSeconds;
        this.survive = survive;
        this.announcer = new Announcer(messages);
        server.ends().onFailure(rank -> events.add(new Event(RANK_FAILED, RankMain.FAILED, rank)));
        server.late().onLate(this::say);
        server.ends().onLeftOpen(rank -> say(RankEnds.leftOpen(rank)));
    }

    /** From any thread: who takes the lines hears them one after the other. */
    private void say(String line) {
        events.add(new Event(LINE, 0, -1, line));
    }

    /** Process numbers, by JVM. */
    public List<Long> pids() {
        return processes.stream().map(RankProcess::pid).toList();
    }

    /** Waits for the end of the job. */
    public JobResult waitFor() throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the launcher failed", e.getCause());
        }
    }

    /** Ends all ranks: SIGTERM now, SIGKILL a little later; the job's end is to be waited for. */
    public void stop() {
        events.add(new Event(STOP_REQUEST, 0, -1));
    }

    void guard() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void unguard() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is ending already: the hook runs and finds no process.
            return;
        }
    }

    void supervise() {
        statuses = new ArrayList<>(Collections.nCopies(processes.size(), null));
        for (int jvm = 0; jvm < processes.size(); jvm++) {
            int index = jvm;
            daemon("sluice-wait-" + processes.get(jvm).firstRank(), () -> {
                try {
                    events.add(new Event(index, processes.get(index).waitFor(), -1));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        daemon("sluice-launcher", () -> {
            JobResult ended = null;
            Exception failure = null;
            try {
                ended = superviseToTheEnd();
            } catch (InterruptedException | RuntimeException e) {
                failure = e;
                processes.forEach(RankProcess::endNow);
            }
            // Who waits may rely on it that nothing of the job is left.
            if (nodes != null) {
                nodes.close();
            }
            server.close();
            unguard();
            if (failure == null) {
                result.complete(ended);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    private JobResult superviseToTheEnd() throws InterruptedException {
        int alive = processes.size();
        while (alive > 0) {
            Event event = actAtNanos == Long.MAX_VALUE
                    ? events.take()
                    : events.poll(Math.max(0, actAtNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (event == null) {
                escalate();
            } else if (event.jvm == STOP_REQUEST) {
                stopped = true;
                if (!terminated) {
                    escalate();
                }
            } else if (event.jvm == RANK_FAILED) {
                takeFailure(event.rank);
            } else if (event.jvm == LINE) {
                takeLine(event.text);
            } else {
                alive--;
                takeEnd(event, alive);
            }
        }
        OutputEnd output = new OutputEnd(
                processes.stream().flatMap(process -> process.pumps().stream()).toList(), announcer);
        output.awaitPumps();
        server.ends()
                .awaitGone(processes.stream().mapToInt(RankProcess::jvmRanks).sum(), GONE_PATIENCE_MS);
        for (Event event = events.poll(); event != null; event = events.poll()) {
            takeLine(event.text);
        }
        JobResult end = conclude();
        output.awaitAnnouncer();
        return end;
    }

    private JobResult conclude() {
        Verdict verdict = new Verdict(ended, server.ends());
        JvmEnd cause = verdict.cause();
        if (cause == null) {
            return new JobResult(
                    stopped ? STOPPED_STATUS : 0, stopped ? "the job was stopped" : "", -1, List.copyOf(statuses));
        }
        if (survive && unsaid != null && unsaid != cause) {
            announcer.say(unsaid.text());
        }
        String lastLine = verdict.text(cause);
        announcer.say(lastLine);
        return new JobResult(verdict.status(cause), lastLine, cause.firstRank(), List.copyOf(statuses));
    }

    /** Of a job that is being ended nothing is said but that. */
    private void takeLine(String text) {
        if (!terminated && !text.isEmpty()) {
            announcer.say(text);
        }
    }

    private void takeEnd(Event event, int alive) {
        RankProcess process = processes.get(event.jvm);
        statuses.set(event.jvm, event.status);
        for (int rank = process.firstRank(); rank < process.firstRank() + process.jvmRanks(); rank++) {
            if (event.status == 0) {
                server.rankEnded(rank);
            } else {
                server.rankDied(rank);
            }
        }
        if (process.isOutOfReach()) {
            server.cutOff(process.firstRank(), process.jvmRanks());
        }
        if (terminated && (stopped || !process.isOutOfReach())) {
            return;
        }
        JvmEnd end = process.end(event.status, memoryKills);
        if (event.status == RankMain.FAILED
                && end.hasAnyOf(failedThreads)
                && server.ends().areOver(end.firstRank(), end.jvmRanks())) {
            // What there is to tell was told when they failed; where one was not at its end, System.exit has ended it.
            return;
        }
        ended.add(end);
        if (event.status != 0) {
            sayFailed(end, alive == 0);
        } else if (end.jvmRanks() == 1) {
            // Those that are threads say it themselves, as their JVM lives on.
            server.ends().processEndedWell(end.firstRank());
        }
    }

    /** The other ranks of its JVM live on, as those of other JVMs do. */
    private void takeFailure(int rank) {
        server.rankDied(rank);
        if (!terminated) {
            failedThreads.set(rank);
            JvmEnd end = new JvmEnd(rank, 1, RankMain.FAILED);
            ended.add(end);
            sayFailed(end, false);
        }
    }

    private void sayFailed(JvmEnd end, boolean last) {
        boolean first = !anyFailed;
        anyFailed = true;
        if (last) {
            unsaid = end;
        } else if (survive) {
            announcer.say(soFar(end) + "; the others live on (--survive)");
        } else if (first) {
            announcer.say(soFar(end) + "; the others were told and have " + graceSeconds + " s to end (--grace)");
            actAtNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(graceSeconds);
        }
    }

    private String soFar(JvmEnd end) {
        return new Verdict(ended, server.ends()).textSoFar(end);
    }

    /** First SIGTERM, then SIGKILL, then what is on other machines is given up. */
    private void escalate() {
        if (killed) {
            processes.stream().filter(RankProcess::isAlive).forEach(RankProcess::giveUp);
            actAtNanos = Long.MAX_VALUE;
        } else if (terminated) {
            killed = true;
            processes.stream().filter(RankProcess::isAlive).forEach(RankProcess::endNow);
            actAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TERM_PATIENCE_MS);
        } else {
            terminated = true;
            if (!stopped) {
                sayWhoIsLate();
            }
            processes.stream().filter(RankProcess::isAlive).forEach(RankProcess::terminate);
            actAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TERM_PATIENCE_MS);
        }
    }

    /** Else nobody knows why the job ended no sooner: the one that is late says nothing itself. */
    private void sayWhoIsLate() {
        List<RankProcess> late = processes.stream().filter(RankProcess::isAlive).toList();
        if (!late.isEmpty()) {
            RankProcess first = late.get(0);
            List<Integer> living = server.ends().notOver(first.firstRank(), first.jvmRanks());
            String ranks =
                    living.isEmpty() || living.size() == first.jvmRanks() ? first.ranks() : RankList.text(living);
            announcer.say(ranks + (late.size() == 1 ? "" : " and " + (late.size() - 1) + " more")
                    + " did not end within " + graceSeconds + " s; SIGTERM ends what is left");
        }
    }

    private void endWithThisJvm() {
        if (statuses == null) {
            processes.forEach(RankProcess::endNow);
            return;
        }
        int left = processes.stream()
                .filter(RankProcess::isAlive)
                .mapToInt(RankProcess::jvmRanks)
                .sum();
        if (left > 0) {
            say("interrupted: ending " + left + (left == 1 ? " rank" : " ranks"));
        }
        stop();
        try {
            result.get(2 * TERM_PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            processes.forEach(RankProcess::endNow);
        }
    }
}
