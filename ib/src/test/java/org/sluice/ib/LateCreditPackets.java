package org.sluice.ib;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.WorkIds;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Hands all calls on, but the first rank that makes a completion queue learns late that its packets which only carry
 * credit have left, as on a machine with other things to do. Until then it sends no more of them, and whoever sends to
 * it has to wait.
 */
final class LateCreditPackets {
    /** Many times as many as it takes a peer that doesn't wait to use up all that it was granted. */
    private static final int POLLS = 3000;

    private final VerbsCalls below;
    private final ArrayDeque<byte[]> held = new ArrayDeque<>();
    private long queue;
    private int pollsLeft;

    LateCreditPackets(VerbsCalls below) {
        this.below = below;
    }

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        try {
            Object result = method.invoke(below, arguments);
            if (queue == 0 && method.getName().equals("createCompletionQueue")) {
                queue = (long) result;
            }
            return method.getName().equals("poll") && (long) arguments[0] == queue
                    ? handOn((int) result, (int) arguments[1], (long) arguments[2])
                    : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private int handOn(int found, int most, long at) {
        int kept = 0;
        for (int i = 0; i < found; i++) {
            byte[] completion = new byte[VerbsLayout.WC_BYTES];
            Memory.copy(null, at(at, i), completion, Memory.arrayOffset(completion), completion.length);
            if (WorkIds.what(Memory.getLong(at(at, i) + VerbsLayout.WC_WR_ID)) == WorkIds.CREDIT) {
                pollsLeft = held.isEmpty() ? POLLS : pollsLeft;
                held.add(completion);
            } else {
                put(completion, at(at, kept++));
            }
        }
        pollsLeft--;
        while (pollsLeft <= 0 && kept < most && found >= 0 && !held.isEmpty()) {
            put(held.remove(), at(at, kept++));
        }
        return found < 0 ? found : kept;
    }

    private static long at(long first, int index) {
        return first + (long) index * VerbsLayout.WC_BYTES;
    }

    private static void put(byte[] completion, long at) {
        Memory.copy(completion, Memory.arrayOffset(completion), null, at, completion.length);
    }
}
