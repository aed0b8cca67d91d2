package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
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

/** Messages of communicators. */
final class MessageSpaceTest {
    private static void run(int ranks, Place place, Body body) {
        try (CommunicatorJob job = new CommunicatorJob(ranks, place)) {
            job.run(body);
        }
    }

    /** The world, all ranks the other way round, and the even and the odd ones. */
    private static void inEach(Communicator world, Consumer<Communicator> body) {
        Communicator turned = world.split(0, -world.rank());
        Communicator part = world.split(world.rank() % 2, -world.rank());
        for (Communicator each : List.of(world, turned, part)) {
            body.accept(each);
        }
        part.free();
        turned.free();
    }

    // --- sources are the communicator's ranks ------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM"})
    void sourcesAreRanksOfTheCommunicator(Place place) {
        run(
                6,
                place,
                world -> inEach(world, used -> {
                    assertBlockingOnes(used);
                    assertRequests(used);
                    assertProbes(used);
                    assertExchanges(used);
                }));
    }

    private static int next(Communicator used) {
        return (used.rank() + 1) % used.size();
    }

    private static int previous(Communicator used) {
        return (used.rank() + used.size() - 1) % used.size();
    }

    /** Which job's rank has a rank, so that a message of another one shows. */
    private static int[] signed(Communicator used) {
        return new int[] {used.group().member(used.rank()), 0};
    }

    private static void check(Communicator used, Status status, int tag, int[] got) {
        assertEquals(previous(used), status.source(), () -> status + " in " + used);
        assertEquals(tag, status.tag());
        assertEquals(8, status.bytes());
        assertEquals(2, status.count());
        assertEquals(ErrorCode.NONE, status.error());
        assertEquals(used.group().member(previous(used)), got[0]);
    }

    private static void assertBlockingOnes(Communicator used) {
        int[] got = new int[2];
        used.send(signed(used), next(used), 3);
        Status first = used.recv(got, previous(used), 3);
        check(used, first, 3, got);
        assertEquals(used.context, first.contextId());
        int[] anywhere = new int[2];
        used.send(signed(used), 0, 2, next(used), 4);
        Status status = new Status();
        used.recv(anywhere, Device.ANY_SOURCE, Device.ANY_TAG, status);
        check(used, status, 4, anywhere);
        int[] part = new int[4];
        used.send(signed(used), next(used), 5);
        used.recv(part, 1, 2, Device.ANY_SOURCE, 5, status);
        check(used, status, 5, new int[] {part[1]});
    }

    private static void assertRequests(Communicator used) {
        for (int source : new int[] {previous(used), Device.ANY_SOURCE}) {
            List<Request> receives = new ArrayList<>();
            List<int[]> got = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                got.add(new int[2]);
                receives.add(used.irecv(got.get(i), source, 10 + i));
            }
            List<Request> sends = List.of(
                    used.isend(signed(used), next(used), 10),
                    used.issend(signed(used), next(used), 11),
                    used.isend(Data.of(signed(used), 0, 2), next(used), 12));
            used.ssend(signed(used), next(used), 13);
            Status status = new Status();
            receives.get(3).waitFor(status);
            check(used, status, 13, got.get(3));
            check(used, receives.get(2).waitFor(20, TimeUnit.SECONDS), 12, got.get(2));
            check(used, receives.get(1).toFuture().join(), 11, got.get(1));
            check(used, receives.get(0).waitFor(), 10, got.get(0));
            check(used, receives.get(0).test(), 10, got.get(0));
            sends.forEach(Request::waitFor);
        }
    }

    private static void assertProbes(Communicator used) {
        // Who is before may be one round ahead.
        int tag = 20;
        for (int source : new int[] {previous(used), Device.ANY_SOURCE}) {
            int[] got = new int[2];
            used.send(signed(used), next(used), tag);
            Status seen = used.probe(source, tag);
            assertEquals(previous(used), seen.source());
            assertEquals(8, seen.bytes());
            seen = used.iprobe(source, Device.ANY_TAG);
            assertEquals(previous(used), seen.source());
            assertEquals(tag, seen.tag());
            check(used, used.recv(got, seen.source(), seen.tag()), tag, got);
            assertNull(used.iprobe(source, tag));
            assertNull(used.improbe(source, tag));
            used.send(signed(used), next(used), tag + 1);
            Message taken = used.mprobe(source, tag + 1);
            assertNull(used.iprobe(source, tag + 1));
            taken.recv(got = new int[2]);
            assertEquals(used.group().member(previous(used)), got[0]);
            used.send(signed(used), next(used), tag + 2);
            used.probe(source, tag + 2);
            taken = used.improbe(source, tag + 2);
            assertNotNull(taken);
            taken.recv(got = new int[2]);
            assertEquals(used.group().member(previous(used)), got[0]);
            tag += 3;
        }
    }

    private static void assertExchanges(Communicator used) {
        int[] got = new int[2];
        check(used, used.sendRecv(signed(used), next(used), 30, got, previous(used), 30), 30, got);
        got = new int[2];
        check(used, used.sendRecv(signed(used), next(used), 31, got, Device.ANY_SOURCE, Device.ANY_TAG), 31, got);
        int[] replaced = signed(used);
        check(used, used.sendRecvReplace(replaced, next(used), 32, previous(used), 32), 32, replaced);
        // Longer than what is taken before anybody receives it.
        long[] large = new long[40_000];
        java.util.Arrays.fill(large, used.rank());
        used.sendRecvReplace(large, next(used), 33, Device.ANY_SOURCE, 33);
        assertEquals(previous(used), large[0]);
        assertEquals(previous(used), large[39_999]);
    }

    // --- what matches ------------------------------------------------------------------------------------------------

    @Test
    void nothingMatchesBetweenCommunicatorsOrWithTheDevice() {
        run(2, Place.THREADS, world -> {
            List<Communicator> all =
                    List.of(world, world.duplicate(), world.split(0, -world.rank()), world.duplicate());
            int other = 1 - world.rank();
            for (int i = 0; i < all.size(); i++) {
                all.get(i).send(new int[] {i}, 1 - all.get(i).rank(), 9);
            }
            world.device().send(new int[] {77}, other, 9);
            world.barrier();
            int[] got = new int[1];
            Status ofDevice = world.device().recv(got, Device.ANY_SOURCE, Device.ANY_TAG);
            assertEquals(77, got[0]);
            assertEquals(other, ofDevice.source());
            assertNull(world.device().iprobe(Device.ANY_SOURCE, Device.ANY_TAG));
            for (int i = all.size() - 1; i >= 0; i--) {
                all.get(i).recv(got, Device.ANY_SOURCE, Device.ANY_TAG);
                assertEquals(i, got[0]);
                assertNull(all.get(i).iprobe(Device.ANY_SOURCE, Device.ANY_TAG));
            }
        });
    }

    /** Of what a communicator sends for itself no receive of its program gets anything. */
    @Test
    void collectivesAreNoMessages() {
        run(2, Place.THREADS, world -> {
            byte[] got = new byte[1];
            Request any = world.irecv(got, Device.ANY_SOURCE, Device.ANY_TAG);
            Request ofDevice = world.device().irecv(new byte[1], Device.ANY_SOURCE, Device.ANY_TAG);
            for (int i = 0; i < 3 * Communicator.SLOTS; i++) {
                world.broadcast(new byte[] {1}, i % 2);
                world.ibarrier().waitFor();
            }
            world.duplicate().free();
            world.createGroup(world.group(), 0).free();
            assertNull(any.test());
            assertTrue(any.cancel());
            assertTrue(ofDevice.cancel());
        });
    }

    @Test
    void messagesOfOneSenderStayInOrder() {
        run(2, Place.THREADS, world -> {
            Communicator turned = world.split(0, -world.rank());
            int other = 1 - turned.rank();
            int count = 200;
            List<Request> sends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                // Some wait for their receives, and some don't.
                int[] message = new int[i % 3 == 0 ? 4_000 : 1];
                message[0] = i;
                sends.add(turned.isend(message, other, i % 2));
            }
            int[] got = new int[4_000];
            for (int i = 0; i < count; i++) {
                Status status = turned.recv(got, other, Device.ANY_TAG);
                assertEquals(i, got[0]);
                assertEquals(i % 2, status.tag());
            }
            sends.forEach(Request::waitFor);
        });
    }

    // --- nobody ------------------------------------------------------------------------------------------------------

    @Test
    void nobodyGetsAndSendsNothing() {
        run(
                2,
                Place.THREADS,
                world -> inEach(world, used -> {
                    int nobody = MessageSpace.PROC_NULL;
                    used.send(new int[1], nobody, 1);
                    used.send(Data.of(new int[4], 0, 1, Layout.INT.vector(2, 1, 2)), nobody, 1);
                    used.ssend(new int[1], nobody, 1);
                    used.isend(new int[1], nobody, 1).waitFor();
                    used.issend(new int[1], nobody, 1).waitFor();
                    int[] kept = {5, 6};
                    List<Supplier<Status>> calls = List.of(
                            () -> used.recv(kept, nobody, Device.ANY_TAG),
                            () -> used.recv(Data.of(kept, 1, 1), nobody, 1),
                            () -> used.irecv(kept, nobody, 1).waitFor(),
                            () -> used.probe(nobody, Device.ANY_TAG),
                            () -> used.iprobe(nobody, 1),
                            () -> used.probe(nobody, 1, 1, TimeUnit.DAYS),
                            () -> used.mprobe(nobody, Device.ANY_TAG).status(),
                            () -> used.improbe(nobody, 1).recv(kept),
                            () -> used.mprobe(nobody, 1).irecv(kept, 0, 2).waitFor(),
                            () -> used.sendRecv(kept, nobody, 1, kept, nobody, 1),
                            () -> used.sendRecvReplace(kept, nobody, 1, nobody, 1));
                    for (Supplier<Status> call : calls) {
                        Status status = call.get();
                        assertEquals(nobody, status.source());
                        assertEquals(Device.ANY_TAG, status.tag());
                        assertEquals(0, status.count());
                        assertArrayEquals(new int[] {5, 6}, kept);
                    }
                    Message none = used.mprobe(nobody, 1);
                    assertThrows(IllegalStateException.class, none::recvInPlace);
                }));
    }

    /** The ends of a line have a neighbour on one side alone. */
    @Test
    void aLineOfRanksNeedsNoCaseForItsEnds() {
        run(4, Place.THREADS, world -> {
            int right = world.rank() == 3 ? MessageSpace.PROC_NULL : world.rank() + 1;
            int left = world.rank() == 0 ? MessageSpace.PROC_NULL : world.rank() - 1;
            int[] got = {-1};
            world.sendRecv(new int[] {world.rank()}, right, 1, got, left, 1);
            assertEquals(world.rank() - 1, got[0]);
        });
    }

    // --- items that lie apart ----------------------------------------------------------------------------------------

    @Test
    void itemsThatLieApartGoBothWays() {
        run(
                4,
                Place.THREADS,
                world -> inEach(world, used -> {
                    for (int rows : new int[] {1, 4, 3_000}) {
                        assertColumns(used, rows);
                    }
                }));
    }

    private static double[] matrix(int rows, double value) {
        double[] matrix = new double[3 * rows];
        for (int i = 0; i < rows; i++) {
            matrix[3 * i + 1] = value + i;
        }
        return matrix;
    }

    private static void assertColumns(Communicator used, int rows) {
        Layout column = Layout.DOUBLE.vector(rows, 1, 3);
        double[] own = matrix(rows, used.rank());
        double[] expected = matrix(rows, previous(used));
        for (int source : new int[] {previous(used), Device.ANY_SOURCE}) {
            double[] got = new double[3 * rows];
            Request sent = used.isend(Data.of(own, 1, 1, column), next(used), 1);
            checkColumn(used, used.recv(Data.of(got, 1, 1, column), source, 1), rows);
            assertArrayEquals(expected, got);
            sent.waitFor();

            double[] later = new double[3 * rows];
            Request received = used.irecv(Data.of(later, 1, 1, column), source, 2);
            used.send(Data.of(own, 1, 1, column), next(used), 2);
            checkColumn(used, received.waitFor(), rows);
            assertArrayEquals(expected, later);

            // One that is there before it is asked for.
            double[] last = new double[3 * rows];
            sent = used.issend(Data.of(own, 1, 1, column), next(used), 3);
            used.probe(source, 3);
            received = used.irecv(Data.of(last, 1, 1, column), source, 3);
            checkColumn(used, received.toFuture().join(), rows);
            assertArrayEquals(expected, last);
            sent.waitFor();
        }
        double[] replaced = matrix(rows, used.rank());
        used.sendRecvReplace(Data.of(replaced, 1, 1, column), next(used), 4, previous(used), 4);
        assertArrayEquals(expected, replaced);
    }

    private static void checkColumn(Communicator used, Status status, int rows) {
        assertEquals(previous(used), status.source());
        assertEquals(8L * rows, status.bytes());
        assertEquals(rows, status.count());
    }

    @Test
    void aShortMessageLeavesTheRestAsItWas() {
        run(2, Place.THREADS, world -> {
            Layout column = Layout.INT.vector(1, 1, 2).resized(0, 8);
            int other = 1 - world.rank();
            for (boolean blocks : new boolean[] {true, false}) {
                int[] got = {9, 9, 9, 9, 9, 9};
                Data into = Data.of(got, 0, 3, column);
                Request received = blocks ? null : world.irecv(into, other, 1);
                world.send(new int[] {1, 2}, other, 1);
                Status status = blocks ? world.recv(into, other, 1) : received.waitFor();
                assertEquals(8, status.bytes());
                assertArrayEquals(new int[] {1, 9, 2, 9, 9, 9}, got);
            }
        });
    }

    // --- what fails --------------------------------------------------------------------------------------------------

    @Test
    void whatDoesNotFitIsCutOff() {
        run(
                2,
                Place.THREADS,
                world -> inEach(world, used -> {
                    if (used.size() == 1) {
                        return;
                    }
                    int other = 1 - used.rank();
                    Layout apart = Layout.INT.vector(2, 1, 2);
                    int[] out = {1, 2, 3};
                    int[] got = {9, 9, 9};
                    used.send(out, other, 1);
                    assertTruncated(other, () -> used.recv(Data.of(got, 0, 2), other, 1));
                    assertArrayEquals(new int[] {1, 2, 9}, got);
                    int[] gaps = {9, 9, 9};
                    used.send(out, other, 2);
                    assertTruncated(other, () -> used.recv(Data.of(gaps, 0, 1, apart), Device.ANY_SOURCE, 2));
                    assertArrayEquals(new int[] {1, 9, 2}, gaps);
                    int[] later = {9, 9, 9};
                    Request received = used.irecv(Data.of(later, 0, 2), Device.ANY_SOURCE, 3);
                    used.send(out, other, 3);
                    assertTruncated(other, received::waitFor);
                    assertEquals(ErrorCode.TRUNCATED, received.error());
                    assertArrayEquals(new int[] {1, 2, 9}, later);
                    int[] laterGaps = {9, 9, 9};
                    Request unpacked = used.irecv(Data.of(laterGaps, 0, 1, apart), other, 4);
                    used.send(out, other, 4);
                    SluiceException cut = assertThrows(SluiceException.class, unpacked::waitFor);
                    assertEquals(ErrorCode.TRUNCATED, cut.code());
                    assertArrayEquals(new int[] {1, 9, 2}, laterGaps);
                    used.barrier();
                }));
    }

    private static void assertTruncated(int source, Executable receive) {
        SluiceException cut = assertThrows(SluiceException.class, receive);
        assertEquals(ErrorCode.TRUNCATED, cut.code());
        assertEquals(source, cut.status().source());
        assertEquals(12, cut.status().bytes());
    }

    @Test
    void mistakesAreToldBeforeAnythingIsSent() {
        run(
                2,
                Place.THREADS,
                world -> inEach(world, used -> {
                    int size = used.size();
                    for (int rank : new int[] {size, -1, Device.ANY_SOURCE, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                        assertRefused(rank, () -> used.send(new int[1], rank, 1));
                        assertRefused(rank, () -> used.ssend(new int[1], rank, 1));
                        assertRefused(rank, () -> used.isend(new int[1], rank, 1));
                        assertRefused(rank, () -> used.issend(Data.of(new int[1], 0, 1), rank, 1));
                        assertRefused(rank, () -> used.sendRecv(new int[1], rank, 1, new int[1], 0, 1));
                    }
                    for (int rank : new int[] {size, -1, Device.ANY_TAG, Integer.MAX_VALUE}) {
                        assertRefused(rank, () -> used.recv(new int[1], rank, 1));
                        assertRefused(rank, () -> used.irecv(new int[1], rank, 1));
                        assertRefused(rank, () -> used.probe(rank, 1));
                        assertRefused(rank, () -> used.iprobe(rank, 1));
                        assertRefused(rank, () -> used.mprobe(rank, 1));
                        assertRefused(rank, () -> used.sendRecv(new int[1], 0, 1, new int[1], rank, 1));
                        assertRefused(rank, () -> used.sendRecvReplace(new int[1], 0, 1, rank, 1));
                    }
                    for (int dest : new int[] {0, MessageSpace.PROC_NULL}) {
                        assertRefused(-1, () -> used.send(new int[1], dest, -1));
                        assertRefused(Device.ANY_TAG, () -> used.isend(new int[1], dest, Device.ANY_TAG));
                        assertRefused(-1, () -> used.recv(new int[1], dest, -1));
                        assertRefused(-1, () -> used.sendRecv(new int[1], 0, 1, new int[1], dest, -1));
                        assertRefused(-1, () -> used.sendRecvReplace(new int[1], 0, 1, dest, -1));
                    }
                    assertThrows(IllegalArgumentException.class, () -> used.send("text", 0, 1));
                    assertThrows(IllegalArgumentException.class, () -> used.sendRecv(new int[1], 0, 1, "text", 0, 1));
                    assertThrows(IllegalArgumentException.class, () -> used.send(Data.IN_PLACE, 0, 1));
                    Data blocks = Data.blocks(new int[2], new int[] {1, 1}, new int[] {0, 1});
                    assertThrows(IllegalArgumentException.class, () -> used.send(blocks, 0, 1));
                    assertThrows(IllegalArgumentException.class, () -> used.irecv(blocks, 0, 1));
                    used.barrier();
                    assertNull(used.iprobe(Device.ANY_SOURCE, Device.ANY_TAG));
                }));
    }

    private static void assertRefused(int given, Executable call) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, call);
        assertTrue(refused.getMessage().contains(String.valueOf(given)), refused.getMessage());
        assertTrue(refused.getMessage().contains("0 to"), refused.getMessage());
    }
}
