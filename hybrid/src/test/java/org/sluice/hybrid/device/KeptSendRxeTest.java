package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;

/** What a handler sends goes although its rank makes no call any more, also where that rank has to write it. */
@Tag("verbs")
final class KeptSendRxeTest {
    private static final int ASK = 1;
    private static final int ANSWER = 2;
    private static final int BYTES = 700_000;

    @ParameterizedTest
    @ValueSource(strings = {"read", "write", "stream"})
    void anAnswerGoesAlthoughNoCallFollows(String rendezvous) {
        for (boolean toAll : new boolean[] {false, true}) {
            CountDownLatch answered = new CountDownLatch(1);
            try (DeviceJob job =
                    DeviceJob.open(2, Map.of("sluice.channels", "ib", "sluice.ib.rendezvous", rendezvous))) {
                job.run(
                        device -> {
                            device.handlers().register(ANSWER, (source, message) -> {
                                assertEquals(BYTES, message.bytes());
                                device.handlers().stop();
                            });
                            device.handlers().syncSend(1, ASK, null);
                            device.handlers().serve();
                            answered.countDown();
                        },
                        device -> {
                            device.handlers().register(ASK, (source, message) -> answer(device, toAll));
                            device.handlers().serve();
                            assertTrue(answered.await(60, TimeUnit.SECONDS), "it is on its way for ever");
                        });
            }
        }
    }

    private static void answer(Device device, boolean toAll) {
        if (toAll) {
            device.handlers().broadcast(ANSWER, new byte[BYTES]);
        } else {
            device.handlers().syncSend(0, ANSWER, new byte[BYTES]);
        }
        device.handlers().stop();
    }
}
