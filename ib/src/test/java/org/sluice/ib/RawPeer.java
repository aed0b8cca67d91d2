package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.sluice.device.channel.TestRank;
import org.sluice.device.memory.Memory;
import org.sluice.device.random.Unguessable;
import org.sluice.ib.queue.Credits;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** A peer that speaks verbs but does as a test says; not a channel. */
final class RawPeer implements AutoCloseable {
    static final int NOTHING = -1;

    private static final int SLOT = 4096;
    private static final int SLOTS = 64;
    private static final int SEND_AT = 4 * SLOT;
    private static final int BYTES = 8 * SLOT;
    private static final long[] PARAMETERS = {4, 4, 7, 7};
    private static final long PATIENCE_NANOS = TestRank.PATIENCE_NANOS;

    private final VerbsCalls verbs;
    private final Runnable others;
    private final long memory = Memory.allocate(BYTES);
    private final long[] region = new long[VerbsCalls.REGION_FIELDS];
    private final long events;
    private final long listener;
    private final byte[] address;
    private final int port;
    private final long domain;
    private final long queue;
    private final long receives;
    private final UUID process = Unguessable.uuid();
    private final UUID secret = Unguessable.uuid();
    private long id;
    private long pair;
    private boolean closed;
    /** Whom the last event concerned. */
    private long eventId;
    /** Nobody else makes progress meanwhile. */
    boolean isAlone;

    /** @param others makes the ranks under test progress */
    RawPeer(VerbsCalls verbs, byte[] address, Runnable others) {
        this.verbs = verbs;
        this.others = others;
        this.address = address;
        Memory.setZero(memory, BYTES);
        events = good("createEventChannel", verbs.createEventChannel());
        listener = good("createId", verbs.createId(events));
        good("bind", verbs.bind(listener, address, 0));
        good("listen", verbs.listen(listener, 8));
        port = verbs.localPort(listener);
        long context = verbs.cmContext(listener);
        domain = good("allocateProtectionDomain", verbs.allocateProtectionDomain(context));
        queue = good("createCompletionQueue", verbs.createCompletionQueue(context, 4 * SLOTS, 0));
        receives = good("createSharedReceiveQueue", verbs.createSharedReceiveQueue(domain, SLOTS, 1));
        good("registerMemory", verbs.registerMemory(domain, memory, BYTES, VerbsCalls.ACCESS_LOCAL_WRITE, region));
        for (int i = 0; i < SLOTS; i++) {
            request(memory + SLOT, VerbsLayout.RECV_WR_BYTES, memory, SLOT);
            good("postReceive", verbs.postReceive(receives, memory + SLOT, memory + 2 * SLOT));
        }
    }

    private static long good(String call, long result) {
        assertTrue(result >= 0, () -> Errno.describe(call, result));
        return result;
    }

    private void request(long at, int sge, long data, int bytes) {
        Memory.putLong(at + VerbsLayout.WR_NEXT, 0);
        Memory.putLong(at + VerbsLayout.WR_SGE_LIST, at + sge);
        Memory.putInt(at + VerbsLayout.WR_SGES, 1);
        Memory.putLong(at + sge + VerbsLayout.SGE_ADDRESS, data);
        Memory.putInt(at + sge + VerbsLayout.SGE_LENGTH, bytes);
        Memory.putInt(at + sge + VerbsLayout.SGE_LKEY, (int) region[VerbsCalls.REGION_LKEY]);
    }

    /** What this peer says of itself. */
    IbFacts facts(int rank, int bodyBytes) {
        return new IbFacts(rank, address, port, process, secret, bodyBytes, (int) PARAMETERS[0], true);
    }

    /**
     * Asks for a connection.
     *
     * @return the kind of event that answers: ESTABLISHED, or REJECTED
     */
    int connect(IbFacts to, byte[] privateData) {
        request(to, privateData);
        return awaitEvent();
    }

    /** Asks for a connection and waits for no answer. */
    void request(IbFacts to, byte[] privateData) {
        id = good("createId", verbs.createId(events));
        good("resolveAddress", verbs.resolveAddress(id, null, to.address(), to.port(), 2000));
        assertEquals(VerbsLayout.ADDRESS_RESOLVED, awaitEvent());
        good("resolveRoute", verbs.resolveRoute(id, 2000));
        assertEquals(VerbsLayout.ROUTE_RESOLVED, awaitEvent());
        makePair();
        good("connect", verbs.connect(id, PARAMETERS, privateData));
    }

    private void makePair() {
        long[] limits = {SLOTS, 1, 0, 0};
        pair = good("createQueuePair", verbs.createQueuePair(id, domain, queue, queue, receives, limits));
    }

    /** Waits for a rank's request and says yes with these private data. */
    void accept(byte[] privateData) {
        assertEquals(VerbsLayout.CONNECT_REQUEST, awaitEvent());
        id = eventId;
        makePair();
        good("accept", verbs.accept(id, PARAMETERS, privateData));
    }

    /** Gives back the request that came last, without an answer of its own. */
    void forget() {
        verbs.destroyId(eventId);
    }

    int awaitEvent() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int kind;
        while ((kind = nextEvent()) == NOTHING) {
            others.run();
            assertTrue(System.nanoTime() < deadline, "no connection event came");
        }
        return kind;
    }

    int nextEvent() {
        long event = memory + 3 * SLOT;
        if (good("connectionEvent", verbs.connectionEvent(events, event)) == 0) {
            return NOTHING;
        }
        eventId = Memory.getLong(event + VerbsLayout.EVENT_ID);
        return Memory.getInt(event + VerbsLayout.EVENT_KIND);
    }

    /** Writes a header for the next {@link #send}. */
    long header(int sequence, int kind, int bodyBytes, int credit) {
        long at = memory + SEND_AT;
        PacketHeader.write(at, sequence, kind, 0, sequence, bodyBytes, credit);
        return at;
    }

    /**
     * Sends a packet as a Sluice does, which begins with packet 1 and waits for the credit of each: the rank grants
     * more when it comes to it.
     */
    void sendGranted(int sequence, int kind, int bodyBytes) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        // All packets of the rank say how many it grants in all; the last that came lies there.
        while (sequence > Math.max(Credits.LEAST, Memory.getIntVolatile(received() + PacketHeader.CREDIT))) {
            others.run();
            assertTrue(System.nanoTime() < deadline, "no credit came for packet " + sequence);
        }
        header(sequence, kind, bodyBytes, Credits.LEAST);
        send(PacketHeader.BYTES + bodyBytes);
    }

    /**
     * Sends as many bytes from where the header is, whatever credit there is, and waits until they have left, or failed
     * to.
     */
    void send(int bytes) {
        post(VerbsLayout.OPCODE_SEND, bytes, 0, 0);
    }

    /**
     * As {@link #send}, to memory of the rank.
     *
     * @param immediate whether the rank is told of it, as of packet 1
     */
    void write(boolean immediate, int bytes, long remoteAddress, int rkey) {
        post(
                immediate ? VerbsLayout.OPCODE_RDMA_WRITE_WITH_IMM : VerbsLayout.OPCODE_RDMA_WRITE,
                bytes,
                remoteAddress,
                rkey);
    }

    /** Where packets of the rank are received, one over the other. */
    long received() {
        return memory;
    }

    private void post(int opcode, int bytes, long remoteAddress, int rkey) {
        long at = memory + SLOT;
        Memory.setZero(at, VerbsLayout.SEND_WR_BYTES);
        Memory.putLong(at + VerbsLayout.SEND_WR_REMOTE_ADDRESS, remoteAddress);
        Memory.putInt(at + VerbsLayout.SEND_WR_RKEY, rkey);
        Memory.putInt(at + VerbsLayout.SEND_WR_IMMEDIATE, 1);
        request(at, VerbsLayout.SEND_WR_BYTES, memory + SEND_AT, bytes);
        Memory.putLong(at + VerbsLayout.WR_ID, 77);
        Memory.putInt(at + VerbsLayout.SEND_WR_OPCODE, opcode);
        Memory.putInt(at + VerbsLayout.SEND_WR_FLAGS, VerbsLayout.SEND_SIGNALED);
        good("postSend", verbs.postSend(pair, at, memory + 2 * SLOT));
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        long completion = memory + 2 * SLOT;
        while (good("poll", verbs.poll(queue, 1, completion)) == 0
                || Memory.getLong(completion + VerbsLayout.WC_WR_ID) != 77) {
            if (!isAlone) {
                others.run();
            }
            assertTrue(System.nanoTime() < deadline, "the send was not completed");
        }
    }

    /** Ends the connection without a word, as far as verbs allow. */
    void drop() {
        if (id != 0) {
            verbs.destroyQueuePair(id);
            verbs.destroyId(id);
            id = 0;
        }
    }

    /**
     * Once: a test that fails between two peers closes the first one again, and the library would be given what is
     * freed.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        drop();
        verbs.deregisterMemory(region[VerbsCalls.REGION_HANDLE]);
        verbs.destroySharedReceiveQueue(receives);
        verbs.destroyCompletionQueue(queue);
        verbs.deallocateProtectionDomain(domain);
        verbs.destroyId(listener);
        verbs.destroyEventChannel(events);
        Memory.free(memory);
    }
}
