package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * Ranks over verbs that close without having talked to each other: nothing is sent between them, and all hear of it.
 */
@Tag("all")
@Tag("verbs")
final class UnmetPeersRxeTest {
    private static final int LONG = 1 << 20;

    private static DeviceJob open(int ranks, String... more) {
        Map<String, String> options = new HashMap<>(Map.of("sluice.channels", "ib"));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return DeviceJob.open(ranks, options);
    }

    private static long count(Device device, String counter) {
        return device.counters().get(counter);
    }

    private static void assertNeverConnected(DeviceJob job, int... ranks) {
        for (int rank : ranks) {
            assertEquals(0, count(job.device(rank), "connections"), "of rank " + rank);
            assertEquals(0, count(job.device(rank), "work.requests"), "of rank " + rank);
        }
    }

    @Test
    void aJobWhoseRanksNeverTalkMakesNoConnectionFromOpenToClose() {
        DeviceJob job = open(4);
        job.close();
        assertNeverConnected(job, 0, 1, 2, 3);
    }

    @Test
    void onlyThoseThatTalkedConnect() {
        DeviceJob job = open(4);
        job.run(device -> device.send(new byte[8], 1, 1), device -> device.recv(new byte[8], 0, 1));
        job.close();
        assertNeverConnected(job, 2, 3);
        assertEquals(1, count(job.device(0), "connections"));
        assertEquals(1, count(job.device(1), "connections"));
    }

    @Test
    void whoWaitsForOneThatClosesHearsOfIt() {
        try (DeviceJob job = open(3)) {
            job.run(
                    device -> {
                        Thread.sleep(500);
                        device.close();
                    },
                    device -> {
                        Request any = device.irecv(new byte[8], ANY_SOURCE, 1);
                        SluiceException failure =
                                assertFails(ErrorCode.PEER_CLOSED, () -> device.recv(new byte[8], 0, 1));
                        assertEquals(0, failure.peer());
                        assertEquals(0, count(device, "connections"));
                        assertNull(any.test(), "others may still send it something");
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.probe(0, 1));
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.send(new byte[8], 0, 1));
                        assertFails(ErrorCode.PEER_CLOSED, () -> device.ssend(new byte[8], 0, 1));
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> device.isend(new byte[LONG], 0, 1).waitFor());
                        device.send(new byte[4], 2, 1);
                        assertEquals(8, any.waitFor().bytes());
                    },
                    device -> {
                        assertEquals(4, device.recv(new byte[4], 1, 1).bytes());
                        device.send(new byte[8], 1, 1);
                    });
            assertNeverConnected(job, 0);
        }
    }

    /** The notice came while it made no call. */
    @Test
    void whoSendsToOneThatHasClosedHearsOfIt() {
        try (DeviceJob job = open(2)) {
            Flag closed = job.flag();
            job.run(
                    device -> {
                        device.close();
                        closed.raise();
                    },
                    device -> {
                        assertTrue(closed.await(20));
                        assertFails(
                                ErrorCode.PEER_CLOSED,
                                () -> device.isend(new byte[8], 0, 1).waitFor());
                    });
            assertNeverConnected(job, 0, 1);
        }
    }

    /**
     * Each of them closes just as rank 0 sends it its first message: what becomes of that depends, but neither waits
     * for the other.
     */
    @Test
    void sendsThatCrossAClosePassOrFailAndHoldNobodyUp() {
        int ranks = 8;
        long seed = new Random().nextLong();
        System.out.println("UnmetPeersRxeTest seed " + seed);
        Random random = new Random(seed);
        int closed = 0;
        for (int round = 0; round < 3; round++) {
            long[] pauses =
                    random.longs(ranks, 0, TimeUnit.MILLISECONDS.toNanos(40)).toArray();
            boolean[] failed = new boolean[ranks];
            RankBody[] bodies = new RankBody[ranks];
            try (DeviceJob job = open(ranks)) {
                Flag begun = job.flag();
                bodies[0] = device -> {
                    Request[] sends = new Request[ranks];
                    begun.raise();
                    for (int peer = 1; peer < ranks; peer++) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                        sends[peer] = device.isend(new byte[8], peer, peer);
                    }
                    for (int peer = 1; peer < ranks; peer++) {
                        failed[peer] = endedByClose(sends[peer], seed);
                    }
                };
                for (int rank = 1; rank < ranks; rank++) {
                    long pause = pauses[rank];
                    bodies[rank] = device -> {
                        assertTrue(begun.await(20));
                        LockSupport.parkNanos(pause);
                        device.close();
                    };
                }
                job.run(bodies);
            }
            for (boolean each : failed) {
                closed += each ? 1 : 0;
            }
        }
        System.out.println(
                "UnmetPeersRxeTest: " + closed + " of " + 3 * (ranks - 1) + " sends found that their peer had closed");
    }

    private static boolean endedByClose(Request send, long seed) {
        try {
            send.waitFor();
            return false;
        } catch (SluiceException e) {
            assertEquals(ErrorCode.PEER_CLOSED, e.code(), () -> e + ", seed " + seed);
            return true;
        }
    }

    /** Where all connect from the start, some ranks ask and some are asked, and either may be closing by then. */
    @Test
    void devicesThatCloseAsTheyConnectWithAllHoldNobodyUp() {
        for (int round = 0; round < 3; round++) {
            open(4, "sluice.ib.connect", "all").close();
        }
    }

    /** A progress thread sleeps in both, and nobody calls. */
    @Test
    void aFutureHearsOfAPeerThatCloses() {
        try (DeviceJob job = open(2, "sluice.progress.threads", "1")) {
            job.run(
                    device -> {
                        Thread.sleep(500);
                        device.close();
                    },
                    device -> {
                        Throwable how = device.irecv(new byte[8], 0, 1)
                                .toFuture()
                                .handle((status, failure) -> failure)
                                .get(20, TimeUnit.SECONDS);
                        assertEquals(ErrorCode.PEER_CLOSED, ((SluiceException) how).code());
                    });
            assertNeverConnected(job, 0, 1);
        }
    }
}
