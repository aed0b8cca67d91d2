package org.sluice.cli.law;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What squeezing can't satisfy: how classes hang together. What exceeds a law is listed by name in a file beside this
 * class. Nothing is added there; an entry that is no longer true is taken out.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StructureLawTest {

    private static final int MOST_IN_A_CYCLE = 4;
    private static final int MOST_PARAMETERS = 6;

    private static final String ENGINE = "org.sluice.hybrid.";
    private static final List<String> BOTTOM_FIRST = List.of(
            "lock",
            "request",
            "progress",
            "match",
            "route",
            "operation",
            "rendezvous",
            "persistent",
            "receive",
            "handler",
            "protocol",
            "observe",
            "observe.agent",
            "device");

    /**
     * Where others say what a method takes: the contract of a channel, MPI, the interfaces of the kernel and of verbs.
     */
    private static final List<String> GIVEN = List.of(
            "org.sluice.device.channel.",
            "org.sluice.mpi.mpijava.",
            "org.sluice.mpi.openmpi.",
            "org.sluice.mpi.xdev.",
            "org.sluice.jni.");

    private final JavaClasses classes = Sources.CLASSES;

    @Test
    void cyclesInsideAPackageAreSmall() {
        Map<String, Set<String>> uses = uses(name -> name);
        Map<String, Set<String>> packages = new TreeMap<>();
        for (String name : uses.keySet()) {
            packages.computeIfAbsent(packageOf(name), each -> new TreeSet<>()).add(name);
        }
        Set<String> found = new TreeSet<>();
        for (Set<String> members : packages.values()) {
            cycles(members, uses).stream()
                    .filter(cycle -> cycle.size() > MOST_IN_A_CYCLE)
                    .forEach(found::addAll);
        }
        compare("cycles.txt", found);
    }

    /** So they have no cycles. docs/pictures/engine.dot draws them. */
    @Test
    void packagesOfHybridUseOnlyThoseBelow() {
        Map<String, Set<String>> uses = uses(StructureLawTest::packageOf);
        uses.keySet().removeIf(name -> !name.startsWith(ENGINE));
        assertEquals(
                new TreeSet<>(BOTTOM_FIRST),
                uses.keySet().stream()
                        .map(name -> name.substring(ENGINE.length()))
                        .collect(Collectors.toSet()));
        Set<String> upwards = new TreeSet<>();
        uses.forEach((from, all) -> all.stream()
                .filter(to -> to.startsWith(ENGINE) && height(to) > height(from))
                .forEach(to -> upwards.add(from + " uses " + to)));
        assertEquals(Set.of(), upwards);
    }

    private static int height(String name) {
        return BOTTOM_FIRST.indexOf(name.substring(ENGINE.length()));
    }

    @Test
    void methodsTakeFewParameters() {
        Map<String, Integer> counts = new TreeMap<>();
        for (JavaClass each : classes) {
            if (GIVEN.stream().anyMatch(each.getName()::startsWith) || each.isAnonymousClass()) {
                continue;
            }
            for (JavaCodeUnit unit : each.getCodeUnits()) {
                if (parameters(unit) > MOST_PARAMETERS && !isSynthetic(unit) && !isGiven(each, unit)) {
                    counts.merge(top(each.getName()), 1, Integer::sum);
                }
            }
        }
        Set<String> found = new TreeSet<>();
        counts.forEach((name, count) -> found.add(name + " " + count));
        compare("parameters.txt", found);
    }

    /** Such a class is methods moved out of the one that they are about. */
    @Test
    void noClassIsTheStaticHalfOfAnother() {
        Set<String> found = new TreeSet<>();
        for (JavaClass each : classes) {
            if (each.getName().endsWith("$DefaultImpls")) {
                // Kotlin's own.
                continue;
            }
            List<JavaMethod> methods = each.getMethods().stream()
                    .filter(method ->
                            !isSynthetic(method) && !method.getModifiers().contains(JavaModifier.PRIVATE))
                    .collect(Collectors.toList());
            Set<String> firsts = methods.stream()
                    .map(method -> !method.getModifiers().contains(JavaModifier.STATIC)
                                    || method.getRawParameterTypes().isEmpty()
                            ? ""
                            : method.getRawParameterTypes().get(0).getName())
                    .collect(Collectors.toSet());
            String first = firsts.size() == 1 ? firsts.iterator().next() : "";
            if (methods.size() > 1 && roomOf(first).equals(roomOf(each.getName()))) {
                found.add(each.getName() + " of " + first);
            }
        }
        compare("halves.txt", found);
    }

    private static void compare(String file, Set<String> found) {
        Set<String> listed = listed(file);
        Set<String> added = new TreeSet<>(found);
        added.removeAll(listed);
        Set<String> gone = new TreeSet<>(listed);
        gone.removeAll(found);
        assertTrue(
                added.isEmpty() && gone.isEmpty(),
                () -> "exceeds the law, and is to be brought down: " + lines(added) + "\nis no longer true, and is to"
                        + " be taken out of cli/src/test/resources/org/sluice/cli/law/" + file + ": " + lines(gone));
    }

    private static String lines(Set<String> names) {
        return names.isEmpty() ? "nothing" : "\n  " + String.join("\n  ", names);
    }

    private static Set<String> listed(String file) {
        try (InputStream in = StructureLawTest.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }

    /** Who uses whom, where all classes of one name are one. */
    private Map<String, Set<String>> uses(Function<String, String> name) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass each : classes) {
            String from = name.apply(top(each.getName()));
            Set<String> to = uses.computeIfAbsent(from, unused -> new TreeSet<>());
            each.getDirectDependenciesFromSelf().stream()
                    .map(dependency ->
                            dependency.getTargetClass().getBaseComponentType().getName())
                    .map(target -> name.apply(top(target)))
                    .filter(target -> !target.equals(from))
                    .forEach(to::add);
        }
        return uses;
    }

    /** The largest sets of those members of which each leads to each, by members alone. */
    private static List<Set<String>> cycles(Set<String> members, Map<String, Set<String>> uses) {
        Map<String, Set<String>> reached = new TreeMap<>();
        members.forEach(each -> reached.put(each, reached(each, members, uses)));
        List<Set<String>> cycles = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String each : members) {
            Set<String> cycle = reached.get(each).stream()
                    .filter(other -> reached.get(other).contains(each))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (cycle.size() > 1 && seen.add(each)) {
                seen.addAll(cycle);
                cycles.add(cycle);
            }
        }
        return cycles;
    }

    private static Set<String> reached(String from, Set<String> members, Map<String, Set<String>> uses) {
        Set<String> reached = new TreeSet<>();
        List<String> open = new ArrayList<>(List.of(from));
        while (!open.isEmpty()) {
            for (String next : uses.getOrDefault(open.remove(open.size() - 1), Set.of())) {
                if (members.contains(next) && reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return reached;
    }

    /** As the source has them. */
    private static int parameters(JavaCodeUnit unit) {
        List<JavaClass> types = unit.getRawParameterTypes();
        int count = types.size();
        if (unit.isConstructor()) {
            // An enum's have a name and a number before them, an inner class' the outer object.
            count -= unit.getOwner().isEnum()
                    ? 2
                    : unit.getOwner().isInnerClass()
                                    && !unit.getOwner().getModifiers().contains(JavaModifier.STATIC)
                            ? 1
                            : 0;
        }
        boolean suspends =
                !types.isEmpty() && types.get(types.size() - 1).getName().equals("kotlin.coroutines.Continuation");
        return suspends ? count - 1 : count;
    }

    private static boolean isSynthetic(JavaCodeUnit unit) {
        return unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                || unit.getModifiers().contains(JavaModifier.BRIDGE)
                || unit.getName().startsWith("lambda$")
                || unit.getName().endsWith("$default");
    }

    /** Whether it implements a method of a class that others say. */
    private static boolean isGiven(JavaClass owner, JavaCodeUnit unit) {
        List<JavaClass> above = new ArrayList<>(owner.getAllRawSuperclasses());
        above.addAll(owner.getAllRawInterfaces());
        return above.stream()
                .filter(each -> GIVEN.stream().anyMatch(each.getName()::startsWith)
                        || !each.getName().startsWith("org.sluice."))
                .flatMap(each -> each.getMethods().stream())
                .anyMatch(method -> method.getName().equals(unit.getName())
                        && method.getRawParameterTypes().size()
                                == unit.getRawParameterTypes().size());
    }

    private static String top(String name) {
        int inner = name.indexOf('$');
        return inner < 0 ? name : name.substring(0, inner);
    }

    private static String packageOf(String name) {
        int end = name.lastIndexOf('.');
        return end < 0 ? "" : name.substring(0, end);
    }

    private static String roomOf(String name) {
        String[] parts = name.split("\\.");
        return parts.length < 3 || !name.startsWith("org.sluice.") ? "" : parts[2];
    }
}
