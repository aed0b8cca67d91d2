package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import org.sluice.device.channel.PutResult;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * Writes into a peer's memory that go wrong: only that connection ends, and nothing is read or written once that was
 * told.
 */
@Tag("verbs")
final class RemoteWritesRxeTest {
    private static final int BYTES = 200_000;

    private final VerbsCalls verbs = VerbsRanks.verbs();
    private final Options options =
            VerbsRanks.options(Map.of("sluice.close.timeout.ms", "2000", "sluice.ib.rendezvous", "write"));
    private final ByteBuffer ours = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer theirs = ByteBuffer.allocateDirect(BYTES);
    private final RemoteReference described = new RemoteReference();
    private final RemoteReference offered = new RemoteReference();
    private TestRank[] ranks = {};

    private void open(int count) {
        ranks = VerbsRanks.joined(count, options, verbs);
        begin();
    }

    private void begin() {
        byte[] content = new byte[BYTES];
        new Random().nextBytes(content);
        ours.put(0, content);
        assertTrue(ranks[0].channel.reading().describe(1, ours, null, Memory.address(ours), BYTES, described));
        assertTrue(ranks[1].channel.writing().offer(0, theirs, null, Memory.address(theirs), BYTES, offered));
    }

    @AfterEach
    void close() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
        Reference.reachabilityFence(ours);
        Reference.reachabilityFence(theirs);
    }

    private PutResult put(long key, long address, long offset, int bytes) {
        RemoteReference reference = new RemoteReference();
        reference.set(key, address, null);
        return ranks[0].channel.writing().put(1, described, Memory.address(ours), bytes, reference, offset, "ticket");
    }

    private void assertOthersGoOn() {
        ranks[0].send(2, 5, new byte[100]);
        assertEquals(5, ranks[2].receive().tag());
        ranks[2].send(0, 6, new byte[100]);
        assertEquals(6, ranks[0].receive().tag());
    }

    private void assertRefused(long key, long address, int bytes) throws InterruptedException {
        assertEquals(PutResult.STARTED, put(key, address, 0, bytes));
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertEquals(1, failure.peer());
        assertTrue(
                !failure.corrupt() && failure.reason().contains("writing to its memory failed: remote access error"),
                failure.toString());
        assertEquals(java.util.List.of(new RecordingListener.Get("ticket", false)), ranks[0].listener.puts);
        assertOthersGoOn();
        assertEquals(1, ranks[0].listener.failures.size());
        assertEquals(-1, theirs.mismatch(ByteBuffer.allocate(BYTES)), "nothing was written");
    }

    @Test
    void aKeyThatNobodyHas() throws InterruptedException {
        open(3);
        assertRefused(offered.key ^ 0x5A5A00, offered.address, 1000);
    }

    @Test
    void memoryBeyondWhatTheKeyIsFor() throws InterruptedException {
        open(3);
        assertRefused(offered.key, offered.address + BYTES - 10, 100_000);
    }

    @Test
    void memoryThatTheReceiverHasTakenBack() throws InterruptedException {
        open(3);
        ranks[1].channel.writing().takeBack(0, offered.lease);
        ranks[1].channel.registering().deregister(theirs);
        assertRefused(offered.key, offered.address, 1000);
    }

    /** What peers are to read they can't write to: where long messages are read, keys are good for nothing else. */
    @Test
    void memoryThatIsThereToBeRead() throws InterruptedException {
        Options reading = VerbsRanks.options(Map.of("sluice.close.timeout.ms", "2000"));
        ranks = new TestRank[] {
            VerbsRanks.rank(0, 3, options, verbs, null),
            VerbsRanks.rank(1, 3, reading, verbs, null),
            VerbsRanks.rank(2, 3, reading, verbs, null)
        };
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        assertTrue(ranks[0].channel.reading().describe(1, ours, null, Memory.address(ours), BYTES, described));
        assertTrue(ranks[1].channel.reading().describe(0, theirs, null, Memory.address(theirs), BYTES, offered));
        assertFalse(ranks[1].channel
                .writing()
                .offer(0, theirs, null, Memory.address(theirs), BYTES, new RemoteReference()));
        assertEquals(
                GetResult.FAILED,
                ranks[1].channel.reading().get(0, described, 0, theirs, null, Memory.address(theirs), 100, 1));
        assertRefused(7L << 32 | offered.key & 0xFFFFFFFFL, offered.address, 1000);
    }

    @Test
    void whatCantBeIsNotTried() {
        open(2);
        assertEquals(PutResult.FAILED, put(offered.key, offered.address, -1, 100));
        assertEquals(PutResult.FAILED, put(offered.key, -50, 0, 100));
        assertEquals(PutResult.FAILED, put(offered.key, offered.address, Long.MAX_VALUE, 100));
        assertEquals(PutResult.FAILED, put(offered.key, offered.address, 0, -1));
        assertEquals(PutResult.FAILED, put(offered.key, offered.address, 0, 0));
        assertEquals(PutResult.FAILED, put(offered.key & 0xFFFFFFFFL, offered.address, 0, 100));
        assertEquals(
                PutResult.FAILED,
                put(5L << 32 | offered.key & 0xFFFFFFFFL, offered.address, 0, 100),
                "memory to be read");
        assertEquals(
                PutResult.FAILED, put(offered.key, offered.address, 0, Integer.MAX_VALUE), "more than one put takes");
        assertThrows(
                IllegalArgumentException.class,
                () -> ranks[0].channel
                        .writing()
                        .put(1, described, Memory.address(ours) + BYTES - 10, 100, offered, 0, 1),
                "bytes that were not described");
        RemoteReference untrue = new RemoteReference();
        untrue.set(described.key | 1, 0, null);
        assertEquals(
                GetResult.FAILED,
                ranks[1].channel.reading().get(0, untrue, 0, theirs, null, Memory.address(theirs), 100, 1));
        untrue.set(described.key, 4096, null);
        assertEquals(
                GetResult.FAILED,
                ranks[1].channel.reading().get(0, untrue, 0, theirs, null, Memory.address(theirs), 100, 1));
        assertEquals(
                GetResult.BY_PUT,
                ranks[1].channel.reading().get(0, described, 0, theirs, null, Memory.address(theirs), 100, 1));
        byte[] heap = new byte[100];
        assertEquals(
                GetResult.BY_STREAM,
                ranks[1].channel.reading().get(0, described, 0, null, heap, Memory.arrayOffset(heap), 100, 1));
        assertTrue(ranks[0].listener.failures.isEmpty() && ranks[1].listener.failures.isEmpty());
    }

    /** As many as fit are on the way when the peer goes; what comes is told before its failure, and nothing later. */
    @Test
    void aReceiverThatGoesInTheMiddle() throws InterruptedException {
        open(3);
        int started = 0;
        while (put(offered.key, offered.address, 0, BYTES) == PutResult.STARTED) {
            started++;
        }
        assertTrue(started > 1 && started <= 6, started + " writes on the way");
        ranks[1].channel.close();
        assertEquals(1, ranks[0].awaitFailure().peer());
        ranks[0].channel.disconnect(1);
        int told = ranks[0].listener.puts.size();
        assertTrue(told <= started);
        for (int i = 0; i < 50; i++) {
            ranks[0].channel.poll(ranks[0].listener, 10);
            Thread.sleep(2);
        }
        assertEquals(told, ranks[0].listener.puts.size());
        assertOthersGoOn();
    }

    @Test
    void aSenderThatGoesInTheMiddle() throws InterruptedException {
        open(3);
        while (put(offered.key, offered.address, 0, BYTES) == PutResult.STARTED) {
            continue;
        }
        ranks[0].channel.close();
        assertEquals(0, ranks[1].awaitFailure().peer());
        ranks[1].channel.disconnect(0);
        byte[] mark = new byte[BYTES];
        theirs.put(0, mark);
        for (int i = 0; i < 50; i++) {
            ranks[1].channel.poll(ranks[1].listener, 10);
            Thread.sleep(2);
        }
        assertEquals(-1, theirs.mismatch(ByteBuffer.wrap(mark)));
        ranks[1].channel.writing().takeBack(0, offered.lease);
        ranks[1].send(2, 5, new byte[100]);
        assertEquals(5, ranks[2].receive().tag());
    }

    private void openWith(VerbsCalls writers) {
        ranks = new TestRank[] {
            VerbsRanks.rank(0, 2, options, writers, null), VerbsRanks.rank(1, 2, options, verbs, null)
        };
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[1], ranks[0]);
    }

    @Test
    void aWriteThatIsRefusedByTheLibraryEndsItsConnection() throws InterruptedException {
        openWith(FailingVerbs.failing(verbs, "postSend", 1, Errno.EINVAL));
        begin();
        assertEquals(PutResult.STARTED, put(offered.key, offered.address, 0, 1000));
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(
                failure.reason().contains("ibv_post_send") && failure.reason().contains("EINVAL"), failure.toString());
        ranks[0].channel.disconnect(1);
    }

    @Test
    void whereNothingCanBeRegisteredItIsStreamed() {
        CountingVerbs living = new CountingVerbs(verbs);
        openWith(living.calls());
        // Memory that is none: the library refuses it.
        ByteBuffer nowhere = Memory.view(4096, 1000, null);
        RemoteReference into = new RemoteReference();
        assertFalse(ranks[0].channel.reading().describe(1, MemoryOwner.of(nowhere, null), null, 4096, 1000, into));
        assertFalse(ranks[0].channel.writing().offer(1, MemoryOwner.of(nowhere, null), null, 4096, 1000, into));
        begin();
        assertEquals(PutResult.STARTED, put(offered.key, offered.address, 0, 100));
        ranks[0].channel.close();
        assertTrue(living.living().isEmpty(), "left: " + living.living());
    }
}
