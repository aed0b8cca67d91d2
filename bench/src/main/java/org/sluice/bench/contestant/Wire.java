package org.sluice.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.sluice.bench.across.AcrossNodes;

/**
 * What joins the ranks of a race over TCP, the same for all contestants. Between two ends it is a veth pair: the first
 * half of the ranks is in this machine's network namespace, the others in another. Several nodes have a bridge, to
 * which each is joined by a veth pair: the first ranks are on this machine as it is, those of each other node in a
 * namespace of its own, with a /dev/shm and a host name of its own too. Where that can't be made, which takes root, it
 * is loopback.
 *
 * <p>Each namespace is held by a process that ends with this one, however that ends, and the pairs go with it.
 */
public final class Wire {
    /** As every contestant on loopback, where nobody asks for more. */
    static final Wire LOOPBACK =
            new Wire("lo", "127.0.0.0/8", List.of(InetAddress.getLoopbackAddress()), List.of(), false, "over loopback");

    private static final long LIMIT_S = 10;
    /**
     * Of a command on another node, to which a JVM brings it: in a guest beside other work that takes half a minute.
     */
    static final long ACROSS_MS = 120_000;
    /** Of RFC 2544's networks for measuring, which nobody else uses. */
    private static final String ADDRESSES = "198.19.";

    private static final int ADDRESSES_MOST = 250;
    private static final int BITS = 24;

    /** Says so when the namespace is there, and stays until nobody can write to it any more. */
    private static final String HOLDER = "echo ready; exec cat >/dev/null";

    /** The same of a node; with its number. */
    private static final String NODE_HOLDER = "mount -t tmpfs -o mode=1777 tmpfs /dev/shm && hostname sluice-node\"$1\""
            // MPJ Express looks its own name up.
            + " && { cat /etc/hosts; echo 127.0.0.1 sluice-node\"$1\"; } >/dev/shm/hosts"
            + " && mount --bind /dev/shm/hosts /etc/hosts && " + HOLDER;

    /** Of all that follows; with the name of the device, the network, and the processes in the namespaces. */
    private static final String SETUP = """
        set -e
        device=$1 network=$2
        shift 2
        at() {
            process=$1
            shift
            nsenter --net="/proc/$process/ns/net" "$@"
        }
        up() {
            at "$1" ip link set lo up
            at "$1" ip address add "$network$2/24" dev "$device"
            at "$1" ip link set "$device" up
        }
        """;

    private static final String PAIR = SETUP + """
        ip link add "$device" type veth peer name "$device" netns "$1"
        up $$ 1
        up "$1" 2
        """;

    /** The first namespace is the bridge's alone, so that no firewall of this machine sees what nodes send. */
    private static final String NODES = SETUP + """
        bridge=$1
        shift
        plug() {
            at "$bridge" ip link set "$1" master bridge up
        }
        ip link add "$device" type veth peer name port1 netns "$bridge"
        at "$bridge" ip link add bridge type bridge mcast_snooping 0
        at "$bridge" ip link set bridge up
        plug port1
        up $$ 1
        number=1
        for node; do
            number=$((number + 1))
            at "$bridge" ip link add "port$number" type veth peer name "$device" netns "$node"
            plug "port$number"
            up "$node" "$number"
        done
        """;

    private final String device;
    private final String network;
    /** Of each end; the first is this machine's. */
    private final List<InetAddress> addresses;
    /**
     * What keep the namespaces of the ends but the first: they would end if nobody knew of them any more. As part of a
     * longer list they also keep the bridge's.
     */
    private final List<Process> holders;

    private final boolean nodes;
    private final String meaning;
    /** What runs a command on another node as ssh does; null where nodes are namespaces of this machine. */
    private final Across across;

    private Wire(
            String device,
            String network,
            List<InetAddress> addresses,
            List<Process> holders,
            boolean nodes,
            String meaning) {
        this.across = null;
        this.device = device;
        this.network = network;
        this.addresses = addresses;
        this.holders = holders;
        this.nodes = nodes;
        this.meaning = meaning;
    }

    private Wire(NetworkInterface device, String network, Across across) {
        this.across = across;
        this.device = device.getName();
        this.network = network;
        this.addresses = across.nodes().addresses();
        this.holders = List.of();
        this.nodes = true;
        this.meaning = "between " + addresses.size() + " nodes: "
                + addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
    }

    /** @param folder with the file for shells, and one that takes a node's address and a command as ssh does */
    private record Across(AcrossNodes nodes, WorkFolder folder) {
        static final String FILE = "nodes";
        static final String SHELL = "shell";

        Path file() {
            return folder.path().resolve(FILE);
        }
    }

    /** From now on contestants are spread over these nodes, and {@link #of} is what joins them. */
    public static void across(AcrossNodes nodes) throws IOException {
        WorkFolder folder = WorkFolder.createOutsideMemory();
        Runtime.getRuntime().addShutdownHook(new Thread(folder::close, "bench-across-end"));
        Files.writeString(folder.path().resolve(Across.FILE), nodes.shellFile());
        NetworkInterface device =
                NetworkInterface.getByInetAddress(nodes.addresses().get(0));
        int bits = device.getInterfaceAddresses().stream()
                .filter(own -> own.getAddress().equals(nodes.addresses().get(0)))
                .mapToInt(InterfaceAddress::getNetworkPrefixLength)
                .findFirst()
                .orElseThrow();
        String network = nodes.addresses().get(0).getHostAddress() + "/" + bits;
        Wire wire = new Wire(device, network, new Across(nodes, folder));
        wire.writeShell(folder.path().resolve(Across.SHELL));
        Made.ACROSS.set(wire);
    }

    /** Whether contestants are on several machines, and their processes none of the job's that this one is of. */
    static boolean isAcross() {
        return Made.ACROSS.get() != null;
    }

    /** Whether its nodes are machines, each with a launcher of Sluice's and of an MPI's own. */
    boolean isOfMachines() {
        return across != null;
    }

    /** What runs a command on another node: a file that takes its address, and the command, as ssh does. */
    Path shell() {
        return across.folder().path().resolve(Across.SHELL);
    }

    /** Also one node's launcher may ask it for another. */
    void writeShell(Path file) throws IOException {
        StringBuilder script = new StringBuilder("#!/bin/sh\nnode=$1\nshift\ncase $node in\n");
        for (int i = 1; i < addresses.size(); i++) {
            script.append(addresses.get(i).getHostAddress()).append(") exec");
            prefix(i)
                    .forEach(word -> script.append(" '")
                            .append(word.replace("'", "'\\''"))
                            .append('\''));
            script.append(" sh -c \"$*\" ;;\n");
        }
        script.append("esac\necho \"$node is no node of this race\" >&2\nexit 1\n");
        Files.writeString(file, script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /**
     * The one of this process between so many nodes, which is made at the first call.
     *
     * @param nodes 1 for this one, with two ends
     */
    public static Wire of(int nodes) {
        Wire found = Made.ACROSS.get();
        return found != null ? found : Made.WIRES.computeIfAbsent(nodes, Wire::make);
    }

    private static final class Made {
        static final Map<Integer, Wire> WIRES = new ConcurrentHashMap<>();
        /** Null until {@link #across}. */
        static final AtomicReference<Wire> ACROSS = new AtomicReference<>();
    }

    /** Why there are no such nodes here, as the rest of a sentence; empty if there are. */
    public static Optional<String> missing(int nodes) {
        return of(nodes).isLoopback() && nodes > 1
                ? Optional.of("has no " + nodes + " nodes here, as they take root and network namespaces ("
                        + of(nodes).meaning + ")")
                : Optional.empty();
    }

    private static Wire make(int nodes) {
        List<Process> holders = new ArrayList<>();
        try {
            holders.add(hold("--net", HOLDER, 0));
            for (int i = 1; i < nodes; i++) {
                holders.add(hold("--net --mount --uts", NODE_HOLDER, i));
            }
            return joined(nodes, holders);
        } catch (IOException e) {
            holders.forEach(Process::destroy);
            return new Wire(
                    LOOPBACK.device,
                    LOOPBACK.network,
                    LOOPBACK.addresses,
                    List.of(),
                    false,
                    nodes > 1
                            ? e.getMessage()
                            : "over loopback, all contestants alike, as there is no pair of network namespaces ("
                                    + e.getMessage() + ")");
        }
    }

    private static Process hold(String namespaces, String script, int number) throws IOException {
        List<String> command = new ArrayList<>(List.of("unshare"));
        command.addAll(List.of(namespaces.split(" ")));
        command.addAll(List.of("sh", "-c", script, "sh", Integer.toString(number)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // Else a shell may begin with a warning of it.
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        String line = process.inputReader().readLine();
        if (!"ready".equals(line)) {
            process.destroy();
            throw new IOException(line == null ? "unshare ended without a word" : line);
        }
        return process;
    }

    /** Another harness may have the first numbers. */
    private static Wire joined(int nodes, List<Process> holders) throws IOException {
        String said = "";
        for (int i = 1; i <= ADDRESSES_MOST; i++) {
            String device = "slb" + i;
            String prefix = ADDRESSES + i + ".";
            List<String> command = new ArrayList<>(List.of("sh", "-c", nodes > 1 ? NODES : PAIR, "sh", device, prefix));
            holders.forEach(holder -> command.add(Long.toString(holder.pid())));
            Process setup =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            said = new String(setup.getInputStream().readAllBytes()).strip();
            if (ended(setup)) {
                List<InetAddress> addresses = new ArrayList<>();
                for (int end = 1; end <= Math.max(2, nodes); end++) {
                    addresses.add(InetAddress.getByName(prefix + end));
                }
                return new Wire(
                        device,
                        prefix + "0/" + BITS,
                        addresses,
                        holders.subList(nodes > 1 ? 1 : 0, holders.size()),
                        nodes > 1,
                        nodes > 1
                                ? "over a bridge between " + nodes + " network namespaces, each with a /dev/shm of its"
                                        + " own"
                                : "over a veth pair between two network namespaces");
            }
            if (!said.contains("File exists")) {
                break;
            }
        }
        throw new IOException(said.lines().findFirst().orElse("it could not be made"));
    }

    private static boolean ended(Process setup) throws IOException {
        try {
            return setup.waitFor(LIMIT_S, TimeUnit.SECONDS) && setup.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** For titles. */
    public String meaning() {
        return meaning;
    }

    boolean isLoopback() {
        return holders.isEmpty() && across == null;
    }

    /** Whether its ends share no memory, and are hosts to an MPI's launcher. */
    boolean isBetweenNodes() {
        return nodes;
    }

    /** Of the network interface, which is called so at all ends. */
    String device() {
        return device;
    }

    /** As {@code address/bits}. */
    String network() {
        return network;
    }

    /** Where ranks at all ends reach this process. */
    InetAddress here() {
        return addresses.get(0);
    }

    /** Of all ends, in the order of the ranks there. */
    List<InetAddress> addresses() {
        return addresses;
    }

    /** Where a rank is reached. */
    InetAddress address(int rank, int ranks) {
        return addresses.get(end(rank, ranks));
    }

    /** As many ranks at each, but for the last if that can't be. */
    private int end(int rank, int ranks) {
        int each = (ranks + addresses.size() - 1) / addresses.size();
        return rank / each;
    }

    /** Whether somebody listens at that port where a rank is. */
    boolean isListening(int rank, int ranks, int port) throws IOException {
        int end = end(rank, ranks);
        if (end == 0 || across == null) {
            return ListeningPorts.contain(
                    end == 0 ? "/proc/net" : "/proc/" + holders.get(end - 1).pid() + "/net", port);
        }
        List<String> command = new ArrayList<>(prefix(end));
        command.addAll(List.of("cat", "/proc/net/tcp", "/proc/net/tcp6"));
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        ChildProcess cat = ChildProcess.start(command, Map.of(), null, lines::add);
        if (!cat.awaitEnd(ACROSS_MS)) {
            cat.kill();
            return false;
        }
        return cat.exitStatus() == 0 && ListeningPorts.contain(List.copyOf(lines), port);
    }

    /** Words before the command of a rank, which bring it to where it belongs. */
    List<String> prefix(int rank, int ranks) {
        return prefix(end(rank, ranks));
    }

    /** The same of all ranks at an end. */
    List<String> prefix(int end) {
        if (end == 0) {
            return List.of();
        }
        if (across != null) {
            return AcrossNodes.shell(across.file(), end);
        }
        String namespaces = "/proc/" + holders.get(end - 1).pid() + "/ns/";
        return nodes
                ? List.of(
                        "nsenter",
                        "--net=" + namespaces + "net",
                        "--mount=" + namespaces + "mnt",
                        "--uts=" + namespaces + "uts",
                        "--wd=" + Path.of("").toAbsolutePath(),
                        "--")
                : List.of("nsenter", "--net=" + namespaces + "net", "--");
    }
}
