package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.SendOperation;

/**
 * Long messages for which memory runs out as they begin: whoever waits for them is told, and not before their pieces
 * are off the way.
 */
final class BrokenOffTransfersTest extends WritingScript {
    private static final long PULLED = 9;

    private final OutOfMemoryError full = new OutOfMemoryError("by this test");

    /** A channel's books, in which the first entry is made, and no more. */
    private final class Books extends ArrayList<HostileChannel.Get> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean add(HostileChannel.Get each) {
            super.add(each);
            throw full;
        }
    }

    /** A channel's books, in which so many find a place; for others nothing begins. */
    private final class Refusing extends ArrayList<HostileChannel.Get> {
        private static final long serialVersionUID = 1L;
        private final int most;

        Refusing(int most) {
            this.most = most;
        }

        @Override
        public boolean add(HostileChannel.Get each) {
            if (size() == most) {
                throw full;
            }
            return super.add(each);
        }
    }

    private Completion send(int bytes) {
        SendOperation operation = routes[PEER].operation();
        byte[] body = new byte[bytes];
        operation.completion = new Completion(null);
        operation.buffer = body;
        operation.base = body;
        operation.address = UserBuffer.address(body, 0, false);
        operation.bytes = bytes;
        operation.elementSize = 1;
        operation.synchronous = true;
        Completion completion = operation.completion;
        assertFalse(routes[PEER].send(operation));
        return completion;
    }

    private void announce(long key) {
        long[] start = {5, 300, key, 0};
        byte[] body = new byte[32];
        Memory.copy(start, Memory.arrayOffset(start), body, Memory.arrayOffset(body), body.length);
        channel.arrive(PEER, PacketKind.RNDV_START, 0, 7, body);
    }

    private Completion post() {
        Completion completion = new Completion(null);
        exchange.post(new byte[300], 0, 300, 0, PEER, 7, completion);
        return completion;
    }

    /** A round, and what the engine does where one throws. */
    private void roundThatFails() {
        Throwable thrown = assertThrows(Throwable.class, exchange::work);
        exchange.fail(thrown);
    }

    private void assertEndedByDevice(Completion completion) {
        assertEnded(completion);
        assertTrue(channel.disconnected.contains(PEER), "its buffer is still read or written");
        Throwable cause = assertThrows(SluiceException.class, () -> {
                    throw exchange.ended();
                })
                .getCause();
        assertSame(full, cause == full ? cause : cause.getCause());
        assertEquals(-1, exchange.firstBusyPeer());
    }

    @Test
    void aSendWhoseFirstPieceIsOnItsWay() {
        Completion completion = send(350);
        long sendId = channel.sent.removeLast().words()[0];
        channel.puts = new Books();
        channel.arrive(PEER, PacketKind.RNDV_REPLY, sendId, 3, 350, HostileChannel.WRITTEN, 8192);
        roundThatFails();
        assertEndedByDevice(completion);
        assertEquals(List.of(), channel.puts);
    }

    @Test
    void aReceiveWhoseFirstPieceIsOnItsWay() {
        channel.gets = new Refusing(1);
        Completion completion = post();
        announce(PULLED);
        Throwable thrown = assertThrows(Throwable.class, exchange::work);
        assertFalse(completion.isReached(), "its buffer is still written to");
        exchange.fail(thrown);
        assertEndedByDevice(completion);
    }

    /** As where the program asks for what has completed, and there is no memory to keep it for that. */
    @Test
    void anOfferIsTakenBackOnceWhereItsEndThrows() {
        Completion first = new Completion(null) {
            @Override
            public boolean fail(Failure failure, int contextId, int source, int tag, long bytes, int elementSize) {
                super.fail(failure, contextId, source, tag, bytes, elementSize);
                throw full;
            }
        };
        exchange.post(new byte[300], 0, 300, 0, PEER, 7, first);
        announce(HostileChannel.WRITTEN);
        run();
        assertEquals(1, channel.offers.size());
        Completion posted = post();
        exchange.fail(new IllegalStateException("by this test"));
        run();
        assertEnded(first);
        assertEnded(posted);
        assertEquals(List.of(), channel.offers);
        assertFalse(exchange.waitsForRoom(), "it never comes to its end");
    }

    /**
     * As by a kernel's copy that finds no memory: what the peer is cut off for would keep it from hearing of the end.
     */
    @Test
    void aReceiveThatNothingWasBegunForLetsThePeerHear() {
        channel.gets = new Refusing(0);
        Completion completion = post();
        announce(PULLED);
        roundThatFails();
        assertEndedWithGoodbye(completion);
    }

    private void assertEndedWithGoodbye(Completion completion) {
        assertEnded(completion);
        assertFalse(channel.disconnected.contains(PEER), "it can't hear of the end");
        assertTrue(channel.sent.stream().anyMatch(packet -> packet.kind() == PacketKind.CLOSE), channel.sent::toString);
    }

    private void assertEnded(Completion completion) {
        assertTrue(completion.isReached(), "its program waits for ever");
        assertEquals(ErrorCode.DEVICE_FAILED, completion.error());
        assertFalse(exchange.isReceiving());
    }
}
