package org.sluice.bench.across;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluice.device.DeviceProvider;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.launch.Bootstrap;
import org.sluice.launch.Job;

/**
 * Nodes on each of which the same command was started: guests of {@code ./sluice vm --nodes N}, or processes of a job,
 * one on each node. The first one measures; the others run what it asks for, as long as it lives.
 *
 * <p><i>Thread</i>: one. <i>Owns</i>: the connections that hold the others, until it is closed. <i>Fails</i>:
 * {@link IllegalArgumentException} where there are no nodes, {@link IOException} where they don't find each other.
 */
public final class AcrossNodes implements AutoCloseable {
    static final String NODE = "SLUICE_VM_NODE";
    static final String NODES = "SLUICE_VM_NODES";
    /** Of what guests know each other by. */
    public static final String SECRET = "SLUICE_VM_SECRET";
    /** In guests, which have nobody else. */
    private static final int PORT = 4790;

    private static final String GUESTS = "10.9.0.";

    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final String KEY = "bench-across";
    /** Behind a machine's name and boot, what a process tells. */
    private static final int TOLD = 2;

    private static final int PATIENCE_MS = 120_000;
    private static final int CONNECT_MS = 3_000;
    private static final int AGAIN_MS = 200;
    private static final int SECRET_BYTES = 16;

    private final int number;
    private final int count;
    private final String secret;
    /** Null where this is the harness. */
    private final ServerSocket server;
    /** To the others, where this is the harness. */
    private final List<Way> holds = new ArrayList<>();

    private AcrossNodes(int number, int count, String secret, ServerSocket server) {
        this.number = number;
        this.count = count;
        this.secret = secret;
        this.server = server;
    }

    /** Finds the others; as many as there are take part. */
    public static AcrossNodes join(Map<String, String> environment) throws IOException {
        return environment.containsKey(NODES) ? ofGuests(environment) : ofJob();
    }

    private static AcrossNodes ofGuests(Map<String, String> environment) throws IOException {
        int count = Integer.parseInt(environment.get(NODES));
        if (count < 2) {
            throw new IllegalArgumentException(
                    "--across: there is one guest; start several, as in ./sluice vm --nodes 2 -- ./sluice bench ...");
        }
        int number = Integer.parseInt(environment.get(NODE));
        String secret = environment.getOrDefault(SECRET, "");
        if (secret.isEmpty()) {
            throw new IllegalArgumentException(
                    "--across: guests know each other by " + SECRET + ", which is missing; ./sluice vm sets it");
        }
        AcrossNodes nodes = new AcrossNodes(number, count, secret, number == 0 ? null : new ServerSocket(PORT));
        for (int i = 1; i < count && number == 0; i++) {
            nodes.hold(List.of(new InetSocketAddress(GUESTS + (1 + i), PORT)));
        }
        return nodes;
    }

    private static AcrossNodes ofJob() throws IOException {
        Job job = Job.find(Options.of(Map.of()), DeviceProvider.RANK_OF_CALLER);
        try (Bootstrap bootstrap = job.bootstrap()) {
            if (job.size() < 2) {
                throw new IllegalArgumentException("--across: this process is alone; start one on each node, as in srun"
                        + " --mpi=pmix -N 2 --ntasks-per-node=1 ./sluice exec bench ..., or with mpirun -N 1, or in"
                        + " guests: ./sluice vm --nodes 2 -- ./sluice bench ...");
            }
            ServerSocket server = job.rank() == 0 ? null : new ServerSocket(0);
            bootstrap.put(
                    KEY, told(job.rank() == 0 ? newSecret() : place(server)).getBytes(StandardCharsets.UTF_8));
            bootstrap.fence(PATIENCE_MS);
            List<String[]> all = new ArrayList<>();
            for (int i = 0; i < job.size(); i++) {
                all.add(new String(bootstrap.get(i, KEY), StandardCharsets.UTF_8).split("\n"));
            }
            checkApart(all);
            AcrossNodes nodes = new AcrossNodes(job.rank(), job.size(), all.get(0)[TOLD], server);
            for (int i = 1; i < job.size() && job.rank() == 0; i++) {
                nodes.hold(addresses(all.get(i)));
            }
            return nodes;
        }
    }

    /** With the machine in front, by which those are found that are on one. */
    private static String told(String what) throws IOException {
        return Files.readString(HOST).strip() + "\n" + Files.readString(BOOT).strip() + "\n" + what;
    }

    /** A random one. */
    public static String newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String place(ServerSocket server) throws IOException {
        return server.getLocalPort() + "\n" + String.join("\n", Networks.own());
    }

    private static List<InetSocketAddress> addresses(String[] told) throws IOException {
        String wanted = System.getenv(Option.TCP_INTERFACE.environmentVariable());
        Networks networks = Networks.parse(wanted);
        int port = Integer.parseInt(told[TOLD]);
        List<InetSocketAddress> found = List.of(told).subList(TOLD + 1, told.length).stream()
                .map(address -> new InetSocketAddress(address, port))
                .filter(address -> networks.have(address.getAddress()))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("--across: " + told[0] + " has no address here that may be used: "
                    + String.join(", ", List.of(told).subList(TOLD + 1, told.length)) + " (IPv4 alone; "
                    + Option.TCP_INTERFACE.environmentVariable() + "=" + wanted + ")");
        }
        return found;
    }

    static void checkApart(List<String[]> all) {
        Set<String> machines = new HashSet<>();
        for (String[] told : all) {
            if (!machines.add(told[0] + "\n" + told[1])) {
                throw new IllegalArgumentException("--across: two of the job's " + all.size() + " processes are on "
                        + told[0] + "; start one on each node, as in srun --mpi=pmix -N " + all.size()
                        + " --ntasks-per-node=1, or with mpirun -N 1");
            }
        }
    }

    /** Connects to the next one, at the first of its addresses that answers. */
    private void hold(List<InetSocketAddress> addresses) throws IOException {
        long end = System.nanoTime() + PATIENCE_MS * 1_000_000L;
        IOException last = new IOException("it has no address");
        while (System.nanoTime() - end < 0) {
            for (InetSocketAddress address : addresses) {
                try {
                    holds.add(held(address));
                    return;
                } catch (IOException e) {
                    last = e;
                }
            }
            pause();
        }
        throw new IOException(
                "node " + (holds.size() + 1) + " is not reached at " + addresses + ": " + last.getMessage(), last);
    }

    private Way held(InetSocketAddress address) throws IOException {
        Way way = Way.to(address, secret);
        try {
            byte[] nothing = new Request("", List.of(), Map.of()).encode();
            way.write(Way.REQUEST, nothing, nothing.length);
            return way;
        } catch (IOException e) {
            way.close();
            throw e;
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Whether this one measures. */
    public boolean isHarness() {
        return number == 0;
    }

    public int count() {
        return count;
    }

    /** Runs what the harness asks for, until it has gone. */
    public void serve() throws IOException {
        new NodeServer(server, secret).serve(PATIENCE_MS);
    }

    /** Of all, as the harness and the others reach each other; its own first. */
    public List<InetAddress> addresses() {
        List<InetAddress> addresses = new ArrayList<>();
        addresses.add(holds.get(0).socket().getLocalAddress());
        holds.forEach(hold -> addresses.add(hold.socket().getInetAddress()));
        return addresses;
    }

    /** For {@link #shell}: how the others are reached, for its reader alone. */
    public String shellFile() {
        StringBuilder text = new StringBuilder(secret).append('\n');
        holds.forEach(hold -> text.append(hold.socket().getInetAddress().getHostAddress())
                .append(' ')
                .append(hold.socket().getPort())
                .append('\n'));
        return text.toString();
    }

    /**
     * Words before a command, which bring it to a node.
     *
     * @param file that has {@link #shellFile}
     */
    public static List<String> shell(Path file, int node) {
        return List.of(
                "env",
                // What somebody gives the benchmark's JVM may contradict these.
                "-u",
                "JDK_JAVA_OPTIONS",
                "-u",
                "JAVA_TOOL_OPTIONS",
                "-u",
                "_JAVA_OPTIONS",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                NodeShell.class.getName(),
                file.toString(),
                Integer.toString(node));
    }

    @Override
    public void close() throws IOException {
        for (Way hold : holds) {
            hold.close();
        }
    }
}
