package org.sluice.ib;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Hands all calls on, except that a test may hold one rank's helper: before it waits, or from seeing connection events.
 * So a connection stays in the state that a test wants to look at. It may also make the device report something.
 */
final class HeldVerbs {
    static final String WAITING = "waitReady";
    static final String EVENTS = "connectionEvent";

    /** In what {@code waitReady} returns; the helper watches bell, connection and asynchronous events in this order. */
    private static final int ASYNC_READY = 1 << 2;

    private final VerbsCalls below;
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final Queue<long[]> reports = new ArrayDeque<>();
    private volatile long queuePairNumber;
    private volatile long completionQueue;
    private volatile long receiveQueue;
    private volatile boolean isWaiting;

    HeldVerbs(VerbsCalls below) {
        this.below = below;
    }

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    void hold(String method) throws InterruptedException {
        held.add(method);
        while (method.equals(WAITING) && !isWaiting) {
            Thread.sleep(1);
        }
    }

    void release() {
        held.clear();
    }

    /** Has the rank of these verbs take an asynchronous event. */
    synchronized void report(long kind, long number) {
        reports.add(new long[] {kind, number});
    }

    private synchronized long[] nextReport(boolean takes) {
        return takes ? reports.poll() : reports.peek();
    }

    /** Of the queue pair that was made last. */
    long queuePairNumber() {
        return queuePairNumber;
    }

    long completionQueue() {
        return completionQueue;
    }

    long receiveQueue() {
        return receiveQueue;
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals(EVENTS) && held.contains(EVENTS)) {
            Thread.sleep(1);
            return 0;
        }
        while (name.equals(WAITING) && held.contains(WAITING)) {
            isWaiting = true;
            Thread.sleep(1);
        }
        if (name.equals(WAITING) && nextReport(false) != null) {
            return ASYNC_READY;
        }
        if (name.equals("asyncEvent")) {
            long[] report = nextReport(true);
            if (report != null) {
                System.arraycopy(report, 0, (long[]) arguments[1], 0, report.length);
                return 1;
            }
        }
        try {
            Object result = method.invoke(below, arguments);
            note(name, arguments, result);
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void note(String name, Object[] arguments, Object result) {
        if (name.equals("createQueuePair") && (long) result > 0) {
            queuePairNumber = ((long[]) arguments[5])[VerbsCalls.QUEUE_PAIR_NUMBER];
        } else if (name.equals("createCompletionQueue")) {
            completionQueue = (long) result;
        } else if (name.equals("createSharedReceiveQueue")) {
            receiveQueue = (long) result;
        }
    }
}
