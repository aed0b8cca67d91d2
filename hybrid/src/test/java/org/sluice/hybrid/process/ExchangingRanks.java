package org.sluice.hybrid.process;

import java.util.Arrays;
import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.SluiceException;

/**
 * Two ranks that exchange messages of all protocols, there and back, until the test tells rank 0 to end; a failure is
 * printed and ends the rank with status 3. Arguments: {@code pause} has rank 1 sleep once; {@code mark N} has all
 * messages filled with that byte; {@code scribbled} has none of them looked at, as somebody writes over them;
 * {@code cut} only what came into arrays, as somebody takes the segments away.
 */
final class ExchangingRanks {
    static final int FAILED_STATUS = 3;
    private static final int TAG = 1;
    private static final int END_TAG = 2;
    private static final int ROUNDS_PER_REPORT = 50;
    private static final int LARGE = 200_000;
    private static final long LONG_PAUSE_NANOS = 1_000_000_000L;

    private final Device device;
    private final Object[] buffers;
    private final byte mark;
    private final boolean scribbled;
    private final boolean cut;
    private volatile boolean end;

    private ExchangingRanks(Device device, MessageBuffer memory, byte mark, String how) {
        this.device = device;
        this.mark = mark;
        this.scribbled = how.equals("scribbled");
        this.cut = how.equals("cut");
        byte[] middle = new byte[5000];
        byte[] large = new byte[LARGE];
        Arrays.fill(middle, mark);
        Arrays.fill(large, mark);
        memory.byteBuffer().put(large);
        this.buffers = new Object[] {new long[] {mark}, middle, large, memory};
    }

    public static void main(String[] args) {
        try (Device device = Device.open();
                MessageBuffer memory = device.allocate(LARGE)) {
            ExchangingRanks ranks = new ExchangingRanks(
                    device, memory, args.length > 1 ? Byte.parseByte(args[1]) : 0, args.length > 0 ? args[0] : "");
            if (device.rank() == 0) {
                ranks.lead();
            } else {
                ranks.echo(args.length > 0 && args[0].equals("pause"));
            }
            Say.line("ended well");
        } catch (SluiceException e) {
            Say.line("failed " + e.code() + " " + e.peer() + ": "
                    + e.getMessage().replace('\n', ' '));
            System.exit(FAILED_STATUS);
        }
    }

    private void lead() {
        Thread listener = new Thread(() -> {
            Say.awaitTest("end");
            end = true;
        });
        listener.setDaemon(true);
        listener.start();
        boolean paused = false;
        for (int round = 1; !end; round++) {
            long start = System.nanoTime();
            for (Object buffer : buffers) {
                device.send(buffer, 1, TAG);
                recv(buffer, 1);
            }
            paused |= System.nanoTime() - start > LONG_PAUSE_NANOS;
            if (round % ROUNDS_PER_REPORT == 0) {
                Say.line(paused ? "going after a pause" : "going");
            }
        }
        device.send(null, 1, END_TAG);
    }

    private void echo(boolean pause) {
        for (int round = 1; ; round++) {
            for (Object buffer : buffers) {
                if (device.probe(0, Device.ANY_TAG).tag() == END_TAG) {
                    device.recv(null, 0, END_TAG);
                    return;
                }
                recv(buffer, 0);
                device.send(buffer, 0, TAG);
            }
            if (pause && round == ROUNDS_PER_REPORT) {
                sleep();
            }
        }
    }

    /** What another job sent would come with another mark. */
    private void recv(Object buffer, int source) {
        device.recv(buffer, source, TAG);
        boolean right;
        if (buffer instanceof long[] one) {
            right = one[0] == mark;
        } else if (buffer instanceof byte[] bytes) {
            right = bytes[0] == mark && bytes[bytes.length - 1] == mark;
        } else {
            right = ((MessageBuffer) buffer).getByte(0) == mark && ((MessageBuffer) buffer).getByte(LARGE - 1) == mark;
        }
        Say.check(right || scribbled || cut && buffer instanceof MessageBuffer, "a message without the mark " + mark);
    }

    private static void sleep() {
        try {
            Thread.sleep(3000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
