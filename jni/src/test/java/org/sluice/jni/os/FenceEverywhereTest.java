package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;

final class FenceEverywhereTest {
    private final List<Integer> commands = new ArrayList<>();

    /** A kernel that knows all commands but these. */
    private OsCalls kernelWithout(Integer... missing) {
        Set<Integer> unknown = Set.of(missing);
        return (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(), new Class<?>[] {OsCalls.class}, (proxy, method, arguments) -> {
                    assertEquals("membarrier", method.getName());
                    commands.add((Integer) arguments[0]);
                    int known = 31;
                    for (int command : unknown) {
                        known &= ~command;
                    }
                    return unknown.contains((Integer) arguments[0])
                            ? -Errno.EINVAL
                            : (int) arguments[0] == OsCalls.MEMBARRIER_QUERY ? known : 0;
                });
    }

    /** The kernel's fence for all processes may skip cores of this one. */
    @Test
    void theOwnThreadsHaveAFenceOfTheirOwn() {
        OsCalls calls = kernelWithout();
        assertTrue(FenceEverywhere.isKnown(calls));
        assertEquals(0, FenceEverywhere.register(calls));
        assertEquals(0, FenceEverywhere.registerOwn(calls));
        new FenceEverywhere(calls).run();
        assertEquals(
                List.of(
                        OsCalls.MEMBARRIER_QUERY,
                        OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED,
                        OsCalls.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED,
                        OsCalls.MEMBARRIER_PRIVATE_EXPEDITED,
                        OsCalls.MEMBARRIER_GLOBAL_EXPEDITED),
                commands);
    }

    @Test
    void withoutOneOfThemThereIsNone() {
        for (int command : new int[] {
            OsCalls.MEMBARRIER_QUERY,
            FenceEverywhere.SLOW,
            OsCalls.MEMBARRIER_GLOBAL_EXPEDITED,
            OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED,
            OsCalls.MEMBARRIER_PRIVATE_EXPEDITED,
            OsCalls.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED
        }) {
            assertFalse(FenceEverywhere.isKnown(kernelWithout(command)), "without " + command);
        }
        assertEquals(
                -Errno.EINVAL, FenceEverywhere.register(kernelWithout(OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED)));
        assertEquals(
                -Errno.EINVAL,
                FenceEverywhere.registerOwn(kernelWithout(OsCalls.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED)));
    }

    @Test
    void whatFailsLaterIsMadeUpForSlowly() {
        for (int command : new int[] {OsCalls.MEMBARRIER_PRIVATE_EXPEDITED, OsCalls.MEMBARRIER_GLOBAL_EXPEDITED}) {
            commands.clear();
            new FenceEverywhere(kernelWithout(command)).run();
            assertEquals(FenceEverywhere.SLOW, commands.get(commands.size() - 1));
            FenceEverywhere none = new FenceEverywhere(kernelWithout(command, FenceEverywhere.SLOW));
            String message =
                    assertThrows(IllegalStateException.class, none::run).getMessage();
            assertTrue(message.contains("membarrier") && message.contains("EINVAL"), message);
        }
    }

    @Test
    void thisKernelHasBoth() {
        Assumptions.assumeTrue(FenceEverywhere.isKnown(Os.calls()), "this kernel has no process-wide fence");
        assertEquals(0, FenceEverywhere.register(Os.calls()));
        new FenceEverywhere(Os.calls()).run();
        assertEquals(0, FenceEverywhere.registerOwn(Os.calls()));
        new FenceEverywhere(Os.calls()).run();
    }
}
