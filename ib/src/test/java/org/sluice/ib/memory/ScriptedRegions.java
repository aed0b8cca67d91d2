package org.sluice.ib.memory;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/** Registers memory as a test says; every other call is a mistake. */
final class ScriptedRegions {
    /** What is registered now, by its handle: address and length. */
    final Map<Long, long[]> living = new LinkedHashMap<>();
    /** All that was asked for, in order. */
    final List<String> calls = new ArrayList<>();
    /** What may be locked. */
    long memoryLimit = Long.MAX_VALUE;

    /** Nothing is let go of. */
    boolean isStubborn;

    private long next = 100;

    VerbsCalls calls() {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    }

    private Object call(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "registerMemory":
                return register((long) arguments[1], (long) arguments[2], (long[]) arguments[4]);
            case "deregisterMemory":
                long handle = (long) arguments[0];
                if (isStubborn) {
                    return -Errno.ENOMEM;
                }
                long[] region = living.remove(handle);
                if (region == null) {
                    throw new AssertionError("region " + handle + " does not live; calls " + calls);
                }
                calls.add("deregister " + region[1]);
                return 0;
            default:
                throw new AssertionError(method.getName() + Arrays.toString(arguments));
        }
    }

    private int register(long address, long bytes, long[] out) {
        calls.add("register " + bytes);
        if (living.values().stream().mapToLong(region -> region[1]).sum() + bytes > memoryLimit) {
            return -Errno.ENOMEM;
        }
        long handle = next++;
        living.put(handle, new long[] {address, bytes});
        out[VerbsCalls.REGION_HANDLE] = handle;
        out[VerbsCalls.REGION_LKEY] = handle;
        out[VerbsCalls.REGION_RKEY] = handle + 1_000_000;
        return 0;
    }

    List<String> takeCalls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }
}
