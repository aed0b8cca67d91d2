package org.sluice.bench.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.Benchmark;
import org.sluice.bench.plan.BufferKind;
import org.sluice.bench.plan.Rewrite;
import org.sluice.bench.plan.Step;
import org.sluice.device.Device;

/**
 * A crowd is there during the step and gone after it, and one that isn't fails the step; here on one rank that sends to
 * itself.
 */
final class CrowdTest {
    private static final int COUNT = 50;
    private static final int LAST = CrowdExchange.FIRST_TAG + COUNT - 1;

    @Test
    void receivesArePostedUntilTheyAreTakenAway() {
        try (Device device = Device.open()) {
            Crowd crowd = new PostedCrowd(device, 0, COUNT);
            for (int step = 0; step < 2; step++) {
                crowd.gather();
                crowd.disperse();
            }
            device.send(null, 0, LAST);
            assertNotNull(device.iprobe(0, LAST), "nothing that was taken away takes a message");
        }
    }

    @Test
    void aReceiveThatWasMatchedIsMissed() {
        try (Device device = Device.open()) {
            Crowd crowd = new PostedCrowd(device, 0, COUNT);
            crowd.gather();
            device.send(null, 0, LAST);
            device.progress();
            String message =
                    assertThrows(IllegalStateException.class, crowd::disperse).getMessage();
            assertTrue(message.contains("49 of 50"), message);
        }
    }

    @Test
    void receivesAreSuspendedUntilEachGetsItsMessage() {
        try (Device device = Device.open();
                SuspendedCrowd crowd = new SuspendedCrowd(device, 0, COUNT)) {
            for (int step = 0; step < 2; step++) {
                crowd.gather();
                assertTrue(device.toString().contains(COUNT + " posted"), device::toString);
                crowd.disperse();
                assertEquals(COUNT, crowd.completed());
            }
        }
    }

    @Test
    void aCoroutineThatWentOnIsMissed() throws InterruptedException {
        try (Device device = Device.open();
                SuspendedCrowd crowd = new SuspendedCrowd(device, 0, COUNT)) {
            crowd.gather();
            device.ssend(null, 0, LAST);
            while (crowd.completed() == 0) {
                Thread.sleep(1);
            }
            String message =
                    assertThrows(IllegalStateException.class, crowd::disperse).getMessage();
            assertTrue(message.contains("49 of 50"), message);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void messagesWaitUntilTheyAreTakenAway(int contextId) {
        try (Device device = Device.open()) {
            Crowd crowd = new UnexpectedCrowd(device, 0, contextId, COUNT);
            for (int step = 0; step < 2; step++) {
                crowd.gather();
                assertEquals(
                        CrowdExchange.FIRST_TAG,
                        device.iprobe(Device.ANY_SOURCE, Device.ANY_TAG, contextId)
                                .tag());
                assertNull(device.iprobe(Device.ANY_SOURCE, Device.ANY_TAG, 1 - contextId));
                crowd.disperse();
                assertNull(device.iprobe(Device.ANY_SOURCE, Device.ANY_TAG, contextId), "all were received");
            }
        }
    }

    @Test
    void aMessageThatWasReceivedIsMissed() {
        try (Device device = Device.open()) {
            Crowd crowd = new UnexpectedCrowd(device, 0, 0, COUNT);
            crowd.gather();
            device.recv(null, 0, LAST);
            String message =
                    assertThrows(IllegalStateException.class, crowd::disperse).getMessage();
            assertTrue(message.contains("49 of 50"), message);
        }
    }

    /** Past its share a send is over only when the message is received, which is after the step. */
    @Test
    void moreMessagesThanTheShareOfTheirSenderDoNotBlockIt() {
        int count = 1000;
        try (Device device = Device.open(Map.of("sluice.eager.share.bytes", "4096"))) {
            Crowd crowd = new UnexpectedCrowd(device, 0, 0, count);
            for (int step = 0; step < 2; step++) {
                crowd.gather();
                crowd.disperse();
            }
            assertTrue(device.counters().get("eager.share.exceeded") > count, device.counters()::toString);
        }
    }

    /**
     * What the timed receives name: a message that only the pattern of the benchmark takes has to be taken, and no
     * other.
     */
    @ParameterizedTest
    @EnumSource(value = Benchmark.class, names = "CROWD_.*", mode = EnumSource.Mode.MATCH_ALL)
    void receivesNameWhatTheBenchmarkSays(Benchmark benchmark) {
        int another = DeviceExchange.DATA_TAG + 100;
        try (Device device = Device.open()) {
            for (Api api : List.of(Api.BLOCKING, Api.REQUEST)) {
                CrowdExchange exchange = new CrowdExchange(
                        device,
                        api == Api.BLOCKING
                                ? new DeviceExchange(device, BufferKind.ARRAY)
                                : new RequestExchange(device, BufferKind.ARRAY),
                        0);
                exchange.prepare(new Step(benchmark, api, 8, 1, 1, 1, Rewrite.NO, false, 1));
                device.send(new long[1], 0, another);
                device.send(new long[1], 0, DeviceExchange.DATA_TAG);
                // A receive of any source takes from rank 0 although rank 3, of which there is none, is named.
                exchange.expect(benchmark.anySource() ? 3 : 0, 0);
                exchange.finish();
                int left = benchmark.anyTag() ? DeviceExchange.DATA_TAG : another;
                assertEquals(left, device.recv(new long[1], 0, Device.ANY_TAG).tag());
                assertNull(device.iprobe(0, Device.ANY_TAG));
            }
        }
    }
}
