package org.sluice.jni.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.SharedWords;

/**
 * A process connected to itself over the first RDMA device that an address of this machine leads to: two queue pairs,
 * each with a completion queue, and one shared receive queue behind both. Closing it checks that everything can be
 * destroyed.
 */
final class LoopbackPair implements AutoCloseable {

    static final int ACCESS =
            VerbsCalls.ACCESS_LOCAL_WRITE | VerbsCalls.ACCESS_REMOTE_WRITE | VerbsCalls.ACCESS_REMOTE_READ;
    static final int MEMORY_BYTES = 1 << 20;
    static final int RECEIVES = 64;
    static final int SENDS = 32;

    /** Where the fixture keeps its own words; a test has what is behind them. */
    private static final int BAD_REQUEST = 0;

    private static final int EVENT = 64;
    static final int FREE = 4096;

    private static final long[] PARAMETERS = {4, 4, 7, 7};
    private static final int TIMEOUT_MS = 20_000;

    final VerbsCalls verbs;
    final SharedWords memory;
    final byte[] address;
    final long events;
    final long listener;
    final int port;
    long client;
    long server;
    long context;
    long domain;
    long channel;
    long clientQueue;
    long serverQueue;
    long receives;
    long clientPair;
    long serverPair;
    final long[] clientLimits = {SENDS, 2, 0, -1};
    final long[] serverLimits = {SENDS, 2, 0, -1};
    final long[] region = new long[VerbsCalls.REGION_FIELDS];

    LoopbackPair(VerbsCalls verbs) throws IOException {
        this.verbs = verbs;
        memory = new SharedWords(Os.calls(), MEMORY_BYTES);
        events = handle("createEventChannel", verbs.createEventChannel());
        listener = handle("createId", verbs.createId(events));
        address = bindToDevice(verbs, listener);
        done("listen", verbs.listen(listener, 8));
        port = verbs.localPort(listener);
        assertTrue(port > 0, "port " + port);
    }

    /** The first address of this machine that leads to an RDMA device; the id is bound to it afterwards. */
    static byte[] bindToDevice(VerbsCalls verbs, long id) throws IOException {
        List<String> refusals = new ArrayList<>();
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress candidate : Collections.list(network.getInetAddresses())) {
                if (candidate.isLoopbackAddress() || candidate.isLinkLocalAddress()) {
                    continue;
                }
                int result = verbs.bind(id, candidate.getAddress(), 0);
                if (result == 0 && verbs.cmContext(id) > 0) {
                    return candidate.getAddress();
                }
                refusals.add(candidate.getHostAddress() + ": " + Errno.describe("bind", result));
            }
        }
        throw new AssertionError("no address leads to an RDMA device: " + refusals);
    }

    static long handle(String call, long result) {
        assertTrue(result > 0, () -> Errno.describe(call, result));
        return result;
    }

    static void done(String call, int result) {
        assertEquals(0, result, () -> Errno.describe(call, result));
    }

    /** Resolves address and route of a new id to {@code toPort} of this machine. */
    long resolve(int toPort) {
        long id = handle("createId", verbs.createId(events));
        done("resolveAddress", verbs.resolveAddress(id, null, address, toPort, 2_000));
        expect(VerbsLayout.ADDRESS_RESOLVED, id);
        done("setTypeOfService", verbs.setTypeOfService(id, 32));
        done("setAckTimeout", verbs.setAckTimeout(id, 18));
        done("resolveRoute", verbs.resolveRoute(id, 2_000));
        expect(VerbsLayout.ROUTE_RESOLVED, id);
        return id;
    }

    /** Makes what both queue pairs share, on the device that the listener is bound to. */
    void createObjects() {
        context = handle("cmContext", verbs.cmContext(listener));
        domain = handle("allocateProtectionDomain", verbs.allocateProtectionDomain(context));
        channel = handle("createCompletionChannel", verbs.createCompletionChannel(context));
        clientQueue = handle("createCompletionQueue", verbs.createCompletionQueue(context, 2 * SENDS, channel));
        serverQueue = handle("createCompletionQueue", verbs.createCompletionQueue(context, 2 * RECEIVES, channel));
        receives = handle("createSharedReceiveQueue", verbs.createSharedReceiveQueue(domain, RECEIVES, 1));
        done("registerMemory", verbs.registerMemory(domain, memory.address(), MEMORY_BYTES, ACCESS, region));
    }

    /** Connects, with private data both ways. */
    void connect(byte[] asked, byte[] answered) {
        createObjects();
        client = resolve(port);
        assertEquals(context, verbs.cmContext(client), "one device, two contexts");
        clientPair = handle(
                "createQueuePair",
                verbs.createQueuePair(client, domain, clientQueue, clientQueue, receives, clientLimits));
        done("connect", verbs.connect(client, PARAMETERS, asked));
        expectAny(VerbsLayout.CONNECT_REQUEST);
        assertEquals(listener, eventLong(VerbsLayout.EVENT_LISTENER));
        assertPrivateData(asked);
        server = eventLong(VerbsLayout.EVENT_ID);
        serverPair = handle(
                "createQueuePair",
                verbs.createQueuePair(server, domain, serverQueue, serverQueue, receives, serverLimits));
        assertNotEquals(clientLimits[VerbsCalls.QUEUE_PAIR_NUMBER], serverLimits[VerbsCalls.QUEUE_PAIR_NUMBER]);
        done("accept", verbs.accept(server, PARAMETERS, answered));
        expectBothEstablished(answered);
    }

    /** Both sides' events come through one channel, in either order. */
    private void expectBothEstablished(byte[] answered) {
        boolean clientSeen = false;
        boolean serverSeen = false;
        while (!clientSeen || !serverSeen) {
            expectAny(VerbsLayout.ESTABLISHED);
            long id = eventLong(VerbsLayout.EVENT_ID);
            if (id == client) {
                clientSeen = true;
                assertPrivateData(answered);
                assertEquals(serverLimits[VerbsCalls.QUEUE_PAIR_NUMBER], eventInt(VerbsLayout.EVENT_PEER_QUEUE_PAIR));
            } else {
                assertEquals(server, id);
                serverSeen = true;
            }
        }
    }

    void assertPrivateData(byte[] wanted) {
        int bytes = eventInt(VerbsLayout.EVENT_PRIVATE_BYTES);
        assertTrue(bytes >= wanted.length, "private bytes: " + bytes);
        byte[] found = new byte[wanted.length];
        memory.buffer().get(EVENT + VerbsLayout.EVENT_PRIVATE_DATA, found);
        assertEquals(Arrays.toString(wanted), Arrays.toString(found));
    }

    void expect(int kind, long id) {
        expectAny(kind);
        assertEquals(id, eventLong(VerbsLayout.EVENT_ID));
    }

    void expectAny(int kind) {
        assertEquals(kind, nextEvent(), () -> "status " + eventInt(VerbsLayout.EVENT_STATUS));
    }

    /** The kind of the next connection event, which is waited for as a helper thread would do it. */
    int nextEvent() {
        int ready = verbs.waitReady(new int[] {verbs.eventChannelFd(events)}, TIMEOUT_MS);
        assertEquals(1, ready, "no connection event came");
        assertEquals(1, verbs.connectionEvent(events, memory.address() + EVENT));
        return eventInt(VerbsLayout.EVENT_KIND);
    }

    int eventInt(int offset) {
        return memory.buffer().getInt(EVENT + offset);
    }

    long eventLong(int offset) {
        return memory.buffer().getLong(EVENT + offset);
    }

    long badRequest() {
        return memory.buffer().getLong(BAD_REQUEST);
    }

    int postSend(int request) {
        return verbs.postSend(clientPair, memory.address() + request, memory.address() + BAD_REQUEST);
    }

    int postReceive(int request) {
        return verbs.postReceive(receives, memory.address() + request, memory.address() + BAD_REQUEST);
    }

    /** Waits until {@code count} completions of the queue lie at {@code offset}. */
    void poll(long queue, int count, int offset) {
        long deadline = System.nanoTime() + TIMEOUT_MS * 1_000_000L;
        int polled = 0;
        while (polled < count) {
            int result =
                    verbs.poll(queue, count - polled, memory.address() + offset + (long) polled * VerbsLayout.WC_BYTES);
            assertTrue(result >= 0, () -> Errno.describe("poll", result));
            polled += result;
            int found = polled;
            assertTrue(System.nanoTime() < deadline, () -> found + " of " + count + " completions came");
        }
    }

    int completionInt(int offset, int index, int field) {
        return memory.buffer().getInt(offset + index * VerbsLayout.WC_BYTES + field);
    }

    /** Writes a receive request of one piece and its piece behind it. */
    void writeReceive(int request, long id, int data, int bytes, int next) {
        ByteBuffer buffer = memory.buffer();
        buffer.putLong(request + VerbsLayout.WR_ID, id);
        buffer.putLong(request + VerbsLayout.WR_NEXT, next == 0 ? 0 : memory.address() + next);
        writePiece(request, VerbsLayout.RECV_WR_BYTES, data, bytes);
    }

    /** As {@link #writeReceive}; the remote side of an RDMA operation is up to the caller. */
    void writeSend(int request, int opcode, int flags, long id, int data, int bytes, int next) {
        ByteBuffer buffer = memory.buffer();
        buffer.putLong(request + VerbsLayout.WR_ID, id);
        buffer.putLong(request + VerbsLayout.WR_NEXT, next == 0 ? 0 : memory.address() + next);
        buffer.putInt(request + VerbsLayout.SEND_WR_OPCODE, opcode);
        buffer.putInt(request + VerbsLayout.SEND_WR_FLAGS, flags);
        writePiece(request, VerbsLayout.SEND_WR_BYTES, data, bytes);
    }

    private void writePiece(int request, int piece, int data, int bytes) {
        ByteBuffer buffer = memory.buffer();
        buffer.putLong(request + VerbsLayout.WR_SGE_LIST, memory.address() + request + piece);
        buffer.putInt(request + VerbsLayout.WR_SGES, 1);
        buffer.putLong(request + piece + VerbsLayout.SGE_ADDRESS, memory.address() + data);
        buffer.putInt(request + piece + VerbsLayout.SGE_LENGTH, bytes);
        buffer.putInt(request + piece + VerbsLayout.SGE_LKEY, (int) region[VerbsCalls.REGION_LKEY]);
    }

    void writeRemote(int request, int target) {
        memory.buffer().putLong(request + VerbsLayout.SEND_WR_REMOTE_ADDRESS, memory.address() + target);
        memory.buffer().putInt(request + VerbsLayout.SEND_WR_RKEY, (int) region[VerbsCalls.REGION_RKEY]);
    }

    private void disconnect() {
        done("disconnect", verbs.disconnect(client));
        List<Long> left = new ArrayList<>(List.of(client, server));
        while (!left.isEmpty()) {
            int kind = nextEvent();
            if (kind != VerbsLayout.TIMEWAIT_EXIT) {
                assertEquals(VerbsLayout.DISCONNECTED, kind);
                assertTrue(left.remove(eventLong(VerbsLayout.EVENT_ID)), "disconnected twice");
                verbs.disconnect(server);
            }
        }
    }

    @Override
    public void close() {
        if (server != 0) {
            disconnect();
            done("destroyQueuePair", verbs.destroyQueuePair(client));
            done("destroyQueuePair", verbs.destroyQueuePair(server));
            done("destroyId", verbs.destroyId(server));
            done("destroyId", verbs.destroyId(client));
        }
        if (domain != 0) {
            done("deregisterMemory", verbs.deregisterMemory(region[VerbsCalls.REGION_HANDLE]));
            done("destroySharedReceiveQueue", verbs.destroySharedReceiveQueue(receives));
            done("destroyCompletionQueue", verbs.destroyCompletionQueue(clientQueue));
            done("destroyCompletionQueue", verbs.destroyCompletionQueue(serverQueue));
            done("destroyCompletionChannel", verbs.destroyCompletionChannel(channel));
            done("deallocateProtectionDomain", verbs.deallocateProtectionDomain(domain));
        }
        done("destroyId", verbs.destroyId(listener));
        done("destroyEventChannel", verbs.destroyEventChannel(events));
        memory.close();
    }
}
