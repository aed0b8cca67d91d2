package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.BundleReader;
import org.sluice.ib.wire.BundleWriter;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** What leaves with which work request, in which order, and where slots go; without a device. */
final class SendQueueTest {
    private static final int BODY = 256;
    private static final int SLOTS = 64;
    private static final int WINDOW = 4;
    private static final long LENT_AT = 0x1234560;
    private static final int LENT_KEY = 77;

    /** What was posted: of each packet its messages' tags, in brackets where it is a bundle. */
    private final List<String> posted = new ArrayList<>();

    private int refusal;
    private int inlineRefusal;
    private int nextSequence = 1;

    private final VerbsCalls verbs = (VerbsCalls)
            Proxy.newProxyInstance(VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
    private final SendBuffers buffers = new SendBuffers(verbs, 0, PacketHeader.BYTES + BODY, SLOTS, Long.MAX_VALUE);
    private final Credits credits = new Credits(new SlotBudget(1000, 500));
    private final Counters counters = new Counters();
    private final SendQueue queue =
            new SendQueue(verbs, buffers, credits, 1, WINDOW, new BundleWriter(BODY, false), counters);

    private Object call(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "registerMemory", "deregisterMemory":
                return 0;
            case "postSend":
                return post((long) arguments[1]);
            default:
                throw new AssertionError(method.getName());
        }
    }

    private int post(long request) {
        boolean isInline = (Memory.getInt(request + VerbsLayout.SEND_WR_FLAGS) & VerbsLayout.SEND_INLINE) != 0;
        if (refusal != 0 || isInline && inlineRefusal != 0) {
            return -Math.max(refusal, inlineRefusal);
        }
        long sge = Memory.getLong(request + VerbsLayout.WR_SGE_LIST);
        long at = Memory.getLong(sge + VerbsLayout.SGE_ADDRESS);
        int bytes = Memory.getInt(sge + VerbsLayout.SGE_LENGTH);
        boolean isLent = Memory.getInt(request + VerbsLayout.WR_SGES) == 2;
        if (isLent) {
            assertEquals(PacketHeader.BYTES, bytes);
            assertEquals(LENT_AT, Memory.getLong(sge + VerbsLayout.SGE_BYTES + VerbsLayout.SGE_ADDRESS));
            assertEquals(LENT_KEY, Memory.getInt(sge + VerbsLayout.SGE_BYTES + VerbsLayout.SGE_LKEY));
            assertEquals(
                    VerbsLayout.SEND_SIGNALED,
                    Memory.getInt(request + VerbsLayout.SEND_WR_FLAGS),
                    "its sender waits for it");
            bytes += Memory.getInt(sge + VerbsLayout.SGE_BYTES + VerbsLayout.SGE_LENGTH);
        }
        assertNull(PacketHeader.fault(at, bytes, nextSequence++));
        if (Memory.getInt(at + PacketHeader.KIND) != PacketHeader.BUNDLE_KIND) {
            posted.add(Memory.getInt(at + PacketHeader.TAG) + (isLent ? " lent" : ""));
            return 0;
        }
        List<Integer> tags = new ArrayList<>();
        BundleReader reader = new BundleReader();
        for (reader.begin(at, bytes); reader.hasNext(); ) {
            reader.next();
            tags.add(reader.tag());
        }
        posted.add(tags.toString());
        return 0;
    }

    private int send(int kind, int tag, int bytes) {
        byte[] payload = new byte[bytes];
        return queue.trySend(kind, 0, tag, payload, Memory.arrayOffset(payload), bytes);
    }

    private int eager(int tag) {
        return send(PacketKind.EAGER, tag, 8);
    }

    private int lend(int tag) {
        return queue.lend(0, tag, LENT_AT, 100, LENT_KEY, "ticket " + tag);
    }

    private List<Object> back() {
        List<Object> back = new ArrayList<>();
        for (Object ticket; (ticket = queue.nextBack()) != null; ) {
            back.add(ticket);
        }
        return back;
    }

    private void grant(int packets) {
        credits.onLimit(Credits.LEAST + packets);
    }

    private int freeSlots() {
        int free = 0;
        while (buffers.take() >= 0) {
            free++;
        }
        for (int i = 0; i < free; i++) {
            buffers.give(i);
        }
        return free;
    }

    @AfterEach
    void close() {
        queue.close();
        assertEquals(SLOTS, freeSlots(), "all slots came back");
        buffers.close();
    }

    @Test
    void outsideOfAGatheringEachGoesByItself() {
        grant(100);
        for (int tag = 1; tag < WINDOW; tag++) {
            assertEquals(Channel.SENT, eager(tag));
        }
        assertEquals(Channel.NO_RESOURCE, eager(4));
        assertEquals(List.of("1", "2", "3"), posted);
    }

    @Test
    void whatFoundNoRoomLeavesBeforeAnythingIsAcknowledged() {
        outsideOfAGatheringEachGoesByItself();
        queue.gather();
        for (int tag = 4; tag <= 9; tag++) {
            assertEquals(Channel.SENT, eager(tag));
        }
        assertEquals(Channel.SENT, queue.flush());
        assertEquals("[4, 5, 6, 7, 8, 9]", posted.get(WINDOW - 1));
        queue.gather();
        assertEquals(Channel.NO_RESOURCE, eager(10), "the window is used up");
        assertEquals(Channel.SENT, queue.flush());
    }

    @Test
    void whatIsLentHasTheWholeWindow() {
        outsideOfAGatheringEachGoesByItself();
        assertEquals(Lending.LENT, lend(4));
        assertEquals(Channel.NO_RESOURCE, lend(5));
        queue.retire(4);
        assertEquals(List.of("ticket 4"), back());
    }

    @Test
    void whereNothingIsPackedMessagesHaveTheWholeWindow() {
        grant(100);
        SendQueue unpacked = new SendQueue(verbs, buffers, credits, 1, WINDOW, new BundleWriter(0, false), counters);
        byte[] payload = new byte[8];
        for (int i = 0; i <= WINDOW; i++) {
            assertEquals(
                    i < WINDOW ? Channel.SENT : Channel.NO_RESOURCE,
                    unpacked.trySend(PacketKind.EAGER, 0, 1, payload, Memory.arrayOffset(payload), payload.length));
        }
        unpacked.close();
    }

    @Test
    void whatIsGatheredLeavesWithOneWorkRequestAndOneCredit() {
        queue.gather();
        for (int tag = 1; tag <= 10; tag++) {
            assertEquals(Channel.SENT, eager(tag));
        }
        assertEquals(List.of(), posted, "not before the end");
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(List.of("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"), posted);
        assertEquals(1, counters.get(Counter.WORK_REQUESTS));
        assertEquals(1, counters.get(Counter.NATIVE_CROSSINGS));
        assertEquals(80, counters.get(Counter.COPIED_BYTES));
        assertEquals(Channel.SENT, eager(11), "the first credit is for two packets");
        assertEquals(Channel.NO_RESOURCE, eager(12));
        assertEquals(Channel.SENT, queue.flush(), "nothing is kept");
        assertEquals(2, posted.size());
    }

    @Test
    void whatCannotBePackedPushesOutWhatIs() {
        grant(100);
        queue.gather();
        eager(1);
        eager(2);
        assertEquals(Channel.SENT, send(PacketKind.RNDV_END, 3, 8), "a control packet shares with no message");
        eager(4);
        assertEquals(Channel.SENT, send(PacketKind.EAGER, 5, BODY), "as long as a packet");
        assertEquals(List.of("[1, 2]", "3", "4", "5"), posted);
        assertEquals(Channel.NO_RESOURCE, send(PacketKind.RNDV_START, 6, 32), "the window is used up");
        queue.retire(2);
        assertEquals(Channel.SENT, send(PacketKind.RNDV_START, 6, 32));
        assertEquals(Channel.SENT, eager(7));
        assertEquals(Channel.SENT, queue.flush());
        assertEquals("[6, 7]", posted.get(4));
    }

    @Test
    void answersLeaveTogetherWhereMessagesFindNoRoom() {
        for (int tag = 1; tag <= Credits.LEAST; tag++) {
            assertEquals(Channel.SENT, eager(tag));
        }
        queue.gather();
        assertEquals(Channel.NO_RESOURCE, eager(5), "the credit is used up");
        for (int tag = 11; tag <= 15; tag++) {
            assertEquals(Channel.SENT, send(PacketKind.RNDV_END, tag, 8));
        }
        assertEquals(Channel.NO_RESOURCE, eager(5), "it may not go along with what needs no credit");
        assertEquals(Channel.SENT, queue.flush());
        assertEquals("[11, 12, 13, 14, 15]", posted.get(Credits.LEAST));
        assertEquals(Credits.LEAST + 1, posted.size());
    }

    @Test
    void aFullOneMakesRoomForTheNextAsFarAsTheWindowGoes() {
        grant(100);
        queue.gather();
        int taken = 0;
        while (eager(7) == Channel.SENT) {
            taken++;
        }
        assertEquals(WINDOW * (1 + (BODY - 21) / 9), taken, "four packets full");
        assertEquals(WINDOW, posted.size());
        assertEquals(Channel.SENT, queue.flush());
        queue.retire(WINDOW);
        queue.gather();
        assertEquals(Channel.SENT, eager(8));
        assertEquals(Channel.SENT, queue.flush());
        assertEquals("8", posted.get(WINDOW), "a single one is an ordinary packet");
    }

    @Test
    void whatTheLibraryCouldNotTakeGoesBeforeAnythingElse() {
        grant(100);
        lend(9);
        refusal = Errno.ENOMEM;
        queue.gather();
        eager(1);
        eager(2);
        assertEquals(Channel.NO_RESOURCE, queue.flush());
        assertEquals(Channel.NO_RESOURCE, eager(3));
        assertEquals(Channel.NO_RESOURCE, send(PacketKind.CLOSE, 3, 0));
        queue.gather();
        assertEquals(Channel.NO_RESOURCE, eager(3), "its header was written");
        assertEquals(Channel.NO_RESOURCE, queue.flush());
        assertEquals(List.of("9 lent"), posted);
        refusal = 0;
        assertEquals(Channel.SENT, send(PacketKind.RELEASE, 3, 8));
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(List.of("9 lent", "[1, 2]", "3"), posted);
    }

    @Test
    void whatIsKeptAtTheEndGivesItsSlotBack() {
        lend(9);
        refusal = Errno.ENOMEM;
        queue.gather();
        eager(1);
        assertEquals(Channel.NO_RESOURCE, queue.flush());
        assertEquals(SLOTS - 2, freeSlots());
    }

    /** A driver that takes less with a work request than it says has one error for that and for a full queue. */
    @Test
    void whatIsRefusedInlineGoesFromASlotOnceTheQueueCannotBeFull() {
        queue.queuePair(7, 200);
        grant(100);
        assertEquals(Channel.SENT, eager(1));
        assertEquals(1, counters.get(Counter.INLINE_SENDS));
        lend(2);
        inlineRefusal = Errno.ENOMEM;
        assertEquals(Channel.NO_RESOURCE, eager(3), "it may be full");
        queue.retire(2);
        assertEquals(Channel.SENT, eager(3), "it is not");
        assertEquals(Channel.SENT, eager(4));
        assertEquals(List.of("1", "2 lent", "3", "4"), posted);
        assertEquals(false, queue.inline().takes(1, 0), "never again");
        assertEquals(1, counters.get(Counter.INLINE_SENDS));
    }

    @Test
    void whatIsRefusedInlineAndWasPackedGoesAtOnceToo() {
        queue.queuePair(7, 200);
        grant(100);
        inlineRefusal = Errno.ENOMEM;
        queue.gather();
        eager(1);
        eager(2);
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(List.of("[1, 2]"), posted);
        assertEquals(0, counters.get(Counter.INLINE_SENDS));
    }

    @Test
    void whatIsPackedForAPeerThatIsGoneGivesItsSlotBack() {
        queue.gather();
        eager(1);
        queue.dropBundle();
        assertEquals(SLOTS, freeSlots());
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(List.of(), posted);
    }

    /** As where the program's own memory is a file that was cut short. */
    @Test
    void aCopyThatThrowsLeavesNothing() {
        grant(100);
        Object noMemory = new Object[BODY];
        assertThrows(RuntimeException.class, () -> queue.trySend(PacketKind.EAGER, 0, 1, noMemory, 16, 200));
        assertEquals(SLOTS, freeSlots());
        queue.gather();
        assertThrows(RuntimeException.class, () -> queue.trySend(PacketKind.EAGER, 0, 1, noMemory, 16, 200));
        assertEquals(SLOTS, freeSlots());
        eager(2);
        assertThrows(RuntimeException.class, () -> queue.trySend(PacketKind.EAGER, 0, 1, noMemory, 16, 200));
        eager(3);
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(List.of("[2, 3]"), posted);
        queue.retire(1);
    }

    @Test
    void lentMessagesTakeTheirTurnAndComeBackWithTheirCompletion() {
        grant(100);
        queue.gather();
        eager(1);
        eager(2);
        assertEquals(Lending.LENT, lend(3));
        eager(4);
        assertEquals(Lending.LENT, lend(5));
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(Channel.NO_RESOURCE, lend(6), "the window is used up");
        assertEquals(List.of("[1, 2]", "3 lent", "4", "5 lent"), posted);
        assertEquals(24, counters.get(Counter.COPIED_BYTES));
        queue.retire(1);
        assertEquals(List.of(), back());
        queue.retire(2);
        assertEquals(true, queue.isLending());
        assertEquals(List.of("ticket 3"), back());
        queue.retire(4);
        assertEquals(List.of("ticket 5"), back());
        assertEquals(List.of(), back(), "once");
        assertEquals(false, queue.isLending());
        assertEquals(4, counters.get(Counter.WORK_REQUESTS));
        assertEquals(4, counters.get(Counter.NATIVE_CROSSINGS));
    }

    @Test
    void aLoanForWhichTheLibraryHasNoMemoryIsNone() {
        lend(9);
        refusal = Errno.ENOMEM;
        for (int i = 0; i < 10; i++) {
            assertEquals(Channel.NO_RESOURCE, lend(1));
        }
        assertEquals(SLOTS - 1, freeSlots());
        refusal = 0;
        assertEquals(Lending.LENT, lend(1));
        queue.retire(2);
        assertEquals(List.of("ticket 9", "ticket 1"), back());
        assertEquals(false, queue.isLending());
    }

    @Test
    void aLoanThatWasRefusedOtherwiseLastsUntilTheQueuePairIsGone() {
        refusal = Errno.EIO;
        assertEquals(Lending.LENT, lend(1));
        assertEquals(true, queue.isLending());
        assertEquals(Channel.PEER_FAILED, lend(2));
        queue.giveBack();
        assertEquals(false, queue.isLending());
        assertEquals(List.of(), back(), "nobody is told of it");
    }

    /** Also where the error means a full queue: with nothing on the way, nothing would tell when to try again. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EIO, Errno.ENOMEM})
    void aRefusedPostEndsTheQueue(int errno) {
        refusal = errno;
        queue.gather();
        assertEquals(Channel.SENT, eager(1));
        assertEquals(Channel.PEER_FAILED, queue.flush());
        assertEquals(Channel.PEER_FAILED, eager(2));
        assertEquals(Channel.SENT, queue.flush(), "nothing is kept");
        assertTrue(queue.fault().startsWith("ibv_post_send: E"), queue.fault());
    }
}
