package org.sluice.tcp.connect;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.sluice.device.jvm.FileLimit;

/**
 * Where a rank listens. Those who dial while its process may open no more files wait in the kernel, until some were
 * closed or their time is up; the rank says so once.
 *
 * <p><i>Thread</i>: the helper. <i>Owns</i>: the listening socket. <i>Proof</i>: {@code ConnectTest},
 * {@code FewFilesProcessTest}.
 */
final class Listening {
    private static final int BACKLOG = 1024;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int self;
    private final ServerSocketChannel socket;
    private final SelectionKey[] keys;
    /** 0 where there is no pause. */
    private long pausedUntilNanos;

    private boolean isSaid;

    /** In both selectors: the helper waits on one of them. */
    Listening(int self, SocketAddress at, Selector... selectors) throws IOException {
        this.self = self;
        socket = ServerSocketChannel.open();
        keys = new SelectionKey[selectors.length];
        try {
            socket.configureBlocking(false);
            socket.bind(at, BACKLOG);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = socket.register(selectors[i], SelectionKey.OP_ACCEPT);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    int port() {
        return socket.socket().getLocalPort();
    }

    boolean is(SelectionKey key) {
        return key.channel() == socket;
    }

    /** @return null where nobody has dialled, or can be let in now */
    SocketChannel accept() {
        try {
            return pausedUntilNanos == 0 ? socket.accept() : null;
        } catch (IOException e) {
            pausedUntilNanos = System.nanoTime() + PAUSE_NANOS;
            interest(0);
            if (!isSaid && FileLimit.isReached(e)) {
                isSaid = true;
                say("sluice: rank " + self + " can't take a connection that another rank makes to it: "
                        + FileLimit.words(e));
            }
            return null;
        }
    }

    /** By a thread of its own: nobody may read what this process prints. */
    private void say(String line) {
        Thread thread = new Thread(
                null, () -> System.err.print(line + System.lineSeparator()), "sluice-says-" + self, 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    /** @return whether there is a pause, after which it has to be called again */
    boolean isPaused(long now) {
        if (pausedUntilNanos != 0 && now - pausedUntilNanos >= 0) {
            pausedUntilNanos = 0;
            interest(SelectionKey.OP_ACCEPT);
        }
        return pausedUntilNanos != 0;
    }

    private void interest(int operations) {
        for (SelectionKey key : keys) {
            key.interestOps(operations);
        }
    }

    void close() {
        Sockets.close(socket);
    }
}
