package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;

/** Nobody reads what a rank writes to standard error, and its pipe is full: who writes there waits, and nobody else. */
final class BlockedErrorStreamTest {
    private static final int TAG = 3;
    private static final long LIMIT_SECONDS = 8L * DeviceJob.PATIENCE;

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch read = new CountDownLatch(1);

    /** As a full pipe. */
    private final class Blocked extends OutputStream {
        @Override
        public void write(int letter) {
            writing.countDown();
            boolean interrupted = false;
            while (read.getCount() != 0) {
                try {
                    read.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void aSendThatIsToldOfGoesOn() {
        PrintStream before = System.err;
        try (DeviceJob job = DeviceJob.open(1, Map.of("sluice.stuck.report.ms", "100"))) {
            job.run(device -> {
                System.setErr(new PrintStream(new Blocked(), true));
                Thread sender = new Thread(() -> device.send(new byte[100_000], 0, TAG));
                sender.start();
                assertTrue(writing.await(LIMIT_SECONDS, TimeUnit.SECONDS), "it never said whom it waits for");
                Thread receiver = new Thread(() -> device.recv(new byte[100_000], 0, TAG));
                receiver.start();
                sender.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
                boolean isStuck = sender.isAlive();
                read.countDown();
                sender.join();
                receiver.join();
                assertFalse(isStuck, "the sender stood still until somebody read its line");
            });
        } finally {
            read.countDown();
            System.setErr(before);
        }
    }

    @Test
    void aCloseThatHasSomethingToSayReturns() {
        PrintStream before = System.err;
        CountDownLatch sent = new CountDownLatch(1);
        try (DeviceJob job = DeviceJob.open(2, Map.of())) {
            job.run(
                    device -> {
                        device.isend(new byte[100_000], 1, TAG);
                        System.setErr(new PrintStream(new Blocked(), true));
                        Thread closing = new Thread(device::close);
                        closing.start();
                        sent.countDown();
                        closing.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
                        boolean isStuck = closing.isAlive();
                        assertTrue(writing.getCount() == 0, "it said nothing");
                        read.countDown();
                        closing.join();
                        assertFalse(isStuck, "the device is not closed until somebody reads its line");
                    },
                    device -> {
                        sent.await();
                        device.close();
                    });
        } finally {
            read.countDown();
            System.setErr(before);
        }
    }

    @Test
    void aDeviceThatHasSomethingToSayGoesOn() {
        PrintStream before = System.err;
        try (DeviceJob job = DeviceJob.open(2, Map.of())) {
            job.run(
                    device -> {
                        System.setErr(new PrintStream(new Blocked(), true));
                        Thread receiver = new Thread(() -> device.recv(new byte[8], Device.ANY_SOURCE, TAG));
                        receiver.start();
                        assertTrue(writing.await(LIMIT_SECONDS, TimeUnit.SECONDS), "it never said that nobody is left");
                        Thread sender = new Thread(() -> device.send(new byte[8], 0, TAG));
                        sender.start();
                        sender.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
                        receiver.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
                        boolean isStuck = sender.isAlive() || receiver.isAlive();
                        read.countDown();
                        sender.join();
                        receiver.join();
                        assertFalse(isStuck, "the device stood still until somebody read its line");
                    },
                    Device::close);
        } finally {
            read.countDown();
            System.setErr(before);
        }
    }
}
