package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluice.mpi.cases.CalledMembers;

/** Names, types, exceptions and constants are those of MPJ Express 0.44, as {@code javap} lists them. */
final class MpijavaApiTest {
    private static final String LIST = "/mpj-express-0.44-mpi.txt";
    /** What says what it is when it is printed. */
    private static final String OURS = "public java.lang.String toString();";

    private final Map<String, Set<String>> members = new LinkedHashMap<>();
    private final Map<String, String> constants = new LinkedHashMap<>();

    MpijavaApiTest() throws Exception {
        try (InputStream in = MpijavaApiTest.class.getResourceAsStream(LIST)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Set<String> current = null;
            for (String line : text.lines().map(String::strip).toList()) {
                if (line.endsWith("{")) {
                    current = new TreeSet<>();
                    members.put(line, current);
                } else if (line.endsWith(";") && current != null) {
                    current.add(line);
                } else if (line.contains(" = ")) {
                    constants.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf("= ") + 2));
                }
            }
        }
    }

    @Test
    void theListIsWhole() {
        assertEquals(21, members.size(), members.keySet().toString());
        assertEquals(
                230, members.values().stream().mapToInt(Set::size).sum(), "members in the list, of which none is lost");
        assertEquals(24, constants.size());
    }

    @Test
    void eachClassAndMemberIsThereAsItWas() throws Exception {
        List<String> different = new ArrayList<>();
        for (Map.Entry<String, Set<String>> each : members.entrySet()) {
            Class<?> type = Class.forName(nameIn(each.getKey()));
            if (!each.getKey().equals(declaration(type))) {
                different.add(each.getKey() + " is " + declaration(type));
            }
            Set<String> here = membersOf(type);
            Set<String> missing = new TreeSet<>(each.getValue());
            missing.removeAll(here);
            here.removeAll(each.getValue());
            here.remove(OURS);
            missing.forEach(member -> different.add(type.getName() + " lacks " + member));
            here.forEach(member -> different.add(type.getName() + " has " + member));
        }
        assertTrue(different.isEmpty(), String.join(System.lineSeparator(), different));
    }

    /** Constants are compared below, all others are called. */
    @Test
    void eachMemberIsCalledByATest() throws Exception {
        CalledMembers called = CalledMembers.of("mpi", MpijavaApiTest.class);
        List<String> uncalled = new ArrayList<>();
        for (String declaration : members.keySet()) {
            uncalled.addAll(called.uncalled(Class.forName(nameIn(declaration))));
        }
        assertEquals(List.of(), uncalled, () -> String.join(System.lineSeparator(), uncalled));
    }

    @Test
    void constantsHaveTheirValues() throws Exception {
        for (Map.Entry<String, String> each : constants.entrySet()) {
            int dot = each.getKey().lastIndexOf('.');
            Field field = Class.forName(each.getKey().substring(0, dot))
                    .getField(each.getKey().substring(dot + 1));
            String expected = field.getName().equals("NUM_OF_PROCESSORS")
                    ? String.valueOf(Runtime.getRuntime().availableProcessors())
                    : each.getValue();
            assertEquals(expected, String.valueOf(field.get(null)), each.getKey());
        }
    }

    private static String nameIn(String declaration) {
        return Arrays.stream(declaration.split(" "))
                .filter(word -> word.startsWith("mpi."))
                .findFirst()
                .orElseThrow();
    }

    private static String declaration(Class<?> type) {
        String modifiers = Modifier.toString(type.getModifiers() & ~(type.isInterface() ? Modifier.ABSTRACT : 0));
        String kind = type.isInterface() ? modifiers : modifiers + " class";
        String parent = type.isInterface() || type.getSuperclass() == Object.class
                ? ""
                : " extends " + type.getSuperclass().getName();
        String interfaces = type.getInterfaces().length == 0
                ? ""
                : " implements "
                        + Arrays.stream(type.getInterfaces())
                                .map(Class::getName)
                                .collect(Collectors.joining(","));
        return kind + " " + type.getName() + parent + interfaces + " {";
    }

    private static Set<String> membersOf(Class<?> type) {
        Stream<String> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> Modifier.isPublic(field.getModifiers()))
                .map(field -> Modifier.toString(field.getModifiers()) + " "
                        + field.getType().getTypeName() + " " + field.getName() + ";");
        Stream<String> constructors = Arrays.stream(type.getDeclaredConstructors())
                .filter(made -> Modifier.isPublic(made.getModifiers()))
                .map(MpijavaApiTest::line);
        Stream<String> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(MpijavaApiTest::line);
        return Stream.of(fields, constructors, methods)
                .flatMap(each -> each)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String line(Executable member) {
        String result = member instanceof Constructor
                ? ""
                : ((Method) member).getReturnType().getTypeName() + " ";
        String thrown = member.getExceptionTypes().length == 0
                ? ""
                : " throws "
                        + Arrays.stream(member.getExceptionTypes())
                                .map(Class::getName)
                                .collect(Collectors.joining(", "));
        return Modifier.toString(member.getModifiers()) + " " + result + member.getName() + "("
                + Arrays.stream(member.getParameterTypes())
                        .map(Class::getTypeName)
                        .collect(Collectors.joining(", "))
                + ")" + thrown + ";";
    }
}
