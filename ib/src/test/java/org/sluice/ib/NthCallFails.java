package org.sluice.ib;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Hands all calls on, but the n-th of one kind fails as {@link FailingVerbs} has it. Of those that look whether there
 * is something, a look that finds as little as the one before it by the same thread, with no other call between, is the
 * same look: how many there are of those is a matter of time, and what fails in one of them fails in the first.
 */
final class NthCallFails {
    private static final Set<String> LOOKS =
            Set.of("poll", "waitReady", "connectionEvent", "asyncEvent", "drainCompletionEvents");

    private final VerbsCalls below;
    private final String method;
    private final int place;
    private final int errno;
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    /** The last look of this thread, where it found nothing. */
    private final ThreadLocal<String> inVain = new ThreadLocal<>();
    /** Where the call that failed came from. */
    private volatile StackTraceElement[] callers = {};

    NthCallFails(VerbsCalls below, String method, int place, int errno) {
        this.below = below;
        this.method = method;
        this.place = place;
        this.errno = errno;
    }

    /** Only counts. */
    static NthCallFails never(VerbsCalls below) {
        return new NthCallFails(below, "", 1, 1);
    }

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    boolean hasFailed() {
        return calls.getOrDefault(method, 0) >= place;
    }

    /** Whether a method of that name made the call that failed. */
    boolean hasFailedIn(String caller) {
        return Stream.of(callers).anyMatch(each -> each.getMethodName().equals(caller));
    }

    /** How many calls of each kind there were. */
    Map<String, Integer> count() {
        return Map.copyOf(calls);
    }

    private Object call(Object proxy, Method called, Object[] arguments) throws Throwable {
        String name = called.getName();
        boolean fails =
                !name.equals(inVain.get()) && calls.merge(name, 1, Integer::sum) == place && name.equals(method);
        if (fails) {
            callers = Thread.currentThread().getStackTrace();
        }
        try {
            Object result = called.invoke(fails ? FailingVerbs.failing(below, method, 1, errno) : below, arguments);
            inVain.set(LOOKS.contains(name) && ((Number) result).longValue() == 0 ? name : null);
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
