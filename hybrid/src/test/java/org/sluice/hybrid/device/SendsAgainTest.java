package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.Status;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerRequest;

/** A layer sends with one request again and again: none of these sends has waited since the first. */
final class SendsAgainTest {
    private static final int BYTES = 64 << 10;
    private static final int SENDS = 40;
    private static final int APART_MS = 50;
    private static final int TAG = 3;
    private static final int CONTEXT = 1;

    @Test
    void manyInARowAreNotSaidToStandStill() {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true));
        Map<String, String> options = Map.of("sluice.stuck.report.ms", "800", "sluice.progress.threads", "1");
        try (DeviceJob job = DeviceJob.open(2, options)) {
            job.run(
                    device -> {
                        Layer layer = Layer.of(device);
                        Semaphore over = new Semaphore(0);
                        LayerRequest send = layer.request(ended -> over.release());
                        for (int i = 0; i < SENDS; i++) {
                            if (!layer.isend(send, new byte[BYTES], 0, BYTES, 1, TAG, CONTEXT)) {
                                assertTrue(over.tryAcquire(20, TimeUnit.SECONDS));
                            }
                        }
                    },
                    device -> {
                        Layer layer = Layer.of(device);
                        for (int i = 0; i < SENDS; i++) {
                            Thread.sleep(APART_MS);
                            layer.recv(new byte[BYTES], 0, BYTES, 0, TAG, CONTEXT, new Status());
                        }
                    });
        } finally {
            System.setErr(before);
        }
        assertFalse(said.toString().contains("has waited"), said::toString);
    }
}
