package org.sluice.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LineSocketTest {

    @Test
    void linesArriveInOrderAndTheEndIsSeenAtOnce() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LineSocket one =
                        new LineSocket(new Socket(server.getInetAddress(), server.getLocalPort()), ended::countDown);
                LineSocket other = new LineSocket(server.accept(), () -> {})) {
            assertNull(one.receive(10), "nothing was sent");
            other.send("first");
            other.send("second");
            assertEquals("first", one.receive());
            assertEquals("second", one.receive(5000));
            other.close();
            assertTrue(ended.await(5, TimeUnit.SECONDS), "the end is seen though nobody waits for a line");
            assertThrows(IOException.class, one::receive);
            assertThrows(IOException.class, () -> one.receive(10), "again, for whoever asks later");
        }
    }
}
