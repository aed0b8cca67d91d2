package org.sluice.ib.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.counter.Counter;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.ib.wire.BundleWriter;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** Which packets are written where the peer lets that be, and what credit each way takes; without a device. */
final class WrittenSendsTest {
    private static final int BODY = 256;
    private static final int SLOTS = 64;
    private static final int WINDOW = 16;
    private static final int LONGEST = 100;

    private final List<String> posted = new ArrayList<>();
    private int refusal;
    private boolean isOpen = true;
    /** It is closed between the look from outside and the entry. */
    private boolean closesAtOnce;

    private boolean needsCredit;
    private final List<String> gate = new ArrayList<>();

    private final VerbsCalls verbs = (VerbsCalls) Proxy.newProxyInstance(
            VerbsCalls.class.getClassLoader(),
            new Class<?>[] {VerbsCalls.class},
            (proxy, method, arguments) -> method.getName().equals("postSend") ? post((long) arguments[1]) : 0);
    private final SendBuffers buffers = new SendBuffers(verbs, 0, PacketHeader.BYTES + BODY, SLOTS, Long.MAX_VALUE);
    private final Credits credits = new Credits(new SlotBudget(1000, 500));
    private final Counters counters = new Counters();
    private final SendQueue queue =
            new SendQueue(verbs, buffers, credits, 1, WINDOW, new BundleWriter(BODY, false), counters);

    WrittenSendsTest() {
        queue.direct(new DirectSlots() {
            @Override
            public int mostMore() {
                return 0;
            }

            @Override
            public boolean needsCredit() {
                return needsCredit;
            }

            @Override
            public boolean mayEnter(int packetBytes) {
                return isOpen && packetBytes <= LONGEST;
            }

            @Override
            public boolean enter(int packetBytes) {
                return mayEnter(packetBytes) && !closesAtOnce;
            }

            @Override
            public void fill(WorkRequest request, long id, int flags, long packet, int packetBytes, int lkey) {
                request.fill(id, VerbsLayout.OPCODE_RDMA_WRITE, flags, packet, packetBytes, lkey);
            }

            @Override
            public void leave(boolean isPosted) {
                gate.add(isPosted ? "posted" : "refused");
            }

            @Override
            public int toTell() {
                return 77;
            }
        });
    }

    private int post(long request) {
        long at = Memory.getLong(Memory.getLong(request + VerbsLayout.WR_SGE_LIST) + VerbsLayout.SGE_ADDRESS);
        assertEquals(77, Memory.getInt(at + PacketHeader.LANDED), "every packet tells");
        if (refusal != 0) {
            return -refusal;
        }
        boolean isWritten = Memory.getInt(request + VerbsLayout.SEND_WR_OPCODE) == VerbsLayout.OPCODE_RDMA_WRITE;
        posted.add((isWritten ? "write " : "send ") + Memory.getInt(at + PacketHeader.SEQUENCE));
        return 0;
    }

    private int send(int bytes) {
        return send(PacketKind.EAGER, bytes);
    }

    private int send(int kind, int bytes) {
        byte[] payload = new byte[bytes];
        return queue.trySend(kind, 0, 0, payload, Memory.arrayOffset(payload), bytes);
    }

    @AfterEach
    void close() {
        queue.close();
        int free = 0;
        while (buffers.take() >= 0) {
            free++;
        }
        assertEquals(SLOTS, free, "all slots came back");
        buffers.close();
    }

    @Test
    void shortOnesAreWrittenWithoutCreditAndLongOnesAreSent() {
        for (int i = 0; i < 5; i++) {
            assertEquals(Channel.SENT, send(8));
        }
        assertEquals(Channel.SENT, send(LONGEST));
        assertEquals(Channel.SENT, send(LONGEST));
        assertEquals(Channel.NO_RESOURCE, send(LONGEST), "the first credit is for two packets");
        assertEquals(Channel.SENT, send(8));
        assertEquals(
                List.of("write 1", "write 2", "write 3", "write 4", "write 5", "send 6", "send 7", "write 8"), posted);
        assertEquals(6, counters.get(Counter.LANDING_WRITES));
        assertEquals(8, counters.get(Counter.WORK_REQUESTS));
        assertEquals(8, counters.get(Counter.NATIVE_CROSSINGS));
    }

    @Test
    void whereAWriteTakesAReceiveSlotItTakesCreditToo() {
        needsCredit = true;
        assertEquals(Channel.SENT, send(8));
        assertEquals(Channel.SENT, send(8));
        assertEquals(Channel.NO_RESOURCE, send(8));
        assertEquals(List.of("write 1", "write 2"), posted);
    }

    /** Two writes are not seen in the order in which they left, as far as verbs promise. */
    @Test
    void whatTellsOfAWriteIsFoundByACompletion() {
        assertEquals(Channel.SENT, send(PacketKind.ROUTE_DATA, 24));
        assertEquals(Channel.SENT, send(PacketKind.RNDV_END, 16));
        assertEquals(Channel.SENT, send(PacketKind.ROUTE_RELEASE, 16));
        needsCredit = true;
        assertEquals(Channel.SENT, send(PacketKind.RNDV_END, 16));
        assertEquals(List.of("send 1", "send 2", "write 3", "write 4"), posted);
    }

    @Test
    void whatIsClosedMeanwhileIsSentAsFarAsTheCreditGoes() {
        closesAtOnce = true;
        assertEquals(Channel.SENT, send(8));
        assertEquals(Channel.SENT, send(8));
        assertEquals(Channel.NO_RESOURCE, send(8), "it looked as if it could be written");
        assertEquals(List.of("send 1", "send 2"), posted);
        assertEquals(List.of(), gate, "nobody was inside");
        closesAtOnce = false;
        assertEquals(Channel.SENT, send(8));
        assertEquals("write 3", posted.get(2));
    }

    /** Also where others of their kind share the packet, and where it holds but one. */
    @Test
    void endsThatWerePackedAreFoundByACompletionToo() {
        queue.gather();
        send(PacketKind.RNDV_END, 16);
        assertEquals(Channel.SENT, queue.flush());
        queue.gather();
        send(PacketKind.RNDV_REPLY, 16);
        send(PacketKind.RNDV_END, 16);
        send(PacketKind.RNDV_REPLY, 16);
        assertEquals(Channel.SENT, queue.flush());
        queue.gather();
        send(PacketKind.RNDV_REPLY, 16);
        send(PacketKind.RNDV_REPLY, 16);
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(List.of("send 1", "send 2", "write 3"), posted);
    }

    /** Something is on the way, and tells when it has left: until then a refusal may mean that the queue is full. */
    private void beginWithALoan() {
        credits.onLimit(Credits.LEAST + 1);
        assertEquals(Lending.LENT, queue.lend(0, 0, 4096, 8, 7, "loan"));
        posted.clear();
    }

    @Test
    void whatTheLibraryRefusesLeavesTheGateUnused() {
        beginWithALoan();
        refusal = Errno.ENOMEM;
        assertEquals(Channel.NO_RESOURCE, send(8));
        refusal = 0;
        assertEquals(Channel.SENT, send(8));
        refusal = Errno.EIO;
        assertEquals(Channel.PEER_FAILED, send(8));
        assertEquals(List.of("refused", "posted", "posted"), gate, "what failed may have reached the adapter");
        assertEquals(List.of("write 2"), posted);
    }

    @Test
    void aBundleIsWrittenWhereItIsShort() {
        queue.gather();
        send(8);
        send(8);
        assertEquals(Channel.SENT, queue.flush());
        queue.gather();
        for (int i = 0; i < 10; i++) {
            send(8);
        }
        assertEquals(Channel.SENT, queue.flush());
        assertEquals(List.of("write 1", "send 2"), posted);
    }

    @Test
    void creditComesBackWhateverBecameOfThePacket() {
        beginWithALoan();
        refusal = Errno.ENOMEM;
        assertEquals(Channel.NO_RESOURCE, send(8), "it had taken none");
        closesAtOnce = true;
        assertEquals(Channel.NO_RESOURCE, send(8), "it took some late");
        assertEquals(Channel.NO_RESOURCE, send(LONGEST));
        closesAtOnce = false;
        refusal = 0;
        queue.gather();
        send(8);
        send(8);
        assertEquals(Channel.SENT, queue.flush(), "it had taken some, and was written");
        assertEquals(Channel.SENT, send(LONGEST));
        assertEquals(Channel.SENT, send(LONGEST));
        assertEquals(Channel.NO_RESOURCE, send(LONGEST));
        assertEquals(List.of("write 2", "send 3", "send 4"), posted);
    }

    @Test
    void whatIsLentIsSentWithCredit() {
        assertEquals(Lending.LENT, queue.lend(0, 0, 4096, 8, 7, "first"));
        assertEquals(Lending.LENT, queue.lend(0, 0, 4096, 8, 7, "second"));
        assertEquals(Channel.NO_RESOURCE, queue.lend(0, 0, 4096, 8, 7, "third"));
        assertEquals(Channel.SENT, send(8));
        assertEquals(List.of("send 1", "send 2", "write 3"), posted);
    }
}
