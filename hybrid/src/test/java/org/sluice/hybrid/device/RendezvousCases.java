package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/**
 * Long messages over verbs: by RDMA where both ends are direct memory, else streamed; counted, since a clock tells
 * little here.
 */
abstract class RendezvousCases {
    private static final int PIECE = 256 << 10;
    private static final int LIMIT = 8 << 10;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final String mode;
    private final int mover;
    private final String pieces;
    private final int[] workRequests;
    private DeviceJob job;

    /**
     * @param mode how long messages go
     * @param mover the rank that moves the bytes of messages from rank 0 to rank 1
     * @param pieces the counter of what it moves
     * @param workRequests of each rank, for a message of four pieces
     */
    RendezvousCases(String mode, int mover, String pieces, int... workRequests) {
        this.mode = mode;
        this.mover = mover;
        this.pieces = pieces;
        this.workRequests = workRequests;
    }

    /** Signs of life are work requests too, so none are asked for. */
    @BeforeEach
    void open() {
        System.out.println(getClass().getSimpleName() + " seed " + seed);
        job = DeviceJob.open(
                2, Map.of("sluice.channels", "ib", "sluice.peer.check.ms", "60000", "sluice.ib.rendezvous", mode));
    }

    @AfterEach
    void close() {
        job.close();
    }

    private byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return content;
    }

    private static ByteBuffer direct(byte[] content) {
        return ByteBuffer.allocateDirect(content.length).put(content).flip();
    }

    private static void assertSame(byte[] expected, ByteBuffer got, String what) {
        assertEquals(-1, ByteBuffer.wrap(expected).mismatch(got), what);
    }

    private void transfer(Object from, Object into) {
        job.run(device -> device.send(from, 1, 3), device -> device.recv(into, 0, 3));
    }

    private long count(int rank, String counter) {
        return job.device(rank).counters().getOrDefault(counter, 0L);
    }

    @Test
    void everyLengthAroundTheLimitsAndEveryKindOfBuffer() {
        for (int bytes : new int[] {LIMIT - 1, LIMIT, LIMIT + 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 777}) {
            byte[] content = content(bytes);
            ByteBuffer there = ByteBuffer.allocateDirect(bytes);
            transfer(direct(content), there);
            assertSame(content, there, bytes + " bytes from direct to direct");
            byte[] heap = new byte[bytes];
            transfer(direct(content), heap);
            assertSame(content, ByteBuffer.wrap(heap), bytes + " bytes from direct to heap");
            there = ByteBuffer.allocateDirect(bytes);
            transfer(content, there);
            assertSame(content, there, bytes + " bytes from heap to direct");
        }
    }

    @Test
    void messageBuffersAndBytes() {
        byte[] content = content(PIECE + 99);
        for (int round = 0; round < 3; round++) {
            MessageBuffer from = job.device(0).allocate(content.length);
            MessageBuffer into = job.device(1).allocate(content.length);
            from.byteBuffer().put(content);
            transfer(from, into);
            assertSame(content, into.byteBuffer(), "between message buffers");
            // The same memory next time, very likely: of another buffer, with another content.
            from.close();
            into.close();
            random.nextBytes(content);
        }
        Bytes<?> out = Bytes.allocateElasticDirect(content.length);
        out.write(content);
        Bytes<?> in = Bytes.allocateDirect(content.length);
        transfer(out, in);
        assertSame(content, ByteBuffer.wrap(in.toByteArray()), "between Bytes");
        out.releaseLast();
        in.releaseLast();
    }

    @Test
    void dataMovesOnceWithFewControlMessagesAndOneWorkRequestForEachPiece() {
        byte[] content = content(4 * PIECE);
        ByteBuffer from = direct(content);
        ByteBuffer into = ByteBuffer.allocateDirect(content.length);
        transfer(from, into);
        long[][] before = {counts(0), counts(1)};
        transfer(from, into);
        long[][] after = {counts(0), counts(1)};
        assertEquals(4, count(mover, pieces) / 2);
        for (int rank = 0; rank < 2; rank++) {
            String of = "rank " + rank;
            assertEquals(before[rank][0], after[rank][0], "a registration that was there, " + of);
            assertTrue(after[rank][1] - before[rank][1] < 200, "bytes copied beside the two packets, " + of);
            assertEquals(workRequests[rank], after[rank][2] - before[rank][2], "control messages and pieces, " + of);
            assertEquals(
                    after[rank][2] - before[rank][2],
                    after[rank][3] - before[rank][3],
                    "no call beside the posts, " + of);
            assertEquals(0, after[rank][4] - before[rank][4], "nothing streamed, " + of);
        }
        assertSame(content, into, "content");
    }

    /** Credit packets apart, which belong to no message. */
    private long[] counts(int rank) {
        long credits = count(rank, "credit.packets");
        return new long[] {
            count(rank, "registrations"),
            count(rank, "copied.bytes"),
            count(rank, "work.requests") - credits,
            count(rank, "native.crossings") - credits,
            count(rank, "streamed.chunks")
        };
    }

    @Test
    void viewsOfOneBufferAreRegisteredOnce() {
        ByteBuffer from = direct(content(10 * LIMIT));
        ByteBuffer into = ByteBuffer.allocateDirect(10 * LIMIT);
        for (int i = 0; i < 8; i++) {
            transfer(from.slice(i * 100, 5 * LIMIT), into.slice(i * 200, 5 * LIMIT));
            assertSame(bytes(from.slice(i * 100, 5 * LIMIT)), into.slice(i * 200, 5 * LIMIT), "view " + i);
        }
        assertEquals(1, count(0, "registrations"));
        assertEquals(1, count(1, "registrations"));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    @Test
    void manyMessagesOfOnePeerGoTogether() {
        int count = 30;
        List<byte[]> contents = new ArrayList<>();
        List<ByteBuffer> from = new ArrayList<>();
        List<ByteBuffer> into = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            contents.add(content(LIMIT + 1 + random.nextInt(PIECE / 2)));
            from.add(direct(contents.get(i)));
            into.add(ByteBuffer.allocateDirect(contents.get(i).length));
        }
        job.run(
                device -> {
                    Request[] sends = new Request[count];
                    for (int i = 0; i < count; i++) {
                        sends[i] = device.isend(from.get(i), 1, i);
                    }
                    device.waitAll(sends);
                },
                device -> {
                    Request[] receives = new Request[count];
                    for (int i = count - 1; i >= 0; i--) {
                        receives[i] = device.irecv(into.get(i), 0, i);
                    }
                    device.waitAll(receives);
                });
        for (int i = 0; i < count; i++) {
            assertSame(contents.get(i), into.get(i), "message " + i);
        }
        assertEquals(count, count(mover, pieces));
    }

    @Test
    void bothDirectionsAtOnce() {
        byte[] content = content(2 * PIECE);
        ByteBuffer[] into = {ByteBuffer.allocateDirect(content.length), ByteBuffer.allocateDirect(content.length)};
        job.runAll(device -> {
            int self = device.rank();
            ByteBuffer from = direct(content);
            for (int i = 0; i < 5; i++) {
                Request send = device.isend(from, 1 - self, i);
                device.recv(into[self], 1 - self, i);
                send.waitFor();
            }
        });
        assertSame(content, into[0], "rank 0");
        assertSame(content, into[1], "rank 1");
    }

    @Test
    void onlyWhatFitsIsMovedOfAMessageThatIsTooLong() {
        byte[] content = content(2 * PIECE);
        ByteBuffer into = ByteBuffer.allocateDirect(2 * PIECE);
        job.run(device -> device.send(direct(content), 1, 3), device -> {
            SluiceException failure =
                    assertThrows(SluiceException.class, () -> device.recv(into, 0, PIECE + 100L, 0, 3));
            assertEquals(ErrorCode.TRUNCATED, failure.code());
        });
        for (int i = 0; i < into.capacity(); i++) {
            assertEquals(i < PIECE + 100 ? content[i] : 0, into.get(i), "byte " + i);
        }
    }

    @Test
    void aProbedMessageAndOneInPlace() {
        byte[] content = content(PIECE + 5);
        ByteBuffer into = ByteBuffer.allocateDirect(content.length);
        job.run(
                device -> {
                    device.send(direct(content), 1, 3);
                    device.send(direct(content), 1, 4);
                },
                device -> {
                    device.mprobe(0, 3).recv(into);
                    try (var lease = device.mprobe(0, 4).recvInPlace()) {
                        assertSame(content, lease.buffer(), "the lease");
                    }
                });
        assertSame(content, into, "the probed one");
    }

    /** The fewest bytes of several rounds: others may see a compilation or a park. */
    @Test
    void aMessageAllocatesNothing() {
        job.runAll(device -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(4 * LIMIT);
            Status status = new Status();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 8; round++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 50; i++) {
                    if (device.rank() == 0) {
                        device.send(buffer, 1, i);
                        device.recv(buffer, 1, i, status);
                    } else {
                        device.recv(buffer, 0, i, status);
                        device.send(buffer, 0, i);
                    }
                }
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertTrue(least <= 50, "100 messages allocate " + least + " bytes");
        });
    }

    @Test
    void aReceiverThatClosesInTheMiddle() {
        byte[] content = content(32 * PIECE);
        content[PIECE / 2] = 1;
        ByteBuffer into = ByteBuffer.allocateDirect(content.length);
        job.run(
                device -> {
                    SluiceException failure =
                            assertThrows(SluiceException.class, () -> device.send(direct(content), 1, 3));
                    assertEquals(ErrorCode.PEER_CLOSED, failure.code());
                },
                device -> {
                    Request receive = device.irecv(into, 0, 3);
                    while (into.get(PIECE / 2) == 0) {
                        receive.test();
                    }
                    device.close();
                    assertEquals(
                            ErrorCode.DEVICE_CLOSED,
                            assertThrows(SluiceException.class, receive::waitFor)
                                    .code());
                    byte[] mark = content(content.length);
                    into.put(0, mark);
                    Thread.sleep(300);
                    assertSame(mark, into, "what the buffer was given after the close");
                });
    }

    @Test
    void aSenderThatClosesInTheMiddleSendsAllFirst() {
        byte[] content = content(8 * PIECE);
        ByteBuffer into = ByteBuffer.allocateDirect(content.length);
        job.run(
                device -> {
                    Request send = device.isend(direct(content), 1, 3);
                    device.close();
                    assertTrue(send.isDone());
                    send.waitFor();
                },
                device -> device.recv(into, 0, 3));
        assertSame(content, into, "the message");
    }
}
