package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.receive.DirectReceive;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.request.Completion;

/** The receive that its caller polls for, and everything that makes it an ordinary one. */
@Timeout(60)
final class DirectReceiveTest extends DirectReceiveFixture {
    private void assertStatus(int source, int tag, long bytes, ErrorCode error) {
        assertEquals(source, status.source());
        assertEquals(tag, status.tag());
        assertEquals(CONTEXT, status.contextId());
        assertEquals(bytes, status.bytes());
        assertEquals(error, status.error());
    }

    /** Polls; what comes ends it or makes it an ordinary receive, which is returned. */
    private Completion poll(DirectReceive direct) {
        assertNotNull(direct, "nothing speaks against a direct receive");
        engine.spin(direct);
        return exchange.direct().end(direct);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 100})
    void itsOwnMessageLandsInItsBuffer(int length) {
        for (int[] pattern : new int[][] {{FROM, TAG}, {ANY_SOURCE, TAG}, {FROM, ANY_TAG}, {ANY_SOURCE, ANY_TAG}}) {
            byte[] into = new byte[100];
            arrive(FROM, TAG, bytes(length));
            DirectReceive direct = begin(into, pattern[0], pattern[1]);
            assertNull(poll(direct), "nothing was posted");
            direct.fill(status);
            assertStatus(FROM, TAG, length, ErrorCode.NONE);
            assertArrayEquals(bytes(length), java.util.Arrays.copyOf(into, length));
        }
        assertEquals(4, counters.get(Counter.RECEIVED_EXPECTED));
        assertEquals(0, counters.get(Counter.RECEIVED_UNEXPECTED));
    }

    /** As above over a channel that leaves everything to the poll. */
    @Test
    void itsOwnMessageLandsInItsBufferByThePoll() {
        channel.takes = false;
        itsOwnMessageLandsInItsBuffer(8);
    }

    @Test
    void whatComesFirstFromElsewhereIsReceivedRightAndInOrder() {
        channel.takes = false;
        int[][] others = {{OTHER, TAG, CONTEXT}, {FROM, TAG + 1, CONTEXT}, {FROM, TAG, CONTEXT + 1}};
        for (int[] other : others) {
            byte[] mine = new byte[10];
            channel.arrive(other[0], PacketKind.EAGER, other[2], other[1], bytes(3));
            arrive(FROM, TAG, bytes(10));
            arrive(FROM, TAG, bytes(11));
            Completion posted = poll(begin(mine, FROM, TAG));
            assertTrue(engine.await(posted, System.nanoTime() + TimeUnit.SECONDS.toNanos(20)));
            posted.result(status);
            assertStatus(FROM, TAG, 10, ErrorCode.NONE);
            assertArrayEquals(bytes(10), mine);
            byte[] later = new byte[11];
            Completion second = post(later, FROM, TAG);
            exchange.work();
            assertTrue(second.isReached());
            assertArrayEquals(bytes(11), later);
            Completion early = new Completion(null);
            byte[] into = new byte[3];
            exchange.post(into, 0, 3, other[2], other[0], other[1], early);
            assertTrue(early.isReached(), "it was stored");
            assertArrayEquals(bytes(3), into);
        }
    }

    @Test
    void aMessageThatIsTooLongIsTruncated() {
        byte[] into = new byte[6];
        arrive(FROM, TAG, bytes(10));
        Completion posted = poll(begin(into, FROM, TAG));
        assertTrue(posted.isReached());
        posted.fill(status);
        assertStatus(FROM, TAG, 10, ErrorCode.TRUNCATED);
        assertArrayEquals(java.util.Arrays.copyOf(bytes(10), 6), into);
        assertNotNull(begin(into, FROM, TAG), "the message is consumed");
    }

    @Test
    void aMessageThatComesOutUnevenIsAMismatch() {
        long[] into = new long[4];
        arrive(FROM, TAG, bytes(20));
        Completion posted = poll(begin(into, FROM, TAG));
        assertTrue(posted.isReached());
        posted.fill(status);
        assertStatus(FROM, TAG, 20, ErrorCode.ELEMENT_MISMATCH);
        assertEquals(2, status.count());
        arrive(FROM, TAG, bytes(24));
        DirectReceive direct = begin(into, FROM, TAG);
        assertNull(poll(direct));
        direct.fill(status);
        assertEquals(3, status.count());
    }

    @Test
    void aLargeMessageIsReceivedByRendezvous() {
        byte[] into = new byte[300];
        long[] start = {77, 300, RemoteReference.NO_REFERENCE, 0};
        byte[] body = new byte[32];
        Memory.copy(start, Memory.arrayOffset(start), body, Memory.arrayOffset(body), 32);
        channel.arrive(FROM, PacketKind.RNDV_START, CONTEXT, TAG, body);
        Completion posted = poll(begin(into, ANY_SOURCE, TAG));
        assertFalse(posted.isReached());
        HostileChannel.Sent reply = channel.sent.remove();
        assertEquals(PacketKind.RNDV_REPLY, reply.kind());
        assertEquals(77, reply.words()[0]);
        long id = reply.words()[1];
        channel.arrive(FROM, PacketKind.RNDV_DATA, (int) (id >> 32), (int) id, bytes(300));
        exchange.work();
        assertTrue(posted.isReached());
        posted.result(status);
        assertStatus(FROM, TAG, 300, ErrorCode.NONE);
        assertArrayEquals(bytes(300), into);
    }

    @Test
    void aPeerThatFailsEndsWhatOnlyItCouldSend() {
        for (int source : new int[] {FROM, ANY_SOURCE, OTHER}) {
            DirectReceiveTest fresh = new DirectReceiveTest();
            fresh.engine.lock();
            fresh.channel.arrive(FROM, 99, new long[0]);
            byte[] into = new byte[4];
            Completion posted = fresh.poll(fresh.begin(into, source, TAG));
            assertEquals(source != OTHER, posted.isReached());
            if (source == OTHER) {
                fresh.arrive(OTHER, TAG, bytes(4));
                fresh.exchange.work();
                assertTrue(posted.isReached());
                assertArrayEquals(bytes(4), into);
            } else {
                assertEquals(ErrorCode.PEER_CORRUPT, posted.error());
                assertEquals(FROM, posted.failure().peer());
                assertNull(fresh.begin(into, source, TAG), "nothing can come: the ordinary receive says why");
            }
            fresh.engine.unlock();
            fresh.engine.stop(System.nanoTime() + 10_000_000_000L);
        }
    }

    /** The other thread gets the lock while the receive polls or after it has become an ordinary one. */
    @Test
    void aCloseFromAnotherThreadEndsIt() throws InterruptedException {
        for (int delayMicros : new int[] {0, 1, 10, 100, 10_000}) {
            DirectReceiveTest fresh = new DirectReceiveTest();
            Thread closer = new Thread(() -> {
                long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(delayMicros);
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                fresh.engine.lock();
                fresh.exchange.end(CLOSED);
                fresh.engine.unlock();
            });
            fresh.engine.lock();
            DirectReceive direct = fresh.begin(new byte[4], ANY_SOURCE, ANY_TAG);
            closer.start();
            Completion posted = fresh.poll(direct);
            assertNotNull(posted);
            assertTrue(
                    fresh.engine.await(posted, System.nanoTime() + TimeUnit.SECONDS.toNanos(20)),
                    "it hangs after " + delayMicros);
            assertEquals(ErrorCode.DEVICE_CLOSED, posted.error());
            fresh.engine.unlock();
            closer.join();
            fresh.engine.stop(System.nanoTime() + 10_000_000_000L);
        }
    }

    @Test
    void nothingIsReceivedAnyMoreOnceADeviceCloses() {
        exchange.failPosted(CLOSED);
        DirectReceive direct = begin(new byte[4], FROM, TAG);
        Completion posted = direct == null ? post(new byte[4], FROM, TAG) : poll(direct);
        assertTrue(posted.isReached(), "it would wait until the end of closing");
        assertEquals(ErrorCode.DEVICE_CLOSED, posted.error());
    }

    @Test
    void itDoesNotOvertakeWhatWaits() {
        byte[] first = new byte[4];
        Completion earlier = post(first, FROM, TAG);
        assertNull(begin(new byte[4], FROM, TAG), "a receive was posted before");
        arrive(FROM, TAG, bytes(4));
        exchange.work();
        assertTrue(earlier.isReached());

        arrive(FROM, TAG, bytes(4));
        exchange.work();
        assertNull(begin(new byte[4], FROM, TAG), "a message waits already");
        assertTrue(post(first, FROM, TAG).isReached());

        Completion probed = new Completion(null);
        exchange.probes().begin(new Probe(CONTEXT, FROM, TAG, null, probed));
        assertNull(begin(new byte[4], FROM, TAG), "a probe was made before");
        arrive(FROM, TAG, bytes(4));
        exchange.work();
        assertTrue(probed.isReached());
        assertTrue(post(first, FROM, TAG).isReached());
        assertNotNull(begin(new byte[4], FROM, TAG), "nothing waits any more");
    }

    @Test
    void onePolledForInVainIsAnOrdinaryReceive() {
        Completion before = null;
        for (int i = 1; i <= 3; i++) {
            byte[] into = new byte[i];
            DirectReceive direct = begin(into, FROM, TAG);
            Completion posted = poll(direct);
            assertFalse(posted.isReached());
            assertNull(begin(new byte[4], FROM, TAG), "it counts as posted");
            arrive(FROM, TAG, bytes(i));
            exchange.work();
            assertTrue(posted.isReached());
            posted.result(status);
            assertStatus(FROM, TAG, i, ErrorCode.NONE);
            assertArrayEquals(bytes(i), into);
            direct.giveBack(posted);
            assertTrue(before == null || before == posted, "the completion is used again");
            before = posted;
        }
        assertSame(before, poll(begin(new byte[1], FROM, TAG)));
    }

    /** Between polls nobody else may have posted: then the message would be theirs. */
    @Test
    void whoeverWantsTheLockMakesItOrdinaryAndComesAfterIt() throws InterruptedException {
        byte[] mine = new byte[4];
        byte[] theirs = new byte[5];
        Completion[] other = new Completion[1];
        DirectReceive direct = begin(mine, FROM, TAG);
        Thread thread = new Thread(() -> {
            engine.lock();
            other[0] = post(theirs, FROM, TAG);
            engine.unlock();
        });
        thread.start();
        Completion posted = poll(direct);
        assertNotNull(posted);
        engine.unlock();
        thread.join();
        engine.lock();
        arrive(FROM, TAG, bytes(4));
        arrive(FROM, TAG, bytes(5));
        exchange.work();
        exchange.work();
        assertTrue(posted.isReached() && other[0].isReached());
        assertArrayEquals(bytes(4), mine);
        assertArrayEquals(bytes(5), theirs);
    }
}
