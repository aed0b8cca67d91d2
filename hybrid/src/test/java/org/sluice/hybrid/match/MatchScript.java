package org.sluice.hybrid.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.sluice.device.Device;

/** One random run of the two queues beside the reference. Objects are reused, as the device reuses them. */
final class MatchScript {
    /** How keys are drawn; a tag is multiplied by the stride. */
    record Keys(int contexts, int sources, int tags, int tagStride, int wildcardPercent) {}

    private final Random random;
    private final Keys keys;
    /**
     * Whether a message first looks for a receive and a receive for a message; otherwise the queues fill on their own.
     */
    private final boolean joined;

    private final ReferenceMatching reference = new ReferenceMatching();
    private final PostedReceiveQueue posted = new PostedReceiveQueue();
    private final UnexpectedMessageQueue unexpected = new UnexpectedMessageQueue();
    private final ArrayDeque<Receive> freeReceives = new ArrayDeque<>();
    private final ArrayDeque<Arrived> freeMessages = new ArrayDeque<>();
    private int context;
    private int source;
    private int tag;

    MatchScript(long seed, Keys keys, boolean joined) {
        this.random = new Random(seed);
        this.keys = keys;
        this.joined = joined;
    }

    void run(int steps) {
        // Phases that favour filling or emptying reach both long queues and empty ones.
        int fillPercent = 50;
        for (int step = 0; step < steps; step++) {
            if (step % 200 == 0) {
                fillPercent = 20 + random.nextInt(60);
            }
            act(fillPercent);
            assertEquals(reference.posted.size(), posted.size());
            assertEquals(reference.unexpected.size(), unexpected.size());
            if (step % 250 == 0) {
                checkContents();
            }
        }
        checkContents();
        drain();
    }

    private void act(int fillPercent) {
        boolean fill = random.nextInt(100) < fillPercent;
        boolean receives = random.nextBoolean();
        int burst = random.nextInt(50) == 0 ? 1 + random.nextInt(30) : 1;
        draw(fill == receives);
        for (int i = 0; i < burst; i++) {
            if (random.nextInt(10) == 0) {
                cancelAny();
                probe();
            } else if (fill) {
                add(receives);
            } else {
                take(receives);
            }
        }
    }

    /** Draws an envelope, with wildcards only where a receive or a probe may have them. */
    private void draw(boolean wild) {
        context = random.nextInt(keys.contexts()) - keys.contexts() / 3;
        source = wild && random.nextInt(100) < keys.wildcardPercent()
                ? Device.ANY_SOURCE
                : random.nextInt(keys.sources());
        tag = wild && random.nextInt(100) < keys.wildcardPercent()
                ? Device.ANY_TAG
                : random.nextInt(keys.tags()) * keys.tagStride();
    }

    private void add(boolean receives) {
        if (receives) {
            if (joined && takeMessage()) {
                return;
            }
            Receive receive = freeReceives.isEmpty() ? new Receive() : freeReceives.poll();
            posted.add(receive.with(context, source, tag));
            reference.posted.add(receive);
            assertTrue(receive.isPosted());
        } else {
            if (joined && takeReceive()) {
                return;
            }
            Arrived message = freeMessages.isEmpty() ? new Arrived() : freeMessages.poll();
            unexpected.add(message.with(context, source, tag));
            reference.unexpected.add(message);
        }
    }

    private void take(boolean receives) {
        if (receives) {
            takeReceive();
        } else {
            takeMessage();
        }
    }

    private boolean takeReceive() {
        Receive expected = reference.receiveFor(context, source, tag);
        PostedReceive found = posted.take(context, source, tag);
        assertSame(expected, found);
        if (expected == null) {
            return false;
        }
        reference.posted.remove(expected);
        retire(expected);
        return true;
    }

    private boolean takeMessage() {
        Arrived expected = reference.messageFor(context, source, tag);
        assertSame(expected, unexpected.peek(context, source, tag));
        assertSame(expected, unexpected.take(context, source, tag));
        if (expected == null) {
            return false;
        }
        reference.unexpected.remove(expected);
        retire(expected);
        return true;
    }

    private void cancelAny() {
        if (!reference.posted.isEmpty()) {
            Receive receive = reference.posted.remove(random.nextInt(reference.posted.size()));
            assertTrue(posted.remove(receive));
            retire(receive);
        }
        if (!reference.unexpected.isEmpty() && random.nextInt(4) == 0) {
            Arrived message = reference.unexpected.remove(random.nextInt(reference.unexpected.size()));
            assertTrue(unexpected.remove(message));
            retire(message);
        }
    }

    private void probe() {
        int probedSource = random.nextBoolean() ? Device.ANY_SOURCE : random.nextInt(keys.sources());
        int probedTag = random.nextBoolean() ? Device.ANY_TAG : random.nextInt(keys.tags()) * keys.tagStride();
        assertSame(
                reference.messageFor(context, probedSource, probedTag),
                unexpected.peek(context, probedSource, probedTag));
        int counted = random.nextInt(keys.sources());
        assertEquals(reference.countFrom(counted), unexpected.countFrom(counted));
    }

    private void retire(Receive receive) {
        MatchableState.assertForgotten(receive);
        assertFalse(receive.isPosted());
        assertFalse(posted.remove(receive));
        freeReceives.add(receive);
    }

    private void retire(Arrived message) {
        MatchableState.assertForgotten(message);
        assertFalse(unexpected.remove(message));
        freeMessages.add(message);
    }

    private void checkContents() {
        List<PostedReceive> receives = new ArrayList<>();
        posted.forEach(receives::add);
        assertEquals(reference.posted, receives);
        List<UnexpectedMessage> messages = new ArrayList<>();
        unexpected.forEach(messages::add);
        assertEquals(reference.unexpected, messages);
    }

    private void drain() {
        posted.forEach(receive -> assertTrue(posted.remove(receive)));
        unexpected.forEach(message -> assertTrue(unexpected.remove(message)));
        assertEquals(0, posted.size());
        assertEquals(0, unexpected.size());
        MatchableState.assertNoKeys(posted, unexpected);
    }

    /** What waits, for a failure's message. */
    String state() {
        return "posted " + reference.posted + ", unexpected " + reference.unexpected;
    }
}
