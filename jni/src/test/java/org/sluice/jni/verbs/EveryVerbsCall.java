package org.sluice.jni.verbs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** Makes each call with arguments that it must refuse, and as meant where no adapter is needed. */
final class EveryVerbsCall {

    private static final byte[] NOBODY = {'n', 'o', 'b', 'o', 'd', 'y', 0};

    private EveryVerbsCall() {}

    /** As a process of its own, under -Xcheck:jni: prints "done", and nothing else unless the JVM complains. */
    public static void main(String[] args) throws Exception {
        withArguments(Verbs.calls(), -1, false);
        withArguments(Verbs.calls(), -1, true);
        sweep(Verbs.calls());
        System.out.println("done");
    }

    /** All calls that need no adapter. */
    static void sweep(VerbsCalls verbs) {
        byte[] names = new byte[256];
        verbs.deviceNames(names);
        verbs.deviceNames(new byte[0]);
        verbs.openDevice(NOBODY);
        long channel = verbs.createEventChannel();
        if (channel > 0) {
            verbs.destroyEventChannel(channel);
        }
        int bell = verbs.createBell();
        int[] descriptors = {bell, bell};
        verbs.ring(bell);
        verbs.waitReady(descriptors, 0);
        verbs.hush(bell);
        verbs.waitReady(descriptors, 1);
        verbs.closeBell(bell);
        verbs.lockedMemoryLimit();
    }

    /**
     * Calls every method with {@code fill} for each number, and returns the results by name. Not with 0 or 1 on the
     * real calls: as bells those would be standard input and output.
     *
     * @param arrays whether arrays are long ones or null
     */
    static Map<String, Long> withArguments(VerbsCalls verbs, int fill, boolean arrays) {
        Map<String, Long> results = new HashMap<>();
        for (Method method : VerbsCalls.class.getDeclaredMethods()) {
            results.put(method.getName(), call(verbs, method, fill, arrays));
        }
        return results;
    }

    static long call(VerbsCalls verbs, Method method, int fill, boolean arrays) {
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == int.class) {
                values[i] = fill;
            } else if (types[i] == long.class) {
                values[i] = (long) fill;
            } else if (arrays) {
                values[i] = types[i] == byte[].class
                        ? NOBODY.clone()
                        : types[i] == int[].class ? new int[] {-1} : new long[16];
            }
        }
        try {
            return ((Number) method.invoke(verbs, values)).longValue();
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(method.getName(), e);
        }
    }
}
