package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;

/** Memory that the program registers itself. The cache keeps nothing here, so that whatever stays was asked for. */
@Tag("all")
@Tag("verbs")
final class RegisteringRxeTest {
    private static final int BYTES = 50_000;

    private final DeviceJob job = DeviceJob.open(
            2, Map.of("sluice.channels", "ib", "sluice.ib.cache.bytes", "0", "sluice.ib.pool.limit.bytes", "0"));
    private final Device device = job.device(0);

    @AfterEach
    void close() {
        job.close();
    }

    private long registrationsOf(Object buffer) {
        long before = device.counters().get("registrations");
        byte[] into = new byte[BYTES];
        job.run(sender -> sender.send(buffer, 1, 3), receiver -> receiver.recv(into, 0, 3));
        return device.counters().get("registrations") - before;
    }

    @Test
    void whatIsRegisteredStaysUntilItIsDeregistered() {
        MessageBuffer message = device.allocate(BYTES);
        Bytes<?> bytes = Bytes.allocateDirect(BYTES);
        bytes.write(new byte[BYTES]);
        ByteBuffer direct = ByteBuffer.allocateDirect(BYTES);
        for (Object each : new Object[] {message, bytes, direct}) {
            assertEquals(1, registrationsOf(each), each.getClass() + " not registered");
            device.register(each);
            device.register(each);
            assertEquals(0, registrationsOf(each), each.getClass() + " registered");
            assertEquals(0, registrationsOf(each));
            device.deregister(each);
            assertEquals(1, registrationsOf(each), each.getClass() + " deregistered");
            device.deregister(each);
            device.register(each);
        }
        message.close();
        device.deregister(bytes);
        bytes.releaseLast();
    }

    @Test
    void theHeapCannotBeRegistered() {
        for (Object each : new Object[] {new byte[9], new double[9], ByteBuffer.allocate(9), null}) {
            IllegalArgumentException refusal =
                    assertThrows(IllegalArgumentException.class, () -> device.register(each));
            assertTrue(
                    refusal.getMessage().contains("allowed are MessageBuffer, direct ByteBuffer"),
                    refusal.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> device.register("text"));
    }
}
