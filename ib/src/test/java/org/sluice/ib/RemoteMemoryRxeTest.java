package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.buffer.MemoryOwner;
import org.sluice.device.channel.GetResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/** Reads of a peer's memory that go wrong: only that connection ends, and nothing is written once that was told. */
@Tag("verbs")
final class RemoteMemoryRxeTest {
    private static final int BYTES = 200_000;

    private final VerbsCalls verbs = VerbsRanks.verbs();
    private final Options options = VerbsRanks.options(Map.of("sluice.close.timeout.ms", "2000"));
    private final ByteBuffer theirs = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer ours = ByteBuffer.allocateDirect(BYTES);
    private final RemoteReference described = new RemoteReference();
    private TestRank[] ranks = {};

    private void open(int count, VerbsCalls calls) {
        ranks = VerbsRanks.joined(count, options, calls);
        byte[] content = new byte[BYTES];
        new Random().nextBytes(content);
        theirs.put(0, content);
        assertTrue(ranks[1].channel.reading().describe(0, theirs, null, Memory.address(theirs), BYTES, described));
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }

    private GetResult get(long key, long address, long offset, int bytes) {
        RemoteReference reference = new RemoteReference();
        reference.set(key, address, null);
        return ranks[0].channel
                .reading()
                .get(1, reference, offset, MemoryOwner.of(ours, null), null, Memory.address(ours), bytes, "ticket");
    }

    private void assertRefused(long key, long address, int bytes) throws InterruptedException {
        assertEquals(GetResult.STARTED, get(key, address, 0, bytes));
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertEquals(1, failure.peer());
        assertTrue(
                !failure.corrupt() && failure.reason().contains("reading its memory failed: remote access error"),
                failure.toString());
        assertEquals(java.util.List.of(new RecordingListener.Get("ticket", false)), ranks[0].listener.gets);
        ranks[0].send(2, 5, new byte[100]);
        assertEquals(5, ranks[2].receive().tag());
        ranks[2].send(0, 6, new byte[100]);
        assertEquals(6, ranks[0].receive().tag());
        assertEquals(1, ranks[0].listener.failures.size());
    }

    @Test
    void aKeyThatNobodyHas() throws InterruptedException {
        open(3, verbs);
        assertRefused(described.key ^ 0x5A5A00, described.address, 1000);
    }

    @Test
    void memoryBeyondWhatTheKeyIsFor() throws InterruptedException {
        open(3, verbs);
        assertRefused(described.key, described.address + BYTES - 10, 100_000);
    }

    @Test
    void aKeyThatWasTakenBack() throws InterruptedException {
        open(3, verbs);
        ranks[1].channel.reading().release(described.lease);
        ranks[1].channel.registering().deregister(theirs);
        assertRefused(described.key, described.address, 1000);
    }

    @Test
    void whatCantBeIsNotTried() {
        open(2, verbs);
        assertEquals(GetResult.FAILED, get(described.key, described.address, -1, 100));
        assertEquals(GetResult.FAILED, get(described.key, -50, 0, 100));
        assertEquals(GetResult.FAILED, get(described.key, described.address, Long.MAX_VALUE, 100));
        assertEquals(GetResult.FAILED, get(described.key, described.address, 0, -1));
        assertEquals(GetResult.FAILED, get(described.key & 0xFFFFFFFFL, described.address, 0, 100));
        assertEquals(
                GetResult.FAILED,
                get(described.key, described.address, 0, Integer.MAX_VALUE),
                "more than one get takes");
        byte[] heap = new byte[100];
        assertEquals(
                GetResult.BY_STREAM,
                ranks[0].channel.reading().get(1, described, 0, null, heap, Memory.arrayOffset(heap), 100, 1));
        assertFalse(ranks[0].channel.reading().describe(1, null, heap, Memory.arrayOffset(heap), 100, described));
        assertTrue(ranks[0].listener.failures.isEmpty());
    }

    /**
     * As many as fit are on the way when the peer goes; what comes is told before its failure, and nothing is written
     * later.
     */
    @Test
    void aPeerThatGoesInTheMiddle() throws InterruptedException {
        open(3, verbs);
        int started = 0;
        while (get(described.key, described.address, 0, BYTES) == GetResult.STARTED) {
            started++;
        }
        assertTrue(started > 1 && started <= 6, started + " reads on the way");
        ranks[1].channel.close();
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertEquals(1, failure.peer());
        assertTrue(ranks[0].listener.gets.size() <= started);
        ranks[0].channel.disconnect(1);
        int told = ranks[0].listener.gets.size();
        byte[] mark = new byte[BYTES];
        ours.put(0, mark);
        for (int i = 0; i < 50; i++) {
            ranks[0].channel.poll(ranks[0].listener, 10);
            Thread.sleep(2);
        }
        assertEquals(told, ranks[0].listener.gets.size());
        assertEquals(-1, ours.mismatch(ByteBuffer.wrap(mark)));
        ranks[0].send(2, 5, new byte[100]);
        assertEquals(5, ranks[2].receive().tag());
        Reference.reachabilityFence(theirs);
    }

    @Test
    void aReadThatIsRefusedByTheLibraryEndsItsConnection() throws InterruptedException {
        FailingVerbs counting = FailingVerbs.failing(verbs, "postSend", 1, Errno.EINVAL);
        ranks = VerbsRanks.apart(2, options, verbs);
        ranks[0].channel.close();
        ranks[1].channel.close();
        TestRank reader = VerbsRanks.rank(0, 2, options, counting, null);
        TestRank owner = VerbsRanks.rank(1, 2, options, verbs, null);
        ranks = new TestRank[] {reader, owner};
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(owner, reader);
        assertTrue(owner.channel.reading().describe(0, theirs, null, Memory.address(theirs), BYTES, described));
        assertEquals(GetResult.STARTED, get(described.key, described.address, 0, 1000));
        RecordingListener.Failure failure = reader.awaitFailure();
        assertTrue(
                failure.reason().contains("ibv_post_send") && failure.reason().contains("EINVAL"), failure.toString());
        reader.channel.disconnect(1);
    }

    @Test
    void whereNothingCanBeRegisteredItIsStreamed() {
        ranks = VerbsRanks.apart(2, options, verbs);
        ranks[0].channel.close();
        ranks[1].channel.close();
        CountingVerbs living = new CountingVerbs(verbs);
        TestRank reader = VerbsRanks.rank(0, 2, options, living.calls(), null);
        TestRank owner = VerbsRanks.rank(1, 2, options, verbs, null);
        ranks = new TestRank[] {reader, owner};
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(owner, reader);
        assertTrue(owner.channel.reading().describe(0, theirs, null, Memory.address(theirs), BYTES, described));
        // Memory that is none: the library refuses it.
        ByteBuffer nowhere = Memory.view(4096, 1000, null);
        RemoteReference into = new RemoteReference();
        assertFalse(reader.channel.reading().describe(1, MemoryOwner.of(nowhere, null), null, 4096, 1000, into));
        assertEquals(
                GetResult.BY_STREAM,
                reader.channel.reading().get(1, described, 0, MemoryOwner.of(nowhere, null), null, 4096, 1000, 1));
        ByteBuffer fine = ByteBuffer.allocateDirect(100);
        assertEquals(
                GetResult.STARTED,
                reader.channel.reading().get(1, described, 0, fine, null, Memory.address(fine), 100, 1));
        reader.channel.close();
        assertTrue(living.living().isEmpty(), "left: " + living.living());
    }
}
