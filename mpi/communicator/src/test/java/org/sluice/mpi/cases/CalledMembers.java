package org.sluice.mpi.cases;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which members of a package compiled tests name: methods with their descriptors, constructors and fields, as the
 * constant pools have them. Constants that javac copies into its callers aren't among them.
 */
public final class CalledMembers {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;

    private static final Set<String> OF_OBJECTS = Set.of("toString", "hashCode");

    private final String packageName;
    private final Set<String> called = new TreeSet<>();

    private CalledMembers(String packageName) {
        this.packageName = packageName;
    }

    /** Those that the classes beside a test name, the test's own included. */
    public static CalledMembers of(String packageName, Class<?> test) throws IOException {
        CalledMembers members = new CalledMembers(packageName);
        try (Stream<Path> files = Files.walk(home(test))) {
            for (Path each :
                    files.filter(file -> file.toString().endsWith(".class")).toList()) {
                members.read(Files.readAllBytes(each));
            }
        }
        return members;
    }

    private static Path home(Class<?> test) {
        try {
            return Path.of(
                    test.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One class file's. */
    private void read(byte[] file) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(file))) {
            in.skipBytes(8);
            int size = in.readUnsignedShort();
            int[] kinds = new int[size];
            Object[] entries = new Object[size];
            for (int i = 1; i < size; i++) {
                kinds[i] = in.readUnsignedByte();
                entries[i] = entry(kinds[i], in);
                // These take two numbers.
                i += kinds[i] == LONG || kinds[i] == DOUBLE ? 1 : 0;
            }
            for (int i = 1; i < size; i++) {
                if (kinds[i] >= FIELD && kinds[i] <= INTERFACE_METHOD) {
                    add(entries, (int[]) entries[i]);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text, the numbers of what it is made of, or null if nothing here needs it. */
    private static Object entry(int kind, DataInputStream in) throws IOException {
        switch (kind) {
            case UTF8:
                return in.readUTF();
            case CLASS:
                return new int[] {in.readUnsignedShort()};
            case FIELD:
            case FIELD + 1:
            case INTERFACE_METHOD:
            case NAME_AND_TYPE:
                return new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
            default:
                in.skipBytes(bytes(kind));
                return null;
        }
    }

    /** Of what is left out: numbers of 8, strings, modules and types of methods 2, handles 3, all else 4. */
    private static int bytes(int kind) {
        switch (kind) {
            case LONG:
            case DOUBLE:
                return 8;
            case 8:
            case 16:
            case 19:
            case 20:
                return 2;
            case 15:
                return 3;
            default:
                return 4;
        }
    }

    private void add(Object[] entries, int[] member) {
        String owner = ((String) entries[((int[]) entries[member[0]])[0]]).replace('/', '.');
        if (owner.startsWith(packageName + ".")) {
            int[] nameAndType = (int[]) entries[member[1]];
            String name = (String) entries[nameAndType[0]];
            String type = (String) entries[nameAndType[1]];
            called.add(declarer(owner, name, type) + "." + name + type);
        }
    }

    /** A call names the class of the expression it is made on: the member may be that of a class above. */
    private static String declarer(String owner, String name, String type) {
        try {
            Class<?> at = Class.forName(owner, false, CalledMembers.class.getClassLoader());
            while (at != null && !declares(at, name, type)) {
                at = at.getSuperclass();
            }
            return at == null ? owner : at.getName();
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            return owner;
        }
    }

    private static boolean declares(Class<?> type, String name, String descriptor) {
        return Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(each -> name(each).equals(name + descriptor))
                || Arrays.stream(type.getDeclaredConstructors())
                        .anyMatch(each -> name(each).equals(name + descriptor))
                || Arrays.stream(type.getDeclaredFields())
                        .anyMatch(each -> name(each).equals(name + descriptor));
    }

    private static String name(Method method) {
        return method.getName()
                + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                        .descriptorString();
    }

    private static String name(Constructor<?> constructor) {
        return "<init>"
                + MethodType.methodType(void.class, constructor.getParameterTypes())
                        .descriptorString();
    }

    private static String name(Field field) {
        return field.getName() + field.getType().descriptorString();
    }

    /**
     * The public members that a class declares and nobody names. Those that javac makes for it aren't asked for, nor
     * abstract ones, which the library calls, nor what any object has, nor numbers, whose values are compared
     * elsewhere.
     */
    public List<String> uncalled(Class<?> type) {
        Stream<String> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                .filter(each -> !Modifier.isAbstract(each.getModifiers()) && !OF_OBJECTS.contains(each.getName()))
                .map(CalledMembers::name);
        Stream<String> constructors = Arrays.stream(type.getDeclaredConstructors())
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .map(CalledMembers::name);
        Stream<String> fields = Arrays.stream(type.getDeclaredFields())
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !isConstant(each))
                .map(CalledMembers::name);
        return Stream.of(methods, constructors, fields)
                .flatMap(each -> each)
                .map(member -> type.getName() + "." + member)
                .filter(member -> !called.contains(member))
                .sorted()
                .collect(Collectors.toList());
    }

    private static boolean isConstant(Field field) {
        return Modifier.isStatic(field.getModifiers()) && field.getType().isPrimitive();
    }
}
