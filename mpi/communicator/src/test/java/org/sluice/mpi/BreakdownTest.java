package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Collectives that can't be completed end at all ranks, each of which hears why. */
@Timeout(120)
final class BreakdownTest {
    private static final int RANKS = 4;
    /** More than a message that goes at once. */
    private static final int LONG = 1 << 20;

    /** With cells, or before there are any. All are through before anything fails. */
    private static void warmUp(CommunicatorJob job, boolean hasCells) {
        job.run(world -> {
            for (int i = 0; hasCells && i < 10; i++) {
                world.barrier();
            }
        });
    }

    private static SluiceException assertFails(ErrorCode code, Runnable call) {
        SluiceException failure = assertThrows(SluiceException.class, call::run);
        assertEquals(code, failure.code(), failure::toString);
        return failure;
    }

    // --- reductions that throw ---------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyRankLearnsWhoseReductionThrew(boolean hasCells) {
        IllegalStateException thrown = new IllegalStateException("no sum of these");
        Reduction failing = Reduction.of(
                (left, leftAt, right, rightAt, count, layout) -> {
                    if (((int[]) left)[leftAt] == 2 || ((int[]) right)[rightAt] == 2) {
                        throw thrown;
                    }
                },
                true);
        try (CommunicatorJob job = new CommunicatorJob(RANKS, Place.THREADS)) {
            warmUp(job, hasCells);
            job.run(world -> {
                int[] own = {world.rank()};
                RuntimeException told =
                        assertThrows(RuntimeException.class, () -> world.allReduce(own, new int[1], failing));
                if (told != thrown) {
                    SluiceException failure = (SluiceException) told;
                    assertEquals(ErrorCode.COLLECTIVE_FAILED, failure.code());
                    assertTrue(failure.getMessage().contains("failed in allReduce"), failure::getMessage);
                }
                assertFails(ErrorCode.COLLECTIVE_FAILED, world::barrier);
                // Messages have nothing to do with it.
                int[] heard = new int[1];
                world.sendRecv(own, (world.rank() + 1) % RANKS, 0, heard, (world.rank() + RANKS - 1) % RANKS, 0);
                assertEquals((world.rank() + RANKS - 1) % RANKS, heard[0]);
            });
        }
    }

    @Test
    void aStartedOneIsToldByItsRequest() {
        Error thrown = new AssertionError("mine");
        Reduction failing = Reduction.of(
                (left, leftAt, right, rightAt, count, layout) -> {
                    throw thrown;
                },
                true);
        Reduction fine = Reduction.of((left, leftAt, right, rightAt, count, layout) -> {}, true);
        try (CommunicatorJob job = new CommunicatorJob(2, Place.SHM)) {
            job.run(world -> {
                Request request = world.iallReduce(new int[1], new int[1], world.rank() == 0 ? failing : fine);
                SluiceException failure;
                if (world.rank() == 0) {
                    failure = assertFails(ErrorCode.COLLECTIVE_FAILED, request::waitFor);
                    assertSame(thrown, failure.getCause());
                    assertEquals("mine", failure.getMessage());
                }
                failure = assertFails(ErrorCode.COLLECTIVE_FAILED, () -> {
                    request.waitFor();
                    world.device().recv(new byte[1], 0, 7);
                    world.barrier();
                });
                if (world.rank() == 0) {
                    world.device().send(new byte[1], 1, 7);
                } else {
                    assertEquals(0, failure.peer());
                }
            });
        }
    }

    // --- ranks that leave --------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void whoeverWaitsHearsThatARankHasLeft(Place place) {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, place)) {
            job.run(world -> {
                if (world.rank() == 2) {
                    world.device().close();
                    return;
                }
                SluiceException failure = assertFails(ErrorCode.PEER_CLOSED, world::barrier);
                assertEquals(2, failure.peer());
                assertTrue(failure.getMessage().contains("rank 2 of Communicator[world"), failure::getMessage);
            });
        }
    }

    // --- revoked -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void everythingThatWaitsEndsWhenARankRevokesIt(Place place) {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, place)) {
            job.run(world -> {
                Communicator other = world.duplicate();
                Request receive = other.irecv(new byte[1], Device.ANY_SOURCE, 1);
                Request started = world.rank() == 1 ? null : other.iallReduce(new int[1], new int[1], Reduction.SUM);
                Request longSend = other.isend(new byte[LONG], (world.rank() + 1) % RANKS, 2);
                switch (world.rank()) {
                    case 0 -> assertFails(ErrorCode.REVOKED, () -> other.recv(new byte[1], 3, 3));
                    case 1 -> {
                        Thread.sleep(50);
                        other.revoke();
                    }
                    case 2 -> assertFails(ErrorCode.REVOKED, () -> other.ssend(new byte[1], 3, 3));
                    default -> assertFails(ErrorCode.REVOKED, other::barrier);
                }
                assertFails(ErrorCode.REVOKED, receive::waitFor);
                assertFails(ErrorCode.REVOKED, longSend::waitFor);
                if (started != null) {
                    SluiceException failure = assertFails(ErrorCode.REVOKED, started::waitFor);
                    assertTrue(failure.getMessage().contains("rank 1 of Communicator[world.duplicate"));
                }
                assertTrue(other.isRevoked());
                assertFails(ErrorCode.REVOKED, () -> other.probe(0, 0));
                assertFails(
                        ErrorCode.REVOKED,
                        () -> other.isend(new byte[LONG], 0, 0).waitFor());
                assertFails(ErrorCode.REVOKED, other::duplicate);
                assertEquals(0b10, other.agree(0b10 | 1 << world.rank() + 4));
                Communicator all = other.shrink();
                assertEquals(RANKS, all.size());
                int[] sum = {1};
                all.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
                assertEquals(RANKS, sum[0]);
                other.free();
                all.free();
                assertFalse(world.isRevoked());
                world.barrier();
            });
        }
    }

    @Test
    void aSendThatWasMatchedGoesOn() throws InterruptedException {
        try (CommunicatorJob job = new CommunicatorJob(2, Place.SHM)) {
            job.run(world -> {
                Communicator other = world.duplicate();
                byte[] bytes = new byte[LONG];
                if (world.rank() == 0) {
                    bytes[LONG - 1] = 7;
                    other.send(bytes, 1, 0);
                    assertFails(ErrorCode.REVOKED, () -> other.recv(new byte[1], 1, 0));
                } else {
                    Status status = other.recv(bytes, 0, 0);
                    assertEquals(LONG, status.bytes());
                    assertEquals(7, bytes[LONG - 1]);
                    TimeUnit.MILLISECONDS.sleep(20);
                    other.revoke();
                }
                other.free();
            });
        }
    }

    // --- agreements --------------------------------------------------------------------------------------------------

    @Test
    void manyAgreementsFollowEachOther() {
        try (CommunicatorJob job = new CommunicatorJob(RANKS, Place.MIXED)) {
            job.run(world -> {
                for (int i = 0; i < 200; i++) {
                    long mine = -1L ^ 1L << (i + world.rank()) % Long.SIZE;
                    long expected = -1;
                    for (int rank = 0; rank < RANKS; rank++) {
                        expected ^= 1L << (i + rank) % Long.SIZE;
                    }
                    assertEquals(expected, world.agree(mine), "agreement " + i);
                }
                // What those who decided at once told each other isn't kept: one agreement's at most.
                assertEquals(0, world.failedRanks().size());
            });
            assertEquals(0, job.counted("sends.withdrawn"));
        }
    }
}
