package org.sluice.openmpi;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the other dialect on the class path, too, Init says so, and where both are. */
final class TwoDialectsTest {
    private static final String MARK = "META-INF/sluice-mpi-dialect";

    @TempDir
    Path other;

    @Test
    void bothPlacesAreTold() throws Exception {
        Files.createDirectories(other.resolve("META-INF"));
        Files.writeString(other.resolve(MARK), "another");
        List<URL> all = new ArrayList<>(List.of(other.toUri().toURL()));
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            all.add(Path.of(each).toUri().toURL());
        }
        try (URLClassLoader program = new URLClassLoader(all.toArray(URL[]::new), null)) {
            Method init = program.loadClass("mpi.MPI").getMethod("Init", String[].class);
            Throwable thrown = assertThrows(
                            InvocationTargetException.class, () -> init.invoke(null, (Object) new String[0]))
                    .getCause();
            String own =
                    TwoDialectsTest.class.getClassLoader().getResource(MARK).toExternalForm();
            String words = thrown.getMessage();
            assertTrue(thrown.getClass().getName().equals("mpi.MPIException"), thrown.toString());
            assertTrue(words.contains(other.toUri().toURL().getPath()), words);
            assertTrue(words.contains(own.replace(MARK, "")), words);
            assertTrue(words.contains("the program was written for"), words);
        }
    }
}
