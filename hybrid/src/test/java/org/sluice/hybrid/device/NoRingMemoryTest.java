package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.hybrid.device.DeviceCases.LARGE;
import static org.sluice.hybrid.device.DeviceCases.assertFails;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.hybrid.request.Waiting;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;

/**
 * Sends over a channel that finds no memory for its way to the peer, as one does that makes it with the first packet.
 */
final class NoRingMemoryTest {
    private static final int BYTES = 1000;

    private static Object answer(Object proxy, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("trySend")) {
            throw new SluiceException(ErrorCode.NO_MEMORY, 0, "no memory in the test", null);
        }
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        return method.getReturnType() == int.class
                ? (Object) BYTES
                : method.getReturnType() == boolean.class ? (Object) false : null;
    }

    @Test
    void theSendFailsAloneAndItsBufferIsTheProgramsAgain() {
        try (DeviceJob job = DeviceJob.open(1, Map.of())) {
            HybridDevice device = (HybridDevice) job.device(0);
            Channel channel = (Channel) Proxy.newProxyInstance(
                    Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, NoRingMemoryTest::answer);
            Route route =
                    new Route(0, Locality.SAME_JVM, channel, BYTES, 1 << 20, new DeferredWork(), Fences.SYMMETRIC);
            SendCalls sends = new SendCalls(device.parts.exchange(), device.parts.engine(), (Waiting) device, 0);
            MessageBuffer buffer = device.allocate(LARGE);
            Request request = sends.isend(route, buffer, 0, LARGE, 0, 1, false);
            assertEquals(0, assertFails(ErrorCode.NO_MEMORY, request::waitFor).peer());
            assertFails(ErrorCode.NO_MEMORY, () -> sends.sendAndWait(route, buffer, 0, LARGE, 0, 1, true));
            assertFails(ErrorCode.NO_MEMORY, () -> sends.send(route, buffer, 0, 8, 0, 1));
            assertTrue(route.isIdle(), route::toString);
            buffer.close();
            MessageBuffer given = device.allocate(LARGE);
            Request gift = sends.give(route, (MessageMemory) given, LARGE, 0, 1);
            assertFails(ErrorCode.NO_MEMORY, gift::waitFor);
            assertThrows(IllegalStateException.class, () -> given.getByte(0), "it was given");
            device.send(new byte[8], 0, 1);
            assertEquals(8, device.recv(new byte[8], 0, 1).bytes(), "the device goes on");
        }
    }
}
