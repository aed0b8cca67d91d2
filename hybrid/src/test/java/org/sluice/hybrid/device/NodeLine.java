package org.sluice.hybrid.device;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What the tests in two guests tell each other during one case: steps that both have to reach, flags that a rank sets
 * for one elsewhere, and failures.
 *
 * <p><i>Thread</i>: any; one of its own reads. <i>Owns</i>: the socket.
 */
final class NodeLine implements AutoCloseable {
    private static final String FLAG = "flag ";
    private static final String FAILED = "failed ";
    static final String END = "end ";
    private static final int LONGEST_TEXT = 2000;

    private final Socket socket;
    private final DataOutputStream out;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final Map<String, CountDownLatch> flags = new ConcurrentHashMap<>();
    private volatile String failure;
    private volatile boolean hasEnded;

    private NodeLine(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        out = new DataOutputStream(socket.getOutputStream());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        Thread reader = new Thread(() -> read(in), "node-line");
        reader.setDaemon(true);
        reader.start();
    }

    static NodeLine accept(ServerSocket server, int limitMs) throws IOException {
        server.setSoTimeout(limitMs);
        return new NodeLine(server.accept());
    }

    /** The other JVM may start much later. */
    static NodeLine connect(InetSocketAddress server, int limitMs) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
        while (true) {
            Socket socket = new Socket();
            try {
                socket.connect(server, limitMs);
                return new NodeLine(socket);
            } catch (IOException e) {
                socket.close();
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(20);
            }
        }
    }

    private void read(DataInputStream in) {
        try {
            while (true) {
                String line = in.readUTF();
                if (line.startsWith(FLAG)) {
                    flag(line.substring(FLAG.length())).countDown();
                } else if (line.startsWith(FAILED)) {
                    failure = line.substring(FAILED.length());
                } else {
                    hasEnded |= line.startsWith(END);
                    said.add(line);
                }
            }
        } catch (IOException e) {
            if (!hasEnded) {
                failure = "its test is over, or its JVM (" + e + ")";
            }
        }
    }

    void say(String line) {
        try {
            synchronized (out) {
                out.writeUTF(line);
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the other guest can't be told '" + line + "'", e);
        }
    }

    void fail(String reason) {
        say(FAILED + reason.substring(0, Math.min(LONGEST_TEXT, reason.length())));
    }

    /** What went wrong in the other guest, or null. */
    String failure() {
        return failure;
    }

    /** The next that the other says. */
    String next(long limitMs) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
        try {
            while (true) {
                String line = said.poll(20, TimeUnit.MILLISECONDS);
                if (line != null) {
                    return line;
                }
                if (failure != null) {
                    throw new AssertionError("in the other guest: " + failure);
                }
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("the other guest says nothing within " + limitMs + " ms");
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void raise(String flag) {
        flag(flag).countDown();
        say(FLAG + flag);
    }

    CountDownLatch flag(String name) {
        return flags.computeIfAbsent(name, key -> new CountDownLatch(1));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
