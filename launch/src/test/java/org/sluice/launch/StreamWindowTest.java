package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StreamWindowTest {
    private static final int SOON_MS = 50;

    private final StreamWindow window = new StreamWindow();
    private final CountDownLatch gone = new CountDownLatch(1);

    private void sendOneMore() {
        Thread sender = new Thread(() -> {
            try {
                window.await(1);
                gone.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        sender.setDaemon(true);
        sender.start();
    }

    @Test
    void whatWasNotTakenHoldsUpTheNext() throws Exception {
        window.await(NodeWire.WINDOW_BYTES);
        sendOneMore();
        assertFalse(gone.await(SOON_MS, TimeUnit.MILLISECONDS));
        window.taken(1);
        assertTrue(gone.await(1, TimeUnit.MINUTES));
    }

    @Test
    void whereNobodyReadsAnyMoreNothingWaits() throws Exception {
        window.await(NodeWire.WINDOW_BYTES);
        sendOneMore();
        window.open();
        assertTrue(gone.await(1, TimeUnit.MINUTES));
        window.await(NodeWire.WINDOW_BYTES);
    }
}
