package org.sluice.jni.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;

/**
 * The calls on a real RDMA device, software or hardware, through {@link VerbsCalls} alone; {@link LoopbackPair} is the
 * way there.
 */
@Tag("all")
@Tag("verbs")
final class VerbsLoopbackRxeTest {

    private static final byte[] ASKED = bytes(56, 3);
    private static final byte[] ANSWERED = bytes(196, 5);
    private static final int FREE = LoopbackPair.FREE;
    private static final int STEP = 256;
    private static final int BATCH = 16;
    private static final int MESSAGES = 1_000;

    private static final int STATUS_SUCCESS = 0;
    private static final int STATUS_FLUSHED = 5;
    private static final int STATUS_REMOTE_ACCESS = 10;
    private static final int FLAG_WITH_IMMEDIATE = 1 << 1;
    private static final int REJECTED_BY_CONSUMER = 28;
    private static final int ASYNC_RECEIVE_LIMIT = 15;
    private static final int STATE_RTS = 3;
    private static final int STATE_ERROR = 6;

    private final VerbsCalls verbs = Verbs.calls();

    @BeforeEach
    void isAvailable() {
        assertTrue(Verbs.available(), Verbs.unavailableReason());
    }

    private static byte[] bytes(int count, int factor) {
        byte[] result = new byte[count];
        for (int i = 0; i < count; i++) {
            result[i] = (byte) (i * factor + 1);
        }
        return result;
    }

    @Test
    void devicesHavePortsAndGids() {
        byte[] names = new byte[4096];
        int length = verbs.deviceNames(names);
        assertTrue(length > 1, "there is no RDMA device: " + length);
        assertEquals(length, verbs.deviceNames(new byte[0]));
        boolean anyGid = false;
        for (String name : new String(names, 0, length, StandardCharsets.UTF_8).split("\0")) {
            byte[] closed = Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), name.length() + 1);
            long context = LoopbackPair.handle("openDevice", verbs.openDevice(closed));
            byte[] again = new byte[64];
            assertEquals(name, new String(again, 0, verbs.deviceName(context, again), StandardCharsets.UTF_8));
            long[] device = new long[VerbsCalls.DEVICE_FIELDS];
            LoopbackPair.done("queryDevice", verbs.queryDevice(context, device));
            for (int field = 0; field < VerbsCalls.DEVICE_FIELDS; field++) {
                assertTrue(device[field] > 0, name + ", field " + field + ": " + device[field]);
            }
            for (int port = 1; port <= device[VerbsCalls.DEVICE_PORTS]; port++) {
                anyGid |= portHasGid(context, port);
            }
            assertTrue(
                    verbs.queryPort(context, (int) device[VerbsCalls.DEVICE_PORTS] + 1, new long[8]) < 0,
                    "a port too many");
            assertEquals(0, verbs.asyncEvent(context, new long[VerbsCalls.ASYNC_FIELDS]));
            LoopbackPair.done("closeDevice", verbs.closeDevice(context));
        }
        assertTrue(anyGid, "no active port with a GID of an IPv4 address");
    }

    private boolean portHasGid(long context, int number) {
        long[] port = new long[VerbsCalls.PORT_FIELDS];
        LoopbackPair.done("queryPort", verbs.queryPort(context, number, port));
        long mtu = port[VerbsCalls.PORT_ACTIVE_MTU_BYTES];
        assertTrue(mtu >= 256 && mtu <= port[VerbsCalls.PORT_MAX_MTU_BYTES] && Long.bitCount(mtu) == 1, "MTU " + mtu);
        assertTrue(
                port[VerbsCalls.PORT_MAX_MESSAGE_BYTES] >= 1 << 20,
                "message " + port[VerbsCalls.PORT_MAX_MESSAGE_BYTES]);
        boolean found = false;
        for (int index = 0; index < port[VerbsCalls.PORT_GIDS]; index++) {
            long[] gid = new long[VerbsCalls.GID_FIELDS];
            int result = verbs.queryGid(context, number, index, gid);
            assertTrue(result == 0 || result == -Errno.ENODATA, Errno.describe("queryGid", result));
            found |= result == 0
                    && gid[VerbsCalls.GID_TYPE] == VerbsCalls.GID_TYPE_ROCE_V2
                    && gid[VerbsCalls.GID_INTERFACE] > 0
                    && gid[VerbsCalls.GID_HIGH] == 0
                    && gid[VerbsCalls.GID_LOW] >>> 32 == 0xffff;
        }
        return found
                && port[VerbsCalls.PORT_STATE] == VerbsCalls.PORT_STATE_ACTIVE
                && port[VerbsCalls.PORT_LINK_LAYER] == VerbsCalls.LINK_LAYER_ETHERNET;
    }

    @Test
    void connectsToItselfAndGivesEverythingBack() throws Exception {
        connectOnce();
        long descriptors = descriptors();
        for (int i = 0; i < 3; i++) {
            connectOnce();
        }
        assertEquals(descriptors, descriptors(), "open descriptors");
    }

    private long state(long queuePair) {
        long[] path = new long[VerbsCalls.PATH_FIELDS];
        LoopbackPair.done("queryQueuePair", verbs.queryQueuePair(queuePair, path));
        return path[VerbsCalls.PATH_STATE];
    }

    private void connectOnce() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.connect(ASKED, ANSWERED);
            assertEquals(STATE_RTS, state(pair.clientPair));
            assertEquals(STATE_RTS, state(pair.serverPair));
            assertEquals(1, verbs.cmPort(pair.client));
            assertTrue(pair.clientLimits[VerbsCalls.QUEUE_PAIR_MAX_SEND_WR] >= LoopbackPair.SENDS, "send requests");
            assertTrue(pair.clientLimits[VerbsCalls.QUEUE_PAIR_MAX_SEND_SGE] >= 2, "pieces of a send");
            assertEquals(0, verbs.connectionEvent(pair.events, pair.memory.address()));
        }
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }

    /** Slot i: its request at FREE + i * STEP, its data behind all requests. */
    @Test
    void aThousandMessagesInBatches() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.connect(ASKED, ANSWERED);
            int received = FREE;
            int sent = received + LoopbackPair.RECEIVES * STEP;
            int inbox = sent + BATCH * STEP;
            int outbox = inbox + LoopbackPair.RECEIVES * STEP;
            int completions = outbox + BATCH * STEP;
            for (int slot = 0; slot < LoopbackPair.RECEIVES; slot++) {
                int next = slot + 1 < LoopbackPair.RECEIVES ? received + (slot + 1) * STEP : 0;
                pair.writeReceive(received + slot * STEP, slot, inbox + slot * STEP, STEP, next);
            }
            LoopbackPair.done("postReceive", pair.postReceive(received));
            for (int message = 0; message < MESSAGES; ) {
                int count = Math.min(BATCH, MESSAGES - message);
                sendBatch(pair, sent, outbox, message, count);
                pair.poll(pair.clientQueue, 1, completions);
                assertEquals(message + count - 1, pair.memory.buffer().getLong(completions + VerbsLayout.WC_WR_ID));
                assertEquals(VerbsLayout.WC_SEND, pair.completionInt(completions, 0, VerbsLayout.WC_OPCODE));
                pair.poll(pair.serverQueue, count, completions);
                for (int i = 0; i < count; i++) {
                    takeMessage(pair, completions, i, message + i, inbox, received);
                }
                message += count;
            }
            assertEquals(0, verbs.poll(pair.clientQueue, 1, pair.memory.address() + completions));
        }
    }

    private static int lengthOf(int message) {
        return 1 + message % STEP;
    }

    private static void sendBatch(LoopbackPair pair, int requests, int data, int first, int count) {
        for (int i = 0; i < count; i++) {
            int bytes = lengthOf(first + i);
            for (int b = 0; b < bytes; b++) {
                pair.memory.buffer().put(data + i * STEP + b, (byte) (first + i + b));
            }
            boolean last = i == count - 1;
            pair.writeSend(
                    requests + i * STEP,
                    VerbsLayout.OPCODE_SEND,
                    last ? VerbsLayout.SEND_SIGNALED : 0,
                    first + i,
                    data + i * STEP,
                    bytes,
                    last ? 0 : requests + (i + 1) * STEP);
        }
        LoopbackPair.done("postSend", pair.postSend(requests));
    }

    /** Checks a message and posts its slot again, by itself. */
    private static void takeMessage(
            LoopbackPair pair, int completions, int index, int message, int inbox, int requests) {
        ByteBuffer buffer = pair.memory.buffer();
        int slot = (int) buffer.getLong(completions + index * VerbsLayout.WC_BYTES + VerbsLayout.WC_WR_ID);
        assertEquals(
                STATUS_SUCCESS, pair.completionInt(completions, index, VerbsLayout.WC_STATUS), "message " + message);
        assertNotEquals(0, pair.completionInt(completions, index, VerbsLayout.WC_OPCODE) & VerbsLayout.WC_RECV);
        assertEquals(lengthOf(message), pair.completionInt(completions, index, VerbsLayout.WC_LENGTH));
        assertEquals(
                pair.serverLimits[VerbsCalls.QUEUE_PAIR_NUMBER],
                pair.completionInt(completions, index, VerbsLayout.WC_QUEUE_PAIR));
        for (int b = 0; b < lengthOf(message); b++) {
            assertEquals(
                    (byte) (message + b), buffer.get(inbox + slot * STEP + b), "message " + message + ", byte " + b);
        }
        pair.writeReceive(requests + slot * STEP, slot, inbox + slot * STEP, STEP, 0);
        LoopbackPair.done("postReceive", pair.postReceive(requests + slot * STEP));
    }

    @Test
    void writesReadsAndImmediateData() throws Exception {
        int from = FREE + 64 * 1024;
        int there = from + 100_000;
        int back = there + 100_000;
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.connect(ASKED, ANSWERED);
            ByteBuffer buffer = pair.memory.buffer();
            for (int i = 0; i < 100_000; i++) {
                buffer.put(from + i, (byte) (i * 7));
            }
            pair.writeSend(FREE, VerbsLayout.OPCODE_RDMA_WRITE, VerbsLayout.SEND_SIGNALED, 1, from, 100_000, 0);
            pair.writeRemote(FREE, there);
            complete(pair, VerbsLayout.WC_RDMA_WRITE);
            assertEquals(-1, buffer.slice(from, 100_000).mismatch(buffer.slice(there, 100_000)));

            pair.writeSend(FREE, VerbsLayout.OPCODE_RDMA_READ, VerbsLayout.SEND_SIGNALED, 2, back, 100_000, 0);
            pair.writeRemote(FREE, there);
            complete(pair, VerbsLayout.WC_RDMA_READ);
            assertEquals(-1, buffer.slice(from, 100_000).mismatch(buffer.slice(back, 100_000)));

            pair.writeReceive(FREE + STEP, 3, back, 8, 0);
            LoopbackPair.done("postReceive", pair.postReceive(FREE + STEP));
            pair.writeSend(FREE, VerbsLayout.OPCODE_RDMA_WRITE_WITH_IMM, VerbsLayout.SEND_SIGNALED, 4, from, 8, 0);
            pair.writeRemote(FREE, there);
            buffer.putInt(FREE + VerbsLayout.SEND_WR_IMMEDIATE, 0x01020304);
            complete(pair, VerbsLayout.WC_RDMA_WRITE);
            pair.poll(pair.serverQueue, 1, FREE + 2 * STEP);
            assertEquals(0x01020304, pair.completionInt(FREE + 2 * STEP, 0, VerbsLayout.WC_IMMEDIATE));
            assertNotEquals(0, pair.completionInt(FREE + 2 * STEP, 0, VerbsLayout.WC_FLAGS) & FLAG_WITH_IMMEDIATE);
        }
    }

    private static void complete(LoopbackPair pair, int opcode) {
        LoopbackPair.done("postSend", pair.postSend(FREE));
        pair.poll(pair.clientQueue, 1, FREE + 2 * STEP);
        assertEquals(STATUS_SUCCESS, pair.completionInt(FREE + 2 * STEP, 0, VerbsLayout.WC_STATUS));
        assertEquals(opcode, pair.completionInt(FREE + 2 * STEP, 0, VerbsLayout.WC_OPCODE));
    }

    @Test
    void aSleeperIsWokenByACompletion() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.connect(ASKED, ANSWERED);
            int[] descriptors = {verbs.completionChannelFd(pair.channel)};
            LoopbackPair.done("requestNotify", verbs.requestNotify(pair.serverQueue));
            assertEquals(0, verbs.drainCompletionEvents(pair.channel));
            assertEquals(0, verbs.waitReady(descriptors, 20));
            pair.writeReceive(FREE + STEP, 7, FREE + 4 * STEP, STEP, 0);
            LoopbackPair.done("postReceive", pair.postReceive(FREE + STEP));
            pair.writeSend(FREE, VerbsLayout.OPCODE_SEND, VerbsLayout.SEND_SOLICITED, 1, FREE + 5 * STEP, 8, 0);
            LoopbackPair.done("postSend", pair.postSend(FREE));
            assertEquals(1, verbs.waitReady(descriptors, 20_000));
            assertEquals(1, verbs.drainCompletionEvents(pair.channel));
            assertEquals(0, verbs.drainCompletionEvents(pair.channel));
            pair.poll(pair.serverQueue, 1, FREE + 2 * STEP);
        }
    }

    @Test
    void theLimitOfReceiveSlotsGivesAnEvent() throws Exception {
        long[] event = new long[VerbsCalls.ASYNC_FIELDS];
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.connect(ASKED, ANSWERED);
            int fd = verbs.asyncFd(pair.context);
            for (int slot = 0; slot < 4; slot++) {
                pair.writeReceive(FREE + (8 + slot) * STEP, slot, FREE + (16 + slot) * STEP, STEP, 0);
                LoopbackPair.done("postReceive", pair.postReceive(FREE + (8 + slot) * STEP));
            }
            while (verbs.asyncEvent(pair.context, event) == 1) {
                assertNotEquals(ASYNC_RECEIVE_LIMIT, event[VerbsCalls.ASYNC_KIND]);
            }
            LoopbackPair.done("setLimit", verbs.setLimit(pair.receives, 4));
            pair.writeSend(FREE, VerbsLayout.OPCODE_SEND, VerbsLayout.SEND_SIGNALED, 1, FREE + 5 * STEP, 8, 0);
            LoopbackPair.done("postSend", pair.postSend(FREE));
            do {
                assertEquals(1, verbs.waitReady(new int[] {fd}, 20_000), "no asynchronous event came");
                assertEquals(1, verbs.asyncEvent(pair.context, event));
            } while (event[VerbsCalls.ASYNC_KIND] != ASYNC_RECEIVE_LIMIT);
            pair.poll(pair.serverQueue, 1, FREE + 2 * STEP);
        }
    }

    @Test
    void aRefusedRequestIsNamed() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.connect(ASKED, ANSWERED);
            pair.writeReceive(FREE, 1, FREE + 4 * STEP, STEP, FREE + STEP);
            pair.writeReceive(FREE + STEP, 2, FREE + 5 * STEP, STEP, 0);
            pair.memory.buffer().putInt(FREE + STEP + VerbsLayout.WR_SGES, 10_000);
            int result = pair.postReceive(FREE);
            assertTrue(result < 0, "10,000 pieces were taken");
            assertEquals(pair.memory.address() + FREE + STEP, pair.badRequest(), Errno.describe("postReceive", result));
        }
    }

    @Test
    void aWrongKeyFailsTheQueuePairAndTheRestIsFlushed() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.connect(ASKED, ANSWERED);
            pair.writeSend(FREE, VerbsLayout.OPCODE_RDMA_WRITE, VerbsLayout.SEND_SIGNALED, 1, FREE + 4 * STEP, 8, 0);
            pair.writeRemote(FREE, FREE + 5 * STEP);
            pair.memory.buffer().putInt(FREE + VerbsLayout.SEND_WR_RKEY, ~(int) pair.region[VerbsCalls.REGION_RKEY]);
            LoopbackPair.done("postSend", pair.postSend(FREE));
            pair.poll(pair.clientQueue, 1, FREE + 2 * STEP);
            assertEquals(STATUS_REMOTE_ACCESS, pair.completionInt(FREE + 2 * STEP, 0, VerbsLayout.WC_STATUS));
            LoopbackPair.done("failQueuePair", verbs.failQueuePair(pair.clientPair));
            assertEquals(STATE_ERROR, state(pair.clientPair));
            pair.writeSend(FREE, VerbsLayout.OPCODE_SEND, VerbsLayout.SEND_SIGNALED, 2, FREE + 4 * STEP, 8, 0);
            LoopbackPair.done("postSend", pair.postSend(FREE));
            pair.poll(pair.clientQueue, 1, FREE + 2 * STEP);
            assertEquals(STATUS_FLUSHED, pair.completionInt(FREE + 2 * STEP, 0, VerbsLayout.WC_STATUS));
        }
    }

    @Test
    void rejectionsCarryTheirReason() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.createObjects();
            long id = pair.resolve(pair.port);
            long[] limits = {4, 1, 0, 0};
            LoopbackPair.handle(
                    "createQueuePair",
                    verbs.createQueuePair(id, pair.domain, pair.clientQueue, pair.clientQueue, pair.receives, limits));
            LoopbackPair.done("connect", verbs.connect(id, new long[] {1, 1, 7, 7}, ASKED));
            pair.expectAny(VerbsLayout.CONNECT_REQUEST);
            long request = pair.eventLong(VerbsLayout.EVENT_ID);
            LoopbackPair.done(
                    "reject", verbs.reject(request, ANSWERED.length > 148 ? Arrays.copyOf(ANSWERED, 148) : ANSWERED));
            LoopbackPair.done("destroyId", verbs.destroyId(request));
            pair.expect(VerbsLayout.REJECTED, id);
            assertEquals(REJECTED_BY_CONSUMER, pair.eventInt(VerbsLayout.EVENT_STATUS));
            pair.assertPrivateData(Arrays.copyOf(ANSWERED, 148));
            LoopbackPair.done("destroyQueuePair", verbs.destroyQueuePair(id));
            LoopbackPair.done("destroyId", verbs.destroyId(id));
        }
    }

    @Test
    void nobodyListensThere() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(verbs)) {
            pair.createObjects();
            long id = pair.resolve(pair.port == 1 ? 2 : pair.port - 1);
            long[] limits = {4, 1, 0, 0};
            LoopbackPair.handle(
                    "createQueuePair",
                    verbs.createQueuePair(id, pair.domain, pair.clientQueue, pair.clientQueue, pair.receives, limits));
            LoopbackPair.done("connect", verbs.connect(id, new long[] {1, 1, 7, 7}, null));
            pair.expect(VerbsLayout.REJECTED, id);
            assertNotEquals(REJECTED_BY_CONSUMER, pair.eventInt(VerbsLayout.EVENT_STATUS));
            LoopbackPair.done("destroyQueuePair", verbs.destroyQueuePair(id));
            LoopbackPair.done("destroyId", verbs.destroyId(id));
        }
    }

    /** Errors, and never a crash: librdmacm would look into a device that is not there. */
    @Test
    void idsWithoutADevice() {
        long events = LoopbackPair.handle("createEventChannel", verbs.createEventChannel());
        long id = LoopbackPair.handle("createId", verbs.createId(events));
        assertEquals(0, verbs.cmContext(id));
        assertEquals(0, verbs.localPort(id));
        assertEquals(-Errno.EINVAL, verbs.connect(id, new long[] {1, 1, 7, 7}, null));
        assertEquals(-Errno.EINVAL, verbs.accept(id, new long[] {1, 1, 7, 7}, null));
        assertEquals(-Errno.EINVAL, verbs.reject(id, null));
        assertEquals(-Errno.EINVAL, verbs.disconnect(id));
        assertEquals(-Errno.EINVAL, verbs.resolveRoute(id, 100));
        long[] limits = {1, 1, 0, 0};
        assertEquals(-Errno.EINVAL, verbs.createQueuePair(id, events, events, events, events, limits));
        assertEquals(0, verbs.cmPort(id));
        assertEquals(0, verbs.destroyQueuePair(id));
        LoopbackPair.done("setTypeOfService", verbs.setTypeOfService(id, 8));
        assertTrue(verbs.bind(id, new byte[] {10, 99, 99, 99}, 0) < 0, "bound to an address of nobody");
        LoopbackPair.done("bind", verbs.bind(id, new byte[4], 0));
        LoopbackPair.done("listen", verbs.listen(id, 1));
        assertTrue(verbs.localPort(id) > 0, "no port");
        assertEquals(0, verbs.cmContext(id));
        LoopbackPair.done("destroyId", verbs.destroyId(id));
        LoopbackPair.done("destroyEventChannel", verbs.destroyEventChannel(events));
    }
}
