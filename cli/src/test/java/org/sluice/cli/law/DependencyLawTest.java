package org.sluice.cli.law;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which room may know which: Maven checks it between modules, this checks it where several are on the class path. */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DependencyLawTest {

    private static final List<String> ALL =
            List.of("device", "jni", "shm", "ib", "tcp", "launch", "hybrid", "mpi", "coroutines", "bench", "cli");

    /** What each room may use; a name with a dot is one part of a room. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            Map.entry("device", List.of()),
            Map.entry("jni", List.of()),
            Map.entry("shm", List.of("device", "jni.os")),
            Map.entry("ib", List.of("device", "jni.verbs")),
            Map.entry("tcp", List.of("device", "jni.os")),
            Map.entry("launch", List.of("device", "jni.os", "jni.pmix")),
            Map.entry("hybrid", List.of("device", "shm", "ib", "tcp", "jni.os", "launch")),
            Map.entry("mpi", List.of("device")),
            Map.entry("coroutines", List.of("device", "hybrid", "mpi")),
            Map.entry("bench", List.of("coroutines", "mpi", "hybrid", "launch", "ib", "device", "jni.os")),
            Map.entry("cli", List.of("bench", "mpi", "hybrid", "launch", "ib", "tcp", "shm", "device", "jni")));

    private static final List<String> NATIVE_PARTS = List.of("os", "verbs", "pmix");

    private final JavaClasses classes = Sources.CLASSES;

    @ParameterizedTest
    @ValueSource(
            strings = {"device", "jni", "shm", "ib", "tcp", "launch", "hybrid", "mpi", "coroutines", "bench", "cli"})
    void roomIsOnTheClassPath(String room) {
        assertFalse(
                classes.that(JavaClass.Predicates.resideInAPackage("org.sluice." + room + ".."))
                        .isEmpty(),
                "no class of " + room + " was found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"device", "jni", "shm", "ib", "tcp", "launch", "hybrid", "mpi", "coroutines", "bench", "cli"})
    void roomUsesOnlyWhatItMay(String room) {
        noClasses()
                .that()
                .resideInAPackage("org.sluice." + room + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden(room))
                .allowEmptyShould(true)
                .check(classes);
    }

    /** Who doesn't use coroutines loads nothing of Kotlin. */
    @Test
    void onlyTheCoroutinesKnowKotlin() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.sluice.device..",
                        "org.sluice.jni..",
                        "org.sluice.shm..",
                        "org.sluice.ib..",
                        "org.sluice.tcp..",
                        "org.sluice.launch..",
                        "org.sluice.hybrid..",
                        "org.sluice.mpi..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("kotlin..", "kotlinx..", "org.sluice.coroutines..")
                .check(classes);
    }

    @Test
    void staticFieldsAreFinal() {
        fields().that()
                .areStatic()
                .and()
                .areDeclaredInClassesThat()
                .resideInAPackage("org.sluice..")
                .should()
                .beFinal()
                .because("two devices live in one JVM")
                .check(classes);
    }

    /** What else is kept for the whole JVM, and why, stands in ADR 0032. */
    @Test
    void whatAJvmHasOnceIsNamed() {
        fields().that()
                .areStatic()
                .and()
                .haveRawType(resideInAPackage("java.util.concurrent").or(assignableTo(HashMap.class)))
                .and()
                .areDeclaredInClassesThat()
                .resideInAPackage("org.sluice..")
                .and()
                .doNotHaveRawType(TimeUnit.class)
                .should()
                .beDeclaredInClassesThat()
                .haveNameMatching(
                        "org\\.sluice\\.(ib\\.AsyncEvents|ib\\.memory\\.KeptMemory|bench\\.memory\\.MemoryRank)")
                .because("two devices live in one JVM")
                .check(classes);
    }

    private static String[] forbidden(String room) {
        List<String> may = MAY_USE.get(room);
        List<String> packages = new ArrayList<>();
        for (String other : ALL) {
            if (other.equals(room) || may.contains(other)) {
                continue;
            }
            boolean someParts = may.stream().anyMatch(name -> name.startsWith(other + "."));
            if (someParts) {
                NATIVE_PARTS.stream()
                        .filter(part -> !may.contains(other + "." + part))
                        .forEach(part -> packages.add("org.sluice." + other + "." + part + ".."));
            } else {
                packages.add("org.sluice." + other + "..");
            }
        }
        return packages.toArray(String[]::new);
    }

    @Test
    void forbiddenIsTheRest() {
        assertEquals(
                List.of(
                        "org.sluice.jni.verbs..",
                        "org.sluice.jni.pmix..",
                        "org.sluice.ib..",
                        "org.sluice.tcp..",
                        "org.sluice.launch..",
                        "org.sluice.hybrid..",
                        "org.sluice.mpi..",
                        "org.sluice.coroutines..",
                        "org.sluice.bench..",
                        "org.sluice.cli.."),
                List.of(forbidden("shm")));
    }
}
