package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Messages of random lengths in a fixed order from one rank to another, by every protocol: shared packets, packets of
 * their own, rendezvous from and to arrays and direct memory. The receiver knows each of them from the seed, so it
 * notices one that is lost, doubled, overtaken or damaged.
 */
public final class CheckedTraffic {
    private static final int TAG = 11;
    private static final int ON_THE_WAY = 32;
    private static final int LONGEST = 150_000;

    private final long seed;
    private final int messages;

    public CheckedTraffic(long seed, int messages) {
        this.seed = seed;
        this.messages = messages;
    }

    private int bytes(Random random) {
        int kind = random.nextInt(10);
        return kind < 5
                ? random.nextInt(64)
                : kind < 7 ? random.nextInt(2000) : kind < 8 ? random.nextInt(8192) : random.nextInt(LONGEST);
    }

    private static Object place(boolean direct, int bytes) {
        return direct ? ByteBuffer.allocateDirect(bytes) : new byte[bytes];
    }

    public void send(Device device, int to) {
        Random lengths = new Random(seed);
        Random places = new Random(seed + 1);
        Queue<Request> sent = new ArrayDeque<>();
        for (int i = 0; i < messages; i++) {
            byte[] content = DeviceCases.pattern(seed + i, bytes(lengths));
            Object from = place(places.nextBoolean(), content.length);
            if (from instanceof ByteBuffer buffer) {
                buffer.put(0, content);
                sent.add(device.isend(buffer, to, TAG));
            } else {
                sent.add(device.isend(content, to, TAG));
            }
            if (sent.size() == ON_THE_WAY) {
                sent.remove().waitFor();
            }
        }
        device.waitAll(sent.toArray(new Request[0]));
    }

    private record Posted(Object into, Request request) {}

    public void receive(Device device, int from) {
        Random lengths = new Random(seed);
        Random places = new Random(seed + 2);
        Queue<Posted> posted = new ArrayDeque<>();
        int checked = 0;
        for (int i = 0; i < messages || !posted.isEmpty(); ) {
            if (i < messages && posted.size() < ON_THE_WAY / 2) {
                Object into = place(places.nextBoolean(), LONGEST);
                posted.add(new Posted(into, device.irecv(into, from, TAG)));
                i++;
            } else {
                check(posted.remove(), checked++, bytes(lengths));
            }
        }
    }

    private void check(Posted posted, int number, int bytes) {
        Status status = posted.request.waitFor();
        assertEquals(bytes, status.bytes(), () -> "the length of message " + number + ", seed " + seed);
        ByteBuffer got = posted.into instanceof ByteBuffer buffer
                ? buffer.slice(0, bytes)
                : ByteBuffer.wrap((byte[]) posted.into, 0, bytes).slice();
        assertEquals(
                -1,
                got.mismatch(ByteBuffer.wrap(DeviceCases.pattern(seed + number, bytes))),
                () -> "message " + number + " of " + bytes + " bytes is not what was sent, seed " + seed);
    }
}
