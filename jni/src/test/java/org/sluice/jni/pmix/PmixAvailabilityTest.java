package org.sluice.jni.pmix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.jni.ChildJvm;

final class PmixAvailabilityTest {

    @Test
    void isThereOrSaysWhatToInstall() {
        assertTrue(Pmix.available() || Pmix.unavailableReason().contains("libpmix"), Pmix.unavailableReason());
    }

    @Test
    void switchedOffByOption() throws Exception {
        try (ChildJvm child = ChildJvm.start(PmixAvailabilityProcess.class, "-Dsluice.pmix=off")) {
            assertEquals("false libsluice_pmix is not loaded: switched off by -Dsluice.pmix=off", child.readLine());
            assertEquals("libsluice_pmix is not loaded: switched off by -Dsluice.pmix=off", child.readLine());
            assertEquals(0, child.waitFor());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OpenPMIx 4.2.2, repo rev: v4.2.2", "OpenPMIx 3.1.5", "PMIx 10.0"})
    void releasesFromThreeOnAreTaken(String version) {
        assertNull(Pmix.refusal(version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PMIx 2.2.3", "", "a build of yesterday", "of 20261123"})
    void othersAreRefusedWithWhatTheySay(String version) {
        assertTrue(Pmix.refusal(version)
                .startsWith("libpmix.so.2 says that it is '" + version + "'; version 3 or newer is needed"));
    }

    @Test
    void interfaceAndMirrorHaveTheSameCalls() {
        TreeSet<String> calls = new TreeSet<>();
        for (Method method : PmixCalls.class.getDeclaredMethods()) {
            calls.add(method.toString().replaceAll(".*?(\\w+ )\\S*\\.(\\w+\\(.*)", "$1$2"));
        }
        TreeSet<String> natives = new TreeSet<>();
        for (Method method : Pmix.class.getDeclaredMethods()) {
            if (Modifier.isNative(method.getModifiers())) {
                natives.add(method.toString().replaceAll(".*?(\\w+ )\\S*\\.(\\w+\\(.*)", "$1$2"));
            }
        }
        assertEquals(calls, natives);
    }
}
