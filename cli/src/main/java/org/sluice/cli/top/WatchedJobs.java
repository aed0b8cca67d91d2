package org.sluice.cli.top;

import com.sun.tools.attach.AttachNotSupportedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * All ranks of this user on this machine. A JVM that is stopped isn't asked, and one that doesn't answer in time is
 * asked again once it has answered: both are named, and hold nobody up.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the connections, and daemon threads that ask. <i>Proof</i>:
 * {@code TopProcessTest}.
 */
public final class WatchedJobs implements AutoCloseable {
    private static final long FIRST_ANSWER_MS = 15_000;
    private static final long ANSWER_MS = 3000;
    /** Between looks whether one that has not answered was stopped meanwhile. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private interface Question<T> {
        List<T> of(WatchedJvm jvm) throws IOException, AttachNotSupportedException;
    }

    private final Set<Long> chosen;
    private final Map<Long, WatchedJvm> jvms = new HashMap<>();
    private final Map<Long, Future<?>> late = new HashMap<>();
    private final Map<Long, String> silent = new LinkedHashMap<>();
    /** Null until there is somebody to ask. */
    private Path agent;

    private boolean mayBeOpen;
    private final ExecutorService askers = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "sluice-top");
        thread.setDaemon(true);
        return thread;
    });

    /** @param chosen the only processes that are asked; empty for all */
    public WatchedJobs(Set<Long> chosen) {
        this.chosen = Set.copyOf(chosen);
    }

    /** @return one for each open device */
    List<Sample> sample() throws IOException, InterruptedException {
        return ask(WatchedJvm::sample);
    }

    /** What each open device waits for, as text, by job and rank. */
    public List<String> dumps() throws IOException, InterruptedException {
        return ask(WatchedJvm::dumps).stream()
                .sorted(Comparator.comparing(WatchedJvm.Dump::job).thenComparing(WatchedJvm.Dump::rank))
                .map(WatchedJvm.Dump::text)
                .toList();
    }

    /**
     * Processes that did not answer the last question, and why, a line for each.
     *
     * @param what is not done with them
     */
    public List<String> silent(String what) {
        return silent.entrySet().stream()
                .map(each -> "sluice: " + RankProcesses.name(each.getKey()) + " " + what + ": " + each.getValue())
                .toList();
    }

    /** Whether one of them was stopped, or is late: its devices may be open all the same. */
    boolean mayBeOpen() {
        return mayBeOpen;
    }

    private void late(long pid, String reason) {
        silent.put(pid, reason);
        mayBeOpen = true;
    }

    private static String stopped(long pid) {
        return "it is stopped; kill -CONT " + pid + " has it go on";
    }

    private <T> List<T> ask(Question<T> question) throws IOException, InterruptedException {
        List<Long> pids = RankProcesses.find();
        pids.removeIf(pid -> !chosen.isEmpty() && !chosen.contains(pid));
        jvms.keySet().removeIf(pid -> !pids.contains(pid));
        silent.clear();
        mayBeOpen = false;
        if (agent == null && !pids.isEmpty()) {
            agent = AgentJar.make();
        }
        Map<Long, Future<List<T>>> answers = new LinkedHashMap<>();
        boolean isFirst = false;
        for (long pid : pids) {
            if (RankProcesses.isStopped(pid)) {
                late(pid, stopped(pid));
                continue;
            }
            Future<?> before = late.get(pid);
            if (before != null && !before.isDone()) {
                late(pid, "it has not answered yet");
                continue;
            }
            late.remove(pid);
            isFirst |= !jvms.containsKey(pid);
            WatchedJvm jvm = jvms.computeIfAbsent(pid, number -> new WatchedJvm(number, agent));
            Callable<List<T>> asked = () -> question.of(jvm);
            answers.put(pid, askers.submit(asked));
        }
        return collect(
                answers, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(isFirst ? FIRST_ANSWER_MS : ANSWER_MS));
    }

    private <T> List<T> collect(Map<Long, Future<List<T>>> answers, long deadline) throws InterruptedException {
        List<T> all = new ArrayList<>();
        for (Map.Entry<Long, Future<List<T>>> answer : answers.entrySet()) {
            long pid = answer.getKey();
            try {
                all.addAll(await(pid, answer.getValue(), deadline));
            } catch (TimeoutException e) {
                late.put(pid, answer.getValue());
                late(pid, RankProcesses.isStopped(pid) ? stopped(pid) : "it does not answer");
            } catch (ExecutionException e) {
                jvms.remove(pid).close();
                if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
                    silent.put(
                            pid,
                            e.getCause().getMessage() == null
                                    ? e.getCause().toString()
                                    : e.getCause().getMessage());
                }
            }
        }
        return all;
    }

    /** @throws TimeoutException also as soon as it is stopped: nothing comes then */
    private static <T> List<T> await(long pid, Future<List<T>> answer, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        while (true) {
            long left = Math.max(1, deadline - System.nanoTime());
            try {
                return answer.get(Math.min(LOOK_NANOS, left), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (left <= LOOK_NANOS || RankProcesses.isStopped(pid)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        askers.shutdownNow();
        jvms.values().forEach(WatchedJvm::close);
    }
}
