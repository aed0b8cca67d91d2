package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.device.BytesOfFields;
import org.sluice.hybrid.request.Completion;

/** Messages that were taken, and whose receive doesn't begin or breaks. */
final class TakenMessageTest extends WritingScript {
    private static final int CONTEXT = 5;
    private static final int TAG = 3;
    private static final long SEND_ID = 42;

    private TakenMessage taken() {
        TakenMessage message = taker();
        assertTrue(
                exchange.probes().now(new Probe(CONTEXT, PEER, TAG, message, new Completion(null))),
                "the message is not there");
        return message;
    }

    private TakenMessage taker() {
        return new TakenMessage(exchange, engine, null, null, counters);
    }

    private TakenMessage eager(byte... content) {
        channel.arrive(PEER, PacketKind.EAGER, CONTEXT, TAG, content);
        run();
        return taken();
    }

    /** One whose bytes its sender has, and streams when it is asked to. */
    private TakenMessage rendezvous(long bytes) {
        arriveRendezvous(bytes);
        return taken();
    }

    private void arriveRendezvous(long bytes) {
        long[] words = {SEND_ID, bytes, 0, 0};
        byte[] body = new byte[32];
        Memory.copy(words, Memory.arrayOffset(words), body, Memory.arrayOffset(body), body.length);
        channel.arrive(PEER, PacketKind.RNDV_START, CONTEXT, TAG, body);
        run();
    }

    @Test
    void aBufferThatIsRefusedLeavesTheMessageToTheNextCall() {
        TakenMessage message = eager((byte) 7, (byte) 8);
        Bytes<?> refused = BytesOfFields.make();
        int holders = refused.bytesStore().refCount();
        String said = assertThrows(IllegalArgumentException.class, () -> message.irecv(refused, 0, Device.WHOLE))
                .getMessage();
        assertTrue(said.contains("allowed are"), said);
        assertEquals(holders, refused.bytesStore().refCount(), "who refuses it holds it no longer");
        byte[] into = new byte[2];
        assertEquals(ErrorCode.NONE, message.irecv(into, 0, Device.WHOLE).error());
        assertArrayEquals(new byte[] {7, 8}, into);
    }

    @Test
    void whoBeganAProbeAndIsGoneTakesNothing() {
        TakenMessage gone = taker();
        Probe probe = new Probe(CONTEXT, PEER, TAG, gone, new Completion(null));
        exchange.probes().begin(probe);
        exchange.probes().abandon(probe, new OutOfMemoryError("by this test"));
        assertFalse(exchange.cancel(probe.completion), "it waits for nothing any more");
        byte[] into = new byte[1];
        assertEquals(
                ErrorCode.NONE, eager((byte) 7).irecv(into, 0, Device.WHOLE).error());
        assertEquals(7, into[0]);
        assertFalse(probe.completion.isReached());
    }

    @Test
    void whatAProbeTookForWhoIsGoneIsDroppedSoThatTheSenderGoesOn() {
        TakenMessage gone = taker();
        Probe probe = new Probe(CONTEXT, PEER, TAG, gone, new Completion(null));
        exchange.probes().begin(probe);
        arriveRendezvous(1000);
        assertTrue(probe.completion.isReached());
        assertEquals(1000, gone.status().bytes(), "had from the match on");
        assertEquals(List.of(), sentKinds());
        exchange.probes().abandon(probe, new OutOfMemoryError("by this test"));
        assertFalse(channel.sent.isEmpty(), "nobody answers the sender any more");
        assertThrows(IllegalStateException.class, () -> gone.irecv(new byte[1000], 0, Device.WHOLE));
    }

    @Test
    void theDeviceEndsWhereAReceiveBreaksOnItsWaySoThatTheSenderHearsOfIt() {
        TakenMessage message = rendezvous(1000);
        channel.breaking = () -> {
            throw new OutOfMemoryError("by this test");
        };
        channel.broken.add(PEER);
        Request request;
        try {
            request = message.irecv(new byte[1000], 0, Device.WHOLE);
        } catch (OutOfMemoryError e) {
            // Which would end all tests.
            throw new AssertionError("the call threw it, and the device goes on without the message", e);
        }
        assertEquals(ErrorCode.DEVICE_FAILED, request.error());
        assertNotNull(exchange.ended(), "nobody answers the sender any more");
        assertThrows(IllegalStateException.class, () -> message.irecv(new byte[1000], 0, Device.WHOLE));
    }
}
