package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.match.Arrived;
import org.sluice.hybrid.match.Receive;
import org.sluice.hybrid.match.ReferenceMatching;
import org.sluice.hybrid.receive.DirectReceive;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.receive.TakenMessage;
import org.sluice.hybrid.request.Completion;

/**
 * One random run of all ways to receive, those past the queues among them, beside the reference. Whatever way a packet
 * leaves its ring, the reference sees it arrive then; it doesn't know that there are several.
 */
final class TakingScript extends DirectReceiveFixture {
    private static final int[] CONTEXTS = {CONTEXT, -3};
    private static final int SOURCES = 3;
    private static final int TAGS = 3;

    /** A message that was sent, and what received it. */
    private static final class Sent {
        Arrived envelope;
        byte[] payload;
        boolean rendezvous;
        Want receiver;
    }

    /** A receive that is not over. */
    private static final class Want {
        Receive envelope;
        Completion completion;
        Object buffer;
        int room;
        int elementSize;
        /** Who to give the completion back to; null where a program would hold it. */
        DirectReceive direct;

        Sent message;
        boolean done;
    }

    private record Probing(Probe probe, Receive envelope) {}

    private record Held(TakenMessage message, Sent sent) {}

    private final Random random;
    private final ReferenceMatching reference = new ReferenceMatching();
    private final List<Want> wants = new ArrayList<>();
    private final List<Probing> probes = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final Map<Receive, Want> byReceive = new IdentityHashMap<>();
    private final Map<Arrived, Sent> byEnvelope = new IdentityHashMap<>();
    /** What lies in the rings, by body: messages, and the bytes of large ones. */
    private final Map<byte[], Sent> onTheWay = new LinkedHashMap<>();

    private final Map<byte[], Want> streams = new IdentityHashMap<>();
    private final Map<Long, Sent> started = new HashMap<>();
    private long sends;
    private int wildPercent;
    private final int largePercent;
    private final int waitingProbePercent;
    /** How often each way past the queues was gone. */
    int takenNow;

    int takenByLook;
    int takenDirectly;

    TakingScript(long seed) {
        random = new Random(seed);
        // Either keeps what goes past the queues from it while it lasts.
        largePercent = random.nextInt(3) == 0 ? 10 : 0;
        waitingProbePercent = random.nextInt(4) == 0 ? 15 : 0;
    }

    void run(int steps) {
        int sendPercent = 25;
        for (int step = 0; step < steps; step++) {
            if (step % 40 == 0) {
                sendPercent = 10 + random.nextInt(30);
                wildPercent = random.nextInt(3) * 15;
                channel.takes = random.nextInt(5) != 0;
            }
            if (random.nextInt(100) < sendPercent) {
                send();
            } else {
                act(random.nextInt(100));
            }
            check();
        }
        while (!channel.isEmpty()) {
            exchange.work();
            check();
        }
        exchange.end(CLOSED);
        for (Want want : wants) {
            assertTrue(reference.posted.contains(want.envelope), want.envelope + " has matched and isn't over");
            assertEquals(ErrorCode.DEVICE_CLOSED, want.completion.error());
        }
    }

    private void act(int choice) {
        if (choice < 20) {
            irecv();
        } else if (choice < 35) {
            recv();
        } else if (choice < 60) {
            lookFor();
        } else if (choice < 90) {
            exchange.work();
        } else if (choice < 93) {
            cancel();
        } else if (choice < 98) {
            probe();
        } else if (!held.isEmpty()) {
            receiveHeld();
        }
    }

    private void send() {
        Sent sent = new Sent();
        sent.envelope = Arrived.of(CONTEXTS[random.nextInt(2)], random.nextInt(SOURCES), random.nextInt(TAGS));
        if (!reference.posted.isEmpty() && random.nextInt(2) == 0) {
            Receive oldest = reference.posted.get(0);
            sent.envelope = Arrived.of(
                    oldest.contextId,
                    oldest.source == Device.ANY_SOURCE ? sent.envelope.source : oldest.source,
                    oldest.tag == Device.ANY_TAG ? sent.envelope.tag : oldest.tag);
        }
        sent.payload = new byte[random.nextInt(13)];
        random.nextBytes(sent.payload);
        sent.rendezvous = random.nextInt(100) < largePercent;
        byEnvelope.put(sent.envelope, sent);
        byte[] body = sent.payload;
        if (sent.rendezvous) {
            long[] start = {++sends, sent.payload.length, RemoteReference.NO_REFERENCE, 0};
            started.put(sends, sent);
            body = new byte[4 * Long.BYTES];
            Memory.copy(start, Memory.arrayOffset(start), body, Memory.arrayOffset(body), body.length);
        }
        onTheWay.put(body, sent);
        channel.arrive(
                sent.envelope.source,
                sent.rendezvous ? PacketKind.RNDV_START : PacketKind.EAGER,
                sent.envelope.contextId,
                sent.envelope.tag,
                body);
    }

    /** Mostly of what waits already, or comes next: so the queues are empty at times. */
    private Receive envelope() {
        Arrived of = Arrived.of(CONTEXTS[random.nextInt(2)], random.nextInt(SOURCES), random.nextInt(TAGS));
        int choice = random.nextInt(10);
        if (choice < 4 && !reference.unexpected.isEmpty()) {
            of = reference.unexpected.get(0);
        } else if (choice < 8 && !onTheWay.isEmpty()) {
            of = onTheWay.values().iterator().next().envelope;
        }
        return Receive.of(
                of.contextId,
                random.nextInt(100) < wildPercent ? Device.ANY_SOURCE : of.source,
                random.nextInt(100) < wildPercent ? Device.ANY_TAG : of.tag);
    }

    private Want want(Receive envelope) {
        Want want = new Want();
        want.envelope = envelope;
        want.elementSize = random.nextInt(4) == 0 ? 4 : 1;
        want.room = (random.nextInt(4) == 0 ? random.nextInt(13) : 12) / want.elementSize * want.elementSize;
        want.buffer = want.elementSize == 1 ? new byte[want.room] : new int[want.room / 4];
        return want;
    }

    /** It is posted now: in the reference it takes what is stored, or waits. */
    private void begin(Want want) {
        wants.add(want);
        byReceive.put(want.envelope, want);
        Arrived stored = reference.messageFor(want.envelope.contextId, want.envelope.source, want.envelope.tag);
        if (stored == null) {
            reference.posted.add(want.envelope);
        } else {
            reference.unexpected.remove(stored);
            matched(want, byEnvelope.get(stored));
        }
    }

    private static void matched(Want want, Sent sent) {
        want.message = sent;
        sent.receiver = want;
        want.done = !sent.rendezvous || sent.payload.length == 0 || want.room == 0;
    }

    private void irecv() {
        Want want = want(envelope());
        want.completion = new Completion(null);
        Receive envelope = want.envelope;
        if (random.nextInt(3) != 0) {
            long taken = exchange.direct()
                    .takeNow(want.buffer, 0, want.room, envelope.contextId, envelope.source, envelope.tag);
            if (taken >= 0) {
                exchange.direct().succeed(want.completion, taken, envelope.contextId, envelope.source, want.buffer);
                begin(want);
                takenNow++;
                return;
            }
            assertTrue(channel.left.isEmpty());
        }
        exchange.post(want.buffer, 0, want.room, envelope.contextId, envelope.source, envelope.tag, want.completion);
        begin(want);
    }

    private void recv() {
        Want want = want(envelope());
        DirectReceive direct = exchange.direct()
                .begin(want.buffer, 0, want.room, want.envelope.contextId, want.envelope.source, want.envelope.tag);
        if (direct == null) {
            want.completion = new Completion(null);
            exchange.post(
                    want.buffer,
                    0,
                    want.room,
                    want.envelope.contextId,
                    want.envelope.source,
                    want.envelope.tag,
                    want.completion);
            begin(want);
            return;
        }
        begin(want);
        for (int rounds = random.nextInt(4); !direct.getAsBoolean() && rounds > 0; rounds--) {
            exchange.work();
        }
        want.completion = exchange.direct().end(direct);
        if (want.completion == null) {
            settle();
            wants.remove(want);
            assertTrue(want.done, want.envelope + " was received and has no message");
            direct.fill(status);
            checkResult(want, ErrorCode.NONE);
            takenDirectly++;
        } else {
            want.direct = direct;
        }
    }

    private void lookFor() {
        if (wants.isEmpty()) {
            return;
        }
        Want want = wants.get(random.nextInt(random.nextBoolean() ? 1 : wants.size()));
        int found = exchange.lookFor(want.completion);
        assertEquals(found > 0 ? 1 : 0, channel.left.size());
        settle();
        assertEquals(found > 0, want.done, want.envelope + " was looked for");
        takenByLook += found > 0 ? 1 : 0;
    }

    private void cancel() {
        if (wants.isEmpty()) {
            return;
        }
        Want want = wants.get(random.nextInt(wants.size()));
        if (want.direct == null) {
            boolean posted = reference.posted.remove(want.envelope);
            assertEquals(posted, exchange.cancel(want.completion));
            if (posted) {
                assertEquals(ErrorCode.CANCELLED, want.completion.error());
                wants.remove(want);
            }
        }
    }

    private void probe() {
        Receive envelope = envelope();
        TakenMessage taker = random.nextBoolean() ? new TakenMessage(exchange.delivery(), null, null, null) : null;
        Arrived stored = reference.messageFor(envelope.contextId, envelope.source, envelope.tag);
        Probe probe = new Probe(envelope.contextId, envelope.source, envelope.tag, taker, new Completion(null));
        if (stored == null && random.nextInt(100) < waitingProbePercent) {
            exchange.probes().begin(probe);
            probes.add(new Probing(probe, envelope));
            return;
        }
        assertEquals(stored != null, exchange.probes().now(probe));
        if (stored != null) {
            found(probe, byEnvelope.get(stored));
            reference.unexpected.removeIf(each -> each == stored && taker != null);
        }
    }

    private void found(Probe probe, Sent sent) {
        assertTrue(probe.completion.isReached());
        probe.completion.fill(status);
        assertEquals(sent.envelope.source, status.source());
        assertEquals(sent.envelope.tag, status.tag());
        assertEquals(sent.payload.length, status.bytes());
        if (probe.taker != null) {
            held.add(new Held(probe.taker, sent));
        }
    }

    private void receiveHeld() {
        Held mine = held.remove(random.nextInt(held.size()));
        Want want = want(Receive.of(mine.sent.envelope.contextId, mine.sent.envelope.source, mine.sent.envelope.tag));
        want.completion = new Completion(null);
        mine.message.begin(want.buffer, 0, want.room, want.completion);
        wants.add(want);
        matched(want, mine.sent);
    }

    /** Tells the reference what has left its ring meanwhile. */
    private void settle() {
        for (byte[] body; (body = channel.left.poll()) != null; ) {
            Want streamed = streams.remove(body);
            if (streamed != null) {
                streamed.done = true;
            } else {
                arrived(onTheWay.remove(body));
            }
        }
        for (HostileChannel.Sent packet; (packet = channel.sent.poll()) != null; ) {
            if (packet.kind() == PacketKind.RNDV_REPLY) {
                answer(packet);
            }
        }
    }

    private void arrived(Sent sent) {
        Arrived envelope = sent.envelope;
        Receive receive = reference.receiveFor(envelope.contextId, envelope.source, envelope.tag);
        if (receive != null) {
            reference.posted.remove(receive);
            matched(byReceive.get(receive), sent);
            return;
        }
        for (Probing probing : List.copyOf(probes)) {
            if (probing.probe.completion.isReached() && accepts(probing.envelope, envelope)) {
                probes.remove(probing);
                found(probing.probe, sent);
                if (probing.probe.taker != null) {
                    return;
                }
            }
        }
        reference.unexpected.add(envelope);
    }

    private static boolean accepts(Receive probe, Arrived message) {
        ReferenceMatching one = new ReferenceMatching();
        one.posted.add(probe);
        return one.receiveFor(message.contextId, message.source, message.tag) != null;
    }

    /** The sender of a large message is asked for its bytes. */
    private void answer(HostileChannel.Sent reply) {
        Sent sent = started.remove(reply.words()[0]);
        assertNotNull(sent.receiver, sent.envelope + " is asked for, and nothing has matched it");
        int accepted = (int) reply.words()[2];
        assertEquals(Math.min(sent.payload.length, sent.receiver.room), accepted);
        if (accepted > 0) {
            byte[] body = Arrays.copyOf(sent.payload, accepted);
            streams.put(body, sent.receiver);
            long id = reply.words()[1];
            channel.arrive(sent.envelope.source, PacketKind.RNDV_DATA, (int) (id >> 32), (int) id, body);
        }
    }

    private void check() {
        settle();
        for (Want want : List.copyOf(wants)) {
            assertEquals(
                    want.done,
                    want.completion.isReached(),
                    want.envelope + " and " + (want.message == null ? null : want.message.envelope));
            if (want.done) {
                wants.remove(want);
                want.completion.fill(status);
                checkResult(want, want.completion.error());
                assertEquals(-1, exchange.lookFor(want.completion));
                assertNull(want.completion.operation());
                if (want.direct != null) {
                    want.direct.giveBack(want.completion);
                }
            }
        }
        String state = "Receiver[" + reference.posted.size() + " posted, " + reference.unexpected.size()
                + " unexpected, " + probes.size() + " probes]";
        assertTrue(exchange.toString().startsWith(state), state + " by the reference, and " + exchange);
    }

    /** The status has been filled in. */
    private void checkResult(Want want, ErrorCode error) {
        byte[] payload = want.message.payload;
        assertEquals(want.message.envelope.source, status.source());
        assertEquals(want.message.envelope.tag, status.tag());
        assertEquals(payload.length, status.bytes());
        assertEquals(
                payload.length > want.room
                        ? ErrorCode.TRUNCATED
                        : payload.length % want.elementSize != 0 ? ErrorCode.ELEMENT_MISMATCH : ErrorCode.NONE,
                error);
        int delivered = Math.min(payload.length, want.room);
        byte[] received = new byte[delivered];
        Memory.copy(want.buffer, Memory.arrayOffset(want.buffer), received, Memory.arrayOffset(received), delivered);
        assertArrayEquals(
                Arrays.copyOf(payload, delivered), received, want.envelope + " got other bytes than its message has");
    }
}
