package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/** The end of a device, as seen from both sides. */
interface CloseCases extends DeviceCases {
    @Test
    default void pendingReceivesFailWhenTheDeviceCloses() {
        try (DeviceJob job = open(2)) {
            Device device = job.device(0);
            Request one = device.irecv(new byte[1], 1, 1);
            Request other = device.irecv(new byte[1], ANY_SOURCE, ANY_TAG);
            device.close();
            assertFails(ErrorCode.DEVICE_CLOSED, one::waitFor);
            assertFails(ErrorCode.DEVICE_CLOSED, other::waitFor);
            assertEquals(ErrorCode.DEVICE_CLOSED, one.error());
        }
    }

    @Test
    default void whatWasSentStaysReceivableThenThePeerIsClosed() {
        try (DeviceJob job = open(2)) {
            Flag closed = job.flag();
            job.run(
                    device -> {
                        for (int i = 0; i < 50; i++) {
                            device.isend(pattern(i, 10 * i), 1, i);
                        }
                        device.close();
                        closed.raise();
                    },
                    device -> {
                        byte[] into = new byte[1000];
                        device.recv(into, 0, 0);
                        if (takesManyUnattended()) {
                            assertTrue(closed.await(20), "messages in the peer's memory don't hold a close up");
                        }
                        for (int i = 1; i < 50; i++) {
                            byte[] exact = new byte[10 * i];
                            device.recv(exact, i % 2 == 0 ? 0 : ANY_SOURCE, i);
                            assertArrayEquals(pattern(i, 10 * i), exact);
                        }
                        SluiceException failure = assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(into, 0, 1));
                        assertEquals(0, failure.peer());
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.probe(0, ANY_TAG));
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> device.irecv(into, 0, 1).waitFor());
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.send(into, 0, 1));
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> device.isend(new byte[LARGE], 0, 1).waitFor());
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.ssend(null, 0, 1));
                        assertFails(ErrorCode.PEER_CLOSED, device::barrier);
                        Request self = device.irecv(into, ANY_SOURCE, 1);
                        device.send(new byte[7], 1, 1);
                        assertEquals(7, self.waitFor().bytes(), "others can still be received from");
                    });
        }
    }

    /** One of them was never talked to, and neither makes a call before the close is over. */
    @Test
    default void peersThatComputeDoNotHoldACloseUp() {
        boolean sends = hasRoomForEager();
        try (DeviceJob job = open(3)) {
            Flag closed = job.flag();
            job.run(
                    device -> {
                        if (sends) {
                            device.isend(new byte[7], 1, 1);
                        }
                        device.close();
                        closed.raise();
                    },
                    device -> {
                        assertTrue(closed.await(20), job::state);
                        if (sends) {
                            assertEquals(7, device.recv(new byte[7], 0, 1).bytes());
                        }
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(null, 0, 1));
                    },
                    device -> {
                        assertTrue(closed.await(20), job::state);
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(null, 0, 1));
                    });
        }
    }

    @Test
    default void aPendingReceiveFromAPeerThatClosesFails() {
        try (DeviceJob job = open(3)) {
            job.run(
                    device -> {
                        Thread.sleep(30);
                        device.close();
                    },
                    device -> {
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(new byte[1], 0, 1));
                        device.send(new byte[3], 2, 1);
                    },
                    device -> assertEquals(
                            3, device.recv(new byte[3], ANY_SOURCE, 1).bytes(), "a wildcard waits for the others"));
        }
    }

    @Test
    default void closeWaitsForALateReceiver() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        Request request = device.isend(pattern(1, LARGE), 1, 1);
                        device.close();
                        assertEquals(LARGE, request.waitFor().bytes());
                    },
                    device -> {
                        Thread.sleep(150);
                        byte[] into = new byte[LARGE];
                        device.recv(into, 0, 1);
                        assertArrayEquals(pattern(1, LARGE), into);
                    });
        }
    }

    @Test
    default void aMessageThatNobodyTakesEndsTheCloseByTimeoutAndNamesThePeer() {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "300")) {
            job.run(
                    device -> {
                        // Between machines that are emulated a connection may take longer than the close below may.
                        device.send(new byte[1], 1, 3);
                        MessageBuffer buffer = device.allocate(LARGE);
                        Request request = device.isend(buffer, 1, 1);
                        long start = System.nanoTime();
                        SluiceException late = assertFails(ErrorCode.TIMEOUT, device::close);
                        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                        assertEquals(1, late.peer());
                        assertTrue(late.getMessage().contains("rank 1"), late.getMessage());
                        assertTrue(took >= 290 && took < 5000, took + " ms");
                        assertFails(ErrorCode.DEVICE_CLOSED, request::waitFor);
                        device.close();
                    },
                    device -> {
                        device.recv(new byte[1], 0, 3);
                        SluiceException gone = assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(new byte[1], 0, 2));
                        assertEquals(0, gone.peer());
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(new byte[LARGE], 0, 1));
                    });
        }
    }

    /** The receiver has matched the message and then does nothing until the sender gave up. */
    @Test
    default void aReceiveThatHasBegunEndsWhenItsSenderGivesUp() {
        int huge = 64 << 20;
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "300", "sluice.progress.threads", "0")) {
            Flag sent = job.flag();
            Flag closed = job.flag();
            job.run(
                    device -> {
                        // Between machines that are emulated a connection may take longer than the close below may.
                        device.send(new byte[1], 1, 2);
                        Request request = device.isend(new byte[huge], 1, 1);
                        sent.raise();
                        assertFails(ErrorCode.TIMEOUT, device::close);
                        assertFails(ErrorCode.DEVICE_CLOSED, request::waitFor);
                        closed.raise();
                    },
                    device -> {
                        device.recv(new byte[1], 0, 2);
                        assertTrue(sent.await(20));
                        Request request = device.irecv(new byte[huge], 0, 1);
                        device.progress();
                        device.progress();
                        assertTrue(closed.await(20));
                        assertFails(ErrorCode.PEER_CLOSED, request::waitFor);
                    });
        }
    }

    @Test
    default void aBufferSentToAPeerThatClosedBelongsToTheProgramAgain() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        MessageBuffer buffer = device.allocate(LARGE);
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> device.isend(buffer, 1, 1).waitFor());
                        buffer.close();
                    },
                    device -> {
                        Thread.sleep(30);
                        device.close();
                    });
        }
    }

    @Test
    default void callsInFlightEndWhenAnotherThreadCloses() throws Exception {
        int calls = 100;
        for (int round = 0; round < Math.max(1, many(5)); round++) {
            try (DeviceJob job = open(2, "sluice.close.timeout.ms", "100")) {
                Device device = job.device(0);
                CountDownLatch begun = new CountDownLatch(calls);
                Thread closer = new Thread(() -> {
                    try {
                        begun.await();
                        Thread.sleep(20);
                        device.close();
                    } catch (InterruptedException | SluiceException e) {
                        // A send that nobody receives is in flight: the time is up.
                    }
                });
                closer.start();
                ProbeCases.threads(calls, thread -> {
                    begun.countDown();
                    assertFails(ErrorCode.DEVICE_CLOSED, () -> {
                        if (thread == 0) {
                            device.barrier();
                        } else if (thread == 1) {
                            talkToItself(device);
                        } else {
                            callInVain(device, thread);
                        }
                    });
                });
                closer.join(20_000);
                assertTrue(!closer.isAlive(), job::state);
            }
        }
    }

    @Test
    default void whatAnotherHasNotTakenIsToldBeforeWhatWasSentToItself() {
        try (DeviceJob job = open(2, "sluice.close.timeout.ms", "300")) {
            job.run(
                    device -> {
                        Request toItself = device.issend(new byte[1], 0, 1);
                        device.issend(new byte[1], 1, 1);
                        SluiceException thrown = assertThrows(SluiceException.class, device::close);
                        assertEquals(ErrorCode.TIMEOUT, thrown.code());
                        assertEquals(1, thrown.peer());
                        assertEquals(ErrorCode.DEVICE_CLOSED, toItself.error());
                    },
                    device -> {
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(null, 0, 9));
                        device.issend(new byte[1], 1, 1);
                        SluiceException thrown = assertThrows(SluiceException.class, device::close);
                        assertTrue(
                                thrown.getMessage().startsWith("rank 1 did not take what it sent to itself"),
                                thrown.getMessage());
                    });
        }
    }

    private static void talkToItself(Device device) {
        while (true) {
            device.send(new byte[8], 0, 1);
            device.recv(new byte[8], 0, 1);
        }
    }

    /** The other rank makes no call. */
    private static void callInVain(Device device, int tag) {
        switch (tag % 8) {
            case 0:
                device.recv(new byte[1], 1, tag);
                break;
            case 1:
                device.probe(1, tag);
                break;
            case 2:
                device.mprobe(ANY_SOURCE, tag);
                break;
            case 3:
                device.ssend(new byte[1], 1, tag);
                break;
            case 4:
                device.send(new byte[LARGE], 1, tag);
                break;
            case 5:
                device.recvInPlace(1, tag);
                break;
            case 6:
                device.irecv(new byte[1], ANY_SOURCE, tag).waitFor();
                break;
            default:
                Request[] both = {device.irecv(new byte[1], 1, tag), device.issend(new byte[1], 1, tag)};
                both[device.waitAny(both)].waitFor();
        }
    }

    @Test
    default void aPeekEndsWhenAnotherThreadCloses() throws Exception {
        try (DeviceJob job = open(1, "sluice.peek", "on")) {
            Device device = job.device(0);
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread peeking = new Thread(() -> {
                try {
                    ended.complete(new AssertionError("returned " + device.peek(Duration.ofSeconds(60))));
                } catch (Throwable e) {
                    ended.complete(e);
                }
            });
            peeking.start();
            while (peeking.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
            device.close();
            Throwable how = ended.get(20, TimeUnit.SECONDS);
            assertFails(ErrorCode.DEVICE_CLOSED, () -> {
                throw how;
            });
        }
    }

    @Test
    default void aJobIsOpenedAgainAndAgain() {
        for (int i = 0; i < 5; i++) {
            try (DeviceJob job = open(3)) {
                job.runAll(Device::barrier);
            }
        }
    }
}
