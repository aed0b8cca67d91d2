package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.counter.Counter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.Device;
import org.sluice.launch.JavaHome;

/** The command line as a user meets it: exit statuses, and what goes to which stream. */
@Tag("once")
@Timeout(120)
final class MainProcessTest {
    @TempDir
    private Path folder;

    private record Ended(int status, String out, String err) {}

    /** A user's program: prints its arguments, and exits with the number behind "exit" in rank 1. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            String rank = System.getenv("SLUICE_JOB_RANK");
            System.out.println(
                    "rank " + rank + " of " + System.getenv("SLUICE_JOB_SIZE") + " " + String.join("|", args));
            if (args.length == 2 && args[0].equals("exit") && "1".equals(rank)) {
                System.exit(Integer.parseInt(args[1]));
            }
        }
    }

    /** Rank 1 fails at once; rank 0 goes on for as long as a launcher takes to end it. */
    static final class Outliving {
        private static final int SEEN_MS = 2_000;

        private Outliving() {}

        public static void main(String[] args) throws Exception {
            Path dying = Path.of(args[0]);
            if ("1".equals(System.getenv("SLUICE_JOB_RANK"))) {
                Files.writeString(
                        Files.createFile(dying.resolveSibling("new")),
                        Long.toString(ProcessHandle.current().pid()));
                Files.move(dying.resolveSibling("new"), dying);
                System.exit(7);
            }
            while (!Files.exists(dying)) {
                Thread.sleep(10);
            }
            ProcessHandle.of(Long.parseLong(Files.readString(dying)))
                    .ifPresent(other -> other.onExit().join());
            Thread.sleep(SEEN_MS);
            System.out.println("rank 0 is alive");
        }
    }

    private Ended sluice(String... words) throws Exception {
        return sluice(List.of(), words);
    }

    private Ended sluice(List<String> jvmOptions, String... words) throws Exception {
        return sluice(Map.of(), jvmOptions, words);
    }

    private Ended sluice(Map<String, String> environment, List<String> jvmOptions, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(JavaHome.current().command(), "-XX:TieredStopAtLevel=1"));
        command.addAll(JavaHome.current().flags());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(words));
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out)
                .redirectError(err);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> "it does not end: " + command);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
    }

    private Path classes() {
        return classes(Program.class);
    }

    /** Apart from everything else that the test knows: what Sluice and its libraries load once is not the program. */
    private Path classes(Class<?> program) {
        try {
            String name = program.getName().replace('.', '/') + ".class";
            Files.createDirectories(folder.resolve("classes").resolve(name).getParent());
            try (var bytes = program.getClassLoader().getResourceAsStream(name)) {
                Files.write(folder.resolve("classes").resolve(name), bytes.readAllBytes());
            }
            return folder.resolve("classes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void runStartsRanksAndPassesStatusAndOutputThrough() throws Exception {
        Ended good = sluice(
                "run",
                "-n",
                "2",
                "--prefix",
                "-Xmx64m",
                "-cp",
                classes().toString(),
                Program.class.getName(),
                "-n",
                "a b");
        assertEquals(0, good.status, good.err);
        assertEquals(
                List.of("[0] rank 0 of 2 -n|a b", "[1] rank 1 of 2 -n|a b"),
                good.out.lines().sorted().toList());
        assertEquals("", good.err);
        Ended bad = sluice(
                "run", "-n", "2", "--grace", "0", "-cp", classes().toString(), Program.class.getName(), "exit", "7");
        assertEquals(7, bad.status);
        List<String> errors = bad.err.lines().toList();
        assertEquals("sluice: rank 1 exited with status 7", errors.get(errors.size() - 1));
    }

    @Tag("all")
    @Test
    void ranksOfOneJvmShareStaticStateUnlessTheyHaveLoadersOfTheirOwn() throws Exception {
        String classes = classes(Counter.class).toString();
        Ended shared = sluice("run", "-n", "2", "--jvms", "1", "--prefix", "-cp", classes, Counter.class.getName());
        assertEquals(0, shared.status, shared.err);
        assertEquals(
                List.of("[0-1] call 1", "[0-1] call 2"),
                shared.out.lines().sorted().toList());
        Ended apart = sluice(
                "run", "-n", "2", "--jvms", "1", "--prefix", "--own-loaders", "-cp", classes, Counter.class.getName());
        assertEquals(0, apart.status, apart.err);
        assertEquals(List.of("[0-1] call 1", "[0-1] call 1"), apart.out.lines().toList());
        Ended processes = sluice("run", "-n", "2", "--prefix", "-cp", classes, Counter.class.getName());
        assertEquals(
                List.of("[0] call 1", "[1] call 1"),
                processes.out.lines().sorted().toList(),
                processes.err);
    }

    /** Without it and without a grace rank 0 would be ended at once. */
    @Tag("all")
    @Tag("once")
    @Test
    void withSurviveTheOthersLiveOn() throws Exception {
        Ended ended = sluice(
                "run",
                "-n",
                "2",
                "--survive",
                "--grace",
                "0",
                "-cp",
                classes(Outliving.class).toString(),
                Outliving.class.getName(),
                folder.resolve("dying").toString());
        assertEquals(7, ended.status, ended.err);
        assertEquals("rank 0 is alive\n", ended.out);
        assertTrue(
                ended.err.contains("sluice: rank 1 exited with status 7; the others live on (--survive)\n"), ended.err);
        Files.delete(folder.resolve("dying"));
        Ended told = sluice(
                "run",
                "-n",
                "2",
                "--grace",
                "0",
                "-cp",
                classes(Outliving.class).toString(),
                Outliving.class.getName(),
                folder.resolve("dying").toString());
        assertEquals(7, told.status, told.err);
        assertEquals("", told.out);
    }

    /** A command in the place of java tells that it was called. */
    @Tag("once")
    @Test
    void ranksRunOnTheJavaThatTheUserNames() throws Exception {
        Path home = folder.resolve("jdk");
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(
                home.resolve("release"), "JAVA_VERSION=\"" + Runtime.version().feature() + ".0.99\"\n");
        Path command = Files.writeString(
                home.resolve("bin/java"),
                "#!/bin/sh\necho called >>" + home.resolve("calls") + "\nexec "
                        + JavaHome.current().command() + " \"$@\"\n");
        assertTrue(command.toFile().setExecutable(true));
        Ended ended = sluice(
                "run", "-n", "2", "--java", home.toString(), "-cp", classes().toString(), Program.class.getName());
        assertEquals(0, ended.status, ended.err);
        assertEquals(2, ended.out.lines().count(), ended.out);
        assertEquals(List.of("called", "called"), Files.readAllLines(home.resolve("calls")));
        Ended refused = sluice(
                "run", "-n", "2", "--java", folder.toString(), "-cp", classes().toString(), Program.class.getName());
        assertEquals(2, refused.status, refused.err);
        assertTrue(refused.err.contains(folder + " is no Java installation"), refused.err);
    }

    @Test
    void ranksSayNothingOfWhoMayInstallPackages() throws Exception {
        Ended ended = sluice(
                Map.of("SLUICE_INSTALL", "no"),
                List.of(),
                "run",
                "-n",
                "1",
                "-cp",
                classes().toString(),
                Program.class.getName());
        assertEquals(0, ended.status, ended.err);
        assertEquals("", ended.err);
    }

    @Test
    void runWarnsOfTyposInOptions() throws Exception {
        Ended ended = sluice(
                "run",
                "-n",
                "1",
                "-Dsluice.peak=on",
                "-Dother=1",
                "-cp",
                classes().toString(),
                Program.class.getName());
        assertEquals(0, ended.status, ended.err);
        assertEquals(
                "sluice: system property sluice.peak is no option of Sluice; did you mean sluice.peek?\n", ended.err);
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "-Dsluice.peek=maybe | none | sluice.peek = 'maybe' (system property): allowed is off, on",
                "-Dsluice.channels=smh | none | sluice.channels = 'smh' (system property): there is no channel 'smh'",
                "-Dsluice.shm.ring.bytes=100k | none | sluice.shm.ring.bytes = 102400 (system property): allowed are"
                        + " powers of two",
                "-Xmx64m | SLUICE_PEEK=maybe | sluice.peek = 'maybe' (environment SLUICE_PEEK): allowed is off, on",
                "-Xmx64m | JDK_JAVA_OPTIONS=-Xmx64m -Dsluice.peek=maybe | sluice.peek = 'maybe' (system property):"
                        + " allowed is off, on"
            })
    void aValueThatIsNotAllowedIsToldOnceBeforeAnyRankStarts(String flag, String variable, String expected)
            throws Exception {
        Map<String, String> environment =
                variable == null ? Map.of() : Map.of(variable.split("=", 2)[0], variable.split("=", 2)[1]);
        Ended refused = sluice(
                environment, List.of(), "run", "-n", "3", flag, "-cp", classes().toString(), Program.class.getName());
        assertEquals(2, refused.status, refused.err);
        assertEquals("", refused.out);
        List<String> lines = refused.err
                .lines()
                .filter(line -> !line.startsWith("NOTE: Picked up"))
                .toList();
        assertEquals(1, lines.size(), refused.err);
        assertTrue(lines.get(0).startsWith("sluice: " + expected), refused.err);
    }

    @Tag("once")
    @Test
    void aMainClassThatIsMissingIsToldOnceBeforeAnyRankStarts() throws Exception {
        Ended refused = sluice("run", "-n", "3", "-cp", classes() + "/nowhere", "my.Missing");
        assertEquals(2, refused.status, refused.err);
        assertEquals(
                "sluice: there is no class my.Missing on the class path, of which these parts don't exist: " + classes()
                        + "/nowhere\n",
                refused.err);
        // What comes from elsewhere than the class path only the ranks' JVMs know.
        Ended elsewhere = sluice(
                "run",
                "-n",
                "1",
                "-Xbootclasspath/a:" + classes(),
                "-cp",
                folder.toString(),
                Program.class.getName(),
                "x");
        assertEquals(0, elsewhere.status, elsewhere.err);
    }

    @Test
    void runTakesAnExecutableJar() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Program.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "classes/");
        classes();
        Path jar = folder.resolve("program.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry("empty"));
        }
        Ended ended = sluice("run", "-n", "1", "-jar", jar.toString(), "x");
        assertEquals(0, ended.status, ended.err);
        assertEquals("rank 0 of 1 x\n", ended.out);
    }

    @Test
    void execRunsInPlace() throws Exception {
        Ended ended = sluice("exec", "-cp", classes().toString(), Program.class.getName(), "--help", "x");
        assertEquals(0, ended.status, ended.err);
        assertEquals("rank null of null --help|x\n", ended.out);
        Ended refused = sluice("exec", "-Xmx1g", "-cp", "x", "M");
        assertEquals(2, refused.status);
        assertTrue(refused.err.contains("exec takes no JVM options (-Xmx1g)"), refused.err);
    }

    /** Fails as its rank, with what another program that is called by a command line has on its stack. */
    static final class Failing {
        private Failing() {}

        public static void main(String[] args) {
            throw new IllegalStateException("planned", new IllegalArgumentException("deeper"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "none | thread \"main\"",
                "SLUICE_JOB_SIZE=3 SLUICE_JOB_RANK=2 | rank 2",
                "PMIX_NAMESPACE=a PMIX_RANK=1 PMI_SIZE=2 | process 1"
            })
    void execTellsWhoseTheExceptionIsAndOnlyTheProgramsFrames(String variables, String whose) throws Exception {
        Ended failed = sluice(
                environment(variables),
                List.of(),
                "exec",
                "-cp",
                classes(Failing.class).toString(),
                Failing.class.getName());
        assertEquals(1, failed.status, failed.err);
        String frame = "\tat " + Failing.class.getName() + ".main(MainProcessTest.java:N)\n";
        assertEquals(
                "Exception in " + whose + " java.lang.IllegalStateException: planned\n" + frame
                        + "Caused by: java.lang.IllegalArgumentException: deeper\n\t... 1 more\n",
                failed.err.replaceAll("java:\\d+", "java:N"));
    }

    /** Forgets a thread, which ends by itself long after that is told. */
    static final class Leaving {
        private static final int TOLD_MS = 8_000;

        private Leaving() {}

        public static void main(String[] args) {
            try (Device device = Device.open()) {
                System.out.println(device.size());
            }
            new Thread(
                            () -> {
                                try {
                                    Thread.sleep(TOLD_MS);
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            "forgotten")
                    .start();
        }
    }

    @Tag("all")
    @Tag("once")
    @Test
    void execNamesThreadsThatKeepItFromEnding() throws Exception {
        Ended ended = sluice("exec", "-cp", classes(Leaving.class).toString(), Leaving.class.getName());
        assertEquals("1\n", ended.out, ended.err);
        assertEquals(0, ended.status, ended.err);
        assertTrue(
                ended.err.matches(
                        "sluice: process \\d+: main has returned and no device is open, but a thread keeps it from"
                                + " ending: forgotten; .*\\R"),
                ended.err);
    }

    private static Map<String, String> environment(String variables) {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables == null ? new String[0] : variables.split(" ")) {
            environment.put(variable.split("=")[0], variable.split("=")[1]);
        }
        return environment;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"SLUICE_JOB_SIZE | sluice.job.size=4, environment SLUICE_JOB_SIZE", "PMI_SIZE | PMI_SIZE=4"})
    void aBenchmarkIsRefusedInOneOfSeveralProcesses(String variable, String expected) throws Exception {
        Ended refused = sluice(Map.of(variable, "4"), List.of(), "exec", "bench", "--peers", "list");
        assertEquals(2, refused.status, refused.out);
        assertTrue(
                refused.err.startsWith(
                                "sluice: exec bench is given in one of several processes of a job (" + expected + ")")
                        && refused.err.contains("run ./sluice bench outside of the job"),
                refused.err);
        assertEquals("", refused.out);
        Ended alone = sluice(Map.of(variable, "1"), List.of(), "exec", "bench", "--peers", "list");
        assertEquals(0, alone.status, alone.err);
        assertTrue(alone.out.contains("limit"), alone.out);
    }

    @Tag("once")
    @Test
    void everyCommandHasHelpOnStandardOutput() throws Exception {
        for (String command : List.of("bench", "run", "exec", "vm", "doctor", "top")) {
            Ended ended = sluice(command, "--help");
            assertEquals(0, ended.status, ended.err);
            assertTrue(ended.out.contains("Usage: sluice " + command), ended.out);
            assertEquals("", ended.err);
        }
        assertTrue(sluice("--version").out.startsWith("Sluice "));
    }

    @Tag("once")
    @Test
    void mistakesGoToStandardErrorWithWhatToDo() throws Exception {
        for (List<String> words : List.of(
                List.<String>of(),
                List.of("rnu"),
                List.of("run"),
                List.of("run", "-n", "many", "-cp", "x", "M"),
                List.of("run", "-n", "2", "Main"),
                List.of("run", "-n", "2", "--jvms", "3", "-cp", "x", "M"),
                List.of("exec"),
                List.of("vm"),
                List.of("vm", "--nodes", "9", "--", "true"),
                List.of("vm", "--fault", "lost=1%", "true"))) {
            Ended ended = sluice(words.toArray(String[]::new));
            assertEquals(2, ended.status, words + ": " + ended.err);
            assertEquals("", ended.out, words.toString());
            assertTrue(ended.err.startsWith("sluice: "), words + ": " + ended.err);
            assertFalse(ended.err.contains("\tat "), ended.err);
        }
        assertTrue(sluice("rnu")
                .err
                .startsWith("sluice: there is no command 'rnu'; there are bench, run, exec, vm, doctor, top, and "
                        + "in a checkout test and dist\n"));
        assertTrue(sluice("doctor", "--cleen")
                .err
                .startsWith("sluice: '--cleen' is not known to sluice doctor; did you mean --clean?\n"));
        assertTrue(sluice("vm", "--ndoes=2", "--", "true")
                .err
                .startsWith("sluice: '--ndoes=2' is not known to sluice vm; did you mean --nodes?\n"));
        assertTrue(sluice("run", "--optoins", "a=b", "-n", "2", "-cp", "x", "M")
                .err
                .startsWith("sluice: '--optoins' is not known to sluice run; "));
        assertTrue(sluice("exec", "--foo", "-cp", "x", "M")
                .err
                .startsWith("sluice: '--foo' is not known to sluice exec; "));
        assertTrue(
                sluice("run", "2", "-cp", "x", "M").err.startsWith("sluice: -n is missing before 2: run -n 2 ...\n"));
        assertTrue(
                sluice("run", "-cp", "x", "M", "-n", "2").err.startsWith("sluice: the number of ranks is not given"));
        Ended debugged = sluice("--debug", "run", "-n", "2", "Main");
        assertTrue(debugged.err.contains("\tat org.sluice"), debugged.err);
        assertTrue(sluice(List.of("-Dsluice.debug"), "exec").err.contains("\tat org.sluice"));
    }

    @Tag("once")
    @Test
    void numbersOfRanksAreRefusedByTheOptionThatWasGiven() throws Exception {
        for (String option : List.of("-n", "-np")) {
            Ended ended = sluice("run", option, "x", "-cp", "x", "M");
            assertEquals(2, ended.status, ended.err);
            assertTrue(
                    ended.err.startsWith("sluice: Invalid value for option '" + option + "': 'x' is no whole number"),
                    ended.err);
        }
        assertTrue(sluice("bench", "--seconds", "abc")
                .err
                .startsWith("sluice: Invalid value for option '--seconds': 'abc' is no number\n"));
        assertTrue(sluice("run", "-n", "1", "-np", "2", "-cp", "x", "M")
                .err
                .startsWith("sluice: -n 1 and -np 2 are the same option"));
        Ended many = sluice("run", "-n", "1000000", "-cp", classes().toString(), Program.class.getName());
        assertEquals(2, many.status, many.err);
        assertTrue(many.err.startsWith("sluice: -n 1000000: 1000000 ranks in 1000000 JVMs take "), many.err);
        assertTrue(many.err.contains(" MB or more, and this machine has "), many.err);
        assertEquals("", many.out);
    }

    @Test
    void moreRanksThanTheLauncherMayHaveFilesForAreRefusedBeforeAnyIsStarted() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "ulimit -n 100 && exec \"$0\" \"$@\"",
                JavaHome.current().command(),
                "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run",
                "-n",
                "64",
                "-cp",
                classes().toString(),
                Program.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(2, process.waitFor(), said);
        assertTrue(
                said.matches("sluice: -n 64: the launcher of 64 ranks needs 134 more open files, and \\d+ can be opened"
                        + " \\(.*\\): raise ulimit -n\\R"),
                said);
    }

    @Test
    void everyCommandSaysTheVersion() throws Exception {
        Ended all = sluice("--version");
        for (String command : List.of("bench", "run", "exec", "vm", "doctor", "top")) {
            Ended ended = sluice(command, "--version");
            assertEquals(all.out, ended.out, ended.err);
            assertEquals(0, ended.status);
        }
        assertTrue(all.out.startsWith("Sluice "), all.out);
    }

    @Test
    void doctorSaysWhetherSluiceIsUsable() throws Exception {
        Ended usable = sluice(List.of("-Dsluice.shm.dir=" + folder, "-Dsluice.shm.ring.bytes=16k"), "doctor");
        assertEquals(0, usable.status, usable.out + usable.err);
        assertTrue(usable.out.endsWith("Sluice is usable here.\n"), usable.out);
        assertTrue(usable.out.contains("a job of 2 ranks in JVMs of their own ran, in "), usable.out);
        assertTrue(usable.out.contains(folder.toString()), usable.out);
        Ended unusable = sluice(List.of("-Dsluice.shm.dir=" + folder.resolve("none")), "doctor");
        assertEquals(1, unusable.status);
        assertTrue(unusable.out.contains("not usable"), unusable.out);
        assertTrue(
                unusable.out.matches(
                        "(?s).*ok +channel threads +usable .*not usable channel shm +not usable: shared memory: .*"),
                unusable.out);
    }

    @Test
    void doctorCleansOnlyWhenAsked() throws Exception {
        long uid = ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
        Path dead = Files.writeString(folder.resolve("sluice-" + uid + "-0a"), "segment");
        assertTrue(dead.toFile().setLastModified(System.currentTimeMillis() - 60_000));
        Path bench = Files.createDirectory(folder.resolve("sluice-bench-1-1"));
        // Nobody holds its lock.
        Files.createFile(bench.resolve("harness.lock"));
        List<String> here = List.of("-Dsluice.shm.dir=" + folder, "-Djava.io.tmpdir=" + folder);
        Ended looked = sluice(here, "doctor");
        assertTrue(looked.out.contains("1 of dead jobs"), looked.out);
        assertTrue(
                looked.out.matches("(?s).*slower +left-overs +\\d+ of killed benchmarks[^\n]*" + bench + ".*"),
                looked.out);
        assertTrue(Files.exists(dead) && Files.exists(bench));
        Ended cleaned = sluice(here, "doctor", "--clean");
        assertEquals(0, cleaned.status, cleaned.out + cleaned.err);
        assertTrue(cleaned.out.startsWith("removed " + dead), cleaned.out);
        try (Stream<Path> left = Files.list(folder)) {
            assertFalse(left.anyMatch(path -> path.equals(dead) || path.equals(bench)));
        }
    }
}
