package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.buffer.UserBuffer;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.receive.StoredMessages;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/** A peer that writes nonsense is cut off with the reason; everybody else goes on. */
final class HostilePacketsTest {
    private static final int LIAR = 1;
    private static final int HONEST = 2;
    private static final long SHARE = 1 << 20;

    private final HostileChannel channel = new HostileChannel();
    private final DeferredWork deferred = new DeferredWork();
    private final Route[] routes = new Route[3];
    private final Counters counters = new Counters();
    private final Exchange exchange;
    private final ByteBuffer wordMemory = ByteBuffer.allocateDirect(WaitWord.BYTES);

    HostilePacketsTest() {
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = new Route(rank, Locality.SAME_NODE, channel, 1024, SHARE, deferred, Fences.SYMMETRIC);
        }
        exchange = new Exchange(0, new Channel[] {channel}, routes, deferred, SHARE, false, counters);
        exchange.engine(new ProgressEngine(
                exchange,
                new WaitWord(Memory.address(wordMemory), wordMemory, null),
                new WaitPolicy(0, 0, 1_000_000_000),
                Sleeper.napping(),
                0,
                "none",
                counters));
    }

    private Completion receive(byte[] into, int source, int tag) {
        Completion completion = new Completion(null);
        exchange.post(into, 0, into.length, 0, source, tag, completion);
        return completion;
    }

    private Completion send(int dest, byte[] body) {
        SendOperation operation = routes[dest].operation();
        operation.completion = new Completion(null);
        operation.buffer = body;
        operation.base = body;
        operation.address = UserBuffer.address(body, 0, false);
        operation.bytes = body.length;
        operation.elementSize = 1;
        operation.synchronous = true;
        Completion completion = operation.completion;
        assertFalse(routes[dest].send(operation), "not over before it matched");
        return completion;
    }

    private void run() {
        for (int i = 0; i < 100; i++) {
            exchange.work();
        }
    }

    /** What the liar sent is found out; what the honest peer sends still arrives. */
    private void assertCutOff(String... words) {
        Completion fromLiar = receive(new byte[8], LIAR, 1);
        Completion wild = receive(new byte[8], ANY_SOURCE, 77);
        run();
        assertEquals(ErrorCode.PEER_CORRUPT, fromLiar.error());
        assertEquals(LIAR, fromLiar.failure().peer());
        for (String word : words) {
            assertTrue(
                    fromLiar.failure().message().contains(word),
                    fromLiar.failure().message());
        }
        assertEquals(ErrorCode.PEER_CORRUPT, wild.error(), "wildcards fail until the program acknowledges");
        exchange.acknowledge(LIAR);
        assertTrue(channel.disconnected.contains(LIAR));
        assertFalse(channel.disconnected.contains(HONEST));
        byte[] into = new byte[3];
        Completion next = receive(into, ANY_SOURCE, ANY_TAG);
        channel.arrive(LIAR, PacketKind.EAGER, 0, 5, new byte[] {9});
        channel.arrive(HONEST, PacketKind.EAGER, 0, 6, new byte[] {1, 2, 3});
        run();
        assertTrue(next.isReached());
        assertNull(next.failure());
        assertEquals(2, into[1]);
        assertEquals(ErrorCode.PEER_CORRUPT, send2(LIAR), "nothing goes to the liar any more");
        assertNull(exchange.ended(), "the device lives");
    }

    private ErrorCode send2(int dest) {
        return routes[dest].failure() == null
                ? ErrorCode.NONE
                : routes[dest].failure().code();
    }

    @Test
    void packetsOfNoKind() {
        channel.arrive(LIAR, 99, new long[0]);
        assertCutOff("99");
    }

    @Test
    void controlPacketsOfTheWrongLength() {
        int[] kinds = {
            PacketKind.RNDV_START,
            PacketKind.RNDV_REPLY,
            PacketKind.RNDV_END,
            PacketKind.RELEASE,
            PacketKind.RNDV_CANCEL,
            PacketKind.RNDV_WITHDRAWN
        };
        for (int kind : kinds) {
            HostilePacketsTest fresh = new HostilePacketsTest();
            fresh.channel.arrive(LIAR, kind, 0, 0, new byte[5]);
            fresh.assertCutOff(PacketKind.name(kind), "5 bytes");
        }
    }

    @Test
    void anEagerMessageLongerThanAnyChannelCarries() {
        channel.arrive(LIAR, PacketKind.EAGER, 0, 0, new byte[StoredMessages.LONGEST_BYTES + 1]);
        assertCutOff("EAGER");
    }

    @Test
    void aMessageOfNegativeLength() {
        channel.arrive(LIAR, PacketKind.RNDV_START, 1, -1, 0, 0);
        assertCutOff("RNDV_START");
    }

    /** A receive of any tag would match it; and one that is the wildcard would be told to whoever probes. */
    @Test
    void messagesWithANegativeTag() {
        for (int tag : new int[] {ANY_TAG, -7, Integer.MIN_VALUE}) {
            for (int kind : new int[] {PacketKind.EAGER, PacketKind.RNDV_START}) {
                HostilePacketsTest fresh = new HostilePacketsTest();
                Completion any = fresh.receive(new byte[400], LIAR, ANY_TAG);
                fresh.channel.arrive(
                        LIAR,
                        kind,
                        0,
                        tag,
                        kind == PacketKind.EAGER ? new byte[8] : start(1, 300, RemoteReference.NO_REFERENCE));
                fresh.assertCutOff(PacketKind.name(kind), "tag " + tag);
                assertEquals(ErrorCode.PEER_CORRUPT, any.error(), PacketKind.name(kind) + " with tag " + tag);
            }
        }
    }

    @Test
    void answersToSendsThatNobodyMade() {
        channel.arrive(LIAR, PacketKind.RNDV_REPLY, 12345, 1, 1);
        assertCutOff("RNDV_REPLY");
        HostilePacketsTest fresh = new HostilePacketsTest();
        fresh.channel.arrive(LIAR, PacketKind.RNDV_END, 0);
        fresh.assertCutOff("RNDV_END");
    }

    @Test
    void anAnswerToASendThatWentToSomebodyElse() {
        Completion honest = send(HONEST, new byte[300]);
        long id = channel.sent.remove().words()[0];
        channel.arrive(LIAR, PacketKind.RNDV_END, id);
        assertCutOff("RNDV_END");
        assertFalse(honest.isReached());
        channel.arrive(HONEST, PacketKind.RNDV_END, id);
        run();
        assertTrue(honest.isReached());
        assertNull(honest.failure());
    }

    @Test
    void theWithdrawalOfASendThatNobodyTookBack() {
        Completion send = send(LIAR, new byte[300]);
        channel.arrive(LIAR, PacketKind.RNDV_WITHDRAWN, channel.sent.remove().words()[0]);
        assertCutOff("RNDV_WITHDRAWN");
        assertEquals(ErrorCode.PEER_CORRUPT, send.error());
    }

    @Test
    void aSendIsAskedBackOnceAndEndsByWhateverIsAnswered() {
        for (int answer : new int[] {PacketKind.RNDV_WITHDRAWN, PacketKind.RNDV_END}) {
            HostilePacketsTest fresh = new HostilePacketsTest();
            Completion send = fresh.send(HONEST, new byte[300]);
            SendOperation operation =
                    fresh.routes[HONEST].started(fresh.channel.sent.remove().words()[0]);
            send.operation(operation);
            long id = operation.id;
            assertFalse(fresh.exchange.cancel(send));
            assertFalse(fresh.exchange.cancel(send));
            HostileChannel.Sent asked = fresh.channel.sent.remove();
            assertEquals(PacketKind.RNDV_CANCEL, asked.kind());
            assertEquals(id, asked.words()[0]);
            assertTrue(fresh.channel.sent.isEmpty(), "once");
            assertFalse(send.isReached(), "the peer may have matched it");
            fresh.channel.arrive(HONEST, answer, id);
            fresh.run();
            assertEquals(answer == PacketKind.RNDV_END ? ErrorCode.NONE : ErrorCode.CANCELLED, send.error());
            assertTrue(send.isReached() && fresh.routes[HONEST].isIdle());
            fresh.channel.arrive(HONEST, PacketKind.RNDV_WITHDRAWN, id);
            fresh.run();
            assertEquals(ErrorCode.PEER_CORRUPT, fresh.routes[HONEST].failure().code(), "one answer is all there is");
        }
    }

    /** Whatever id it names: another peer's, a message that was matched, or none at all. */
    @Test
    void cancelsOfWhatIsNotThereAreIgnored() {
        Completion matched = receive(new byte[300], HONEST, 0);
        channel.arrive(HONEST, PacketKind.RNDV_START, 7, 300, 0, 0);
        channel.arrive(HONEST, PacketKind.RNDV_START, 8, 300, 0, 0);
        run();
        assertEquals(PacketKind.RNDV_REPLY, channel.sent.remove().kind());
        channel.arrive(HONEST, PacketKind.RNDV_CANCEL, 7);
        channel.arrive(LIAR, PacketKind.RNDV_CANCEL, 8);
        channel.arrive(HONEST, PacketKind.RNDV_CANCEL, 12345);
        run();
        assertTrue(channel.sent.isEmpty(), "no answer but the one that the match gave");
        assertFalse(matched.isReached());
        channel.arrive(HONEST, PacketKind.RNDV_CANCEL, 8);
        run();
        HostileChannel.Sent answer = channel.sent.remove();
        assertEquals(PacketKind.RNDV_WITHDRAWN, answer.kind());
        assertEquals(8, answer.words()[0]);
        receive(new byte[300], HONEST, 0);
        run();
        assertTrue(channel.sent.isEmpty(), "the message is gone");
    }

    @Test
    void anAnswerThatAsksForMoreThanThereIs() {
        Completion send = send(LIAR, new byte[300]);
        channel.arrive(LIAR, PacketKind.RNDV_REPLY, channel.sent.remove().words()[0], 0, 301);
        assertCutOff("301", "300");
        assertEquals(ErrorCode.PEER_CORRUPT, send.error());
    }

    @Test
    void anAnswerThatWantsARestThatIsNone() {
        Completion send = send(LIAR, new byte[300]);
        channel.arrive(LIAR, PacketKind.RNDV_REPLY, channel.sent.remove().words()[0], 1, 200, 200);
        assertCutOff("after 200 of 200");
        assertEquals(ErrorCode.PEER_CORRUPT, send.error());
    }

    @Test
    void anAnswerThatComesTwice() {
        Completion send = send(LIAR, new byte[300]);
        long id = channel.sent.remove().words()[0];
        channel.arrive(LIAR, PacketKind.RNDV_END, id);
        channel.arrive(LIAR, PacketKind.RNDV_END, id);
        assertCutOff("RNDV_END");
        assertEquals(ErrorCode.NONE, send.error());
    }

    @Test
    void moreReleasedThanSent() {
        channel.arrive(LIAR, PacketKind.RELEASE, 1_000_000);
        assertCutOff("RELEASE");
        HostilePacketsTest fresh = new HostilePacketsTest();
        fresh.channel.arrive(LIAR, PacketKind.RELEASE, -1);
        fresh.assertCutOff("RELEASE");
    }

    @Test
    void dataThatNobodyAskedFor() {
        channel.arrive(LIAR, PacketKind.RNDV_DATA, 7, 7, new byte[10]);
        assertCutOff("RNDV_DATA");
    }

    @Test
    void moreDataThanTheMessageHas() {
        byte[] into = new byte[400];
        Completion receive = receive(into, LIAR, 3);
        channel.arrive(LIAR, PacketKind.RNDV_START, 0, 3, start(11, 300, RemoteReference.NO_REFERENCE));
        run();
        HostileChannel.Sent reply = channel.sent.remove();
        assertEquals(PacketKind.RNDV_REPLY, reply.kind());
        long id = reply.words()[1];
        channel.arrive(LIAR, PacketKind.RNDV_DATA, (int) (id >> 32), (int) id, new byte[200]);
        channel.arrive(LIAR, PacketKind.RNDV_DATA, (int) (id >> 32), (int) id, new byte[101]);
        assertCutOff("RNDV_DATA", "101", "100");
        assertEquals(ErrorCode.PEER_CORRUPT, receive.error());
        assertEquals(0, into[300]);
    }

    private static byte[] start(long sendId, long length, long key) {
        long[] words = {sendId, length, key, 0};
        byte[] body = new byte[32];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), 32);
        return body;
    }

    /**
     * Memory that can't be read, at once or after some pieces: the receive fails, whichever came first, message or
     * receive.
     */
    @Tag("once")
    @Test
    void aReferenceThatCannotBeRead() {
        for (int readable : new int[] {0, 1, 2}) {
            for (boolean expected : new boolean[] {true, false}) {
                HostilePacketsTest fresh = new HostilePacketsTest();
                fresh.channel.readable = readable;
                Completion early = expected ? fresh.receive(new byte[1000], LIAR, 3) : null;
                fresh.channel.arrive(LIAR, PacketKind.RNDV_START, 0, 3, start(1, 1000, 5));
                if (!expected) {
                    fresh.exchange.work();
                    early = fresh.receive(new byte[1000], LIAR, 3);
                }
                // A process that is being killed looks like this too, so the receive waits a little for that to show.
                Completion waiting = early;
                long deadline = System.nanoTime() + 10_000_000_000L;
                while (!waiting.isReached() && System.nanoTime() < deadline) {
                    fresh.exchange.work();
                }
                fresh.assertCutOff("1000 bytes", "can't be read");
                assertEquals(ErrorCode.PEER_CORRUPT, early.error(), readable + " pieces, expected " + expected);
                assertFalse(fresh.exchange.isReceiving());
            }
        }
    }

    @Test
    void randomPacketsNeverBringTheDeviceDown() {
        for (int round = 0; round < 300; round++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            HostilePacketsTest fresh = new HostilePacketsTest();
            fresh.channel.slots = round % 2 == 0 ? null : new ScriptedSlots(fresh.channel.leases);
            fresh.exchange.persistent().limitBytes(1 << 20);
            Completion send = fresh.send(LIAR, new byte[500]);
            Completion receive = fresh.receive(new byte[random.nextInt(600)], LIAR, ANY_TAG);
            for (int i = 0; i < 40; i++) {
                byte[] body = new byte[random.nextBoolean() ? 8 * random.nextInt(5) : random.nextInt(60)];
                if (random.nextBoolean()) {
                    random.nextBytes(body);
                }
                fresh.channel.arrive(
                        LIAR, random.nextInt(PacketKind.LAST + 2), random.nextInt(3) - 1, random.nextInt(3) - 1, body);
            }
            fresh.run();
            assertNull(fresh.exchange.ended(), "seed " + seed);
            assertTrue(fresh.routes[LIAR].failure() == null || send.isReached() && receive.isReached(), "seed " + seed);
            byte[] into = new byte[1];
            Completion next = fresh.receive(into, HONEST, 1);
            fresh.channel.arrive(HONEST, PacketKind.EAGER, 0, 1, new byte[] {42});
            fresh.run();
            assertEquals(42, into[0], "seed " + seed);
            assertTrue(next.isReached(), "seed " + seed);
        }
    }
}
