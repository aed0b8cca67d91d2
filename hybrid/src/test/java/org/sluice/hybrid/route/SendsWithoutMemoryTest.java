package org.sluice.hybrid.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.request.Failure;

/** Memory runs out while a send goes from one list to the next: the end of its route finds it in one of them, once. */
final class SendsWithoutMemoryTest {
    private static final int PEER = 3;
    private static final Failure DEAD = new Failure(ErrorCode.PEER_DEAD, PEER, "died in the test");

    private final NarrowChannel channel = new NarrowChannel();
    private final Route route =
            new Route(PEER, Locality.SAME_NODE, channel, 200, 1 << 20, new DeferredWork(), Fences.SYMMETRIC);

    private static SendOperation operation(Route route, int tag, int bytes) {
        SendOperation operation = route.operation();
        byte[] body = new byte[bytes];
        operation.buffer = body;
        operation.base = body;
        operation.address = UserBuffer.address(body, 0, false);
        operation.bytes = bytes;
        operation.elementSize = 1;
        operation.tag = tag;
        return operation;
    }

    private void assertEndFinds(SendOperation... operations) {
        List<SendOperation> ended = new ArrayList<>();
        route.fail(DEAD, ended);
        assertEquals(List.of(operations), ended);
        assertTrue(route.isIdle());
    }

    /** So it can't fail: the deque that was here before lost all that waited when it could not grow. */
    @Test
    void whatWaitsForRoomNeedsNoMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        channel.room = 0;
        SendOperation[] operations = new SendOperation[1000];
        Arrays.setAll(operations, tag -> operation(route, tag, 20));
        // The first attempts have classes loaded.
        for (int i = 0; i < 10; i++) {
            route.send(operations[i]);
        }
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 10; i < operations.length; i++) {
            route.send(operations[i]);
        }
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertTrue(allocated < operations.length, allocated + " bytes for " + operations.length + " that wait");
        assertEndFinds(operations);
    }

    private SendOperation holding(MessageMemory memory, int bytes) {
        SendOperation operation = operation(route, 7, bytes);
        operation.held = UserBuffer.hold(memory);
        return operation;
    }

    /** Its peer has been told where the bytes are, or will be. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whatIsOutOrWaitsHoldsItsBufferWhereTheBellThrows(int room) {
        MessageMemory memory = new MessageMemory(new PlainMemory(), 64);
        SendOperation operation = holding(memory, 5000);
        channel.room = room;
        channel.broken = new OutOfMemoryError("by this test");
        assertThrows(OutOfMemoryError.class, () -> route.send(operation));
        assertThrows(IllegalStateException.class, memory::close, "a peer may read it");
        assertEndFinds(operation);
    }

    @Test
    void whatWasNeverSentHoldsItsBufferNoLonger() {
        MessageMemory memory = new MessageMemory(new PlainMemory(), 64);
        SendOperation operation = holding(memory, 5000);
        channel.refusal = new IllegalStateException("by this test");
        assertThrows(IllegalStateException.class, () -> route.send(operation));
        memory.close();
        assertEndFinds();
    }

    @Test
    void whatWasLeasedIsGivenBackOnce() {
        MessageMemory memory = new MessageMemory(new PlainMemory(), 64);
        SendOperation operation = holding(memory, 5000);
        assertThrows(IllegalStateException.class, memory::close);
        operation.described.lease = new Object();
        operation.giveBack(channel);
        operation.giveBack(channel);
        assertEquals(1, channel.released);
        memory.close();
    }
}
