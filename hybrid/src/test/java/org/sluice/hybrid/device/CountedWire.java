package org.sluice.hybrid.device;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between the ranks of a job and its server, hands on every frame as it is, and counts frames and bytes in each direction. <i>Thread</i>: any; two of its
 * own for each connection.
 */
final class CountedWire implements AutoCloseable {
    private static final int WAITING_TO_BE_ACCEPTED = 256;

    final AtomicLong framesToServer = new AtomicLong();
    final AtomicLong bytesToServer = new AtomicLong();
    final AtomicLong framesToRanks = new AtomicLong();
    final AtomicLong bytesToRanks = new AtomicLong();
    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "counted-wire");
        thread.setDaemon(true);
        return thread;
    });

    /** @param server as the option {@code sluice.job.address} has it */
    CountedWire(String server) throws IOException {
        host = server.substring(0, server.lastIndexOf(':'));
        port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
        listener = new ServerSocket(0, WAITING_TO_BE_ACCEPTED, InetAddress.getLoopbackAddress());
        threads.submit(this::accept);
    }

    /** For that option of the ranks. */
    String address() {
        return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
    }

    private Void accept() throws IOException {
        while (true) {
            Socket rank = listener.accept();
            Socket server = new Socket(host, port);
            rank.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            threads.submit(() -> pass(rank, server, framesToServer, bytesToServer));
            threads.submit(() -> pass(server, rank, framesToRanks, bytesToRanks));
        }
    }

    /** Until one end closes: then the other hears of it too. */
    private static Void pass(Socket from, Socket to, AtomicLong frames, AtomicLong bytes) throws IOException {
        try (from; to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            while (true) {
                byte[] body = new byte[in.readInt()];
                in.readFully(body);
                frames.incrementAndGet();
                bytes.addAndGet(Integer.BYTES + body.length);
                out.write(ByteBuffer.allocate(Integer.BYTES + body.length).putInt(body.length).put(body).array());
            }
        } catch (EOFException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
