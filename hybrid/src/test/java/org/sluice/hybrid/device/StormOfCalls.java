package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.sluice.device.Device.WHOLE;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * What {@link Storm} leaves out, as its messages have an order of their own: persistent routes around the ring of
 * ranks, and messages that call a handler of each. Both ends derive each message's length and content from the seed,
 * its sender and its number.
 */
public final class StormOfCalls {
    private static final int HANDLER = 77;
    /** Behind those of {@link Storm}. */
    private static final int ROUTES_CONTEXT = StormPlan.CONTEXTS + 2;

    private static final int LONGEST = 40_000;
    private static final int SLOTS = 4;

    private final Device device;
    private final long seed;
    private final int messages;
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicReference<AssertionError> wrong = new AtomicReference<>();

    private StormOfCalls(Device device, long seed, int messages) {
        this.device = device;
        this.seed = seed;
        this.messages = messages;
    }

    /**
     * One rank's part; ends when all that others send to it has come.
     *
     * @param messages from each rank to its neighbour, and to each rank's handler
     */
    public static void on(Device device, long seed, int messages) throws Exception {
        StormOfCalls storm = new StormOfCalls(device, seed, messages);
        storm.register();
        device.barrier();
        ProbeCases.threads(3, thread -> {
            switch (thread) {
                case 0 -> storm.sendByRoute();
                case 1 -> storm.receiveOfRoute();
                default -> storm.callHandlers();
            }
        });
        while (storm.handled.get() < messages * device.size() && storm.wrong.get() == null) {
            if (!device.progress()) {
                Thread.yield();
            }
        }
        if (storm.wrong.get() != null) {
            throw storm.wrong.get();
        }
        device.handlers().deregister(HANDLER);
        device.barrier();
    }

    private byte[] content(int from, int number) {
        long each = seed ^ from * 1_000_003L + number;
        return DeviceCases.pattern(each, new Random(each).nextInt(number % 8 == 0 ? LONGEST : 500));
    }

    private void sendByRoute() {
        int to = (device.rank() + 1) % device.size();
        Random random = new Random(seed + device.rank());
        try (PersistentRoute route = device.openRoute(to, 0, ROUTES_CONTEXT, LONGEST, SLOTS)) {
            for (int i = 0; i < messages; i++) {
                byte[] body = content(device.rank(), i);
                if (random.nextBoolean()) {
                    route.send(body);
                } else {
                    Request request = route.isend(
                            ByteBuffer.allocateDirect(body.length).put(body).clear());
                    request.waitFor();
                }
            }
        }
    }

    private void receiveOfRoute() {
        int from = (device.rank() + device.size() - 1) % device.size();
        byte[] into = new byte[LONGEST];
        for (int i = 0; i < messages; i++) {
            Status status = device.recv(into, 0, WHOLE, from, 0, ROUTES_CONTEXT, new Status());
            check("message " + i + " by route from " + from, content(from, i), ByteBuffer.wrap(into, 0, (int)
                    status.bytes()));
        }
    }

    /** What a handler throws is told, but not to whom has to know here. */
    private void register() {
        int[] next = new int[device.size()];
        device.handlers().register(HANDLER, (from, message) -> {
            int number = next[from]++;
            try {
                check("message " + number + " to the handler from " + from, content(from, number), message.buffer());
            } catch (AssertionError e) {
                wrong.compareAndSet(null, e);
            }
            handled.incrementAndGet();
        });
    }

    private void callHandlers() {
        Random random = new Random(seed - device.rank());
        for (int i = 0; i < messages; i++) {
            byte[] body = content(device.rank(), i);
            for (int to = 0; to < device.size(); to++) {
                if (random.nextInt(3) > 0) {
                    device.handlers().syncSend(to, HANDLER, body);
                } else {
                    MessageBuffer buffer = device.handlers().allocate(Math.max(1, body.length));
                    buffer.byteBuffer().put(body);
                    device.handlers().give(to, HANDLER, buffer, body.length);
                }
            }
        }
    }

    private static void check(String what, byte[] expected, ByteBuffer got) {
        assertEquals(ByteBuffer.wrap(expected), got, what + " was lost, damaged or overtaken");
    }
}
