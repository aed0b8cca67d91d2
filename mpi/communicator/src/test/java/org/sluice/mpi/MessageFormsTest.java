package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Body;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Ready and buffered sends, persistent requests, receives that allocate, time limits, several requests. */
@Timeout(60)
final class MessageFormsTest {
    private static final int LONG = 1 << 20;

    private static void run(int ranks, Place place, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(body);
        }
    }

    private static int other(Communicator world) {
        return 1 - world.rank();
    }

    // --- buffered ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void bufferedSendsLeaveWhileNobodyReceives(Place place) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        run(2, place, world -> {
            Random random = new Random(seed);
            ByteBuffer buffer = ByteBuffer.allocateDirect(4 * LONG);
            MessageForms.attachBuffer(world.device(), buffer);
            byte[][] sent = new byte[20][];
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < sent.length; i++) {
                    sent[i] = new byte[random.nextInt(150_000)];
                    random.nextBytes(sent[i]);
                    byte[] own = sent[i].clone();
                    world.bsend(own, other(world), i);
                    // The message has been copied.
                    Arrays.fill(own, (byte) 0);
                }
                // Out of order, so that gaps are left behind.
                for (int i = sent.length - 1; i >= 0; i--) {
                    byte[] received = new byte[sent[i].length];
                    world.recv(received, other(world), i);
                    assertArrayEquals(sent[i], received);
                }
                world.barrier();
            }
            world.ibsend(new byte[1], other(world), 0).waitFor();
            MessageForms.flushBuffer(world.device());
            world.bsend(new byte[1], MessageSpace.PROC_NULL, 0);
            world.recv(new byte[1], other(world), 0);
            assertSame(buffer, MessageForms.detachBuffer(world.device()));
        });
    }

    @Test
    void whatTheBufferHasNoRoomForIsRefused() {
        run(2, Place.SHM, world -> {
            assertThrows(IllegalStateException.class, () -> world.bsend(new byte[1], other(world), 0));
            assertThrows(IllegalArgumentException.class, () -> MessageForms.attachBuffer(world.device(), new int[10]));
            MessageForms.attachBuffer(world.device(), new byte[LONG + MessageForms.BUFFERED_OVERHEAD]);
            assertThrows(IllegalStateException.class, () -> MessageForms.attachBuffer(world.device(), new byte[10]));
            assertThrows(IllegalArgumentException.class, () -> world.bsend(new byte[1], 5, 0));
            world.bsend(new byte[LONG], other(world), 0);
            SluiceException refused =
                    assertThrows(SluiceException.class, () -> world.bsend(new byte[LONG], other(world), 0));
            assertEquals(ErrorCode.NO_MEMORY, refused.code());
            world.recv(new byte[LONG], other(world), 0);
            world.barrier();
            // The first has left.
            Request receive = world.irecv(new byte[LONG], other(world), 0);
            while (true) {
                try {
                    world.bsend(new byte[LONG], other(world), 0);
                    break;
                } catch (SluiceException e) {
                    // Its receiver's answer is on the way.
                    world.device().progress();
                }
            }
            receive.waitFor();
            MessageForms.detachBuffer(world.device());
            assertThrows(IllegalStateException.class, () -> MessageForms.detachBuffer(world.device()));
        });
    }

    // --- persistent --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void persistentRequestsAreStartedAgainAndAgain(Place place) {
        run(2, place, world -> {
            Communicator turned = world.split(0, -world.rank());
            long[] out = new long[100];
            long[] in = new long[100];
            PersistentRequest receive = turned.recvInit(in, 1 - turned.rank(), 5);
            PersistentRequest[] sends = {
                turned.sendInit(out, 1 - turned.rank(), 5),
                turned.ssendInit(out, 1 - turned.rank(), 5),
                turned.rsendInit(out, 1 - turned.rank(), 5),
            };
            assertFalse(receive.isActive());
            assertTrue(receive.isDone());
            assertEquals(Device.ANY_SOURCE, receive.waitFor().source());
            for (int round = 0; round < 60; round++) {
                PersistentRequest send = sends[round % sends.length];
                Arrays.fill(out, round);
                PersistentRequest.startAll(receive, send);
                assertTrue(receive.isActive());
                turned.waitAll(send, receive);
                assertFalse(receive.isActive());
                assertEquals(round, in[99]);
                Status status = receive.waitFor();
                assertEquals(1 - turned.rank(), status.source());
                assertEquals(100, status.count());
            }
        });
    }

    @Test
    void aPersistentRequestThatIsOnItsWayIsNotStartedAgain() {
        run(1, Place.THREADS, world -> {
            PersistentRequest receive = world.recvInit(new byte[1], 0, 0);
            receive.start();
            assertThrows(IllegalStateException.class, receive::start);
            assertTrue(receive.cancel());
            SluiceException cancelled = assertThrows(SluiceException.class, receive::waitFor);
            assertEquals(ErrorCode.CANCELLED, cancelled.code());
            assertFalse(receive.isActive());
            receive.start();
            world.send(new byte[1], 0, 0);
            receive.waitFor();
            assertThrows(IllegalArgumentException.class, () -> world.sendInit(new byte[1], 7, 0));
            assertThrows(IllegalArgumentException.class, () -> world.sendInit(new byte[1], 0, -1));
            assertThrows(IllegalArgumentException.class, () -> world.recvInit("text", 0, 0));
            assertThrows(IllegalArgumentException.class, () -> world.sendInit("text", 0, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> world.bsendInit(Data.of(new byte[1], 1, 1), 0, 0));
        });
    }

    // --- several requests --------------------------------------------------------------------------------------------

    @Test
    void whatIsNullOrInactiveIsNotWaitedFor() {
        run(1, Place.THREADS, world -> {
            PersistentRequest idle = world.recvInit(new byte[1], 0, 9);
            assertEquals(-1, world.waitAny(null, idle));
            assertEquals(-1, world.testAny(null, idle));
            assertEquals(0, world.waitSome(idle).length);
            assertTrue(world.testAll(idle, null));
            world.waitAll(idle, null);
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void messagesAndCollectivesAreWaitedForTogether(Place place) {
        run(2, place, world -> {
            byte[] in = new byte[1];
            PersistentRequest persistent = world.recvInit(in, other(world), 1);
            Request[] requests = {persistent, null, world.irecv(new byte[1], other(world), 2), world.ibarrier()};
            persistent.start();
            assertEquals(3, world.waitAny(requests));
            requests[3] = null;
            assertFalse(world.testAll(requests));
            assertEquals(-1, world.testAny(requests));
            assertEquals(-1, world.waitAny(10, TimeUnit.MILLISECONDS, requests));
            assertFalse(world.waitAll(10, TimeUnit.MILLISECONDS, requests));
            world.barrier();
            world.send(new byte[] {7}, other(world), 1);
            assertEquals(0, world.waitAny(10, TimeUnit.SECONDS, requests));
            assertEquals(7, in[0]);
            assertFalse(persistent.isActive());
            world.send(new byte[1], other(world), 2);
            assertArrayEquals(new int[] {2}, world.waitSome(requests));
            assertArrayEquals(new int[] {2}, world.testSome(requests));
            assertTrue(world.testAll(requests));
            assertTrue(world.waitAll(0, TimeUnit.SECONDS, requests));
        });
    }

    @Test
    void theFirstFailureOfSeveralIsThrownOnceAllAreOver() {
        run(1, Place.THREADS, world -> {
            Request cancelled = world.irecv(new byte[1], 0, 1);
            Request fine = world.irecv(new byte[1], 0, 2);
            cancelled.cancel();
            world.send(new byte[1], 0, 2);
            SluiceException thrown = assertThrows(SluiceException.class, () -> world.waitAll(cancelled, fine));
            assertEquals(ErrorCode.CANCELLED, thrown.code());
            assertTrue(fine.isDone());
            assertEquals(ErrorCode.NONE, fine.error());
        });
    }

    // --- receives that allocate --------------------------------------------------------------------------------------

    @Test
    void anArrayAsLongAsTheMessageIsReceived() {
        run(2, Place.SHM, world -> {
            Communicator turned = world.split(0, -world.rank());
            int other = 1 - turned.rank();
            Status status = new Status();
            turned.send(new double[] {1, 2, 3}, other, 4);
            assertArrayEquals(new double[] {1, 2, 3}, turned.receive(double[].class, other, 4, status));
            assertEquals(other, status.source());
            assertEquals(3, status.count());
            turned.send(new byte[0], other, 4);
            assertEquals(0, turned.receive(int[].class, Device.ANY_SOURCE, Device.ANY_TAG, null).length);
            turned.send(new byte[5], other, 4);
            SluiceException misfit =
                    assertThrows(SluiceException.class, () -> turned.receive(int[].class, other, 4, null));
            assertEquals(ErrorCode.ELEMENT_MISMATCH, misfit.code());
            assertNull(turned.iprobe(other, 4));
            turned.barrier();
            assertThrows(IllegalArgumentException.class, () -> turned.receive(String.class, other, 4, null));
            Request send = turned.isend(new long[LONG], other, 4);
            assertEquals(LONG, turned.receive(long[].class, other, 4, status).length);
            send.waitFor();
        });
    }

    // --- time limits -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void whoWaitsTooLongTakesItBack(Place place) {
        run(2, place, world -> {
            byte[] buffer = new byte[LONG];
            assertNull(world.recv(buffer, other(world), 1, 5, TimeUnit.MILLISECONDS));
            assertNull(world.probe(other(world), 1, 5, TimeUnit.MILLISECONDS));
            world.barrier();
            assertFalse(world.ssend(buffer, other(world), 1, 5, TimeUnit.MILLISECONDS));
            assertFalse(world.send(buffer, other(world), 1, 5, TimeUnit.MILLISECONDS));
            world.barrier();
            assertNull(world.iprobe(other(world), 1), "what was taken back is not there");
            assertTrue(world.send(new byte[1], other(world), 2, 5, TimeUnit.SECONDS));
            assertNotNull(world.probe(other(world), 2, 5, TimeUnit.SECONDS));
            assertEquals(
                    1, world.recv(buffer, other(world), 2, 5, TimeUnit.SECONDS).bytes());
            world.barrier();
        });
    }

    // --- statuses ----------------------------------------------------------------------------------------------------

    @Test
    void statusesHaveTheCommunicatorsContextAndRanks() {
        run(3, Place.THREADS, world -> {
            for (Communicator each : new Communicator[] {world, world.split(0, -world.rank())}) {
                int context = each.context;
                int next = (each.rank() + 1) % 3;
                int before = (each.rank() + 2) % 3;
                Request receive = each.irecv(new byte[4], before, 1);
                each.send(new byte[4], next, 1);
                Status status = receive.waitFor();
                assertEquals(context, status.contextId());
                assertEquals(before, status.source());
                each.send(new byte[4], next, 1);
                Message message = each.mprobe(Device.ANY_SOURCE, 1);
                assertEquals(context, message.status().contextId());
                assertEquals(before, message.status().source());
                status = message.irecv(new int[1], 0, 1).waitFor();
                assertEquals(context, status.contextId());
                assertEquals(before, status.source());
                assertEquals(1, status.count());
                // One that is too long for items that lie apart.
                Layout apart = Layout.INT.vector(2, 1, 2);
                receive = each.irecv(Data.of(new int[4], apart), before, 2);
                each.send(new int[5], next, 2);
                SluiceException truncated = assertThrows(SluiceException.class, receive::waitFor);
                assertEquals(ErrorCode.TRUNCATED, truncated.code());
                assertEquals(before, truncated.status().source());
                assertEquals(20, truncated.status().bytes());
            }
        });
    }

    @Test
    void aStatusHasAWholeNumberOfItemsOrNone() {
        Layout pair = Layout.INT.contiguous(2);
        assertEquals(3, pair.items(24));
        assertEquals(-1, pair.items(20));
        assertEquals(0, pair.items(0));
    }

    // --- packed ------------------------------------------------------------------------------------------------------

    @Test
    void valuesOfSeveralKindsAreOneMessage() {
        run(2, Place.THREADS, world -> {
            int[] ints = {1, 2, 3, 4};
            double[] doubles = {0.5};
            Data apart = Data.of(ints, Layout.INT.vector(2, 1, 2));
            assertEquals(8, Packing.size(apart));
            byte[] message = new byte[(int) (Packing.size(apart) + Packing.size(doubles))];
            long position = Packing.pack(apart, message, 0);
            position = Packing.pack(doubles, message, position);
            assertEquals(message.length, position);
            assertThrows(IndexOutOfBoundsException.class, () -> Packing.pack(doubles, message, 9));
            assertThrows(IllegalArgumentException.class, () -> Packing.pack(doubles, new int[9], 0));
            byte[] received = new byte[message.length];
            world.sendRecv(message, other(world), 0, received, other(world), 0);
            int[] unpacked = new int[4];
            double[] one = new double[1];
            position = Packing.unpack(received, 0, Data.of(unpacked, Layout.INT.vector(2, 1, 2)));
            Packing.unpack(received, position, one);
            assertArrayEquals(new int[] {1, 0, 3, 0}, unpacked);
            assertEquals(0.5, one[0]);
            assertThrows(IndexOutOfBoundsException.class, () -> Packing.unpack(received, 12, one));
        });
    }

    @Test
    void aReductionMayBeLocal() {
        int[] result = {10, 20};
        Reduction.SUM.local(new int[] {1, 2}, result);
        assertArrayEquals(new int[] {11, 22}, result);
        double[] apart = {1, 2, 3};
        Reduction.MAX.local(new double[] {5, 0}, Data.of(apart, 0, 1, Layout.DOUBLE.vector(2, 1, 2)));
        assertArrayEquals(new double[] {5, 2, 3}, apart);
        assertThrows(IllegalArgumentException.class, () -> Reduction.SUM.local(new int[1], new int[2]));
        assertThrows(IllegalArgumentException.class, () -> Reduction.SUM.local(new int[1], new long[1]));
    }
}
