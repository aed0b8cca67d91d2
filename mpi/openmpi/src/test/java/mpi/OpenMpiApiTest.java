package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluice.mpi.cases.CalledMembers;

/** The public members are those of Open MPI 5.0, as javap lists them, and their forms that take arrays. */
final class OpenMpiApiTest {
    private static final String LIST = "/openmpi-java-5.0.txt";
    private static final int FLAGS = Modifier.PUBLIC | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;

    /** Members by the line that begins their class. */
    private static Map<String, Set<String>> listed() throws IOException {
        Map<String, Set<String>> all = new LinkedHashMap<>();
        try (InputStream in = OpenMpiApiTest.class.getResourceAsStream(LIST)) {
            Set<String> members = null;
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.endsWith("{")) {
                    members = new TreeSet<>();
                    all.put(line.substring(0, line.length() - 2), members);
                } else if (line.startsWith("  ")) {
                    members.add(line.strip().replace(" native ", " "));
                }
            }
        }
        all.keySet().removeIf(header -> !header.startsWith("public "));
        return all;
    }

    private static String className(String header) {
        List<String> words = List.of(header.split(" "));
        int kind = Math.max(words.indexOf("class"), words.indexOf("interface"));
        return words.get(kind + 1);
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, OpenMpiApiTest.class.getClassLoader());
    }

    private static boolean isThere(String name) {
        try {
            load(name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static String header(Class<?> type) {
        String kind = type.isInterface() ? "interface " : "class ";
        int flags = type.getModifiers() & FLAGS & ~Modifier.STATIC;
        flags = type.isInterface() ? flags & ~Modifier.ABSTRACT : flags;
        Class<?> above = type.getSuperclass();
        String parent = above == null || above == Object.class ? "" : " extends " + above.getName();
        String interfaces =
                Arrays.stream(type.getInterfaces()).map(Class::getName).collect(Collectors.joining(","));
        return Modifier.toString(flags) + " " + kind + type.getName() + parent
                + (interfaces.isEmpty() ? "" : " implements " + interfaces);
    }

    private static String end(Executable of) {
        String parameters =
                Arrays.stream(of.getParameterTypes()).map(Class::getTypeName).collect(Collectors.joining(", "));
        String thrown =
                Arrays.stream(of.getExceptionTypes()).map(Class::getName).collect(Collectors.joining(", "));
        return "(" + parameters + ")" + (thrown.isEmpty() ? "" : " throws " + thrown) + ";";
    }

    private static String line(Method method) {
        String variables = Arrays.stream(method.getTypeParameters())
                .map(each -> each.getName() + " extends "
                        + Arrays.stream(each.getBounds()).map(Type::getTypeName).collect(Collectors.joining(" & ")))
                .collect(Collectors.joining(", "));
        return Modifier.toString(method.getModifiers() & FLAGS)
                + (variables.isEmpty() ? "" : " <" + variables + ">")
                + " " + method.getGenericReturnType().getTypeName() + " " + method.getName() + end(method);
    }

    private static Set<String> members(Class<?> type) {
        Set<String> members = new TreeSet<>();
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())) {
                members.add(line(method));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (Modifier.isPublic(constructor.getModifiers())) {
                members.add("public " + type.getName() + end(constructor));
            }
        }
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                members.add(Modifier.toString(field.getModifiers() & FLAGS) + " "
                        + field.getType().getTypeName() + " " + field.getName() + ";");
            }
        }
        return members;
    }

    private static String withoutValue(String member) {
        int value = member.indexOf(" = ");
        return value < 0 ? member : member.substring(0, value) + ";";
    }

    @Test
    void hasEveryClassAndMember() throws Exception {
        Set<String> missing = new TreeSet<>();
        for (Map.Entry<String, Set<String>> each : listed().entrySet()) {
            String name = className(each.getKey());
            if (!isThere(name)) {
                missing.add(name);
                continue;
            }
            Class<?> type = load(name);
            assertEquals(each.getKey(), header(type));
            Set<String> own = members(type);
            each.getValue().stream()
                    .filter(member -> !own.contains(withoutValue(member)))
                    .forEach(member -> missing.add(name + ": " + member));
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void hasTheValuesOfConstants() throws Exception {
        int count = 0;
        for (Map.Entry<String, Set<String>> each : listed().entrySet()) {
            for (String member : each.getValue()) {
                int value = member.indexOf(" = ");
                if (value >= 0) {
                    String name = member.substring(member.lastIndexOf(' ', value - 1) + 1, value);
                    Field field = load(className(each.getKey())).getField(name);
                    assertEquals(member.substring(value + 3, member.length() - 1), "" + field.get(null));
                    count++;
                }
            }
        }
        assertTrue(count > 0);
    }

    /** Constants are compared, {@link OneSidedTest} calls all that Win has, and tests call all others by name. */
    @Test
    void eachMemberIsCalledByATest() throws Exception {
        CalledMembers called = CalledMembers.of("mpi", OpenMpiApiTest.class);
        List<String> uncalled = new ArrayList<>();
        for (String header : listed().keySet()) {
            if (!className(header).equals("mpi.Win")) {
                uncalled.addAll(called.uncalled(load(className(header))));
            }
        }
        assertEquals(List.of(), uncalled, () -> String.join(System.lineSeparator(), uncalled));
    }

    /** Of what the list has no values of: mpi.h has them. */
    @Test
    void hasTheValuesOfMpiH() throws Exception {
        Set<String> compared = new TreeSet<>();
        try (InputStream in = OpenMpiApiTest.class.getResourceAsStream("/openmpi-constants.txt")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                String[] words = line.split(" = ");
                if (words.length == 2) {
                    assertEquals(
                            Integer.parseInt(words[1]),
                            MPI.class.getField(words[0]).getInt(null),
                            line);
                    compared.add(words[0]);
                }
            }
        }
        for (Field field : MPI.class.getFields()) {
            if (field.getType() == int.class) {
                assertTrue(compared.contains(field.getName()), field.getName());
            }
        }
    }

    /** All else is a form for arrays, or what any object has. */
    @Test
    void hasNoOtherMembers() throws Exception {
        Set<String> others = new TreeSet<>();
        for (Map.Entry<String, Set<String>> each : listed().entrySet()) {
            String name = className(each.getKey());
            if (!isThere(name)) {
                continue;
            }
            Set<String> known = each.getValue().stream()
                    .map(OpenMpiApiTest::withoutValue)
                    .flatMap(member -> List.of(member, member.replace("java.nio.Buffer", "java.lang.Object")).stream())
                    .collect(Collectors.toSet());
            Set<String> own = members(load(name));
            for (Iterator<String> it = own.iterator(); it.hasNext(); ) {
                String member = it.next();
                boolean isOfObject = member.endsWith(" toString();") || member.endsWith(" hashCode();");
                if (!known.contains(member) && !isOfObject) {
                    others.add(name + ": " + member);
                }
            }
        }
        assertEquals(Set.of(), others);
    }
}
