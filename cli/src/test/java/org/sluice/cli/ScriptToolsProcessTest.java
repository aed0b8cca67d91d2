package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.user.OtherUser;

/**
 * What the shell script calls, and when: Maven, apt and Java are scripts that write down how they were called, in a
 * copy of the checkout with nothing but two sources.
 */
@Tag("once")
final class ScriptToolsProcessTest {
    /** What of the machine's own the script finds. */
    private static final List<String> MACHINES = List.of(
            "awk",
            "bash",
            "cat",
            "chmod",
            "cp",
            "cut",
            "dirname",
            "env",
            "find",
            "flock",
            "gcc",
            "grep",
            "head",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "script",
            "sed",
            "sha256sum",
            "sh",
            "sleep",
            "sort",
            "stat",
            "tail",
            "timeout",
            "true",
            "uname",
            "xargs");

    private static final String MAVEN = """
        #!/bin/sh
        echo "$*" >>CHECKOUT/mvn-calls
        mkdir -p CHECKOUT/jars/target/lib/cli
        echo jar >CHECKOUT/jars/target/lib/sluice.jar
        echo jar >CHECKOUT/jars/target/lib/cli/sluice-cli.jar
        for jar in core mpijava openmpi; do
            echo jar >CHECKOUT/jars/target/sluice-$jar.jar
        done
        """;
    private static final String APT = """
        #!/bin/sh
        echo "$*" >>CHECKOUT/apt-calls
        case " $* " in *" install "*"maven "*) cp CHECKOUT/mvn TOOLS/mvn ;; esac
        """;
    /** With sudo's flag that forbids it to ask. */
    private static final String SUDO = """
        #!/bin/sh
        [ "$1" = -n ] && shift
        exec "$@"
        """;

    @TempDir
    private Path checkout;

    private Path tools;
    private Path source;

    @BeforeEach
    void copyScripts() throws IOException {
        Path root = Path.of(System.getProperty("sluice.root"));
        Files.createDirectory(checkout.resolve("tools"));
        for (String file : List.of("sluice", "tools/setup.sh")) {
            Files.copy(root.resolve(file), checkout.resolve(file));
        }
        // Tests say what is on the machine, and not the one that they run on.
        Path setup = checkout.resolve("tools/setup.sh");
        Files.writeString(
                setup,
                Files.readString(setup)
                        .replace("/usr/include/infiniband", "/nowhere")
                        .replace("/usr/include/rdma", "/nowhere")
                        .replace("/usr/include/stdio.h", checkout + "/stdio.h")
                        .replace("/usr/lib/jvm", "/nowhere")
                        .replace("/opt/j", "/nowhere"));
        Files.createFile(checkout.resolve("stdio.h"));
        source = Files.createDirectories(checkout.resolve("x/src/main")).resolve("A.java");
        Files.writeString(source, "class A {}");
        tools = Files.createDirectory(checkout.resolve("path"));
        for (String tool : MACHINES) {
            Path program = Stream.of("/usr/bin", "/bin", "/usr/local/bin")
                    .map(folder -> Path.of(folder, tool))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(tool + " is missing here"));
            Files.createSymbolicLink(tools.resolve(tool), program);
        }
        write(checkout.resolve("jdk/bin/javac"), "#!/bin/sh\n");
        write(checkout.resolve("jdk/bin/java"), "#!/bin/sh\nfor word; do echo \"$word\"; done >CHECKOUT/java-call\n");
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"17.0.99\"\n");
        write(tools.resolve("mvn"), MAVEN);
        userIs(0);
    }

    /** JUnit would warn of links that lead out of the folder. */
    @AfterEach
    void removeLinks() throws IOException {
        for (String tool : MACHINES) {
            Files.deleteIfExists(tools.resolve(tool));
        }
    }

    private void write(Path program, String text) throws IOException {
        Files.createDirectories(program.getParent());
        Files.writeString(program, text.replace("CHECKOUT", checkout.toString()).replace("TOOLS", tools.toString()));
        assertTrue(program.toFile().setExecutable(true));
    }

    private void userIs(int uid) throws IOException {
        write(tools.resolve("id"), "#!/bin/sh\necho " + uid + "\n");
    }

    private void withoutMaven() throws IOException {
        Files.move(tools.resolve("mvn"), checkout.resolve("mvn"));
    }

    private List<String> calls(String of) throws IOException {
        Path calls = checkout.resolve(of);
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private void assertBuilds(int builds) throws Exception {
        Answer answer = sluice("--version");
        assertEquals(0, answer.status, answer.text);
        assertEquals(builds, calls("mvn-calls").size(), () -> "calls of Maven; " + answer.text);
    }

    @Test
    void aSecondCallBuildsNothingUntilASourceChanges() throws Exception {
        assertBuilds(1);
        assertTrue(calls("mvn-calls").get(0).contains("package -DskipTests"), () -> "the call of Maven");
        assertTrue(calls("java-call")
                .containsAll(List.of(
                        "-jar",
                        checkout.resolve(".build/lib/cli/sluice-cli.jar").toString(),
                        "--version")));
        assertBuilds(1);
        Files.writeString(source, "class A { }");
        assertBuilds(2);
        assertBuilds(2);
        Path test = Files.createDirectories(checkout.resolve("x/src/test")).resolve("T.java");
        Files.writeString(test, "class T {}");
        assertBuilds(2);
        Files.writeString(test, "class T { }");
        assertBuilds(2);
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        assertBuilds(3);
        Files.delete(checkout.resolve(".build/lib/cli/sluice-cli.jar"));
        assertBuilds(4);
    }

    @Test
    void whatTheBuildNeedsIsInstalledAndSaid() throws Exception {
        withoutMaven();
        write(tools.resolve("apt-get"), APT);
        Answer answer = sluice("--version");
        assertEquals(0, answer.status, answer.text);
        assertTrue(
                answer.text.contains("sluice: installing what the build needs: apt-get install maven\n"), answer.text);
        assertEquals(1, calls("apt-calls").size(), answer.text);
        assertTrue(
                calls("apt-calls").get(0).endsWith("--no-install-recommends install maven"),
                () -> "the call of apt-get");
        assertEquals(1, calls("mvn-calls").size(), answer.text);
        assertBuilds(1);
        assertEquals(1, calls("apt-calls").size(), "it is there by now");
    }

    /** Nobody sees a question where there is no terminal, so that none is taken for answered. */
    @Test
    void whoIsNotRootInstallsBySudoOnlyIfAllowed() throws Exception {
        withoutMaven();
        write(tools.resolve("apt-get"), APT);
        write(tools.resolve("sudo"), SUDO);
        userIs(1000);
        Answer refused = sluice("--version");
        assertEquals(1, refused.status, refused.text);
        assertTrue(
                refused.text.contains(
                        "what the build needs is missing: sudo apt-get install --no-install-recommends maven "
                                + "   (./sluice --yes ..., or SLUICE_INSTALL=yes, does it)\n"),
                refused.text);
        assertEquals(List.of(), calls("apt-calls"), refused.text);
        Answer answer = run("bash", checkout.resolve("sluice").toString(), "--yes", "--version");
        assertEquals(0, answer.status, answer.text);
        assertTrue(
                answer.text.contains("sluice: installing what the build needs: sudo apt-get install maven\n"),
                answer.text);
        assertEquals(1, calls("apt-calls").size(), answer.text);
        assertFalse(calls("java-call").contains("--yes"), "that word was the script's");
    }

    @Test
    void onATerminalSudoIsAskedFor() throws Exception {
        withoutMaven();
        write(tools.resolve("apt-get"), APT);
        write(tools.resolve("sudo"), SUDO);
        userIs(1000);
        String call = "bash " + checkout.resolve("sluice") + " --version";
        Answer refused = typing("n\n", "script", "-qec", call, "/dev/null");
        assertEquals(1, refused.status, refused.text);
        assertTrue(refused.text.contains("sudo apt-get install --no-install-recommends maven ? [y/N]"), refused.text);
        assertEquals(List.of(), calls("apt-calls"), refused.text);
        Answer answer = typing("y\n", "script", "-qec", call, "/dev/null");
        assertEquals(0, answer.status, answer.text);
        assertEquals(1, calls("apt-calls").size(), answer.text);
    }

    @Test
    void rootInstallsNothingEitherWhereItIsForbidden() throws Exception {
        withoutMaven();
        write(tools.resolve("apt-get"), APT);
        Answer answer =
                run("SLUICE_INSTALL=no", "bash", checkout.resolve("sluice").toString(), "--version");
        assertEquals(1, answer.status, answer.text);
        assertTrue(
                answer.text.contains(
                        "what the build needs is missing, and SLUICE_INSTALL=no. As root: apt-get install"),
                answer.text);
        assertEquals(List.of(), calls("apt-calls"), answer.text);
        Answer mistyped =
                run("SLUICE_INSTALL=maybe", "bash", checkout.resolve("sluice").toString(), "--version");
        assertEquals(1, mistyped.status, mistyped.text);
        assertTrue(mistyped.text.contains("SLUICE_INSTALL is 'maybe'; it may be yes or no, or unset"), mistyped.text);
    }

    /** What is built runs: also as root, who could install a compiler. */
    @Test
    void whatIsBuiltRunsWithoutACompiler() throws Exception {
        assertBuilds(1);
        withoutMaven();
        Files.delete(checkout.resolve("jdk/bin/javac"));
        Files.delete(tools.resolve("gcc"));
        write(tools.resolve("apt-get"), APT);
        for (String user : List.of("0", "1000")) {
            userIs(Integer.parseInt(user));
            Answer same = sluice("run");
            assertEquals("0 ", same.status + " " + same.text, "nothing is to be said");
            assertTrue(calls("java-call").contains("run"), () -> "the call of Java");
        }
        Files.writeString(source, "class A { }");
        Answer changed = sluice("doctor");
        assertEquals(0, changed.status, changed.text);
        assertTrue(
                changed.text.matches(
                        "sluice: running what was built before the sources changed: to build them this lacks "
                                + "openjdk-17-jdk-headless, maven, gcc(, libc6-dev)?\n"),
                changed.text);
        assertTrue(calls("java-call").contains("doctor"), () -> "the call of Java");
        assertEquals(List.of(), calls("apt-calls"), changed.text);
        assertEquals(1, calls("mvn-calls").size(), changed.text);
    }

    /** A list of one file: in the repository that settings name, beside one that a comment names. */
    @Test
    void whatMavenBringsIsComparedWithTheList() throws Exception {
        Path jar = Files.createDirectories(checkout.resolve("here/org/x")).resolve("x.jar");
        Files.writeString(jar, "as listed\n");
        Files.writeString(jar.resolveSibling("other.jar"), "not listed");
        Files.createDirectories(checkout.resolve(".mvn"));
        Files.writeString(checkout.resolve(".mvn/artefacts.sha256"), sha256("as listed\n") + "  ./org/x/x.jar\n");
        Files.createDirectories(checkout.resolve(".m2"));
        Files.writeString(
                checkout.resolve(".m2/settings.xml"),
                "<settings><!-- <localRepository>/nowhere\n</localRepository> -->\n"
                        + "<localRepository>${user.home}/here</localRepository></settings>");
        assertBuilds(1);
        assertTrue(
                calls("mvn-calls").get(0).contains("-Dmaven.repo.local=" + checkout.resolve("here") + " "),
                () -> "the call of Maven");
        Files.writeString(source, "class A { }");
        Files.writeString(jar, "forged it\n");
        Answer before = sluice("--version");
        assertEquals(1, before.status, before.text);
        assertTrue(
                before.text.contains("./org/x/x.jar\n")
                        && before.text.contains("differ from")
                        && before.text.contains("Delete them"),
                before.text);
        assertEquals(1, calls("mvn-calls").size(), "what is forged must not run");
        Files.delete(jar);
        write(tools.resolve("mvn"), MAVEN + "echo forged >" + jar + "\n");
        Answer after = sluice("--version");
        assertEquals(1, after.status, after.text);
        assertTrue(after.text.contains("./org/x/x.jar\n"), after.text);
        Files.writeString(jar, "as listed\n");
        write(tools.resolve("mvn"), MAVEN);
        assertBuilds(3);
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * What was built with the headers of verbs runs where there are none, and what was built without them is not built
     * again.
     */
    @Test
    void headersOfVerbsThatAreNotHereAreNotMissed() throws Exception {
        assertBuilds(1);
        for (String built : List.of("", "verbs\n")) {
            Files.writeString(
                    checkout.resolve(".build/stamp"),
                    Files.readAllLines(checkout.resolve(".build/stamp")).get(0) + "\n" + built);
            Answer answer =
                    run("BUILD_VERBS=auto", "bash", checkout.resolve("sluice").toString(), "run");
            assertEquals("0 ", answer.status + " " + answer.text);
            assertEquals(1, calls("mvn-calls").size());
        }
        Answer without = sluice("run");
        assertEquals(0, without.status, without.text);
        assertEquals(2, calls("mvn-calls").size(), "with BUILD_VERBS=off what was built with them is built again");
    }

    @Test
    void theLockIsItsOwnersAlone() throws Exception {
        Files.createDirectories(checkout.resolve(".build"));
        Files.setPosixFilePermissions(
                Files.createFile(checkout.resolve(".build/lock")), PosixFilePermissions.fromString("rw-r--r--"));
        assertBuilds(1);
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(checkout.resolve(".build/lock"))));
    }

    /** Who may read a lock may take it, and hold a build up. */
    @Test
    void anotherUserCanNotHoldTheLock() throws Exception {
        OtherUser stranger = OtherUser.stranger();
        assertBuilds(1);
        Files.setPosixFilePermissions(checkout, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals(0, stranger.shell("cat " + checkout.resolve("sluice")).status, "he can look into the checkout");
        OtherUser.Result held =
                stranger.shell("flock --nonblock --shared " + checkout.resolve(".build/lock") + " true");
        assertTrue(held.status != 0 && held.output.contains("Permission denied"), held.output);
    }

    /** The list of packages is brought up to date under the same rule. */
    @Test
    void theListOfPackagesIsLeftAloneWhereThatIsForbidden() throws Exception {
        write(tools.resolve("apt-get"), APT);
        write(tools.resolve("sudo"), SUDO);
        String update = "root=" + checkout + "; . " + checkout.resolve("tools/setup.sh")
                + "; update_packages 'the list is old'";
        Answer forbidden = run("SLUICE_INSTALL=no", "bash", "-c", update);
        assertEquals(1, forbidden.status, forbidden.text);
        assertTrue(
                forbidden.text.contains("the list is old, and SLUICE_INSTALL=no. As root: apt-get update"),
                forbidden.text);
        userIs(1000);
        Answer unasked = run("bash", "-c", update);
        assertEquals(1, unasked.status, unasked.text);
        assertTrue(unasked.text.contains("the list is old: sudo apt-get update "), unasked.text);
        assertEquals(List.of(), calls("apt-calls"), unasked.text);
        Answer allowed = run("SLUICE_INSTALL=yes", "bash", "-c", update);
        assertEquals(0, allowed.status, allowed.text);
        assertEquals(1, calls("apt-calls").size(), allowed.text);
    }

    @Test
    void withoutRootAndSudoTheCommandIsNamed() throws Exception {
        withoutMaven();
        write(tools.resolve("apt-get"), APT);
        userIs(1000);
        Answer answer = sluice("--version");
        assertEquals(1, answer.status, answer.text);
        assertTrue(
                answer.text.contains(
                        "what the build needs is missing. As root: apt-get install --no-install-recommends maven\n"),
                answer.text);
        assertTrue(answer.text.contains("error: Sluice cannot be built without maven."), answer.text);
        assertEquals(List.of(), calls("apt-calls"), answer.text);
        assertFalse(Files.exists(checkout.resolve(".build/stamp")), "nothing was built");
    }

    @Test
    void aFailedInstallationShowsWhatAptSaid() throws Exception {
        withoutMaven();
        write(
                tools.resolve("apt-get"),
                "#!/bin/sh\necho \"$*\" >>CHECKOUT/apt-calls\necho E: no such package\nexit 100\n");
        Answer answer = sluice("--version");
        assertEquals(1, answer.status, answer.text);
        assertTrue(
                answer.text.contains("E: no such package")
                        && answer.text.contains("what the build needs could not be installed"),
                answer.text);
        assertEquals(
                2,
                calls("apt-calls").size(),
                "the list of packages may be old: after the first failure it is fetched; " + answer.text);
        assertTrue(calls("apt-calls").get(1).endsWith("update"), answer.text);
    }

    /** As a user sees it who sends one of the two streams into a file; script(1) makes the terminal. */
    @Test
    void javaIsToldWhichStreamsAreTerminals() throws Exception {
        assertBuilds(1);
        assertTrue(
                calls("java-call").stream().noneMatch(word -> word.startsWith("-Dsluice.terminal")), "both are files");
        String script = "bash " + checkout.resolve("sluice") + " --version";
        assertEquals(0, run("script", "-qec", script, "/dev/null").status);
        assertTrue(calls("java-call").contains("-Dsluice.terminal=out,err"), () -> "both are terminals");
        assertEquals(0, run("script", "-qec", script + " >" + checkout.resolve("out"), "/dev/null").status);
        assertTrue(calls("java-call").contains("-Dsluice.terminal=err"), () -> "standard output is a file");
        assertEquals(0, run("script", "-qec", script + " 2>" + checkout.resolve("err"), "/dev/null").status);
        assertTrue(calls("java-call").contains("-Dsluice.terminal=out"), () -> "standard error is a file");
    }

    private Answer sluice(String argument) throws Exception {
        return run("bash", checkout.resolve("sluice").toString(), argument);
    }

    private Answer run(String... words) throws Exception {
        return typing("", words);
    }

    private Answer typing(String typed, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "-i",
                "PATH=" + tools,
                "HOME=" + checkout,
                "JAVA_HOME=" + checkout.resolve("jdk"),
                "BUILD_VERBS=off"));
        command.addAll(List.of(words));
        Path output = checkout.resolve("output");
        Path input = Files.writeString(checkout.resolve("input"), typed);
        Process process = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertTrue(ended, "still running after 60 s: " + text);
        return new Answer(process.exitValue(), text);
    }

    private record Answer(int status, String text) {}
}
