package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;
import org.sluice.hybrid.observe.DeviceState;
import org.sluice.hybrid.observe.DumpText;
import org.sluice.hybrid.observe.PeerState;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.WaitLog;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Envelope;
import org.sluice.hybrid.request.RequestState;

/**
 * What those see who look inside is what there is: each request that waits, for whom, and what went between two ranks.
 */
final class InspectionTest {
    private static final int TAG = 4;
    private static final int LARGE = 1 << 20;
    private static final int MANY = 2000;

    private static Inside inside(Device device) {
        for (LocalEnd end : JvmRanks.ofThisJvm().open()) {
            if (end instanceof Inside
                    && ((Inside) end).state(0).id().equals(device.id().uuid().toString())) {
                return (Inside) end;
            }
        }
        throw new AssertionError("rank " + device.rank() + " is not found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm"})
    void eachRequestThatWaitsIsListedWithItsPeer(String channel) {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(1);
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", channel))) {
            job.run(
                    device -> sendAndLook(device, channel, sent, looked),
                    device -> receiveAndLook(device, sent, looked));
        }
        assertFalse(
                JvmRanks.ofThisJvm().open().stream().anyMatch(Inside.class::isInstance),
                "a closed device is still shown");
    }

    private static void sendAndLook(Device device, String channel, CountDownLatch sent, CountDownLatch looked)
            throws InterruptedException {
        device.send(new byte[3], 1, TAG);
        Request large = device.isend(new byte[LARGE], 1, TAG + 1);
        Request synchronous = device.issend(new byte[5], 1, TAG + 2);
        sent.countDown();
        looked.await();
        DeviceState state = inside(device).state(10);
        String told = state.requests().get(0).state();
        assertTrue(told.startsWith("the peer was told of it and has not answered"), state.toString());
        assertEquals(
                List.of(
                        new RequestState("send", new Envelope(0, 1, TAG + 1), LARGE, told, ""),
                        new RequestState("send", new Envelope(0, 1, TAG + 2), 5, told, "")),
                state.requests());
        PeerState peer = state.peers().get(1);
        assertEquals(
                "3 " + (3 + LARGE + 5) + " 2",
                peer.getSentMessages() + " " + peer.getSentBytes() + " " + peer.getWaitingSends());
        assertEquals(channel, peer.getChannel());
        device.barrier();
        large.waitFor();
        synchronous.waitFor();
    }

    private static void receiveAndLook(Device device, CountDownLatch sent, CountDownLatch looked)
            throws InterruptedException {
        sent.await();
        Request any = device.irecv(new byte[7], Device.ANY_SOURCE, TAG + 3);
        Request own = device.irecv(new long[2], 1, Device.ANY_TAG);
        while (device.iprobe(0, TAG + 2) == null) {
            Thread.onSpinWait();
        }
        assertReceivesAreListed(inside(device).state(10));
        assertEquals(1, inside(device).state(1).requests().size());
        looked.countDown();
        device.recv(new byte[3], 0, TAG);
        device.recv(new byte[LARGE], 0, TAG + 1);
        device.recv(new byte[5], 0, TAG + 2);
        assertTrue(any.cancel());
        assertTrue(own.cancel());
        device.barrier();
        DeviceState last = inside(device).state(10);
        assertEquals("0 0", last.waiting() + " " + last.unexpected());
    }

    private static void assertReceivesAreListed(DeviceState state) {
        String unmatched = "no message has matched it";
        assertEquals(
                List.of(
                        new RequestState("receive", new Envelope(0, Device.ANY_SOURCE, TAG + 3), 7, unmatched, ""),
                        new RequestState("receive", new Envelope(0, 1, Device.ANY_TAG), 16, unmatched, "")),
                state.requests());
        assertEquals("2 2 3", state.posted() + " " + state.waiting() + " " + state.unexpected());
        assertEquals(
                List.of(
                        "from rank 0, tag 4, 3 bytes, eager",
                        "from rank 0, tag 5, 1048576 bytes, by rendezvous",
                        "from rank 0, tag 6, 5 bytes, by rendezvous"),
                state.unexpectedMessages());
        PeerState peer = state.peers().get(0);
        assertEquals(
                "3 " + (3 + LARGE + 5) + " 3",
                peer.getReceivedMessages() + " " + peer.getReceivedBytes() + " " + peer.getUnexpectedMessages());
        assertEquals(
                "0 1",
                peer.getWaitingReceives() + " " + state.peers().get(1).getWaitingReceives(),
                "the receive that names rank 1 is of that peer");
    }

    /** As an event of the flight recorder does, without a search. */
    @Test
    void eachSendIsKnownByItsRequestHoweverManyThereAre() {
        try (DeviceJob job = DeviceJob.open(2, Map.of())) {
            job.run(
                    device -> {
                        Request[] sends = new Request[MANY];
                        for (int tag = 0; tag < MANY; tag++) {
                            sends[tag] = device.issend(new byte[5], 1, tag);
                        }
                        DeviceParts parts = ((HybridDevice) device).parts;
                        for (int tag : new int[] {0, MANY - 1}) {
                            parts.engine().lock();
                            RequestState found = parts.exchange().inspection().find((Completion) sends[tag]);
                            parts.engine().unlock();
                            assertEquals(new RequestState("send", new Envelope(0, 1, tag), 5, "", ""), found);
                        }
                        for (Request send : sends) {
                            send.waitFor();
                        }
                    },
                    device -> {
                        for (int tag = 0; tag < MANY; tag++) {
                            device.recv(new byte[5], 0, tag);
                        }
                    });
        }
    }

    /** On its way in, by rendezvous, as one of another process is. */
    @Test
    void aLongReceiveThatIsMatchedIsOfItsSender() {
        CountDownLatch looked = new CountDownLatch(1);
        try (DeviceJob job = DeviceJob.open(2, Map.of("sluice.channels", "shm"))) {
            job.run(
                    device -> {
                        Request send = device.isend(new byte[64 * LARGE], 1, TAG);
                        looked.await();
                        send.waitFor();
                    },
                    device -> {
                        device.probe(0, TAG);
                        Request receive = device.irecv(new byte[64 * LARGE], Device.ANY_SOURCE, TAG);
                        DeviceState state = inside(device).state(0);
                        assertEquals(
                                "1 1 0",
                                state.waiting() + " " + state.peers().get(0).getWaitingReceives() + " "
                                        + state.peers().get(1).getWaitingReceives());
                        looked.countDown();
                        receive.waitFor();
                    });
        }
    }

    @Test
    void aMessageToAHandlerIsCalledSo() {
        CountDownLatch looked = new CountDownLatch(1);
        try (DeviceJob job = DeviceJob.open(2, Map.of())) {
            job.run(
                    device -> {
                        MessageBuffer message = device.handlers().allocate(LARGE);
                        Request given = device.handlers().give(1, TAG, message, LARGE);
                        String text = DumpText.of(inside(device).state(10), "the test asks");
                        assertTrue(
                                text.contains(
                                        "    send to rank 1, a message to handler " + TAG + ", " + LARGE + " bytes: "),
                                text);
                        looked.countDown();
                        given.waitFor();
                    },
                    device -> {
                        looked.await();
                        device.handlers()
                                .register(
                                        TAG,
                                        (source, message) -> device.handlers().stop());
                        device.handlers().serve();
                    });
        }
    }

    /**
     * A rank that serves is at what it should be, however long; but a message that nobody has registered for is shown.
     */
    @Test
    void whatWaitsForAHandlerIsShownAndWhoServesDoesNotWait() {
        try (DeviceJob job = DeviceJob.open(2, Map.of())) {
            job.run(device -> device.handlers().syncSend(1, TAG, new byte[3]), device -> {
                ProgressEngine engine = ((HybridDevice) device).parts.engine();
                engine.lock();
                engine.waits().turnOn();
                engine.unlock();
                device.handlers().register(TAG + 1, (source, message) -> {});
                Thread server = new Thread(() -> device.handlers().serve());
                server.start();
                // This thread looks, and makes no progress.
                while (inside(device).state(1).channelStates().stream()
                        .noneMatch(text -> text.contains("rank 0's for handler " + TAG))) {
                    Thread.sleep(1);
                }
                engine.lock();
                List<WaitLog.Wait> waits = List.copyOf(engine.waits().open());
                engine.unlock();
                device.handlers().stop();
                server.join();
                assertEquals(List.of(), waits);
            });
        }
    }
}
