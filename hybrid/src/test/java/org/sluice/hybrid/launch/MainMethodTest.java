package org.sluice.hybrid.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user gets to read who names the wrong class or class path. */
final class MainMethodTest {
    private final ClassLoader loader = MainMethodTest.class.getClassLoader();

    /** Has a main method that is no program's. */
    static final class Instance {
        void main(String[] args) {
        }
    }

    private String refused(String mainClass, String classPath) {
        return assertThrows(IllegalArgumentException.class, () -> MainMethod.find(loader, mainClass, classPath))
                .getMessage();
    }

    @Test
    void itIsFoundInAClassThatIsNotPublic() throws Throwable {
        assertEquals("(String[])void", MainMethod.find(loader, "example.ranks.RankProgram", "").type()
                .toString());
    }

    @Test
    void partsOfTheClassPathThatAreMissingAreNamed(@TempDir Path folder) {
        String missing = folder.resolve("classses").toString();
        assertEquals("there is no class my.Nothing on the class path, of which these parts don't exist: " + missing,
                refused("my.Nothing", folder + File.pathSeparator + missing));
        assertEquals("there is no class my.Nothing on the class path", refused("my.Nothing", folder.toString()));
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
        assertEquals("the main method of " + Instance.class.getName()
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
            String message = assertThrows(IllegalArgumentException.class,
                    () -> MainMethod.find(wrong, "Instance", folder.toString())).getMessage();
            assertTrue(message.startsWith("class Instance can't be loaded: ") && message.contains("wrong name"),
                    message);
        }
    }
}
