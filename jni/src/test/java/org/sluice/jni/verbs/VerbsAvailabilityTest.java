package org.sluice.jni.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluice.jni.ChildJvm;

final class VerbsAvailabilityTest {

    @Test
    void isThereInTheTests() {
        BuiltVerbs.assume();
        assertTrue(Verbs.available(), Verbs.unavailableReason());
        assertEquals("", Verbs.unavailableReason());
        assertTrue(Verbs.calls().lockedMemoryLimit() > 0, "no limit of locked memory");
    }

    @Test
    void switchedOffByOption() throws Exception {
        try (ChildJvm child = ChildJvm.start(VerbsAvailabilityProcess.class, "-Dsluice.verbs=off")) {
            assertEquals(
                    "false -38 libsluice_verbs is not loaded: switched off by -Dsluice.verbs=off", child.readLine());
            assertEquals(0, child.waitFor());
        }
    }

    @Test
    void interfaceAndMirrorHaveTheSameCalls() {
        assertEquals(signatures(VerbsCalls.class, 0), signatures(Verbs.class, Modifier.NATIVE | Modifier.PUBLIC));
    }

    @Test
    void layoutAgreesWithC() {
        BuiltVerbs.assume();
        int[] found = new int[LayoutCheck.NUMBERS];
        assertEquals(LayoutCheck.NUMBERS, Verbs.layout(found));
        assertNull(LayoutCheck.difference(found, LayoutCheck.NUMBERS));
    }

    @Test
    void everyDifferenceIsFoundAndNamed() {
        for (int i = 0; i < LayoutCheck.NUMBERS; i++) {
            int[] found = ownNumbers();
            found[i] += 1;
            String difference = LayoutCheck.difference(found, found.length);
            assertTrue(difference.startsWith(LayoutCheck.name(i) + " is " + found[i] + " in the headers"), difference);
            assertTrue(difference.contains("and " + LayoutCheck.value(i) + " in Sluice; build"), difference);
        }
        String count = LayoutCheck.difference(ownNumbers(), 3);
        assertTrue(
                count.startsWith("it has 3 numbers to compare and these classes have " + LayoutCheck.NUMBERS), count);
    }

    @Test
    void everyConstantOfTheLayoutIsCompared() throws IllegalAccessException {
        Set<String> compared = new HashSet<>();
        for (int i = 0; i < LayoutCheck.NUMBERS; i++) {
            compared.add(LayoutCheck.name(i) + "=" + LayoutCheck.value(i));
        }
        for (Field field : VerbsLayout.class.getFields()) {
            assertTrue(compared.contains(field.getName() + "=" + field.getInt(null)), field.getName());
        }
    }

    @Test
    void aLibraryThatIsOfNoUseIsNotLoaded() {
        BuiltVerbs.assume();
        assertEquals(Verbs.library(), Verbs.library().unless(null));
        assertFalse(Verbs.library().unless("WC_STATUS is 9").loaded());
        assertEquals(
                "libsluice_verbs is not loaded: WC_STATUS is 9",
                Verbs.library().unless("WC_STATUS is 9").reason());
    }

    private static int[] ownNumbers() {
        int[] numbers = new int[LayoutCheck.NUMBERS];
        Arrays.setAll(numbers, LayoutCheck::value);
        return numbers;
    }

    private static TreeSet<String> signatures(Class<?> type, int modifiers) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> (method.getModifiers() & modifiers) == modifiers)
                .map(VerbsAvailabilityTest::signature)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(Method method) {
        return method.getReturnType() + " " + method.getName() + Arrays.toString(method.getParameterTypes());
    }
}
