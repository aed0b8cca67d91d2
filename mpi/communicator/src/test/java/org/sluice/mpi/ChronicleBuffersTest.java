package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluice.device.memory.NeedsUnsafe;
import org.sluice.hybrid.device.CommunicatorJob;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Chronicle's Bytes, in messages and collectives: what is to be read of one is sent, and what comes is written. */
final class ChronicleBuffersTest {
    private static final int RANKS = 3;
    private static final int LARGE = 200_000;

    private static Bytes<?> filled(int rank, int bytes, boolean isDirect) {
        Bytes<?> made = isDirect ? Bytes.allocateDirect(bytes) : Bytes.allocateElasticOnHeap(bytes);
        for (int i = 0; i < bytes; i++) {
            made.writeByte((byte) (31 * rank + i));
        }
        return made;
    }

    private static void assertHas(int rank, Bytes<?> bytes, int count) {
        for (int i = 0; i < count; i++) {
            assertEquals((byte) (31 * rank + i), bytes.readByte(), "byte " + i);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"THREADS", "SHM", "MIXED"})
    void theyAreBuffersAsAnyOther(Place place) {
        NeedsUnsafe.asChronicleDoes();
        try (CommunicatorJob job = new CommunicatorJob(RANKS, place)) {
            job.run(world -> {
                for (int bytes : new int[] {1, 100, LARGE}) {
                    for (int i = 0; i < 8; i++) {
                        exchange(world, bytes, i % 2 == 0);
                    }
                }
            });
        }
    }

    private static void exchange(Communicator world, int bytes, boolean isDirect) {
        int rank = world.rank();
        int before = (rank + RANKS - 1) % RANKS;
        Bytes<?> own = filled(rank, bytes, isDirect);
        Bytes<?> got = room(bytes, isDirect);
        world.sendRecv(own, (rank + 1) % RANKS, 1, got, before, 1);
        assertEquals(bytes, got.readRemaining());
        assertHas(before, got, bytes);
        got.releaseLast();

        Bytes<?> shared = rank == 1 ? filled(1, bytes, isDirect) : room(bytes, isDirect);
        world.broadcast(shared, 1);
        assertHas(1, shared, bytes);
        shared.releaseLast();

        Bytes<?> all = room(RANKS * bytes, isDirect);
        world.allGather(own, all);
        for (int each = 0; each < RANKS; each++) {
            assertHas(each, all, bytes);
        }
        all.releaseLast();

        Bytes<?> sum = room(bytes, isDirect);
        world.iallReduce(own, sum, Reduction.SUM).waitFor();
        for (int i = 0; i < bytes; i++) {
            assertEquals((byte) (31 * (0 + 1 + 2) + RANKS * i), sum.readByte());
        }
        sum.releaseLast();
        own.releaseLast();
    }

    private static Bytes<?> room(int bytes, boolean isDirect) {
        return isDirect ? Bytes.allocateDirect(bytes) : Bytes.wrapForWrite(new byte[bytes]);
    }
}
