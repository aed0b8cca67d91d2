package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;
import org.sluice.device.SluiceException;

/**
 * Two ranks that exchange messages of all protocols, there and back, until the test tells rank 0 to end; a failure is printed and ends the
 * rank with status 3.
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
    private volatile boolean end;

    private ExchangingRanks(Device device, MessageBuffer memory) {
        this.device = device;
        this.buffers = new Object[] {new long[1], new byte[5000], new byte[LARGE], memory};
    }

    public static void main(String[] args) {
        try (Device device = Device.open(); MessageBuffer memory = device.allocate(LARGE)) {
            ExchangingRanks ranks = new ExchangingRanks(device, memory);
            if (device.rank() == 0) {
                ranks.lead();
            } else {
                ranks.echo(args.length > 0 && args[0].equals("pause"));
            }
            Say.line("ended well");
        } catch (SluiceException e) {
            Say.line("failed " + e.code() + " " + e.peer() + ": " + e.getMessage().replace('\n', ' '));
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
                device.recv(buffer, 1, TAG);
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
                device.recv(buffer, 0, TAG);
                device.send(buffer, 0, TAG);
            }
            if (pause && round == ROUNDS_PER_REPORT) {
                sleep();
            }
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(3000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
