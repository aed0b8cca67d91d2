package org.sluice.hybrid.launch;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * A rank's way to notice that its launcher ended, however it ended: a connection on which nothing is ever said, until
 * it breaks. Then the JVM exits, as nobody is left who would end it.
 *
 * <p>Thread: its own, a daemon.
 * <p>Owns: the connection.
 * <p>Fails: by ending the JVM with the status of a SIGTERM.
 * <p>Proof: {@code LauncherDeathProcessTest}.
 */
final class LifeLine {
    private static final int STATUS = 143;
    private static final long EXIT_PATIENCE_MS = 2000;
    private static final int HELLO_PATIENCE_MS = 20_000;

    private LifeLine() {
    }

    /** Ties this JVM's life to the launcher's. */
    static void hold(JobAddress address, String ranks) {
        try {
            Socket socket = address.connect(HELLO_PATIENCE_MS);
            socket.setSoTimeout(HELLO_PATIENCE_MS);
            socket.getOutputStream().write(
                    TcpBootstrap.hello(address.token(), Hello.ROLE_LIFE_LINE, 0, 0, SluiceVersion.CURRENT));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ByteBuffer answer = Frame.read(in, Frame.TEXT_LIMIT_BYTES);
            if (Frame.flag(answer) != Frame.WELCOME) {
                throw new SluiceException(ErrorCode.OPEN_FAILED,
                        "refused by the job: " + Frame.text(answer, Frame.TEXT_LIMIT_BYTES));
            }
            socket.setSoTimeout(0);
            Thread watcher = new Thread(null, () -> watch(socket, in, ranks), "sluice-life-line", 0, false);
            watcher.setDaemon(true);
            watcher.start();
        } catch (IOException e) {
            throw new SluiceException(ErrorCode.OPEN_FAILED, -1, "the launcher at " + address + " doesn't answer ("
                    + e.getMessage()
                    + "): it has ended, or is stopped; start ranks with ./sluice run", e);
        }
    }

    /** Nothing is ever sent on this connection: whatever comes of a read is its end. */
    private static void watch(Socket socket, DataInputStream in, String ranks) {
        String how;
        try (socket) {
            how = in.read() < 0 ? "it closed the connection" : "it said something unexpected";
        } catch (IOException e) {
            how = e.getMessage();
        }
        endJvm(ranks, how);
    }

    /** Doesn't return. @param how it was noticed */
    static void endJvm(String ranks, String how) {
        System.err.println("sluice: " + ranks + ": the launcher ended (" + how + "), so this JVM ends too");
        Thread exit = new Thread(() -> System.exit(STATUS), "sluice-exit");
        exit.setDaemon(true);
        exit.start();
        try {
            exit.join(EXIT_PATIENCE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // A shutdown hook of the program hangs: it may well wait for a rank that is no more.
        Runtime.getRuntime().halt(STATUS);
    }
}
