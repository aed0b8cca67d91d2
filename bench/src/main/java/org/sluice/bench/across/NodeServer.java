package org.sluice.bench.across;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands for the harness of another node, each over a connection of its own: what the connection brings is the
 * command's input, and with the connection the command ends.
 *
 * <p><i>Thread</i>: one waits in {@link #serve}; each connection has its own. <i>Owns</i>: the listening socket and all
 * that it started, which end with {@link #serve} and with this JVM. <i>Fails</i>: {@link IOException} where no harness
 * comes.
 */
final class NodeServer {
    private static final int SEEN_MS = 200;
    private static final long GRACE_MS = 2_000;
    private static final int NOT_FOUND = 127;

    private final ServerSocket server;
    private final String secret;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private volatile boolean isHeld;
    private volatile boolean isOver;

    NodeServer(ServerSocket server, String secret) {
        this.server = server;
        this.secret = secret;
    }

    /**
     * Until the harness that came has gone.
     *
     * @param patienceMs how long to wait for it
     */
    void serve(long patienceMs) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        server.setSoTimeout(SEEN_MS);
        Thread hook = new Thread(this::endAll, "across-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try (server) {
            while (!isOver) {
                try {
                    Socket socket = server.accept();
                    daemon("across-command", () -> answer(socket));
                } catch (SocketTimeoutException e) {
                    if (!isHeld && System.nanoTime() - end > 0) {
                        throw new IOException("no harness came within " + patienceMs + " ms", e);
                    }
                }
            }
        } finally {
            endAll();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM is on its way out, and runs it itself.
            }
        }
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void answer(Socket socket) {
        try (Way way = Way.accepted(socket, secret)) {
            Request request = Request.decode(way.read().bytes());
            way.awaitLong();
            if (request.command().isEmpty()) {
                hold(way);
            } else {
                run(request, way);
            }
        } catch (IOException e) {
            // Somebody who isn't ours, or the harness has gone; what was begun for it is ended.
        }
    }

    /** The harness's own connection, which lasts as long as it does. */
    private void hold(Way way) throws IOException {
        isHeld = true;
        try {
            way.read();
        } finally {
            isOver = true;
        }
    }

    private void run(Request request, Way way) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(request.command());
        JobVariables.join(builder.environment(), request.variables());
        // To some JDKs no name is the folder that they are in, but not to a process.
        if (!request.folder().isEmpty() && new File(request.folder()).isDirectory()) {
            builder.directory(new File(request.folder()));
        }
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            byte[] words = (e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
            way.write(Way.ERROR, words, Math.min(words.length, Way.CHUNK_BYTES));
            end(way, NOT_FOUND);
            return;
        }
        running.add(process);
        try {
            List<Thread> pumps = List.of(
                    pump(process.getInputStream(), way, Way.STREAM), pump(process.getErrorStream(), way, Way.ERROR));
            daemon("across-input", () -> input(process, way));
            int status = process.waitFor();
            for (Thread pump : pumps) {
                // Who was started by it and outlives it may hold its streams.
                pump.join(GRACE_MS);
            }
            end(way, status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(process);
        }
    }

    private static void end(Way way, int status) throws IOException {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(status).array();
        way.write(Way.END, bytes, bytes.length);
    }

    private static Thread pump(InputStream from, Way way, int kind) {
        return daemon("across-output", () -> {
            try {
                way.copy(from, kind);
            } catch (IOException e) {
                // Nobody reads any more: who reads the connection ends the command.
            }
        });
    }

    /** What comes is the command's input; where the connection ends, so does the command. */
    private void input(Process process, Way way) {
        OutputStream to = process.getOutputStream();
        boolean isOpen = true;
        try {
            while (true) {
                byte[] bytes = way.read().bytes();
                if (bytes.length == 0) {
                    to.close();
                    isOpen = false;
                } else if (isOpen) {
                    isOpen = feed(to, bytes);
                }
            }
        } catch (IOException e) {
            end(process);
        }
    }

    /** False where the command doesn't read any more. */
    private static boolean feed(OutputStream to, byte[] bytes) {
        try {
            to.write(bytes);
            to.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void endAll() {
        running.forEach(this::end);
    }

    /** With all that it started. */
    private void end(Process process) {
        List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
        process.destroy();
        try {
            process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        family.addAll(process.descendants().toList());
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
        running.remove(process);
    }
}
