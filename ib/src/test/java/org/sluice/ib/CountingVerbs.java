package org.sluice.ib;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.sluice.device.memory.Memory;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/**
 * Hands all calls on and knows which objects live: what was made, or came with a connection request, and was not given
 * back.
 */
final class CountingVerbs {
    private static final Map<String, String> GIVEN_BACK_BY = Map.ofEntries(
            Map.entry("allocateProtectionDomain", "deallocateProtectionDomain"),
            Map.entry("createCompletionChannel", "destroyCompletionChannel"),
            Map.entry("createCompletionQueue", "destroyCompletionQueue"),
            Map.entry("createSharedReceiveQueue", "destroySharedReceiveQueue"),
            Map.entry("createEventChannel", "destroyEventChannel"),
            Map.entry("createId", "destroyId"),
            Map.entry("createBell", "closeBell"));

    private final VerbsCalls below;
    private final Map<String, String> living = new ConcurrentHashMap<>();
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    CountingVerbs(VerbsCalls below) {
        this.below = below;
    }

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    /** What was not given back, empty when all was. */
    Map<String, String> living() {
        return living;
    }

    int callsOf(String method) {
        return calls.getOrDefault(method, 0);
    }

    /** How often each was called. */
    Map<String, Integer> allCalls() {
        return Map.copyOf(calls);
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        calls.merge(name, 1, Integer::sum);
        Object result;
        // Before the call: as soon as it is made another thread may get, and note, the same handle.
        String key = arguments != null && arguments.length == 1 ? name + " " + arguments[0] : "";
        String maker = living.remove(key);
        try {
            result = method.invoke(below, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        long value = ((Number) result).longValue();
        if (maker != null && value != 0) {
            living.put(key, maker);
        }
        note(name, arguments, value);
        return result;
    }

    private void note(String name, Object[] arguments, long value) {
        String end = GIVEN_BACK_BY.get(name);
        if (end != null && value > 0) {
            living.put(end + " " + value, name);
        } else if (name.equals("createQueuePair") && value > 0) {
            living.put("destroyQueuePair " + arguments[0], name);
        } else if (name.equals("registerMemory") && value >= 0) {
            living.put("deregisterMemory " + ((long[]) arguments[4])[VerbsCalls.REGION_HANDLE], name);
        } else if (name.equals("connectionEvent") && value == 1) {
            long at = (long) arguments[1];
            if (Memory.getInt(at + VerbsLayout.EVENT_KIND) == VerbsLayout.CONNECT_REQUEST) {
                living.put("destroyId " + Memory.getLong(at + VerbsLayout.EVENT_ID), "a connection request");
            }
        }
    }
}
