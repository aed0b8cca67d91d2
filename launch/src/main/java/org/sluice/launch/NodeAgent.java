package org.sluice.launch;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.sluice.device.option.Option;

/**
 * The launcher's hands on another machine, which ssh starts: it starts JVMs as it is told, hands on what they print and
 * how they end, and ends them all when the launcher, or the way to it, is gone.
 *
 * <p>Thread: one that reads what the launcher says; two for each JVM's output, and one that waits for its end.
 *
 * <p>Owns: the processes, and the file with the job's secret, which it makes for them.
 *
 * <p>Fails: by ending everything, itself last.
 *
 * <p>Proof: {@code HostsProcessTest}.
 */
public final class NodeAgent {
    private static final int REACH_MS = 3000;
    private static final long TERM_PATIENCE_MS = 2500;
    private static final long LAST_OUTPUT_MS = 1000;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
    private Path folder;
    private Path secretFile;

    private NodeAgent(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(new BufferedOutputStream(out, 4 * NodeWire.CHUNK_BYTES));
    }

    /** Called by ssh with no arguments; speaks {@link NodeWire}. */
    public static void main(String[] arguments) {
        NodeAgent agent =
                new NodeAgent(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        // Nothing else may get between.
        System.setOut(System.err);
        Runtime.getRuntime().addShutdownHook(new Thread(agent::endAll, "sluice-node-end"));
        int status = 0;
        try {
            agent.serve();
        } catch (IOException | RuntimeException e) {
            // The launcher is gone, or says what none says: nobody is left who could be told but the reader of this.
            System.err.println("sluice: " + e);
            status = 1;
        }
        System.exit(status);
    }

    private void serve() throws IOException {
        synchronized (out) {
            out.write(NodeWire.MAGIC);
            NodeWire.text(out, SluiceVersion.CURRENT);
            NodeWire.text(
                    out, Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
            out.flush();
        }
        for (int kind = in.read(); kind >= 0; kind = in.read()) {
            switch (kind) {
                case NodeWire.MEET -> meet();
                case NodeWire.START -> start();
                case NodeWire.INPUT -> input();
                case NodeWire.TERMINATE -> {
                    Process process = processes.get(in.readInt());
                    if (process != null) {
                        LocalProcess.terminate(process);
                    }
                }
                case NodeWire.KILL -> {
                    Process process = processes.get(in.readInt());
                    if (process != null) {
                        LocalProcess.endNow(process);
                    }
                }
                default -> throw new IOException("a frame of unknown kind " + kind);
            }
        }
    }

    private void meet() throws IOException {
        int port = in.readInt();
        Set<String> places = new LinkedHashSet<>();
        // As sshd saw the launcher's machine: so it is reached from here.
        String connection = System.getenv().getOrDefault("SSH_CONNECTION", "");
        if (!connection.isEmpty()) {
            places.add(connection.split(" ", 2)[0]);
        }
        places.addAll(NodeWire.texts(in));
        String secret = NodeWire.text(in);
        List<String> paths = NodeWire.texts(in);
        String home = NodeWire.text(in);
        folder = Files.createTempDirectory(
                "sluice-node-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        secretFile = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secretFile, secret);
        StringBuilder why = new StringBuilder();
        String reached = "";
        for (String each : places) {
            String wrong = reach(each, port);
            if (wrong.isEmpty()) {
                reached = each;
                break;
            }
            why.append(why.length() == 0 ? "" : "; ").append(each).append(": ").append(wrong);
        }
        String missing = paths.stream()
                .filter(path -> !new File(path).exists())
                .findFirst()
                .orElse("");
        synchronized (out) {
            out.write(NodeWire.MET);
            NodeWire.text(out, reached);
            NodeWire.text(out, why.toString());
            NodeWire.text(out, missing);
            NodeWire.text(out, version(home));
            out.flush();
        }
    }

    private static String reach(String address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(address), port), REACH_MS);
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Empty where there is none. */
    private static String version(String home) {
        try {
            return JavaHome.of(Path.of(home)).version();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private void start() throws IOException {
        int firstRank = in.readInt();
        boolean reads = in.readBoolean();
        String workingFolder = NodeWire.text(in);
        List<String> words = NodeWire.texts(in);
        Map<String, String> variables = NodeWire.pairs(in);
        ProcessBuilder builder = new ProcessBuilder(words).directory(new File(workingFolder));
        // What ssh says of this session is nothing to a rank.
        builder.environment().keySet().removeIf(name -> name.startsWith("SSH_"));
        builder.environment().putAll(variables);
        builder.environment().put(Option.JOB_SECRET_FILE.environmentVariable(), secretFile.toString());
        if (!reads) {
            builder.redirectInput(new File("/dev/null"));
        }
        try {
            Process process = builder.start();
            LocalProcess.endBeforeTheLauncher(process);
            processes.put(firstRank, process);
            say(NodeWire.STARTED, firstRank, process.pid());
            watch(firstRank, process);
        } catch (IOException e) {
            synchronized (out) {
                out.write(NodeWire.NOT_STARTED);
                out.writeInt(firstRank);
                NodeWire.text(out, String.valueOf(e.getMessage()));
                out.flush();
            }
        }
    }

    private void watch(int firstRank, Process process) {
        Thread[] pumps = {
            pump(NodeWire.OUT, firstRank, process.getInputStream()),
            pump(NodeWire.ERR, firstRank, process.getErrorStream())
        };
        thread("sluice-node-wait-" + firstRank, () -> {
            try {
                int status = process.waitFor();
                for (Thread pump : pumps) {
                    pump.join(LAST_OUTPUT_MS);
                }
                say(NodeWire.ENDED, firstRank, status);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private Thread pump(byte kind, int firstRank, InputStream from) {
        return thread("sluice-node-" + kind + "-" + firstRank, () -> {
            byte[] chunk = new byte[NodeWire.CHUNK_BYTES];
            try (from) {
                for (int got = from.read(chunk); got > 0; got = from.read(chunk)) {
                    output(kind, firstRank, chunk, got);
                }
            } catch (IOException e) {
                // The process is gone, and what it had not written with it.
                System.err.println("sluice: output of rank " + firstRank + " ends: " + e.getMessage());
            }
            output(kind, firstRank, chunk, 0);
        });
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void output(byte kind, int firstRank, byte[] bytes, int length) {
        try {
            synchronized (out) {
                out.write(kind);
                out.writeInt(firstRank);
                NodeWire.bytes(out, bytes, 0, length);
                out.flush();
            }
        } catch (IOException e) {
            endSelf();
        }
    }

    private void say(byte kind, int firstRank, long number) {
        try {
            synchronized (out) {
                out.write(kind);
                out.writeInt(firstRank);
                out.writeLong(number);
                out.flush();
            }
        } catch (IOException e) {
            endSelf();
        }
    }

    /** The launcher is gone. */
    private static void endSelf() {
        thread("sluice-node-exit", () -> System.exit(1));
    }

    private void input() throws IOException {
        Process process = processes.get(in.readInt());
        byte[] bytes = NodeWire.bytes(in);
        if (process == null) {
            return;
        }
        try {
            if (bytes.length == 0) {
                process.getOutputStream().close();
            } else {
                process.getOutputStream().write(bytes);
                process.getOutputStream().flush();
            }
        } catch (IOException e) {
            // It has ended, or closed its input: nobody wants the rest.
            return;
        }
    }

    /** SIGTERM, a while, SIGKILL. */
    private void endAll() {
        List<Process> living = new ArrayList<>(
                processes.values().stream().filter(Process::isAlive).toList());
        living.forEach(LocalProcess::terminate);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TERM_PATIENCE_MS);
        try {
            for (Process each : living) {
                each.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        living.stream().filter(Process::isAlive).forEach(LocalProcess::endNow);
        try {
            if (folder != null) {
                Files.deleteIfExists(secretFile);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            System.err.println("sluice: " + folder + " stays: " + e.getMessage());
        }
    }
}
