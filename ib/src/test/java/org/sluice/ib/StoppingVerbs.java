package org.sluice.ib;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Hands all calls on until a rank comes to a certain one of those that change something: that is not made, and neither
 * is any after it, by whichever thread. So the rank stands still there until its process is killed.
 */
final class StoppingVerbs {
    /** What only looks, or waits: a rank that dies before one of these dies before what it does next. */
    private static final Set<String> LOOKING = Set.of(
            "poll",
            "waitReady",
            "ring",
            "hush",
            "drainCompletionEvents",
            "requestNotify",
            "connectionEvent",
            "asyncEvent",
            "queuePairState",
            "cmContext",
            "cmPort",
            "localPort");

    private final VerbsCalls below;
    private final Consumer<String> report;
    private int left = Integer.MAX_VALUE;
    private volatile boolean stopped;

    /** @param report is told the call's name */
    StoppingVerbs(VerbsCalls below, Consumer<String> report) {
        this.below = below;
        this.report = report;
    }

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    /** From now on: stops before that call, counted from 1. */
    synchronized void stopAt(int call) {
        left = call;
    }

    private synchronized boolean isLast(String name) {
        if (stopped || LOOKING.contains(name) || --left > 0) {
            return false;
        }
        stopped = true;
        return true;
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (isLast(method.getName())) {
            report.accept(method.getName());
        }
        while (stopped) {
            LockSupport.park(this);
        }
        try {
            return method.invoke(below, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
