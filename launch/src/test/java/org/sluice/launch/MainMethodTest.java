package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user gets to read who names the wrong class or class path. */
final class MainMethodTest {
    private final ClassLoader loader = MainMethodTest.class.getClassLoader();

    /** Has a main method that is no program's. */
    static final class Instance {
        void main(String[] args) {}
    }

    static class Classic {
        static String called = "";

        public static void main(String[] args) {
            called = args[0];
        }
    }

    static final class WithoutArguments {
        private WithoutArguments() {}

        static void main() {
            Classic.called = "static without arguments";
        }
    }

    static class OfAnInstance {
        void main() {
            Classic.called = getClass().getSimpleName();
        }
    }

    static final class Both extends OfAnInstance {
        void main(String[] args) {
            Classic.called = "with " + args[0];
        }
    }

    static final class Inheriting extends OfAnInstance {}

    static final class NoConstructor extends OfAnInstance {
        private NoConstructor() {}
    }

    static final class Private {
        private static void main() {}
    }

    static final class Returning {
        int main() {
            return 1;
        }
    }

    private String refused(String mainClass, String classPath) {
        return refused(mainClass, classPath, 17);
    }

    private String refused(String mainClass, String classPath, int feature) {
        return assertThrows(
                        IllegalArgumentException.class, () -> MainMethod.find(loader, mainClass, classPath, feature))
                .getMessage();
    }

    private String called(Class<?> program, int feature) throws Throwable {
        Classic.called = "";
        MainMethod.find(loader, program.getName(), "", feature).invokeExact(new String[] {"one"});
        return Classic.called;
    }

    @Test
    void fromJava25OnMainMayBeAnInstancesAndHaveNoParameter() throws Throwable {
        assertEquals("one", called(Classic.class, 25));
        assertEquals("static without arguments", called(WithoutArguments.class, 25));
        assertEquals("OfAnInstance", called(OfAnInstance.class, 25));
        assertEquals("Inheriting", called(Inheriting.class, 25));
        assertEquals("with one", called(Both.class, 25));
        for (Class<?> none : List.of(NoConstructor.class, Private.class, List.class)) {
            String message = refused(none.getName(), "", 25);
            assertTrue(
                    message.contains(none.getName()
                            + " is not what a program needs: public static void main(String[] args), or"
                            + " without the parameter"),
                    message);
        }
    }

    @Test
    void oneThatReturnsIsToldWhat() {
        String message = refused(Returning.class.getName(), "", 24);
        assertTrue(
                message.contains(
                        ", whose main returns int (in Kotlin: runBlocking<Unit> { ... }), is not what a program needs"),
                message);
    }

    @Test
    void beforeItMayNot() throws Throwable {
        assertEquals("one", called(Classic.class, 24));
        for (Class<?> none : List.of(WithoutArguments.class, OfAnInstance.class, Inheriting.class, Both.class)) {
            assertTrue(
                    refused(none.getName(), "", 24)
                            .endsWith(" is not what a program needs: public static void main(String[] args)"),
                    none.getName());
        }
    }

    @Test
    void theRuleIsThatOfTheJavaThatRuns() throws Throwable {
        if (Runtime.version().feature() >= 25) {
            Classic.called = "";
            MainMethod.find(loader, OfAnInstance.class.getName(), "").invokeExact(new String[0]);
            assertEquals("OfAnInstance", Classic.called);
        } else {
            assertThrows(
                    IllegalArgumentException.class, () -> MainMethod.find(loader, OfAnInstance.class.getName(), ""));
        }
    }

    private static final class Hidden {
        private Hidden() {}

        public static void main(String[] arguments) {}
    }

    @Test
    void itIsFoundInAClassThatIsNotPublic() throws Throwable {
        assertEquals(
                "(String[])void",
                MainMethod.find(loader, Hidden.class.getName(), "").type().toString());
    }

    @Test
    void partsOfTheClassPathThatAreMissingAreNamed(@TempDir Path folder) {
        String missing = folder.resolve("classses").toString();
        assertEquals(
                "there is no class my.Nothing on the class path, of which these parts don't exist: " + missing,
                refused("my.Nothing", folder + File.pathSeparator + missing));
        assertEquals("there is no class my.Nothing on the class path", refused("my.Nothing", folder.toString()));
    }

    @Test
    void whatWasMeantIsNamed(@TempDir Path folder) throws IOException {
        Path source = Files.createFile(folder.resolve("Source.java"));
        Path compiled = Files.createFile(folder.resolve("Compiled.class"));
        assertTrue(refused("Source", folder.toString())
                .endsWith("; " + source + " isn't compiled: javac makes the class" + " of it"));
        assertTrue(refused("compiled", folder.toString())
                .endsWith("; " + folder + " has Compiled.class, and letters" + " count"));
        assertTrue(refused("Other", compiled.toString()).endsWith(": give the folder that it is in"));
    }

    /** As a name beyond ASCII is in a locale without it. */
    @Test
    void aPartOfTheClassPathThatIsNoPathHidesNothing() {
        assertTrue(refused("my.Nothing", "no\0path").startsWith("there is no class my.Nothing on the class path"));
    }

    @Test
    void aFileNameIsNoClassName() {
        for (String name : new String[] {"Hello.class", "Hello.java", "my/Hello"}) {
            assertTrue(refused(name, "").contains("give its name with its package, dots between"), name);
        }
    }

    @Test
    void aMethodThatIsNotStaticIsRefused() {
        assertEquals(
                "the main method of " + Instance.class.getName()
                        + " is not what a program needs: public static void main(String[] args)",
                refused(Instance.class.getName(), ""));
    }

    @Test
    void aClassInTheWrongFolderIsNoStackTrace(@TempDir Path folder) throws Exception {
        String name = Instance.class.getName().replace('.', '/') + ".class";
        try (InputStream bytes = loader.getResourceAsStream(name)) {
            Files.write(folder.resolve("Instance.class"), bytes.readAllBytes());
        }
        try (URLClassLoader wrong = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            String message = assertThrows(
                            IllegalArgumentException.class, () -> MainMethod.find(wrong, "Instance", folder.toString()))
                    .getMessage();
            assertTrue(
                    message.startsWith("class Instance can't be loaded: ") && message.contains("wrong name"), message);
        }
    }
}
