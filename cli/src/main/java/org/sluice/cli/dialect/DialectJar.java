package org.sluice.cli.dialect;

import java.io.Closeable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one of Sluice's dialects has: its classes, and the names of their members. <i>Thread</i>: one. */
final class DialectJar implements Closeable {
    private final Path jar;
    /** Null until it is asked for: most programs speak of no MPI. */
    private ClassPath files;

    private final Map<String, Set<String>> members = new HashMap<>();

    DialectJar(Path jar) {
        this.jar = jar;
    }

    private ClassPath files() {
        if (files == null) {
            try {
                files = new ClassPath(new URL[] {jar.toUri().toURL()});
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(jar + " can't be read: " + e.getMessage(), e);
            }
        }
        return files;
    }

    boolean has(String type) {
        return !members(type).isEmpty();
    }

    /** Whether a class of it has a field or method of that name, inherited ones included. */
    boolean has(String type, String member) {
        return members(type).contains(member);
    }

    /** Empty where there is no such class. */
    private Set<String> members(String type) {
        Set<String> known = members.get(type);
        if (known == null) {
            byte[] bytes = type.startsWith("org/sluice/") ? null : files().read(type + ".class");
            Optional<ClassFile> file = bytes == null ? Optional.empty() : ClassFile.of(bytes);
            Set<String> found = new HashSet<>();
            file.ifPresent(read -> {
                found.addAll(read.declared());
                found.addAll(membersOf(Object.class));
                read.parents().forEach(parent -> {
                    Set<String> inherited = members(parent);
                    found.addAll(inherited.isEmpty() ? membersOfTheJdk(parent) : inherited);
                });
            });
            members.put(type, found);
            return found;
        }
        return known;
    }

    private static Set<String> membersOfTheJdk(String type) {
        try {
            return membersOf(Class.forName(type.replace('/', '.'), false, ClassLoader.getPlatformClassLoader()));
        } catch (ClassNotFoundException e) {
            // One of Sluice's own.
            return Set.of();
        }
    }

    private static Set<String> membersOf(Class<?> type) {
        Set<String> names = new HashSet<>();
        for (Method method : type.getMethods()) {
            names.add(method.getName());
        }
        for (Method method : type.getDeclaredMethods()) {
            names.add(method.getName());
        }
        for (Field field : type.getFields()) {
            names.add(field.getName());
        }
        return names;
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
    }
}
