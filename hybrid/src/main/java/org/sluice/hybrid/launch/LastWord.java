package org.sluice.hybrid.launch;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;

/**
 * What the launcher sees of a rank that is a process, it is told of one that is a thread: that its program has ended. Who waits for it to open a
 * device would wait until the time is up.
 *
 * <p>Thread: any.
 * <p>Fails: not; a launcher that has ended, or is stopped, has nobody to tell.
 * <p>Proof: {@code JobServerTest}, {@code RankThreadsProcessTest}.
 */
final class LastWord {
    private static final int PATIENCE_MS = 2000;

    private LastWord() {
    }

    static void tell(JobAddress address, int rank, int size) {
        try (Socket socket = new Socket(address.host(), address.port())) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(TcpBootstrap.hello(address.token(), Hello.ROLE_LAST_WORD, rank, size, SluiceVersion.CURRENT));
            // What is closed with its answer unread may be lost on its way.
            Frame.read(new DataInputStream(socket.getInputStream()), Frame.TEXT_LIMIT_BYTES);
        } catch (IOException e) {
            // The others hear of it when their time is up.
            return;
        }
    }
}
