package org.sluice.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Stands between two ranks: keeps what goes through, and changes a byte of it, or holds it up, if asked to. */
final class Eavesdropper implements AutoCloseable {
    private static final int BYTES = 1 << 16;

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> sockets = new ArrayList<>();
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private final long holdMs;
    private volatile boolean isChanging;

    Eavesdropper(int target) throws IOException {
        this(target, 0);
    }

    /** @param holdMs for how long all that the target says but its first is held up */
    Eavesdropper(int target, long holdMs) throws IOException {
        this.target = target;
        this.holdMs = holdMs;
        start(() -> {
            while (true) {
                Socket from = listening.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                synchronized (sockets) {
                    sockets.add(from);
                    sockets.add(to);
                }
                start(() -> pass(from, to, 0));
                start(() -> pass(to, from, holdMs));
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // One of the two has ended, or this has.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void pass(Socket from, Socket to, long heldMs) throws IOException {
        byte[] bytes = new byte[BYTES];
        InputStream in = from.getInputStream();
        boolean isFirst = true;
        for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
            synchronized (heard) {
                heard.write(bytes, 0, read);
            }
            if (isChanging) {
                bytes[read - 1] ^= 1;
            }
            if (!isFirst) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(heldMs));
            }
            isFirst = false;
            to.getOutputStream().write(bytes, 0, read);
        }
        to.shutdownOutput();
    }

    int port() {
        return listening.getLocalPort();
    }

    /** From now on. */
    void change() {
        isChanging = true;
    }

    byte[] heard() {
        synchronized (heard) {
            return heard.toByteArray();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        synchronized (sockets) {
            for (Socket each : sockets) {
                each.close();
            }
        }
    }
}
