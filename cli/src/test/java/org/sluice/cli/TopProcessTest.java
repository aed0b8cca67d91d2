package org.sluice.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.user.OtherUser;
import org.sluice.launch.Launcher;
import org.sluice.launch.Program;
import org.sluice.launch.RunningJob;
import org.sluice.mpi.Communicator;

/** {@code ./sluice top} on a job of two processes, and where there is none. */
@Tag("once")
@Timeout(90)
final class TopProcessTest {
    @TempDir
    private Path folder;

    private record Ended(int status, String out, String err) {}

    /**
     * Rank 0 sends and is answered until the file is there; each has receives that nothing matches, from anybody and
     * from rank 1. Rank 1 comes to the barrier only then.
     */
    static final class Ranks {
        private Ranks() {}

        public static void main(String[] args) throws Exception {
            byte[] message = new byte[100];
            try (Device device = Device.open()) {
                device.irecv(new byte[1], Device.ANY_SOURCE, 99);
                device.irecv(new byte[1], 1, 98);
                Communicator world = Communicator.world(device);
                Request together = device.rank() == 0 ? world.ibarrier() : null;
                boolean more = true;
                while (more) {
                    if (device.rank() == 0) {
                        message[0] = (byte) (Files.exists(Path.of(args[0])) ? 1 : 0);
                        device.send(message, 1, 1);
                        device.recv(message, 1, 1);
                        Thread.sleep(1);
                    } else {
                        device.recv(message, 0, 1);
                        device.send(message, 0, 1);
                    }
                    more = message[0] == 0;
                }
                (device.rank() == 0 ? together : world.ibarrier()).waitFor();
                Files.writeString(Path.of(args[0] + device.rank()), "done");
            }
        }
    }

    /** In this JVM: starting another costs more than all the rest. */
    private static Ended top(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        return new Ended(status, out.toString(), err.toString());
    }

    private static Ended top(RunningJob job, String... words) {
        return top(Stream.of(
                        Stream.of("top"), Stream.of(words), job.pids().stream().map(String::valueOf))
                .flatMap(all -> all)
                .toArray(String[]::new));
    }

    @Test
    void topShowsBothRanksOfAJobAndWhatTheyWaitFor() throws Exception {
        Path end = folder.resolve("end");
        RunningJob job = new Launcher(
                        2, Program.ofClassPath(System.getProperty("java.class.path"), Ranks.class.getName()))
                .jvmOptions(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"))
                .arguments(List.of(end.toString()))
                .start();
        try {
            String stuck = "collective: barrier of world (call 1): rank 0 of 2 waits; not come: rank 1";
            Ended table = top(job, "--once", "--interval", "0.3");
            for (long start = System.nanoTime();
                    table.status != 0 || !table.out.contains("2 of 2") || !table.out.contains(stuck);
                    table = top(job, "--once", "--interval", "0.3")) {
                assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30), table.out + table.err);
            }
            assertEquals("", table.err);
            for (int rank = 0; rank < 2; rank++) {
                String row = row(table.out, rank, job.pids().get(rank), "shm", "all");
                String[] words = row.trim().split(" +");
                assertTrue(!words[4].equals("0") && !words[5].equals("0"), row);
            }
            Ended peers = top(job, "--once", "--peers", "--interval", "0.1");
            assertTrue(row(peers.out, 0, job.pids().get(0), "threads", "0").endsWith(" 0 + 1 any"), peers.out);
            assertTrue(row(peers.out, 0, job.pids().get(0), "shm", "1").matches(".* [1-9]"), peers.out);
            assertTrue(row(peers.out, 1, job.pids().get(1), "threads", "1").endsWith(" 1"), peers.out);
            Ended dump = top(job, "--dump");
            assertEquals(0, dump.status, dump.err);
            for (int rank = 0; rank < 2; rank++) {
                assertTrue(
                        dump.out.contains("state of rank " + rank + " of 2, process "
                                + job.pids().get(rank)),
                        dump.out);
            }
            assertTrue(dump.out.contains("collective: barrier of world, as rank 0 of 2, call 1 there"), dump.out);
            assertTrue(
                    dump.out.contains("receive from any rank, tag 99, 1 bytes: no message has matched it"), dump.out);
            for (long pid : job.pids()) {
                assertEquals(List.of(), ports(pid), "nobody else can connect to a rank that was looked at");
                assertTrue(jars(pid) <= 1, "each look has the same one added to the rank's class path");
            }
            try (DirectoryStream<Path> sockets = Files.newDirectoryStream(Path.of("/tmp"), "sluice-top-*")) {
                sockets.forEach(socket -> fail(socket + " is left"));
            }
            Files.createFile(end);
            assertEquals(0, job.waitFor().status());
        } finally {
            job.stop();
            job.waitFor();
        }
    }

    @Test
    void ranksOverTcpSayWhatTheirSocketsTook() throws Exception {
        Path end = folder.resolve("end");
        RunningJob job = new Launcher(
                        2, Program.ofClassPath(System.getProperty("java.class.path"), Ranks.class.getName()))
                .jvmOptions(List.of(
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dsluice.channels=tcp",
                        "-Dsluice.tcp.interface=127.0.0.1"))
                .arguments(List.of(end.toString()))
                .start();
        try {
            Ended table = top(job, "--once", "--interval", "0.3");
            for (long start = System.nanoTime();
                    !table.out.matches(
                            "(?s).*tcp of rank 0: [^\n]* writes/s, [^\n]* 0 stalls/s, \\d+ retransmits/s[^\n]*\n"
                                    + "tcp of rank 1: [^\n]* 0 stalls/s, \\d+ retransmits/s[^\n]*\n.*");
                    table = top(job, "--once", "--interval", "0.3")) {
                assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30), table.out + table.err);
            }
            String dump = top(job, "--dump").out;
            assertTrue(
                    dump.matches("(?s).*Connection\\[to 1 from 127.0.0.1:\\d+ to 127.0.0.1:\\d+, READY, [^\n]*"
                            + " writes of \\d+ bytes, 0 stalls, \\d+ segments sent again.*"),
                    dump);
            Files.createFile(end);
            assertEquals(0, job.waitFor().status());
        } finally {
            job.stop();
            job.waitFor();
        }
    }

    /** On which a process listens, of any family but Unix. */
    private static List<String> ports(long pid) throws IOException {
        Path process = Path.of("/proc/" + pid);
        Set<String> sockets = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    sockets.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException e) {
                    // Closed since it was listed, so that nobody listens at it.
                    continue;
                }
            }
        }
        List<String> ports = new ArrayList<>();
        for (String family : List.of("tcp", "tcp6", "udp", "udp6")) {
            Path table = process.resolve("net").resolve(family);
            for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
                String[] words = line.trim().split(" +");
                boolean listens = words[3].equals("0A") || family.startsWith("udp");
                if (listens && sockets.contains("socket:[" + words[9] + "]")) {
                    ports.add(family + " " + words[1]);
                }
            }
        }
        return ports;
    }

    /** How many of top's a process has open. */
    private static long jars(long pid) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return descriptors
                    .filter(descriptor -> {
                        try {
                            return Files.readSymbolicLink(descriptor).toString().contains("/sluice-top-");
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .count();
        }
    }

    /** Ranks that do nothing until there is a file. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] args) throws Exception {
            try (Device device = Device.open()) {
                device.barrier();
                while (!Files.exists(Path.of(args[0]))) {
                    Thread.sleep(5);
                }
            }
        }
    }

    /** Their beans, and their processes, come in any order. */
    @Test
    void dumpsComeInTheOrderOfRanks() throws Exception {
        Path end = folder.resolve("end");
        RunningJob job = new Launcher(
                        8, Program.ofClassPath(System.getProperty("java.class.path"), Waiting.class.getName()))
                .jvms(2)
                .jvmOptions(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"))
                .arguments(List.of(end.toString()))
                .start();
        try {
            Ended dump = top(job, "--dump");
            for (long start = System.nanoTime();
                    dump.out
                                    .lines()
                                    .filter(line -> line.startsWith("sluice: state"))
                                    .count()
                            < 8;
                    dump = top(job, "--dump")) {
                assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30), dump.out + dump.err);
            }
            List<String> heads = dump.out
                    .lines()
                    .filter(line -> line.startsWith("sluice: state"))
                    .map(line -> line.replaceAll(".*rank (\\d) of 8.*", "$1"))
                    .toList();
            assertEquals(List.of("0", "1", "2", "3", "4", "5", "6", "7"), heads);
            Files.createFile(end);
            assertEquals(0, job.waitFor().status());
        } finally {
            job.stop();
            job.waitFor();
        }
    }

    /** As a container of applications does: Sluice is loaded by a loader that the class path knows nothing of. */
    static final class Secluded {
        private Secluded() {}

        public static void main(String[] args) throws Exception {
            List<URL> urls = new ArrayList<>();
            for (String entry : args[1].split(":")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            try (URLClassLoader own =
                    new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
                Method main = own.loadClass(Waiting.class.getName()).getMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) new String[] {args[0]});
            }
        }
    }

    @Test
    void aProgramWhoseOwnLoaderHasSluiceIsSeen() throws Exception {
        Path end = folder.resolve("end");
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Path.of(TopProcessTest.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString(),
                        Secluded.class.getName(),
                        end.toString(),
                        System.getProperty("java.class.path"))
                .inheritIO()
                .start();
        try {
            String pid = Long.toString(program.pid());
            Ended table = top("top", "--once", "--interval", "0.1", pid);
            for (long start = System.nanoTime();
                    table.status != 0;
                    table = top("top", "--once", "--interval", "0.1", pid)) {
                assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30), table.out + table.err);
            }
            assertTrue(table.out.contains("1 of 1 ranks are here"), table.out + table.err);
            assertEquals("", table.err);
            Files.createFile(end);
            assertTrue(program.waitFor(30, TimeUnit.SECONDS), "it can't close its device");
            assertEquals(0, program.exitValue());
        } finally {
            program.destroyForcibly().waitFor();
        }
    }

    private static void signal(long pid, String name) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .inheritIO()
                        .start()
                        .waitFor());
    }

    @Test
    void aRankThatIsStoppedIsNamedAndHoldsNobodyUp() throws Exception {
        Path end = folder.resolve("end");
        RunningJob job = new Launcher(
                        2, Program.ofClassPath(System.getProperty("java.class.path"), Waiting.class.getName()))
                .jvmOptions(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"))
                .arguments(List.of(end.toString()))
                .start();
        try {
            Ended table = top(job, "--once", "--interval", "0.1");
            for (long start = System.nanoTime();
                    !table.out.contains("2 of 2");
                    table = top(job, "--once", "--interval", "0.1")) {
                assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30), table.out + table.err);
            }
            long stopped = job.pids().get(1);
            signal(stopped, "STOP");
            String why = " it is stopped; kill -CONT " + stopped + " has it go on" + System.lineSeparator();
            long start = System.nanoTime();
            table = top(job, "--once", "--interval", "0.1");
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(8), "what is stopped was waited for");
            assertTrue(table.status == 0 && table.out.contains("1 of 2 ranks are here"), table.out + table.err);
            row(table.out, 0, job.pids().get(0), "shm", "all");
            assertEquals("sluice: rank 1, process " + stopped + ", is not shown:" + why, table.err);
            Ended dump = top(job, "--dump");
            assertTrue(
                    dump.out.contains("state of rank 0 of 2") && !dump.out.contains("state of rank 1 of 2"), dump.out);
            assertEquals(table.err, dump.err);
            Ended alone = top("top", "--once", Long.toString(stopped));
            assertEquals(
                    "1 sluice: rank 1, process " + stopped + ", can't be asked:" + why, alone.status + " " + alone.err);
            signal(stopped, "CONT");
            table = top(job, "--once", "--interval", "0.1");
            assertTrue(table.out.contains("2 of 2") && table.err.isEmpty(), table.out + table.err);
            Files.createFile(end);
            assertEquals(0, job.waitFor().status());
        } finally {
            job.stop();
            job.waitFor();
        }
    }

    @Test
    void topGoesOnWhileAllThatAreLeftAreStopped() throws Exception {
        Path end = folder.resolve("end");
        RunningJob job = new Launcher(
                        1, Program.ofClassPath(System.getProperty("java.class.path"), Waiting.class.getName()))
                .jvmOptions(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"))
                .arguments(List.of(end.toString()))
                .start();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String pid = Long.toString(job.pids().get(0));
        try {
            for (long start = System.nanoTime(); top("top", "--once", "--interval", "0.1", pid).status != 0; ) {
                assertTrue(
                        System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30), "the rank never opened its device");
            }
            CompletableFuture<Integer> watching = CompletableFuture.supplyAsync(() -> Main.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute("top", "--interval", "0.05", pid));
            await(out, "job ");
            signal(job.pids().get(0), "STOP");
            await(err, "is not shown: it is stopped");
            assertFalse(out.toString().contains("no device is open"), out.toString());
            signal(job.pids().get(0), "CONT");
            Files.createFile(end);
            assertEquals(0, watching.get(30, TimeUnit.SECONDS));
            assertTrue(out.toString().endsWith("no device is open any more\n"), out.toString());
            assertEquals(0, job.waitFor().status());
        } finally {
            job.stop();
            job.waitFor();
        }
    }

    @Test
    void aStrangerHasNothingToConnectTo() throws Exception {
        OtherUser stranger = OtherUser.stranger();
        Path end = folder.resolve("end");
        RunningJob job = new Launcher(
                        1, Program.ofClassPath(System.getProperty("java.class.path"), Waiting.class.getName()))
                .jvmOptions(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"))
                .arguments(List.of(end.toString()))
                .start();
        StringWriter out = new StringWriter();
        long rank = job.pids().get(0);
        String pid = Long.toString(rank);
        try {
            for (long start = System.nanoTime(); top("top", "--once", "--interval", "0.1", pid).status != 0; ) {
                assertTrue(
                        System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30), "the rank never opened its device");
            }
            CompletableFuture<Integer> watching = CompletableFuture.supplyAsync(() -> Main.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(out))
                    .execute("top", "--interval", "0.05", pid));
            await(out, "job ");
            assertEquals(List.of(), ports(rank));
            // The JVM's own socket, by which it is asked to load the agent; and what others may see of the rank's.
            OtherUser.Result tried = stranger.shell(
                    "test ! -w /tmp/.java_pid" + pid + " && ! ls /proc/" + pid + "/fd && ! ls /tmp/sluice-top-*");
            assertEquals(0, tried.status, tried.output);
            Files.createFile(end);
            assertEquals(0, watching.get(30, TimeUnit.SECONDS), out::toString);
            assertEquals(0, job.waitFor().status());
        } finally {
            job.stop();
            job.waitFor();
        }
    }

    private static void await(StringWriter text, String expected) throws InterruptedException {
        for (long start = System.nanoTime(); !text.toString().contains(expected); Thread.sleep(5)) {
            assertTrue(
                    System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30),
                    () -> "no '" + expected + "' in: " + text);
        }
    }

    private static String row(String table, int rank, long pid, String channel, String peer) {
        return table.lines()
                .filter(line -> line.trim()
                        .replaceAll(" +", " ")
                        .startsWith(rank + " " + pid + " " + channel + " " + peer + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "no row of rank " + rank + ", " + pid + " " + channel + " " + peer + ":\n" + table));
    }

    @Test
    void withoutAJobTopSaysWhereToLook() {
        // Others of this user may have jobs of their own here.
        String self = Long.toString(ProcessHandle.current().pid());
        for (String what : List.of("--once", "--dump", "--peers")) {
            Ended none = top("top", what, self);
            assertEquals(1, none.status, none.out);
            assertEquals("", none.out);
            assertTrue(top("top", what, self, "1")
                    .err
                    .startsWith("sluice: no job runs: no process with one of the numbers 1, " + self + " of user "));
            assertTrue(
                    none.err.startsWith("sluice: no job runs: no process with the number " + self + " of user ")
                            && none.err.contains("call this where the ranks run"),
                    none.err);
        }
    }

    @Test
    void anIntervalThatIsTooShortIsRefused() {
        Ended refused = top("top", "--interval", "0");
        assertEquals(2, refused.status);
        assertTrue(
                refused.err.startsWith("sluice: --interval 0.0 is too short: 0.01 s or more is allowed"), refused.err);
    }
}
