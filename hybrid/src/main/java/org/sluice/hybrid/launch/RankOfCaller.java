package org.sluice.hybrid.launch;

import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Which of several ranks in this JVM the calling thread belongs to: first by its thread group, which threads that a rank starts
 * inherit; then by the class loader of whoever called, when each rank has its own.
 *
 * <p>Threads of the common pool and virtual threads are in no rank's group; without loaders of their own they belong to no rank.
 */
final class RankOfCaller {
    private RankOfCaller() {
    }

    static OptionalInt find() {
        for (ThreadGroup group = Thread.currentThread().getThreadGroup(); group != null; group = group.getParent()) {
            if (group instanceof RankGroup rankGroup) {
                return OptionalInt.of(rankGroup.rank());
            }
        }
        Stream<ClassLoader> contextFirst = Stream.of(Thread.currentThread()).map(Thread::getContextClassLoader);
        Stream<ClassLoader> callers = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(frame -> frame.getDeclaringClass().getClassLoader()).toList()).stream();
        return Stream.concat(callers, contextFirst).flatMapToInt(loader -> rankOf(loader).stream()).findFirst();
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
