package org.sluice.launch;

import java.util.OptionalInt;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;

/**
 * Which of several ranks in this JVM the calling thread belongs to: first by its thread group, which threads that a
 * rank starts inherit; then by the class loader of whoever called, when each rank has its own.
 *
 * <p>Threads of the common pool, of Kotlin's dispatchers, and virtual threads are in no rank's group; without loaders
 * of their own they belong to no rank.
 *
 * <p>Proof: {@code RankThreadsProcessTest}.
 */
final class RankOfCaller {
    private RankOfCaller() {}

    static OptionalInt find() {
        Thread caller = Thread.currentThread();
        ThreadGroup innermost = worksForAll(caller) ? null : caller.getThreadGroup();
        for (ThreadGroup group = innermost; group != null; group = group.getParent()) {
            if (group instanceof RankGroup rankGroup) {
                return OptionalInt.of(rankGroup.rank());
            }
        }
        Stream<ClassLoader> context = Stream.ofNullable(caller.getContextClassLoader());
        Stream<ClassLoader> callers = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(frame -> frame.getDeclaringClass().getClassLoader())
                        .toList())
                .stream();
        return Stream.concat(callers, context)
                .flatMapToInt(loader -> rankOf(loader).stream())
                .findFirst();
    }

    /** Workers of a pool of the whole JVM carry the group of whichever rank happened to start them. */
    private static boolean worksForAll(Thread thread) {
        return thread instanceof ForkJoinWorkerThread worker && worker.getPool() == ForkJoinPool.commonPool()
                || thread.getClass().getName().startsWith("kotlinx.coroutines.");
    }

    private static OptionalInt rankOf(ClassLoader loader) {
        for (ClassLoader above = loader; above != null; above = above.getParent()) {
            if (above instanceof RankLoader rankLoader) {
                return OptionalInt.of(rankLoader.rank());
            }
        }
        return OptionalInt.empty();
    }
}
