package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
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

/** Messages that are withdrawn, late, of another device or communicator, or too long for where they go. */
@Timeout(60)
final class MessageEdgesTest {
    private static final int LONG = 1 << 20;
    /** Two ints with a gap between them. */
    private static final Layout APART = Layout.INT.vector(2, 1, 2);

    private static void run(int ranks, Place place, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(body);
        }
    }

    private static int other(Communicator world) {
        return 1 - world.rank();
    }

    private static ErrorCode codeOf(Executable call) {
        return assertThrows(SluiceException.class, call).code();
    }

    // --- items that lie apart ----------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void aReceiveIntoItemsThatLieApartCanBeWithdrawn(Place place) {
        run(2, place, world -> {
            int[] kept = {1, 2, 3};
            Data apart = Data.of(kept, APART);
            Request receive = world.irecv(apart, other(world), 1);
            assertNull(receive.waitFor(1, TimeUnit.MILLISECONDS));
            assertTrue(receive.cancel());
            assertEquals(ErrorCode.CANCELLED, codeOf(receive::waitFor));
            assertFalse(receive.cancel());
            PersistentRequest persistent = world.recvInit(apart, other(world), 1);
            persistent.start();
            assertTrue(persistent.cancel());
            assertEquals(ErrorCode.CANCELLED, codeOf(() -> world.waitAll(persistent)));
            assertFalse(persistent.isActive());
            assertNull(world.recv(apart, other(world), 1, 1, TimeUnit.MILLISECONDS));
            assertArrayEquals(new int[] {1, 2, 3}, kept);
            // No longer in the way of another.
            world.barrier();
            world.send(new int[] {7, 8}, other(world), 1);
            Status status = world.recv(apart, other(world), 1, 10, TimeUnit.SECONDS);
            assertEquals(other(world), status.source());
            assertEquals(world.context, status.contextId());
            assertEquals(2, status.count());
            assertArrayEquals(new int[] {7, 2, 8}, kept);
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void aMessageThatWasTakenGoesIntoItemsThatLieApart(Place place) {
        run(2, place, world -> {
            for (int rows : new int[] {2, LONG}) {
                int[] out = new int[rows];
                out[rows - 1] = 5;
                Request send = world.isend(out, other(world), 1);
                Message message = world.mprobe(Device.ANY_SOURCE, 1);
                int[] in = new int[2 * rows];
                Data apart = Data.of(in, 0, 1, Layout.INT.vector(rows, 1, 2));
                Status status = message.recv(apart);
                assertEquals(rows, status.count());
                assertEquals(other(world), status.source());
                assertEquals(5, in[2 * rows - 2]);
                assertThrows(IllegalStateException.class, () -> message.recv(apart));
                send.waitFor();
                world.barrier();
            }
            world.send(new int[3], other(world), 2);
            int[] few = {9, 9, 9};
            SluiceException cut = assertThrows(
                    SluiceException.class, () -> world.mprobe(other(world), 2).recv(Data.of(few, APART)));
            assertEquals(ErrorCode.TRUNCATED, cut.code());
            assertEquals(other(world), cut.status().source());
            assertArrayEquals(new int[] {0, 9, 0}, few);
        });
    }

    // --- time limits -------------------------------------------------------------------------------------------------

    @Test
    void aTimeOfZeroFindsWhatIsThereAndANegativeOneIsNoTime() {
        run(1, Place.THREADS, world -> {
            for (long time : new long[] {0, -1, Long.MIN_VALUE}) {
                assertNull(world.probe(0, 1, time, TimeUnit.SECONDS));
                assertNull(world.recv(new byte[1], 0, 1, time, TimeUnit.SECONDS));
                Request never = world.irecv(new byte[1], 0, 2);
                assertEquals(-1, world.waitAny(time, TimeUnit.NANOSECONDS, never));
                assertFalse(world.waitAll(time, TimeUnit.NANOSECONDS, never));
                assertTrue(never.cancel());
                world.send(new byte[1], 0, 1);
                assertEquals(1, world.probe(0, 1, time, TimeUnit.SECONDS).bytes());
                assertEquals(
                        1,
                        world.recv(new byte[1], 0, 1, time, TimeUnit.NANOSECONDS)
                                .bytes());
            }
        });
    }

    @Test
    void aProbeThatIsLateLeavesNothingBehind() {
        run(2, Place.SHM, world -> {
            for (int i = 0; i < 200; i++) {
                if (world.rank() == 0) {
                    world.send(new int[] {i}, 1, 1);
                } else {
                    Status status = world.probe(0, 1, i % 20, TimeUnit.MICROSECONDS);
                    int[] got = new int[1];
                    world.recv(got, 0, 1);
                    assertEquals(i, got[0]);
                    assertTrue(status == null || status.source() == 0 && status.bytes() == 4);
                }
            }
        });
    }

    /** It ends between the wait's last look and its answer: the next one is to see that. */
    @Test
    void aPersistentRequestIsActiveUntilAWaitHasSeenItsEnd() {
        Request ended = (Request) Proxy.newProxyInstance(
                Request.class.getClassLoader(),
                new Class<?>[] {Request.class},
                (self, method, given) -> method.getName().equals("isDone") ? true : null);
        PersistentRequest persistent = new PersistentRequest("receive", () -> ended);
        persistent.start();
        assertNull(persistent.waitFor(1, TimeUnit.MICROSECONDS));
        assertTrue(persistent.isActive());
        persistent.waitFor(new Status());
        assertFalse(persistent.isActive());
    }

    // --- both ways ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void aRingTurnsWithoutWaiting(Place place) {
        run(4, place, world -> {
            Communicator ring = world.split(0, -world.rank());
            int next = (ring.rank() + 1) % 4;
            int before = (ring.rank() + 3) % 4;
            for (int rows : new int[] {0, 2, LONG / 8}) {
                int[] own = new int[2 * rows];
                int[] got = new int[2 * rows];
                Arrays.fill(own, ring.rank());
                Arrays.fill(got, -1);
                Layout apart = Layout.INT.vector(rows, 1, 2);
                Request[] both = {
                    ring.isendRecv(Data.of(own, 0, 1, apart), next, 1, Data.of(got, 0, 1, apart), before, 1),
                    ring.isendRecvReplace(Data.of(own, 0, 1, apart), before, 2, next, 2),
                    ring.ibarrier()
                };
                ring.waitAll(both);
                for (int i = 0; i < got.length; i++) {
                    assertEquals(i % 2 == 0 ? before : -1, got[i]);
                    assertEquals(i % 2 == 0 ? next : ring.rank(), own[i]);
                }
                assertEquals(before, both[0].waitFor().source());
                assertEquals(rows, both[0].waitFor().count());
                assertEquals(next, both[1].waitFor().source());
                assertEquals(ring.context, both[1].waitFor().contextId());
            }
        });
    }

    @Test
    void halvesMayBeNobodysOrFail() {
        run(2, Place.SHM, world -> {
            int nobody = MessageSpace.PROC_NULL;
            int[] got = {-1};
            assertEquals(
                    nobody,
                    world.isendRecv(new int[1], nobody, 1, got, nobody, 1)
                            .waitFor()
                            .source());
            Request toNobody = world.isendRecv(new int[1], nobody, 1, got, other(world), 1);
            assertNull(toNobody.test());
            world.barrier();
            Request fromNobody = world.isendRecv(new int[] {7}, other(world), 1, got, nobody, 1);
            toNobody.waitFor();
            fromNobody.waitFor();
            assertEquals(7, got[0]);
            Request cut = world.isendRecv(new int[2], other(world), 1, got, other(world), 1);
            assertEquals(ErrorCode.TRUNCATED, codeOf(cut::waitFor));
            assertEquals(ErrorCode.TRUNCATED, cut.error());
            assertThrows(IllegalArgumentException.class, () -> world.isendRecv(got, 2, 1, got, 0, 1));
            assertThrows(IllegalArgumentException.class, () -> world.isendRecv(got, 0, 1, got, 2, 1));
            assertThrows(IllegalArgumentException.class, () -> world.isendRecvReplace(got, 0, -1, 0, 1));
            world.barrier();
            assertNull(world.iprobe(Device.ANY_SOURCE, Device.ANY_TAG));
        });
    }

    // --- other devices -----------------------------------------------------------------------------------------------

    @Test
    void waitsRefuseRequestsOfAnotherDevice() {
        Request[] others = new Request[2];
        run(2, Place.THREADS, world -> {
            others[world.rank()] = world.irecv(new byte[1], other(world), 1);
            world.barrier();
            PersistentRequest persistent = world.recvInit(new byte[1], other(world), 2);
            persistent.start();
            Request[] mixed = {persistent, others[other(world)]};
            List<Executable> waits = List.of(
                    () -> world.waitAll(mixed),
                    () -> world.waitAny(mixed),
                    () -> world.waitSome(mixed),
                    () -> world.waitAll(1, TimeUnit.DAYS, mixed),
                    () -> world.waitAny(1, TimeUnit.DAYS, mixed));
            for (Executable wait : waits) {
                assertThrows(IllegalArgumentException.class, wait);
                assertTrue(persistent.isActive(), "nothing was waited for");
            }
            world.send(new byte[1], other(world), 2);
            persistent.waitFor();
            world.barrier();
            assertEquals(-1, world.testAny(mixed));
            world.barrier();
            world.send(new byte[1], other(world), 1);
            while (!world.testAll(mixed)) {
                Thread.onSpinWait();
            }
            assertArrayEquals(new int[] {1}, world.testSome(mixed));
            world.barrier();
        });
    }

    @Test
    void aRequestThatIsGivenTwiceCountsTwice() {
        run(1, Place.THREADS, world -> {
            PersistentRequest receive = world.recvInit(new byte[1], 0, 1);
            receive.start();
            world.send(new byte[1], 0, 1);
            assertArrayEquals(new int[] {0, 1}, world.waitSome(receive, receive));
            assertEquals(0, world.waitSome(receive, receive).length);
            receive.start();
            world.send(new byte[1], 0, 1);
            world.waitAll(receive, receive);
        });
    }

    // --- buffered sends ----------------------------------------------------------------------------------------------

    /** What is called back while one waits for the buffer may send, too. */
    @Test
    void aDetachedBufferIsGoneForWhatIsCalledBackMeanwhile() {
        run(2, Place.SHM, world -> {
            if (world.rank() == 0) {
                byte[] buffer = new byte[LONG + MessageForms.BUFFERED_OVERHEAD];
                MessageForms.attachBuffer(world.device(), buffer);
                world.bsend(new byte[LONG], 1, 1);
                CompletableFuture<Void> called = world.irecv(null, 1, 2)
                        .toFuture()
                        .thenRun(() -> assertThrows(IllegalStateException.class, () -> world.bsend(new byte[1], 1, 3)));
                world.send(null, 1, 4);
                assertSame(buffer, MessageForms.detachBuffer(world.device()));
                called.join();
            } else {
                world.recv(null, 0, 4);
                // By now it waits.
                Thread.sleep(20);
                world.send(null, 0, 2);
                Thread.sleep(20);
                world.recv(new byte[LONG], 0, 1);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void bufferedSendsMayBeginWithinOthers(Place place) {
        int count = 2_000;
        run(2, place, world -> {
            int[] one = new int[1];
            if (world.rank() == 0) {
                MessageForms.attachBuffer(world.device(), new byte[4 * LONG]);
                CompletableFuture<?>[] answers = new CompletableFuture<?>[count];
                for (int i = 0; i < count; i++) {
                    int tag = i;
                    answers[i] = world.irecv(new int[1], 1, tag)
                            .toFuture()
                            .thenRun(() -> world.bsend(new int[] {tag, tag, tag}, 1, tag));
                }
                world.send(one, 1, 2 * count);
                for (int i = 0; i < count; i++) {
                    world.bsend(new int[] {i, i}, 1, count + i);
                }
                CompletableFuture.allOf(answers).join();
                MessageForms.detachBuffer(world.device());
            } else {
                world.recv(one, 0, 2 * count);
                for (int i = 0; i < count; i++) {
                    world.send(one, 0, i);
                }
                for (int i = 0; i < count; i++) {
                    int[] answer = new int[3];
                    world.recv(answer, 0, i);
                    assertArrayEquals(new int[] {i, i, i}, answer);
                    int[] other = new int[2];
                    world.recv(other, 0, count + i);
                    assertArrayEquals(new int[] {i, i}, other);
                }
            }
        });
    }

    // --- communicators that were freed -------------------------------------------------------------------------------

    @Test
    void aFreedCommunicatorRefusesMessages() {
        run(2, Place.THREADS, world -> {
            Communicator freed = world.duplicate();
            PersistentRequest persistent = freed.sendInit(new byte[1], 0, 1);
            freed.free();
            byte[] buffer = new byte[1];
            for (int rank : new int[] {0, MessageSpace.PROC_NULL}) {
                List<Executable> calls = List.of(
                        () -> freed.send(buffer, rank, 1),
                        () -> freed.ssend(buffer, rank, 1),
                        () -> freed.rsend(buffer, rank, 1),
                        () -> freed.isend(buffer, rank, 1),
                        () -> freed.issend(buffer, rank, 1),
                        () -> freed.send(buffer, rank, 1, 1, TimeUnit.SECONDS),
                        () -> freed.recv(buffer, rank, 1),
                        () -> freed.recv(buffer, rank, 1, 1, TimeUnit.SECONDS),
                        () -> freed.irecv(Data.of(new int[3], APART), rank, 1),
                        () -> freed.receive(byte[].class, rank, 1, null),
                        () -> freed.sendRecv(buffer, rank, 1, buffer, rank, 1),
                        () -> freed.probe(rank, 1),
                        () -> freed.probe(rank, 1, 1, TimeUnit.SECONDS),
                        () -> freed.iprobe(rank, 1),
                        () -> freed.mprobe(rank, 1),
                        () -> freed.improbe(rank, 1),
                        () -> freed.sendInit(buffer, rank, 1),
                        () -> freed.recvInit(buffer, rank, 1),
                        persistent::start);
                for (Executable call : calls) {
                    IllegalStateException refused = assertThrows(IllegalStateException.class, call);
                    assertTrue(refused.getMessage().contains("was freed"), refused.getMessage());
                }
            }
            assertFalse(persistent.isActive());
        });
    }

    // --- statuses ----------------------------------------------------------------------------------------------------

    @Test
    void elementsOfAPartOfAnItemAreCounted() {
        Layout pair = Layout.struct(
                new int[] {1, 2}, new long[] {0, 8}, new Layout[] {Layout.INT, Layout.DOUBLE.resized(0, 16)});
        assertEquals(20, pair.size());
        assertEquals(0, pair.elements(0));
        assertEquals(1, pair.elements(4));
        assertEquals(-1, pair.elements(8));
        assertEquals(2, pair.elements(12));
        assertEquals(3, pair.elements(20));
        assertEquals(4, pair.elements(24));
        assertEquals(-1, pair.items(24));
        Layout nested = pair.resized(0, 64).vector(2, 2, 3);
        assertEquals(12, nested.elements(nested.size()));
        assertEquals(17, nested.elements(nested.size() + 32));
        assertEquals(3, Layout.INT.vector(2, 1, 5).elements(12));
        assertEquals(-1, Layout.INT.vector(2, 1, 5).elements(13));
        assertEquals(0, Layout.INT.contiguous(0).elements(0));
        assertEquals(-1, Layout.INT.contiguous(0).elements(4));
    }

    @Test
    void whatIsNegativeInALayoutIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Layout.INT.hvector(0, -1, 4));
        assertThrows(IllegalArgumentException.class, () -> Layout.INT.vector(0, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> Layout.INT.contiguous(-1));
        assertThrows(
                IllegalArgumentException.class,
                () -> Layout.struct(new int[] {1}, new long[] {0}, new Layout[] {null}));
    }
}
