package org.sluice.xdev;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** MPJ Express as Debian installs it, and what is compiled against it. */
final class MpjExpress {
    static final Path JAR = Path.of("/usr/share/java/mpj.jar");
    static final Path LOGGING = Path.of("/usr/share/java/log4j-1.2.jar");
    static final String HOME = "/usr/share/mpj";

    private static final Path MODULE = Path.of(System.getProperty("sluice.root"), "mpi", "xdev");

    private MpjExpress() {}

    static void assumeInstalled() {
        assumeTrue(
                Files.isReadable(JAR) && Files.isReadable(LOGGING),
                "there is no MPJ Express to test with: install libmpj-java");
    }

    /** All sources of a folder of this module; with those classes on the class path, or none. */
    static void compile(String folder, Path into, String classPath) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", into.toString()));
        if (!classPath.isEmpty()) {
            options.addAll(List.of("-cp", classPath));
        }
        StringWriter said = new StringWriter();
        try (Stream<Path> files = Files.walk(MODULE.resolve(folder));
                StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertTrue(
                    compiler.getTask(said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(sources))
                            .call(),
                    said.toString());
        }
    }

    /** Where Maven has put what this module has for programs. */
    static Path classes() {
        return MODULE.resolve("target/classes");
    }
}
