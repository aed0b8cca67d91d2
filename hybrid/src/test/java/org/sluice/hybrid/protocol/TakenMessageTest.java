package org.sluice.hybrid.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.channel.PacketKind;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.device.BytesOfFields;
import org.sluice.hybrid.receive.Probe;
import org.sluice.hybrid.receive.TakenMessage;
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
        return new TakenMessage(exchange.delivery(), engine, null, null);
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
    void theDeviceEndsWhereAReceiveBreaksOnItsWaySoThatTheSenderHearsOfIt() {
        TakenMessage message = rendezvous(1000);
        IllegalStateException thrown = new IllegalStateException("by this test");
        channel.breaking = () -> {
            throw thrown;
        };
        channel.broken.add(PEER);
        SluiceException said =
                assertThrows(SluiceException.class, () -> message.irecv(new byte[1000], 0, Device.WHOLE));
        assertEquals(ErrorCode.DEVICE_FAILED, said.code());
        assertSame(thrown, said.getCause());
        assertNotNull(exchange.ended(), "nobody answers the sender any more");
    }
}
