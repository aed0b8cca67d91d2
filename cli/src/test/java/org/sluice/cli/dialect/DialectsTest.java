package org.sluice.cli.dialect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.launch.MpiDialect;
import org.sluice.launch.Program;

/** Which dialect a program speaks, told by its class files, and which it gets. */
final class DialectsTest {
    private static final Path CHECKOUT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();
    private static final Path MPI = CHECKOUT.resolve(".build/lib/mpi");
    private static final Path MPIJAVA = MPI.resolve("sluice-mpijava.jar");
    private static final Path OPENMPI = MPI.resolve("sluice-openmpi.jar");

    @TempDir
    private Path folder;

    @BeforeEach
    void isBuilt() {
        assumeTrue(Files.isRegularFile(OPENMPI), OPENMPI + " is missing: ./sluice --version builds it");
    }

    /** @return the folder of the classes */
    private Path compile(String name, String classPath, String... sources) throws Exception {
        Path classes = folder.resolve(name);
        List<String> words = new ArrayList<>(List.of("-nowarn", "-d", classes.toString(), "-cp", classPath));
        for (int i = 0; i < sources.length; i++) {
            Matcher named = Pattern.compile("public (?:class|interface) (\\w+)").matcher(sources[i]);
            assertTrue(named.find());
            Path file = folder.resolve(name + i).resolve(named.group(1) + ".java");
            Files.createDirectories(file.getParent());
            words.add(Files.writeString(file, sources[i]).toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)));
        return classes;
    }

    private Dialects.Choice choose(String classPath, String wanted) {
        return Dialects.in(MPI).choose(Program.ofClassPath(classPath, "Main"), wanted);
    }

    private static String main(String body) {
        return "public class Main { public static void main(String[] a) throws Exception { " + body + " } }";
    }

    private static String name(Dialects.Choice choice) {
        return choice.dialect().map(MpiDialect::name).orElse("none");
    }

    @Test
    void oneMemberThatOnlyOneHasTells() throws Exception {
        Path mpijava = compile("a", MPIJAVA.toString(), main("mpi.MPI.Init(a); mpi.MPI.COMM_WORLD.Rank();"));
        Path openmpi = compile("b", OPENMPI.toString(), main("mpi.MPI.Init(a); mpi.MPI.COMM_WORLD.getRank();"));
        assertEquals(
                "the program calls openmpi, and gets mpijava, as --mpi says",
                choose(openmpi.toString(), Dialects.MPIJAVA).line());
        assertEquals("openmpi", choose(openmpi.toString(), Dialects.MPIJAVA).called());
        assertNull(choose(mpijava.toString(), Dialects.MPIJAVA).line());
        Dialects.Choice first = choose(mpijava.toString(), Dialects.AUTO);
        assertEquals("mpijava", name(first));
        assertEquals("sluice", first.dialect().get().device(), "it is told of its rank");
        assertEquals(mpijava + ":" + MPIJAVA, first.dialect().get().classPath(mpijava.toString()));
        assertNull(first.line());
        Dialects.Choice second = choose(openmpi.toString(), Dialects.AUTO);
        assertEquals("openmpi", name(second));
        assertEquals("", second.dialect().get().device());
        assertEquals("none", name(choose(mpijava.toString(), Dialects.NONE)));
        assertEquals("openmpi", name(choose(mpijava.toString(), "openmpi")), "who names one is believed");
    }

    /** In a class that the superclass of the main class names, and by the name of a class alone. */
    @Test
    void whatTheMainClassNamesIsLookedThroughToo() throws Exception {
        Path classes = compile(
                "a",
                MPIJAVA.toString(),
                "public class Main extends Base { public static void main(String[] a) { begin(); } }",
                "public class Base { static void begin() { new Deep().run(); } }",
                "public class Deep { void run() { Runnable r = () -> System.out.println(mpi.User_function.class);"
                        + " r.run(); } }");
        assertEquals("mpijava", name(choose(classes.toString(), Dialects.AUTO)));
        Files.delete(classes.resolve("Deep.class"));
        assertEquals("none", name(choose(classes.toString(), Dialects.AUTO)), "what isn't there tells nothing");
    }

    @Test
    void whatBothHaveIsMpijavaUnlessAJarOfOursSaysOtherwise() throws Exception {
        Path classes = compile("a", OPENMPI.toString(), main("mpi.MPI.Init(a); mpi.MPI.Finalize();"));
        assertEquals("mpijava", name(choose(classes.toString(), Dialects.AUTO)));
        assertEquals("openmpi", name(choose(classes + ":" + OPENMPI, Dialects.AUTO)));
    }

    @Test
    void aProgramThatSpeaksNoneOrHasAPackageOfThatNameGetsNone() throws Exception {
        Path plain = compile("a", ".", main("System.out.println(a.length);"));
        assertEquals("none", name(choose(plain.toString(), Dialects.AUTO)));
        assertEquals("none", name(choose(plain + ":" + MPIJAVA, Dialects.AUTO)));
        Path own = compile(
                "b",
                ".",
                "package mpi; public class MPI { public static int connect() { return 1; } }",
                "public class Main { public static void main(String[] a) { mpi.MPI.connect(); } }");
        assertEquals("none", name(choose(own.toString(), Dialects.AUTO)));
    }

    private static final String STUB = "public class Other { static void run() { } }";
    private static final String OTHER =
            "public class Other { static void run() throws Exception { mpi.MPI.COMM_WORLD.getSize(); } }";

    @Test
    void bothAsNearInOneProgramIsAnErrorThatNamesBoth() throws Exception {
        Path classes = compile(
                "a",
                MPIJAVA.toString(),
                main("One.run(); Other.run();"),
                "public class One { static void run() { mpi.MPI.COMM_WORLD.Rank(); } }",
                STUB);
        compile("b", OPENMPI.toString(), OTHER);
        String classPath = folder.resolve("b") + ":" + classes;
        String said = refusal(classPath, Dialects.AUTO);
        assertTrue(
                said.contains("One uses mpi.Intracomm.Rank, which only mpijava has")
                        && said.contains("Other uses mpi.Intracomm.getSize, which only openmpi has")
                        && said.contains("--mpi mpijava or --mpi openmpi"),
                said);
        assertEquals("openmpi", name(choose(classPath, "openmpi")));
    }

    @Test
    void whatTheMainClassSpeaksWinsOverALibrary() throws Exception {
        Path classes = compile("a", MPIJAVA.toString(), main("mpi.MPI.COMM_WORLD.Rank(); Other.run();"), STUB);
        compile("b", OPENMPI.toString(), OTHER);
        Dialects.Choice choice = choose(folder.resolve("b") + ":" + classes, Dialects.AUTO);
        assertEquals("mpijava", name(choice));
        assertTrue(
                choice.line().contains("gets mpijava")
                        && choice.line().contains("Main uses mpi.Intracomm.Rank, which only mpijava has")
                        && choice.line().contains("Other uses mpi.Intracomm.getSize, which only openmpi has"),
                choice.line());
    }

    private static Path jar(Path jar, String manifest, Map<String, Path> entries) throws Exception {
        Manifest written = new Manifest(new ByteArrayInputStream(
                ("Manifest-Version: 1.0\n" + manifest + "\n").getBytes(StandardCharsets.UTF_8)));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), written)) {
            for (Map.Entry<String, Path> entry : entries.entrySet()) {
                byte[] bytes = Files.readAllBytes(entry.getValue());
                JarEntry stored = new JarEntry(entry.getKey());
                if (entry.getKey().endsWith(".jar")) {
                    CRC32 sum = new CRC32();
                    sum.update(bytes);
                    stored.setMethod(ZipEntry.STORED);
                    stored.setSize(bytes.length);
                    stored.setCrc(sum.getValue());
                }
                out.putNextEntry(stored);
                out.write(bytes);
            }
        }
        return jar;
    }

    private Dialects.Choice chooseJar(Path jar) {
        return Dialects.in(MPI).choose(Program.ofJar(jar), Dialects.AUTO);
    }

    /** As Spring Boot and One-JAR pack them. */
    @Test
    void jarsInAJarAreLookedInto() throws Exception {
        Path loader = compile("l", ".", "public class Boot { public static void main(String[] a) { } }");
        Path app = compile("a", ".", main("Core.run();"), "public class Core { static void run() { } }");
        Path core = compile(
                "c",
                OPENMPI.toString(),
                "public class Core { static void run() throws Exception { mpi.MPI.COMM_WORLD.getSize(); } }");
        Path library = jar(folder.resolve("core.jar"), "", Map.of("Core.class", core.resolve("Core.class")));
        Path boot = jar(
                folder.resolve("boot.jar"),
                "Main-Class: Boot\nStart-Class: Main\n",
                Map.of(
                        "Boot.class", loader.resolve("Boot.class"),
                        "BOOT-INF/classes/Main.class", app.resolve("Main.class"),
                        "BOOT-INF/lib/core.jar", library,
                        "BOOT-INF/lib/broken.jar", app.resolve("Main.class")));
        assertEquals("openmpi", name(chooseJar(boot)));
        assertNull(chooseJar(boot).line());
        Path main =
                jar(folder.resolve("main.jar"), "Main-Class: Main\n", Map.of("Main.class", app.resolve("Main.class")));
        Path brought = compile("m", ".", "package mpi; public class MPI { }");
        Path others = jar(folder.resolve("mpj.jar"), "", Map.of("mpi/MPI.class", brought.resolve("mpi/MPI.class")));
        Path one = jar(
                folder.resolve("one.jar"),
                "Main-Class: Boot\n",
                Map.of(
                        "Boot.class", loader.resolve("Boot.class"),
                        "main/main.jar", main,
                        "lib/core.jar", library,
                        "lib/mpj.jar", others));
        Dialects.Choice choice = chooseJar(one);
        assertEquals("openmpi", name(choice));
        assertTrue(choice.line().contains("in a jar in the program's jar gives way"), choice.line());
    }

    @Test
    void aPackageThatTheProgramBringsGivesWayInOneLine() throws Exception {
        Path classes = compile("a", MPIJAVA.toString(), main("mpi.MPI.COMM_WORLD.Rank();"));
        Path others = compile("b", ".", "package mpi; public class MPI { }");
        Dialects.Choice choice = choose(classes + ":" + others, Dialects.AUTO);
        String classPath = choice.dialect().get().classPath("x");
        assertEquals(MPIJAVA + ":x", classPath);
        assertTrue(choice.line().contains(others.toString()), choice.line());
    }

    @Test
    void aPackageInFrontOfAJarOfOursGivesWayToThat() throws Exception {
        String classes = compile("a", MPIJAVA.toString(), main("mpi.MPI.COMM_WORLD.Rank();"))
                .toString();
        Path others = compile("b", ".", "package mpi; public class MPI { }");
        Path copy = Files.copy(MPIJAVA, folder.resolve("copy.jar"));
        Dialects.Choice inFront = choose(others + ":" + classes + ":" + copy, Dialects.AUTO);
        assertEquals(copy + ":x", inFront.dialect().get().classPath("x"));
        assertTrue(inFront.line().contains(others.toString()), inFront.line());
        Dialects.Choice behind = choose(classes + ":" + copy + ":" + others, Dialects.AUTO);
        assertEquals("x", behind.dialect().get().classPath("x"));
        assertNull(behind.line());
    }

    @Test
    void jarsOfOursOnTheClassPathFitOrAreRefused() throws Exception {
        String classes = compile("a", MPIJAVA.toString(), main("mpi.MPI.COMM_WORLD.Rank();"))
                .toString();
        Path copy = Files.copy(MPIJAVA, folder.resolve("copy.jar"));
        Dialects.Choice brought = choose(classes + ":" + copy, Dialects.AUTO);
        assertEquals("x", brought.dialect().get().classPath("x"), "of two builds it is the program's");
        String other = classes + ":" + OPENMPI;
        assertTrue(refusal(other, Dialects.AUTO).contains("the program calls mpijava"));
        assertTrue(refusal(other, "mpijava").contains("--mpi is mpijava"));
        String both = refusal(other + ":" + copy, Dialects.AUTO);
        assertTrue(both.contains(OPENMPI.toString()) && both.contains(copy.toString()), both);
        assertTrue(refusal(classes, "mpi").contains("it may be auto"));
    }

    private String refusal(String classPath, String wanted) {
        return assertThrows(IllegalArgumentException.class, () -> choose(classPath, wanted))
                .getMessage();
    }

    /** Of the files with all public members of both, as upstream has them. */
    @Test
    void allMembersOfBothAreKnownAndMostOfThemTell() throws Exception {
        Map<String, DialectJar> dialects =
                Map.of("mpijava", new DialectJar(MPIJAVA), "openmpi", new DialectJar(OPENMPI));
        for (Map.Entry<String, String> file : Map.of(
                        "mpijava", "mpi/mpijava/src/test/resources/mpj-express-0.44-mpi.txt",
                        "openmpi", "mpi/openmpi/src/test/resources/openmpi-java-5.0.txt")
                .entrySet()) {
            List<String> unknown = new ArrayList<>();
            int all = 0;
            int telling = 0;
            for (String[] member : members(CHECKOUT.resolve(file.getValue()))) {
                all++;
                if (!dialects.get(file.getKey()).has(member[0], member[1])) {
                    unknown.add(String.join(".", member));
                }
                long having = dialects.values().stream()
                        .filter(each -> each.has(member[0], member[1]))
                        .count();
                telling += having == 1 ? 1 : 0;
            }
            assertEquals(List.of(), unknown);
            assertTrue(all > 200 && telling > all / 2, file.getKey() + ": " + telling + " of " + all + " tell");
        }
    }

    private static List<String[]> members(Path file) throws Exception {
        List<String[]> members = new ArrayList<>();
        String type = "";
        try (Stream<String> lines = Files.lines(file)) {
            for (String line : (Iterable<String>) lines::iterator) {
                Matcher begin = Pattern.compile("^(?:\\w+ )*(?:class|interface) (mpi\\.[\\w.$]+)")
                        .matcher(line);
                Matcher member = Pattern.compile("^  (?:public|protected) .*?([\\w$.]+)(?:\\(.*|;)$")
                        .matcher(line);
                if (begin.find()) {
                    type = begin.group(1).replace('.', '/');
                } else if (member.find() && !member.group(1).contains(".") && !line.contains(" = ")) {
                    members.add(new String[] {type, member.group(1)});
                }
            }
        }
        return members;
    }

    /** That a program without MPI has to wait for it: many classes are read in a moment. */
    @Test
    void manyClassesAreLookedThroughFast() throws Exception {
        String[] sources = new String[300];
        sources[0] = main("new C1();");
        for (int i = 1; i < sources.length; i++) {
            sources[i] = "public class C" + i + " { { new C" + (i + 1) + "(); } }";
        }
        sources[sources.length - 1] = "public class C299 { }";
        String classes = compile("a", ".", sources).toString();
        choose(classes, Dialects.AUTO);
        long began = System.nanoTime();
        assertEquals("none", name(choose(classes + File.pathSeparator + MPIJAVA, Dialects.AUTO)));
        long ms = (System.nanoTime() - began) / 1_000_000;
        assertTrue(ms < 2000, ms + " ms");
    }
}
