package org.sluice.hybrid.launch;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;

/**
 * What the launcher can't see of a rank's end, it is told. Of one that is a thread: that its program has ended; who waits for it to open a device would
 * wait until the time is up; and whether it failed. And of one whose program ends with an exception: of which other rank's end that came.
 *
 * <p>Thread: any.
 * <p>Fails: by saying so; a launcher that has ended, or is stopped, hears nothing.
 * <p>Proof: {@code LastWordTest}, {@code JobServerTest}, {@code RankThreadsProcessTest}, {@code LauncherProcessTest}.
 */
final class LastWord {
    private static final int PATIENCE_MS = 2000;
    /** In place of the rank that is to blame. */
    static final int NOBODY = -1;

    private LastWord() {
    }

    /**
     * @param blame null where no other rank's end has anything to do with it
     * @param reason what it failed of by itself; empty if it did not, or there is nothing to tell
     * @param failed that it failed, and its JVM lives on
     * @return false where the launcher has not answered that it knows
     */
    static boolean tell(JobAddress address, int rank, int size, Blame blame, String reason, boolean failed) {
        try (Socket socket = address.connect(PATIENCE_MS)) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(TcpBootstrap.helloFrame(address.token(), Hello.ROLE_LAST_WORD, rank, size, SluiceVersion.CURRENT)
                    .number(blame == null ? NOBODY : blame.peer()).flag(blame != null && blame.certain() ? 1 : 0)
                    .flag(failed ? 1 : 0).text(reason).finish());
            // What is closed with its answer unread may be lost on its way.
            return Frame.flag(Frame.read(new DataInputStream(socket.getInputStream()), Frame.TEXT_LIMIT_BYTES)) == Frame.WELCOME;
        } catch (IOException e) {
            return false;
        }
    }
}
