package org.sluice.xdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the device is compiled against is what Debian's MPJ Express has. */
final class SignaturesTest {
    @TempDir
    Path folder;

    @Test
    void everySignatureIsThatOfMpjExpress() throws Exception {
        MpjExpress.assumeInstalled();
        MpjExpress.compile("src/stubs/java", folder, "");
        ClassLoader none = ClassLoader.getPlatformClassLoader();
        try (URLClassLoader ours = new URLClassLoader(new URL[] {folder.toUri().toURL()}, none);
                URLClassLoader theirs = new URLClassLoader(
                        new URL[] {
                            MpjExpress.JAR.toUri().toURL(),
                            MpjExpress.LOGGING.toUri().toURL()
                        },
                        none)) {
            List<String> names = names();
            assertEquals(9, names.size(), names.toString());
            for (String name : names) {
                Class<?> our = Class.forName(name, false, ours);
                Class<?> their = Class.forName(name, false, theirs);
                assertEquals(our.toGenericString(), their.toGenericString());
                assertEquals(
                        String.valueOf(our.getGenericSuperclass()), String.valueOf(their.getGenericSuperclass()), name);
                Set<String> missing = members(our);
                missing.removeAll(members(their));
                assertEquals(Set.of(), missing);
            }
            assertEquals(constants(ours), constants(theirs));
            assertAllOfTheDevice(ours, theirs);
        }
    }

    /** What the device implements is whole. */
    private static void assertAllOfTheDevice(ClassLoader ours, ClassLoader theirs) throws Exception {
        for (String name : List.of("xdev.Device", "mpjdev.Request")) {
            Set<String> missing = members(Class.forName(name, false, theirs));
            missing.removeIf(member -> !member.contains("abstract"));
            missing.removeAll(members(Class.forName(name, false, ours)));
            assertTrue(missing.isEmpty(), missing.toString());
        }
    }

    private static List<Object> constants(ClassLoader loader) throws Exception {
        Class<?> device = Class.forName("xdev.Device", false, loader);
        return List.of(
                device.getField("ANY_SOURCE").get(null),
                device.getField("ANY_TAG").get(null));
    }

    private List<String> names() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> folder.relativize(file).toString().replace('/', '.'))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .toList();
        }
    }

    private static Set<String> members(Class<?> type) {
        Set<String> members = new TreeSet<>();
        Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
                .flatMap(Stream::of)
                .filter(member -> (((Member) member).getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                .forEach(member -> members.add(member.toString()));
        return members;
    }
}
