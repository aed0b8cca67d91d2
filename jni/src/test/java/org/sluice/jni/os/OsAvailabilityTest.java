package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluice.jni.ChildJvm;

final class OsAvailabilityTest {

    @Test
    void isThereInTheTests() {
        assertTrue(Os.available(), Os.unavailableReason());
        assertEquals("", Os.unavailableReason());
        assertTrue(Os.calls().getpid() > 0, "no pid");
    }

    @Test
    void switchedOffByOption() throws Exception {
        try (ChildJvm child = ChildJvm.start(AvailabilityProcess.class, "-Dsluice.os=off")) {
            assertEquals("false -38 libsluice_os is not loaded: switched off by -Dsluice.os=off", child.readLine());
            assertEquals(0, child.waitFor());
        }
    }

    @Test
    void interfaceAndMirrorHaveTheSameCalls() {
        assertEquals(signatures(OsCalls.class, 0), signatures(Os.class, Modifier.NATIVE));
    }

    private static TreeSet<String> signatures(Class<?> type, int modifier) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> (method.getModifiers() & modifier) == modifier)
                .map(OsAvailabilityTest::signature)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(Method method) {
        return method.getReturnType() + " " + method.getName() + Arrays.toString(method.getParameterTypes());
    }
}
