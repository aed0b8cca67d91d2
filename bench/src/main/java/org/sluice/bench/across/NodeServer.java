package org.sluice.bench.across;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs commands for the harness of another node, each over a connection of its own: what the connection brings is the
 * command's input, and with the connection the command ends.
 *
 * <p><i>Thread</i>: one waits in {@link #serve}; each connection has its own. <i>Owns</i>: the listening socket and all
 * that it started. <i>Fails</i>: {@link IOException} where no harness comes.
 */
final class NodeServer {
    private static final int HELLO_MS = 10_000;
    private static final int SEEN_MS = 200;
    private static final long GRACE_MS = 2_000;
    private static final int NOT_FOUND = 127;

    private final ServerSocket server;
    private final byte[] secret;
    private volatile boolean isHeld;
    private volatile boolean isOver;

    NodeServer(ServerSocket server, String secret) {
        this.server = server;
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Until the harness that came has gone.
     *
     * @param patienceMs how long to wait for it
     */
    void serve(long patienceMs) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        server.setSoTimeout(SEEN_MS);
        while (!isOver) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> answer(socket), "across-command");
                thread.setDaemon(true);
                thread.start();
            } catch (SocketTimeoutException e) {
                if (!isHeld && System.nanoTime() - end > 0) {
                    throw new IOException("no harness came within " + patienceMs + " ms", e);
                }
            }
        }
        server.close();
    }

    private void answer(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(HELLO_MS);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            if (!MessageDigest.isEqual(secret, in.readUTF().getBytes(StandardCharsets.UTF_8))) {
                return;
            }
            String folder = in.readUTF();
            List<String> command = Parts.words(in);
            ProcessBuilder builder = new ProcessBuilder(command);
            JobVariables.replace(builder.environment(), Parts.variables(in));
            socket.setSoTimeout(0);
            if (command.isEmpty()) {
                hold(in);
                return;
            }
            if (new File(folder).isDirectory()) {
                builder.directory(new File(folder));
            }
            run(builder, in, out);
        } catch (IOException e) {
            // Somebody who isn't ours, or the harness has gone; what was begun for it is ended.
        }
    }

    /** The harness's own connection, which lasts as long as it does. */
    private void hold(InputStream in) throws IOException {
        isHeld = true;
        try {
            in.read();
        } finally {
            isOver = true;
        }
    }

    private static void run(ProcessBuilder builder, DataInputStream in, DataOutputStream out) throws IOException {
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            byte[] words = (e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
            Parts.write(out, Parts.ERROR, words, Math.min(words.length, Parts.CHUNK_BYTES));
            end(out, NOT_FOUND);
            return;
        }
        try {
            List<Thread> pumps = new ArrayList<>();
            pumps.add(pump(process.getInputStream(), out, Parts.STREAM));
            pumps.add(pump(process.getErrorStream(), out, Parts.ERROR));
            Thread input = new Thread(() -> input(process, in), "across-input");
            input.setDaemon(true);
            input.start();
            int status = process.waitFor();
            for (Thread pump : pumps) {
                // Who was started by it and outlives it may hold its streams.
                pump.join(GRACE_MS);
            }
            end(out, status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(process);
        }
    }

    private static void end(DataOutputStream out, int status) throws IOException {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(status).array();
        Parts.write(out, Parts.END, bytes, bytes.length);
    }

    private static Thread pump(InputStream from, DataOutputStream out, int kind) {
        Thread pump = new Thread(
                () -> {
                    try {
                        Parts.copy(from, out, kind);
                    } catch (IOException e) {
                        // Nobody reads any more: the reading thread ends the command.
                    }
                },
                "across-output");
        pump.setDaemon(true);
        pump.start();
        return pump;
    }

    /** What comes is the command's input; where the connection ends, so does the command. */
    private static void input(Process process, DataInputStream in) {
        OutputStream to = process.getOutputStream();
        boolean isOpen = true;
        try {
            while (true) {
                in.readByte();
                byte[] bytes = Parts.read(in);
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

    private static void end(Process process) {
        List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
        process.destroy();
        try {
            process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
