package org.sluice.mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/**
 * One rank's part of a round of messages that all ranks of a communicator know beforehand, from one seed: each is an
 * array of longs, with a tag of its own. How this rank sends, receives and waits is its own choice.
 */
final class MessageRound {
    private static final int UNUSED_TAG = 1 << 20;

    /** How an array of longs is laid out at one end: item by item, or with a gap behind each. */
    private static final class End {
        final long[] array;
        final Object buffer;
        private final int step;

        End(int count, int kind) {
            step = kind == 2 ? 2 : 1;
            array = new long[step * count];
            buffer = kind == 0
                    ? array
                    : kind == 1 ? Data.of(array, 0, count) : Data.of(array, 0, 1, Layout.LONG.vector(count, 1, 2));
        }

        void set(long[] values) {
            for (int i = 0; i < values.length; i++) {
                array[step * i] = values[i];
            }
        }

        long[] values() {
            long[] values = new long[array.length / step];
            for (int i = 0; i < values.length; i++) {
                values[i] = array[step * i];
            }
            for (int i = 1; step == 2 && i < array.length; i += 2) {
                assertEquals(0, array[i], "a gap was written to");
            }
            return values;
        }
    }

    private record Letter(int source, int dest, int tag, long[] values) {}

    private final Communicator communicator;
    private final Random own;
    private final List<Letter> letters = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    /** What is looked at when a request is over; by its place. */
    private final List<Runnable> checks = new ArrayList<>();

    /** @param round its number: whoever is ahead of this rank has sent other tags */
    MessageRound(Communicator communicator, long seed, int round) {
        this.communicator = communicator;
        Random common = new Random(seed + round);
        own = new Random((seed + round) * 31 + communicator.rank());
        int size = communicator.size();
        int first = 3 * size * round;
        for (int tag = first; tag < first + 3 * size; tag++) {
            long[] values = new long[common.nextInt(10) == 0 ? common.nextInt(20_000) : common.nextInt(20)];
            for (int i = 0; i < values.length; i++) {
                values[i] = seed + tag * 1_000_003L + i;
            }
            letters.add(new Letter(common.nextInt(size), common.nextInt(size), tag, values));
        }
    }

    void run() {
        List<Letter> late = new ArrayList<>();
        List<Letter> order = new ArrayList<>(letters);
        Collections.shuffle(order, own);
        for (Letter each : order) {
            if (each.dest == communicator.rank()) {
                if (own.nextInt(3) == 0) {
                    late.add(each);
                } else {
                    post(each);
                }
            }
        }
        Request decoy = communicator.irecv(new End(3, own.nextInt(3)).buffer, Device.ANY_SOURCE, UNUSED_TAG);
        for (Letter each : order) {
            if (each.source == communicator.rank()) {
                send(each);
            }
        }
        late.forEach(this::receive);
        requests.add(null);
        checks.add(() -> {});
        waitForAll();
        checks.forEach(Runnable::run);
        assertTrue(decoy.cancel());
        SluiceException cancelled = assertThrows(SluiceException.class, decoy::waitFor);
        assertEquals(ErrorCode.CANCELLED, cancelled.code());
        End nothing = new End(2, own.nextInt(3));
        assertNull(communicator.recv(nothing.buffer, Device.ANY_SOURCE, UNUSED_TAG, 50, TimeUnit.MICROSECONDS));
        assertNull(communicator.probe(Device.ANY_SOURCE, UNUSED_TAG, 50, TimeUnit.MICROSECONDS));
    }

    private int from(Letter letter) {
        return own.nextBoolean() ? letter.source : Device.ANY_SOURCE;
    }

    private void post(Letter letter) {
        End end = new End(letter.values.length, own.nextInt(3));
        Request request;
        if (own.nextBoolean()) {
            PersistentRequest persistent = communicator.recvInit(end.buffer, from(letter), letter.tag);
            persistent.start();
            request = persistent;
        } else {
            request = communicator.irecv(end.buffer, from(letter), letter.tag);
        }
        requests.add(request);
        checks.add(() -> {
            assertArrayEquals(letter.values, end.values());
            assertStatus(letter, request.waitFor());
        });
    }

    private void send(Letter letter) {
        End end = new End(letter.values.length, own.nextInt(3));
        end.set(letter.values);
        requests.add(begin(end.buffer, letter));
        checks.add(() -> {});
    }

    private Request begin(Object buffer, Letter letter) {
        int kind = own.nextInt(8);
        PersistentRequest persistent;
        switch (kind) {
            case 0:
                return communicator.isend(buffer, letter.dest, letter.tag);
            case 1:
                return communicator.issend(buffer, letter.dest, letter.tag);
            case 2:
                return communicator.irsend(buffer, letter.dest, letter.tag);
            case 3:
                return communicator.ibsend(buffer, letter.dest, letter.tag);
            case 4:
                persistent = communicator.sendInit(buffer, letter.dest, letter.tag);
                break;
            case 5:
                persistent = communicator.ssendInit(buffer, letter.dest, letter.tag);
                break;
            case 6:
                persistent = communicator.rsendInit(buffer, letter.dest, letter.tag);
                break;
            default:
                persistent = communicator.bsendInit(buffer, letter.dest, letter.tag);
                break;
        }
        assertFalse(persistent.isActive());
        persistent.start();
        return persistent;
    }

    /** Blocking, when everybody's sends are on their way or will be. */
    private void receive(Letter letter) {
        End end = new End(letter.values.length, own.nextInt(3));
        Status status = new Status();
        long[] values = null;
        switch (own.nextInt(5)) {
            case 0:
                status = communicator.recv(end.buffer, from(letter), letter.tag);
                break;
            case 1:
                status = communicator.recv(end.buffer, from(letter), letter.tag, 1, TimeUnit.MINUTES);
                assertNotNull(status);
                break;
            case 2:
                assertStatus(
                        letter.source, letter.tag, communicator.probe(from(letter), letter.tag, 1, TimeUnit.MINUTES));
                status = communicator.mprobe(from(letter), letter.tag).recv(end.buffer);
                break;
            case 3:
                status = communicator
                        .mprobe(from(letter), letter.tag)
                        .irecv(end.buffer, 0, Device.WHOLE)
                        .waitFor();
                break;
            default:
                values = communicator.receive(long[].class, from(letter), letter.tag, status);
                break;
        }
        assertArrayEquals(letter.values, values == null ? end.values() : values);
        assertStatus(letter, status);
    }

    private void assertStatus(Letter letter, Status status) {
        assertStatus(letter.source, letter.tag, status);
        assertEquals(letter.values.length, status.count());
        assertEquals(letter.values.length, Layout.LONG.items(status.bytes()));
    }

    private void assertStatus(int source, int tag, Status status) {
        assertEquals(source, status.source());
        assertEquals(tag, status.tag());
        assertEquals(communicator.context, status.contextId());
    }

    /** In one of the ways that there are. */
    private void waitForAll() {
        Request[] left = requests.toArray(new Request[0]);
        switch (own.nextInt(6)) {
            case 0:
                communicator.waitAll(left);
                break;
            case 1:
                assertTrue(communicator.waitAll(1, TimeUnit.MINUTES, left));
                break;
            case 2:
                untilAllAreOver(left, () -> new int[] {communicator.waitAny(left)});
                break;
            case 3:
                untilAllAreOver(left, () -> communicator.waitSome(left));
                break;
            case 4:
                untilAllAreOver(left, () -> communicator.testSome(left));
                break;
            default:
                untilAllAreOver(left, () -> {
                    int index = own.nextBoolean()
                            ? communicator.testAny(left)
                            : communicator.waitAny(100, TimeUnit.MICROSECONDS, left);
                    return index < 0 ? new int[0] : new int[] {index};
                });
                break;
        }
        for (Request each : requests) {
            assertFalse(each instanceof PersistentRequest && ((PersistentRequest) each).isActive());
        }
        assertTrue(communicator.testAll(left));
    }

    /** Persistent ones needn't be taken out: they are inactive then. */
    private void untilAllAreOver(Request[] left, Supplier<int[]> some) {
        int count = (int) requests.stream().filter(each -> each != null).count();
        while (count > 0) {
            for (int index : some.get()) {
                assertTrue(left[index].isDone());
                count--;
                if (!(left[index] instanceof PersistentRequest)) {
                    left[index] = null;
                }
            }
        }
        assertEquals(-1, communicator.waitAny(left));
    }
}
