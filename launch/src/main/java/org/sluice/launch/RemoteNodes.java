package org.sluice.launch;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.sluice.device.jvm.UpInterfaces;

/**
 * All other machines of a job, called at once. Nothing is started anywhere before each has answered and has what ranks
 * need.
 *
 * <p>Thread: one.
 *
 * <p>Owns: the ways to them, until it is closed.
 *
 * <p>Fails: {@link IllegalArgumentException} with a line for each machine that can take no part, and why.
 *
 * <p>Proof: {@code HostsProcessTest}.
 */
final class RemoteNodes implements AutoCloseable {
    private static final long ANSWER_S = 40;
    /** A network of 100 Mbit/s brings some gigabytes in it. */
    private static final long COPY_S = 600;
    /** For all of them together. An agent waits for what it ends, too. */
    private static final long CLOSE_PATIENCE_MS = 4000;

    private static final int MOST_ADDRESSES = 8;
    private static final String NO_SLUICE = "Could not find or load main class";

    private final Map<String, RemoteNode> nodes = new LinkedHashMap<>();
    private final Map<String, String> addresses = new LinkedHashMap<>();
    /** Where each has the program's files. */
    private final Map<String, String> folders = new LinkedHashMap<>();

    /** What they have there; null where the program's files are where they are here. */
    private ProgramCopy copied;

    /** Called, of whom nothing is known yet. */
    static RemoteNodes call(List<String> hosts, RemoteShell shell, String sluiceClassPath) {
        RemoteNodes called = new RemoteNodes();
        List<String> unfit = new ArrayList<>();
        for (String host : hosts) {
            try {
                called.nodes.put(host, RemoteNode.call(host, shell.command(host, sluiceClassPath)));
            } catch (RemoteNode.Unfit e) {
                unfit.add(e.getMessage());
            }
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_S);
        called.forEach(unfit, node -> {
            String version = node.awaitHello(end);
            if (!version.equals(SluiceVersion.CURRENT)) {
                throw new RemoteNode.Unfit(node.name() + " has Sluice " + version + ", this machine "
                        + SluiceVersion.CURRENT + ": use one for the whole job");
            }
        });
        called.refuse(unfit, sluiceClassPath);
        return called;
    }

    private interface Step {
        void take(RemoteNode node) throws RemoteNode.Unfit, InterruptedException;
    }

    private void forEach(List<String> unfit, Step step) {
        for (RemoteNode node : nodes.values()) {
            try {
                step.take(node);
            } catch (RemoteNode.Unfit e) {
                unfit.add(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                unfit.add(node.name() + ": interrupted");
            }
        }
    }

    private void refuse(List<String> unfit, String sluiceClassPath) {
        if (unfit.isEmpty()) {
            return;
        }
        close();
        StringBuilder text = new StringBuilder(
                unfit.size() == 1
                        ? "a machine can take no part; nothing was started:"
                        : "machines can take no part;" + " nothing was started:");
        for (String each : unfit) {
            text.append(System.lineSeparator()).append("  ").append(each);
            if (each.contains(NO_SLUICE)) {
                text.append(": Sluice has to be where it is here, ").append(sluiceClassPath);
            }
        }
        throw new IllegalArgumentException(text.toString());
    }

    /** Each gets the program's files. */
    void copy(ProgramCopy program) {
        copied = program;
        List<String> unfit = new ArrayList<>();
        forEach(unfit, node -> node.copy(program.files()));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(COPY_S);
        forEach(unfit, node -> {
            RemoteNode.Copied copied = node.awaitCopied(end);
            if (!copied.why().isEmpty()) {
                throw new RemoteNode.Unfit(node.name() + " can't have the program's files: " + copied.why());
            }
            folders.put(node.name(), copied.folder());
        });
        refuse(unfit, "");
    }

    /** A class path, as ranks of a machine find it. */
    String classPath(String host, String here) {
        return copied == null ? here : copied.on(folders.get(host), here);
    }

    /**
     * Each looks for the job's server, and for what ranks need.
     *
     * @param paths that have to be there
     */
    void meet(int port, String secret, List<String> paths, JavaHome java) {
        List<String> own = ownAddresses();
        List<String> unfit = new ArrayList<>();
        forEach(unfit, node -> node.meet(port, own, secret, paths, java.home().toString()));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_S);
        forEach(unfit, node -> {
            RemoteNode.Met met = node.awaitMet(end);
            String wrong = wrong(met, port, java);
            if (!wrong.isEmpty()) {
                throw new RemoteNode.Unfit(node.name() + " " + wrong);
            }
            addresses.put(node.name(), met.address());
        });
        refuse(unfit, "");
    }

    private static String wrong(RemoteNode.Met met, int port, JavaHome java) {
        if (met.address().isEmpty()) {
            return "can't connect to this machine's port " + port + " (" + met.why()
                    + "): ranks of other machines have to reach the launcher; is there a firewall in between?";
        }
        if (met.java().isEmpty()) {
            return "lacks the ranks' Java: " + met.wrongJava()
                    + "; it is the same everywhere, and --java HOME names another";
        }
        if (Runtime.Version.parse(met.java()).feature() != java.feature()) {
            return "has Java " + met.java() + " at " + java.home() + ", this machine " + java.version();
        }
        if (!met.missing().isEmpty()) {
            return "has no " + met.missing() + ": a program's files have to be at the same place on each machine, as in"
                    + " a shared file system, or --copy brings its class path along";
        }
        return "";
    }

    /** At which ranks there find the job's server. */
    String address(String host) {
        return addresses.get(host);
    }

    RemoteNode of(String host) {
        return nodes.get(host);
    }

    /** Link-local ones are told by an interface's name, which is another one there. */
    private static List<String> ownAddresses() {
        List<String> found = new ArrayList<>();
        List<String> loopback = new ArrayList<>();
        try {
            for (NetworkInterface each : UpInterfaces.list()) {
                for (InterfaceAddress own : each.getInterfaceAddresses()) {
                    InetAddress address = own.getAddress();
                    if (!address.isLinkLocalAddress()) {
                        (address.isLoopbackAddress() ? loopback : found).add(address.getHostAddress());
                    }
                }
            }
        } catch (SocketException e) {
            // What ssh tells there may do.
            return found;
        }
        found.addAll(loopback);
        return found.subList(0, Math.min(MOST_ADDRESSES, found.size()));
    }

    @Override
    public void close() {
        nodes.values().forEach(RemoteNode::beginClose);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_PATIENCE_MS);
        nodes.values().forEach(node -> node.awaitClosed(end));
    }
}
