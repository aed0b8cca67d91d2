package org.sluice.device.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Several machines on this one, made by {@code tools/nodes.sh}, for as long as a test wants them: node 0, node 1 and so
 * on, called {@code node0}, {@code node1} in all of them. Each has a network, a host name, a {@code /tmp}, a
 * {@code /dev/shm} and an sshd of its own, and all other files in common. The machine of the test itself is on the same
 * switch, at {@link #hostAddress}, but knows the others by address alone.
 *
 * <p>Only root can make them, and only where the kernel has what it takes: elsewhere the test is skipped, with the
 * reason. {@link #close} ends whatever runs in them. Should the JVM be killed before, the next start does that.
 */
public final class Nodes implements AutoCloseable {
    private static final Path ROOT =
            Path.of(System.getProperty("sluice.root", "..")).toAbsolutePath().normalize();
    private static final String RUN = "SLUICE_NODES";
    private static final long LIMIT_S = 60;

    private final String run;

    private Nodes(String run) {
        this.run = run;
    }

    /** How a command ended. */
    public record Ended(int status, String output) {}

    /** With IPv4 and IPv6 addresses. */
    public static Nodes start(int count) throws IOException, InterruptedException {
        return started(count);
    }

    /** The own name leads to a loopback address of IPv4 here too, as on real machines. */
    public static Nodes startIpv6Only(int count) throws IOException, InterruptedException {
        return started(count, "--ipv6-only");
    }

    private static Nodes started(int count, String... options) throws IOException, InterruptedException {
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root can make machines");
        List<String> words = new ArrayList<>(List.of(
                "start",
                Integer.toString(count),
                "--for",
                Long.toString(ProcessHandle.current().pid())));
        words.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(script(words));
        builder.environment().put("SLUICE_INSTALL", "no");
        Ended started = finish(builder);
        assumeTrue(
                started.status == 0,
                "no machines out of namespaces: "
                        + started.output.strip().replace('\n', ' ').replaceAll(" +", " "));
        return new Nodes(started.output.strip());
    }

    private static List<String> script(List<String> words) {
        List<String> command =
                new ArrayList<>(List.of("bash", ROOT.resolve("tools/nodes.sh").toString()));
        command.addAll(words);
        return command;
    }

    /** What is put before a command so that it runs on that node; the process is then the command's own. */
    public List<String> prefix(int node) {
        List<String> words = new ArrayList<>(List.of("env", RUN + "=" + run));
        words.addAll(script(List.of("exec", Integer.toString(node))));
        return words;
    }

    /** A builder of a process on that node, in this folder if the node has it. */
    public ProcessBuilder command(int node, String... words) {
        List<String> command = prefix(node);
        command.addAll(List.of(words));
        return new ProcessBuilder(command);
    }

    /**
     * What is put before a command so that it has that node's network, and files, processes and memory of this machine.
     */
    public String[] networkPrefix(int node) throws IOException, InterruptedException {
        return new String[] {"nsenter", "--net=" + call("network", Integer.toString(node))};
    }

    /** A builder of a process on the machine of the test, that finds these nodes by tools/nodes.sh. */
    public ProcessBuilder here(String... words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put(RUN, run);
        return builder;
    }

    /** A line of shell on that node: its status, and what it printed on both streams. */
    public Ended shell(int node, String line) throws IOException, InterruptedException {
        return finish(command(node, "sh", "-c", line));
    }

    /** The words of an ssh that asks nothing, from here as from any node: {@code ssh -F FILE}. */
    public List<String> ssh() throws IOException, InterruptedException {
        return List.of("ssh", "-F", call("ssh-config"));
    }

    /** A line of shell by ssh, from this machine. */
    public Ended ssh(int node, String line) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(ssh());
        words.addAll(List.of("node" + node, line));
        return finish(new ProcessBuilder(words));
    }

    /** Of IPv4, if the nodes have such. */
    public String address(int node) throws IOException, InterruptedException {
        return call("address", Integer.toString(node));
    }

    /** Where the nodes reach the machine of the test. */
    public String hostAddress() throws IOException, InterruptedException {
        return call("address", "host");
    }

    /** Pulls its cable out of the switch: it keeps its addresses, and hears of nothing. */
    public void down(int node) throws IOException, InterruptedException {
        call("down", Integer.toString(node));
    }

    /** Undoes {@link #down}. */
    public void up(int node) throws IOException, InterruptedException {
        call("up", Integer.toString(node));
    }

    /**
     * What tc-netem(8) says, on all that leaves the node; skips the test where the kernel has none.
     *
     * @param words none to end it
     */
    public void netem(int node, String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("netem", Integer.toString(node)));
        all.addAll(Arrays.asList(words));
        Ended ended = finish(verb(all));
        assumeTrue(!ended.output.contains("this kernel has no netem"), ended.output);
        assertEquals(0, ended.status, ended.output);
    }

    private ProcessBuilder verb(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(script(words));
        builder.environment().put(RUN, run);
        return builder;
    }

    private String call(String... words) throws IOException, InterruptedException {
        Ended ended = finish(verb(List.of(words)));
        assertEquals(0, ended.status, ended.output);
        return ended.output.strip();
    }

    private static Ended finish(ProcessBuilder builder) throws IOException, InterruptedException {
        Path output = Files.createTempFile("nodes", ".txt");
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output);
            assertTrue(ended, () -> "still running after " + LIMIT_S + " s: " + builder.command() + "\n" + text);
            return new Ended(process.exitValue(), text);
        } finally {
            Files.delete(output);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        call("stop");
    }
}
