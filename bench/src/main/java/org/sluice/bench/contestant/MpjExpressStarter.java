package org.sluice.bench.contestant;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.sluice.bench.rank.RankSetup;

/**
 * Ranks of MPJ Express in its multicore mode: threads of one JVM, started as its own {@code mpjrun} starts them. Their
 * program is compiled against the machine's library each time.
 */
final class MpjExpressStarter implements Starter {
    static final String PACKAGES = "libmpj-java";

    private static final Path HOME = Path.of("/usr/share/mpj");
    private static final Path LIBRARY = Path.of("/usr/share/java/mpj.jar");
    /** Its device logs, and Debian's class path lacks what it logs with. */
    private static final Path LOGGING = Path.of("/usr/share/java/log4j-1.2.jar");

    private static final List<String> SHARED =
            List.of("smpdev.jar", "xdev.jar", "mpjbuf.jar", "loader2.jar", "starter.jar", "mpiExp.jar");
    private static final String PROGRAM = "org.sluice.bench.mpj.MpjRank";
    private static final String SOURCE = "/" + PROGRAM.replace('.', '/') + ".java";

    private final JavaCommand java;
    private final RankSetup setup;
    private volatile WorkFolder folder;

    MpjExpressStarter(JavaCommand java, RankSetup setup) {
        this.java = java;
        this.setup = setup;
    }

    static boolean isInstalled() {
        return Files.isReadable(LIBRARY)
                && Files.isReadable(LOGGING)
                && SHARED.stream().allMatch(jar -> Files.isReadable(library(jar)));
    }

    private static Path library(String jar) {
        return HOME.resolve("lib").resolve(jar);
    }

    @Override
    public List<Running> start(Map<String, String> environment) throws IOException, ContestantFailure {
        folder = WorkFolder.create();
        String here = folder.path().toString();
        compile(folder.path());
        Map<String, String> all = new HashMap<>(environment);
        all.put("MPJ_HOME", HOME.toString());
        List<String> command = new ArrayList<>(java.withHeap(setup, environment));
        // Each rank has the rest of the library, and the program, from a loader of its own.
        String shared = Stream.concat(
                        SHARED.stream().map(jar -> library(jar).toString()),
                        Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(":"));
        command.addAll(List.of("-Xbootclasspath/a:" + LOGGING, "-cp", shared, "runtime.starter.MulticoreStarter"));
        command.addAll(List.of(
                here, Integer.toString(setup.ranks()), "smpdev", "useLocalLoader", here + ":" + LIBRARY, PROGRAM));
        return List.of(ChildProcess.start(command, all, folder.path()));
    }

    private void compile(Path into) throws IOException, ContestantFailure {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new ContestantFailure("mpj-express: its program can't be compiled, as the Java in "
                    + System.getProperty("java.home") + " has no compiler: run ./sluice on a JDK");
        }
        Path source = into.resolve("MpjRank.java");
        try (InputStream in = MpjExpressStarter.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IOException("the class path lacks " + SOURCE + ": build with ./sluice or Maven");
            }
            Files.copy(in, source);
        }
        StringWriter said = new StringWriter();
        List<String> options = List.of(
                "--release",
                "17",
                "-nowarn",
                "-proc:none",
                "-cp",
                LIBRARY + ":" + System.getProperty("java.class.path"),
                "-d",
                into.toString());
        boolean isRight = compiler.getTask(
                        said,
                        null,
                        null,
                        options,
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        if (!isRight) {
            throw new ContestantFailure("mpj-express: its program could not be compiled against " + LIBRARY + ": "
                    + said.toString().strip());
        }
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }
}
