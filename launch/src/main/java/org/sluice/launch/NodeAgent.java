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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
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
    private final Map<Integer, Jvm> jvms = new ConcurrentHashMap<>();
    /** Under the monitor of {@link #jvms}: nothing is started any more. */
    private boolean isEnding;

    private Path folder;
    /** Null where ranks find the program where it is. */
    private CopiedFiles copied;

    private Path secretFile;

    /** A JVM, what the launcher has still to take of its output, and what it has still to read. */
    private record Jvm(
            int firstRank, Process process, StreamWindow out, StreamWindow err, BlockingQueue<byte[]> input) {}

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
                case NodeWire.COPY -> copy();
                case NodeWire.COPIED -> endCopy();
                case NodeWire.MEET -> meet();
                case NodeWire.START -> start();
                case NodeWire.INPUT -> input();
                case NodeWire.TAKEN -> taken();
                case NodeWire.TERMINATE -> {
                    Jvm jvm = jvms.get(in.readInt());
                    if (jvm != null) {
                        LocalProcess.terminate(jvm.process());
                    }
                }
                case NodeWire.KILL -> {
                    Jvm jvm = jvms.get(in.readInt());
                    if (jvm != null) {
                        LocalProcess.endNow(jvm.process());
                    }
                }
                default -> throw new IOException("a frame of unknown kind " + kind);
            }
        }
    }

    private Path folder() throws IOException {
        if (folder == null) {
            folder = Files.createTempDirectory(
                    "sluice-node-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        return folder;
    }

    private void copy() throws IOException {
        if (copied == null) {
            copied = new CopiedFiles(folder().resolve("program"));
        }
        copied.take(in);
    }

    private void endCopy() throws IOException {
        synchronized (out) {
            out.write(NodeWire.COPIED);
            NodeWire.text(out, copied == null ? "" : copied.folder().toString());
            NodeWire.text(out, copied == null ? "" : copied.wrong());
            out.flush();
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
        secretFile = Files.createFile(
                folder().resolve("secret"),
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
            NodeWire.text(out, wrongJava(home));
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

    /** Empty where there is none that will do. */
    private static String version(String home) {
        return wrongJava(home).isEmpty() ? JavaHome.of(Path.of(home)).version() : "";
    }

    private static String wrongJava(String home) {
        try {
            JavaHome.of(Path.of(home));
            return "";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private void start() throws IOException {
        int firstRank = in.readInt();
        boolean reads = in.readBoolean();
        String workingFolder = NodeWire.text(in);
        List<String> words = NodeWire.texts(in);
        Map<String, String> variables = NodeWire.pairs(in);
        File working = new File(workingFolder);
        // A program that is brought along has no other place where it were at home.
        File present = copied == null || working.isDirectory() ? working : folder.toFile();
        ProcessBuilder builder = new ProcessBuilder(words).directory(present);
        // What ssh says of this session is nothing to a rank.
        builder.environment().keySet().removeIf(name -> name.startsWith("SSH_"));
        builder.environment().putAll(variables);
        builder.environment().put(Option.JOB_SECRET_FILE.environmentVariable(), secretFile.toString());
        if (!reads) {
            builder.redirectInput(new File("/dev/null"));
        }
        try {
            Jvm jvm = start(firstRank, builder);
            say(NodeWire.STARTED, firstRank, jvm.process().pid());
            watch(jvm);
            if (reads) {
                thread("sluice-node-input-" + firstRank, () -> feed(jvm));
            }
        } catch (IOException e) {
            synchronized (out) {
                out.write(NodeWire.NOT_STARTED);
                out.writeInt(firstRank);
                NodeWire.text(out, String.valueOf(e.getMessage()));
                out.flush();
            }
        }
    }

    private Jvm start(int firstRank, ProcessBuilder builder) throws IOException {
        synchronized (jvms) {
            if (isEnding) {
                throw new IOException("the launcher has gone");
            }
            Jvm jvm = new Jvm(
                    firstRank, builder.start(), new StreamWindow(), new StreamWindow(), new LinkedBlockingQueue<>());
            LocalProcess.endBeforeTheLauncher(jvm.process());
            jvms.put(firstRank, jvm);
            return jvm;
        }
    }

    private void watch(Jvm jvm) {
        Thread[] pumps = {
            pump(NodeWire.OUT, jvm, jvm.process().getInputStream(), jvm.out()),
            pump(NodeWire.ERR, jvm, jvm.process().getErrorStream(), jvm.err())
        };
        thread("sluice-node-wait-" + jvm.firstRank(), () -> {
            try {
                int status = jvm.process().waitFor();
                for (Thread pump : pumps) {
                    pump.join(LAST_OUTPUT_MS);
                }
                say(NodeWire.ENDED, jvm.firstRank(), status);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private Thread pump(byte kind, Jvm jvm, InputStream from, StreamWindow window) {
        return thread("sluice-node-" + kind + "-" + jvm.firstRank(), () -> {
            byte[] chunk = new byte[NodeWire.CHUNK_BYTES];
            try (from) {
                for (int got = from.read(chunk); got > 0; got = from.read(chunk)) {
                    window.await(got);
                    output(kind, jvm.firstRank(), chunk, got);
                }
            } catch (IOException e) {
                // The process is gone, and what it had not written with it: there is no more.
                window.open();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            output(kind, jvm.firstRank(), chunk, 0);
        });
    }

    private void taken() throws IOException {
        Jvm jvm = jvms.get(in.readInt());
        boolean isError = in.readBoolean();
        int bytes = in.readInt();
        if (jvm != null) {
            (isError ? jvm.err() : jvm.out()).taken(bytes);
        }
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

    /** A rank that reads nothing holds up nobody: the launcher sends no more than was read. */
    private void input() throws IOException {
        Jvm jvm = jvms.get(in.readInt());
        byte[] bytes = NodeWire.bytes(in);
        if (jvm != null) {
            jvm.input().add(bytes);
        }
    }

    private void feed(Jvm jvm) {
        try (OutputStream to = jvm.process().getOutputStream()) {
            for (byte[] bytes = jvm.input().take();
                    bytes.length > 0;
                    bytes = jvm.input().take()) {
                to.write(bytes);
                to.flush();
                say(NodeWire.INPUT_TAKEN, jvm.firstRank(), bytes.length);
            }
        } catch (IOException e) {
            // It has ended, or closed its input: nobody wants the rest.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGTERM, a while, SIGKILL. */
    private void endAll() {
        List<Process> living = new ArrayList<>();
        synchronized (jvms) {
            isEnding = true;
            jvms.values().stream().map(Jvm::process).filter(Process::isAlive).forEach(living::add);
        }
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
                if (copied != null) {
                    copied.remove();
                }
                if (secretFile != null) {
                    Files.deleteIfExists(secretFile);
                }
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            System.err.println("sluice: " + folder + " stays: " + e.getMessage());
        }
    }
}
