package org.sluice.bench.top;

import com.sun.tools.attach.AttachNotSupportedException;
import java.io.IOException;
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
import javax.management.JMException;

/**
 * All ranks of this user on this machine. A JVM that doesn't answer in time, as it is stopped, holds nobody up: it is named, and asked again once it has answered.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the connections, and daemon threads that ask. <i>Proof</i>: {@code TopProcessTest}.
 */
public final class WatchedJobs implements AutoCloseable {
    private static final long FIRST_ANSWER_MS = 15_000;
    private static final long ANSWER_MS = 3000;

    private interface Question<T> {
        List<T> of(WatchedJvm jvm) throws IOException, AttachNotSupportedException, JMException;
    }

    private final Set<Long> chosen;
    private final Map<Long, WatchedJvm> jvms = new HashMap<>();
    private final Map<Long, Future<?>> late = new HashMap<>();
    private final Map<Long, String> silent = new LinkedHashMap<>();
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
        return ask(WatchedJvm::dumps).stream().sorted(Comparator.comparing(WatchedJvm.Dump::job).thenComparing(WatchedJvm.Dump::rank)).map(WatchedJvm.Dump::text).toList();
    }

    /** Processes that did not answer the last question, and why. */
    public Map<Long, String> silent() {
        return silent;
    }

    private <T> List<T> ask(Question<T> question) throws IOException, InterruptedException {
        List<Long> pids = RankProcesses.find();
        pids.removeIf(pid -> !chosen.isEmpty() && !chosen.contains(pid));
        jvms.keySet().removeIf(pid -> !pids.contains(pid));
        silent.clear();
        Map<Long, Future<List<T>>> answers = new LinkedHashMap<>();
        boolean isFirst = false;
        for (long pid : pids) {
            Future<?> before = late.get(pid);
            if (before != null && !before.isDone()) {
                silent.put(pid, "it has not answered yet; is it stopped?");
                continue;
            }
            late.remove(pid);
            isFirst |= !jvms.containsKey(pid);
            WatchedJvm jvm = jvms.computeIfAbsent(pid, WatchedJvm::new);
            Callable<List<T>> asked = () -> question.of(jvm);
            answers.put(pid, askers.submit(asked));
        }
        return collect(answers, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(isFirst ? FIRST_ANSWER_MS : ANSWER_MS));
    }

    private <T> List<T> collect(Map<Long, Future<List<T>>> answers, long deadline) throws InterruptedException {
        List<T> all = new ArrayList<>();
        for (Map.Entry<Long, Future<List<T>>> answer : answers.entrySet()) {
            long pid = answer.getKey();
            try {
                all.addAll(answer.getValue().get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                late.put(pid, answer.getValue());
                silent.put(pid, "it does not answer; is it stopped?");
            } catch (ExecutionException e) {
                jvms.remove(pid).close();
                if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
                    silent.put(pid, e.getCause().getMessage() == null ? e.getCause().toString() : e.getCause().getMessage());
                }
            }
        }
        return all;
    }

    @Override
    public void close() {
        askers.shutdownNow();
        jvms.values().forEach(WatchedJvm::close);
    }
}
