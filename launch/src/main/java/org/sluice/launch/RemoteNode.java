package org.sluice.launch;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Another machine of the job: the ssh to it, and the {@link NodeAgent} at its other end.
 *
 * <p>Thread: any may tell it something; one of its own reads what the agent says, one what ssh says, and one, of the
 * machine with rank 0, standard input.
 *
 * <p>Owns: the process of ssh.
 *
 * <p>Fails: {@link Unfit} with the machine's name and ssh's own words before anything was started there; afterwards its
 * JVMs are {@link RemoteProcess#lost}.
 *
 * <p>Proof: {@code HostsProcessTest}.
 */
final class RemoteNode {
    private static final int KEPT_LINES = 12;
    private static final long LAST_WORDS_MS = 500;
    private static final long START_S = 20;

    private final String name;
    private final Process ssh;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread words;
    private final CompletableFuture<String> hello = new CompletableFuture<>();
    private final CompletableFuture<Met> met = new CompletableFuture<>();
    private final CompletableFuture<Copied> copied = new CompletableFuture<>();
    private final Map<Integer, RemoteProcess> processes = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<Long>> starting = new ConcurrentHashMap<>();
    private volatile boolean isClosing;

    /** What the agent has found. */
    record Met(String address, String why, String missing, String java, String wrongJava) {}

    /** Where the program's files are there, and why some aren't. */
    record Copied(String folder, String why) {}

    /** It can take no part, for a reason that the message has. */
    static final class Unfit extends Exception {
        private static final long serialVersionUID = 1L;

        Unfit(String message) {
            super(message);
        }
    }

    private RemoteNode(String name, Process ssh) {
        this.name = name;
        this.ssh = ssh;
        this.in = new DataInputStream(new BufferedInputStream(ssh.getInputStream(), 4 * NodeWire.CHUNK_BYTES));
        this.out = new DataOutputStream(new BufferedOutputStream(ssh.getOutputStream()));
        this.words = thread("sluice-ssh-" + name, this::keepWords);
        thread("sluice-node-" + name, this::read);
    }

    /** @param command that ends in the machine's name and what is to run there */
    static RemoteNode call(String name, List<String> command) throws Unfit {
        try {
            return new RemoteNode(name, new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw new Unfit(name + ": " + command.get(0) + " can't be started: " + e.getMessage());
        }
    }

    String name() {
        return name;
    }

    /** @return the version of Sluice there */
    String awaitHello(long endNanos) throws Unfit, InterruptedException {
        return await(hello, endNanos, "it did not answer in time");
    }

    /** Begins to bring the program's files along, which may take as long as a machine that takes nothing. */
    void copy(Set<Path> files) {
        thread("sluice-copy-" + name, () -> send(files));
    }

    private void send(Set<Path> files) {
        byte[] chunk = new byte[NodeWire.CHUNK_BYTES];
        try {
            synchronized (out) {
                for (Path file : files) {
                    copy(file, chunk);
                }
                out.write(NodeWire.COPIED);
                out.flush();
            }
        } catch (IOException e) {
            copied.completeExceptionally(
                    new IOException(withWords("the program can't be copied to it (" + e.getMessage() + ")"), e));
        }
    }

    private void copy(Path file, byte[] chunk) throws IOException {
        try (InputStream from = Files.newInputStream(file)) {
            out.write(NodeWire.COPY);
            NodeWire.text(out, ProgramCopy.inside(file));
            for (int got = from.read(chunk); got > 0; got = from.read(chunk)) {
                NodeWire.bytes(out, chunk, 0, got);
            }
            NodeWire.bytes(out, chunk, 0, 0);
        }
    }

    Copied awaitCopied(long endNanos) throws Unfit, InterruptedException {
        return await(copied, endNanos, "it did not say in time that it has the program");
    }

    /** Has the agent look whether it reaches the launcher, and whether what ranks need is there. */
    void meet(int port, List<String> addresses, String secret, List<String> paths, String javaHome) throws Unfit {
        try {
            synchronized (out) {
                out.write(NodeWire.MEET);
                out.writeInt(port);
                NodeWire.texts(out, addresses);
                NodeWire.text(out, secret);
                NodeWire.texts(out, paths);
                NodeWire.text(out, javaHome);
                out.flush();
            }
        } catch (IOException e) {
            throw unfit("the way to it broke (" + e.getMessage() + ")");
        }
    }

    Met awaitMet(long endNanos) throws Unfit, InterruptedException {
        return await(met, endNanos, "it did not say in time what it found");
    }

    private <T> T await(CompletableFuture<T> answer, long endNanos, String late) throws Unfit, InterruptedException {
        try {
            return answer.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new Unfit(name + ": " + e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw unfit(late);
        }
    }

    /** With ssh's own words, where it has said some. */
    private Unfit unfit(String why) {
        return new Unfit(name + ": " + withWords(why));
    }

    private String withWords(String why) {
        synchronized (lastLines) {
            return lastLines.isEmpty() ? why : why + " (ssh said: " + String.join(" / ", lastLines) + ")";
        }
    }

    /**
     * A JVM that is to be started.
     *
     * @param reads whether it has this process's standard input
     */
    record Jvm(
            int firstRank,
            int ranks,
            boolean reads,
            String folder,
            List<String> command,
            Map<String, String> variables) {}

    /** @throws IOException where it can't be started there */
    RemoteProcess start(Jvm jvm, RankOutput output) throws IOException {
        int firstRank = jvm.firstRank();
        RemoteProcess process = new RemoteProcess(this, firstRank, jvm.ranks(), output);
        CompletableFuture<Long> started = new CompletableFuture<>();
        starting.put(firstRank, started);
        processes.put(firstRank, process);
        try {
            say(jvm);
        } catch (IOException e) {
            throw new IOException("on " + name + ": " + withWords("the way to it broke, " + e.getMessage()), e);
        }
        return process;
    }

    private void say(Jvm jvm) throws IOException {
        synchronized (out) {
            out.write(NodeWire.START);
            out.writeInt(jvm.firstRank());
            out.writeBoolean(jvm.reads());
            NodeWire.text(out, jvm.folder());
            NodeWire.texts(out, jvm.command());
            NodeWire.pairs(out, jvm.variables());
            out.flush();
        }
    }

    /** Waits for what {@link #start} began. */
    void awaitStarted(RemoteProcess process) throws IOException {
        try {
            process.started(starting.get(process.firstRank()).get(START_S, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("on " + name + ": interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException("on " + name + ": " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("on " + name + ": it did not say in time that it was started", e);
        }
    }

    /** Rank 0 is there, and reads what this process has to read. After {@link #awaitStarted}. */
    void input(RemoteProcess reader) {
        thread("sluice-input", () -> {
            byte[] chunk = new byte[NodeWire.CHUNK_BYTES];
            try {
                for (int got = OwnInput.read(chunk); got > 0; got = OwnInput.read(chunk)) {
                    reader.input().await(got);
                    input(reader.firstRank(), chunk, got);
                }
                input(reader.firstRank(), chunk, 0);
            } catch (IOException e) {
                // Nothing can be read here: the rank is told that there is no more.
                input(reader.firstRank(), chunk, 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void input(int firstRank, byte[] bytes, int length) {
        say(() -> {
            out.write(NodeWire.INPUT);
            out.writeInt(firstRank);
            NodeWire.bytes(out, bytes, 0, length);
        });
    }

    /** So many bytes of a stream were read. */
    void taken(int firstRank, boolean isError, int bytes) {
        if (bytes > 0) {
            say(() -> {
                out.write(NodeWire.TAKEN);
                out.writeInt(firstRank);
                out.writeBoolean(isError);
                out.writeInt(bytes);
            });
        }
    }

    void tell(byte kind, int firstRank) {
        say(() -> {
            out.write(kind);
            out.writeInt(firstRank);
        });
    }

    private interface Words {
        void write() throws IOException;
    }

    private void say(Words sentence) {
        try {
            synchronized (out) {
                sentence.write();
                out.flush();
            }
        } catch (IOException e) {
            // Its reader finds that it is lost, and tells.
            return;
        }
    }

    /** What runs there does not end as it is told: as if the machine were gone. */
    void giveUp() {
        LocalProcess.endNow(ssh);
        lose("it did not end what runs there");
    }

    private void read() {
        String why = "";
        try {
            NodeWire.awaitMagic(in);
            synchronized (lastLines) {
                // What a login says to all.
                lastLines.clear();
            }
            String version = NodeWire.text(in);
            NodeWire.text(in);
            hello.complete(version);
            for (int kind = in.read(); kind >= 0; kind = in.read()) {
                take(kind);
            }
            why = "its launcher ended";
        } catch (EOFException e) {
            why = e.getMessage() == null ? "its launcher ended" : e.getMessage();
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        } finally {
            lose(why.isEmpty() ? "its reader failed here" : why);
        }
    }

    private void take(int kind) throws IOException {
        if (kind == NodeWire.MET) {
            met.complete(new Met(
                    NodeWire.text(in), NodeWire.text(in), NodeWire.text(in), NodeWire.text(in), NodeWire.text(in)));
            return;
        }
        if (kind == NodeWire.COPIED) {
            copied.complete(new Copied(NodeWire.text(in), NodeWire.text(in)));
            return;
        }
        int firstRank = in.readInt();
        RemoteProcess process = processes.get(firstRank);
        if (process == null) {
            throw new IOException("it speaks of rank " + firstRank + ", which isn't there");
        }
        switch (kind) {
            case NodeWire.STARTED -> {
                long pid = in.readLong();
                CompletableFuture<Long> started = starting.get(firstRank);
                if (started != null) {
                    started.complete(pid);
                }
            }
            case NodeWire.NOT_STARTED -> {
                IOException failed = new IOException(NodeWire.text(in));
                CompletableFuture<Long> started = starting.get(firstRank);
                if (started != null) {
                    started.completeExceptionally(failed);
                }
                process.lost(failed.getMessage());
            }
            case NodeWire.OUT -> process.printed(false, NodeWire.bytes(in));
            case NodeWire.ERR -> process.printed(true, NodeWire.bytes(in));
            case NodeWire.INPUT_TAKEN -> process.input().taken((int) in.readLong());
            case NodeWire.ENDED -> process.ended((int) in.readLong());
            default -> throw new IOException("it says " + kind + ", which means nothing");
        }
    }

    private void lose(String why) {
        try {
            // What ssh itself says comes on the other stream, a moment before or after.
            words.join(LAST_WORDS_MS);
            IOException gone = new IOException(isClosing ? why : withWords(why));
            hello.completeExceptionally(gone);
            copied.completeExceptionally(gone);
            met.completeExceptionally(gone);
            starting.values().forEach(each -> each.completeExceptionally(gone));
            for (RemoteProcess each : processes.values()) {
                each.lost(gone.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepWords() {
        InputStream from = ssh.getErrorStream();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String printable = Printable.text(line.strip());
                synchronized (lastLines) {
                    // ssh tells of keys that it has just learnt.
                    if (!printable.isEmpty() && !printable.startsWith("Warning: Permanently added")) {
                        lastLines.add(printable);
                    }
                    if (lastLines.size() > KEPT_LINES) {
                        lastLines.remove();
                    }
                }
            }
        } catch (IOException e) {
            // ssh is gone, and has said what it had to say.
            return;
        }
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The end of its input tells the agent to end, and all that it has started. */
    void beginClose() {
        isClosing = true;
        try {
            // Not by the stream around it, whose lock somebody may hold who waits.
            ssh.getOutputStream().close();
        } catch (IOException e) {
            // It is closed all the same, or ssh is gone.
            return;
        }
    }

    void awaitClosed(long endNanos) {
        try {
            if (!ssh.waitFor(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                LocalProcess.endNow(ssh);
            }
        } catch (InterruptedException e) {
            LocalProcess.endNow(ssh);
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return new ArrayList<>(processes.keySet()) + " on " + name;
    }
}
