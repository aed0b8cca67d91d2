package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sluice.device.Device.ANY_SOURCE;
import static org.sluice.device.Device.ANY_TAG;
import static org.sluice.device.Device.WHOLE;
import static org.sluice.hybrid.device.DeviceCases.assertFails;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Message;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;
import org.sluice.device.counter.Counter;

/** Sends that are cancelled: nobody gets what no receive had matched, and what was matched comes whole. */
interface CancelledSendCases extends DeviceCases {
    int VERDICTS = 1;

    @Test
    default void aSendThatNothingMatchedIsWithdrawn() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        byte[] small = {1};
                        byte[] large = pattern(1, LARGE);
                        ByteBuffer direct = ByteBuffer.allocateDirect(LARGE);
                        try (MessageBuffer own = device.allocate(LARGE)) {
                            Request[] sends = {
                                device.issend(small, 1, 1),
                                device.isend(large, 1, 1),
                                device.isend(direct, 1, 1),
                                device.isend(own, 1, 1)
                            };
                            long before = device.counters().get(Counter.SENDS_WITHDRAWN.key());
                            for (Request send : sends) {
                                send.cancel();
                                assertEquals(
                                        ErrorCode.CANCELLED,
                                        assertFails(ErrorCode.CANCELLED, send::waitFor)
                                                .status()
                                                .error());
                                assertFalse(send.cancel(), "once is enough");
                            }
                            assertEquals(sends.length, device.counters().get(Counter.SENDS_WITHDRAWN.key()) - before);
                        }
                        device.send(small, 1, 2);
                    },
                    device -> {
                        device.recv(new byte[1], 0, 2);
                        assertNull(device.iprobe(ANY_SOURCE, ANY_TAG), "what was withdrawn is not received");
                    });
        }
    }

    @Test
    default void aSendThatIsMatchedIsNotWithdrawn() {
        for (int size : new int[] {1, LARGE}) {
            try (DeviceJob job = open(2)) {
                job.run(
                        device -> {
                            Request send = device.issend(pattern(3, size), 1, 1);
                            device.recv(null, 1, 9);
                            assertFalse(send.cancel(), "a probe has taken it");
                            device.send(null, 1, 2);
                            assertEquals(size, send.waitFor().bytes());
                        },
                        device -> {
                            Message taken = device.mprobe(0, 1);
                            device.send(null, 0, 9);
                            device.recv(null, 0, 2);
                            byte[] into = new byte[size];
                            taken.recv(into);
                            assertArrayEquals(pattern(3, size), into);
                        });
            }
        }
    }

    /** Nobody has its bytes any more: its memory serves again. */
    @Test
    default void aBufferThatWasGivenIsFreedWithItsWithdrawnMessage() {
        try (DeviceJob job = open(2)) {
            job.run(
                    device -> {
                        String before =
                                ((HybridDevice) device).parts.allocator().toString();
                        Request send = device.give(device.allocate(LARGE), 1, 1);
                        send.cancel();
                        assertFails(ErrorCode.CANCELLED, send::waitFor);
                        assertEquals(
                                before,
                                ((HybridDevice) device).parts.allocator().toString());
                        device.send(null, 1, 2);
                    },
                    device -> {
                        device.recv(null, 0, 2);
                        assertNull(device.iprobe(ANY_SOURCE, ANY_TAG));
                    });
        }
    }

    @Test
    default void aMessageToOneselfIsWithdrawn() {
        try (DeviceJob job = open(1)) {
            job.run(device -> {
                Request send = device.issend(new byte[3], 0, 1);
                send.cancel();
                assertFails(ErrorCode.CANCELLED, send::waitFor);
                assertNull(device.iprobe(0, ANY_TAG));
            });
        }
    }

    /** Cancels fall before, into and behind the match; the sender tells at the end what became of each send. */
    @Test
    default void aCancelledSendIsReceivedOnceOrNotAtAll() {
        int sends = many(2000);
        long seed = new Random().nextLong();
        try (DeviceJob job = open(2)) {
            job.run(device -> cancelSome(device, sends, new Random(seed)), device -> receiveRest(device, sends));
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static void cancelSome(Device device, int sends, Random random) {
        Request[] requests = new Request[sends];
        for (int i = 0; i < sends; i++) {
            int[] body = new int[random.nextInt(20) == 0 ? LARGE / 4 : 1 + random.nextInt(10)];
            body[0] = i;
            requests[i] = random.nextBoolean()
                    ? device.issend(body, 0, WHOLE, 1, i % 3, 0)
                    : device.isend(body, 0, WHOLE, 1, i % 3, 0);
            for (int spin = random.nextInt(20); spin > 0; spin--) {
                device.progress();
            }
            requests[random.nextInt(i + 1)].cancel();
        }
        byte[] delivered = new byte[sends];
        for (int i = 0; i < sends; i++) {
            while (!requests[i].isDone()) {
                Thread.onSpinWait();
            }
            assertTrue(
                    requests[i].error() == ErrorCode.NONE || requests[i].error() == ErrorCode.CANCELLED,
                    requests[i]::toString);
            delivered[i] = (byte) (requests[i].error() == ErrorCode.NONE ? 1 : 0);
        }
        device.send(delivered, 0, WHOLE, 1, 0, VERDICTS);
    }

    private static void receiveRest(Device device, int sends) {
        byte[] delivered = new byte[sends];
        Request verdicts = device.irecv(delivered, 0, WHOLE, 0, 0, VERDICTS);
        BitSet got = new BitSet();
        int[] newest = {-1, -1, -1};
        int[] into = new int[LARGE / 4];
        while (true) {
            // What is delivered was sent before it.
            boolean isAll = verdicts.isDone();
            Message message = device.improbe(0, ANY_TAG);
            if (message != null) {
                Status status = message.recv(into);
                assertFalse(got.get(into[0]), () -> into[0] + " came twice");
                got.set(into[0]);
                assertTrue(into[0] > newest[status.tag()], "overtaken");
                newest[status.tag()] = into[0];
            } else if (isAll) {
                break;
            }
        }
        verdicts.waitFor();
        for (int i = 0; i < sends; i++) {
            assertEquals(delivered[i] != 0, got.get(i), "send " + i);
        }
    }
}
