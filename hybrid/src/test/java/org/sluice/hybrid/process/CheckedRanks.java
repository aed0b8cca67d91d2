package org.sluice.hybrid.process;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.hybrid.device.CheckedTraffic;

/**
 * Two ranks, each of which sends the other messages of which every byte is checked, in rounds, until the test tells
 * rank 0 to end. A failure is printed and ends the rank with status 3. Arguments: the seed of the messages, so that two
 * jobs send different ones; {@code oneway} has rank 1 only receive; {@code idle} has both wait for what nobody sends,
 * after the first round; {@code leaving} has rank 0 send what its socket is full of, and close, when the test says so.
 */
final class CheckedRanks {
    static final int FAILED_STATUS = 3;
    private static final int ROUND_TAG = 21;
    private static final int NEVER_SENT = 22;
    private static final int LAST_TAG = 23;
    /** Leaves at once, so that so many fill what a connection may hold. */
    private static final int LAST_BYTES = 8000;

    private static final int MESSAGES = 100;
    /** More than a part has messages: no other rank, round or job sends any of them. */
    private static final long SEED_STEP = 1_000_000;

    private final Device device;
    private final int other;
    private final long seed;
    private final boolean oneWay;
    private final boolean idle;
    private volatile boolean end;

    private CheckedRanks(Device device, long seed, String how) {
        this.device = device;
        this.other = 1 - device.rank();
        this.seed = seed;
        this.oneWay = how.equals("oneway");
        this.idle = how.equals("idle");
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        try (Device device = Device.open()) {
            Say.line("opened");
            CheckedRanks ranks =
                    new CheckedRanks(device, SEED_STEP * Long.parseLong(args[0]), args.length > 1 ? args[1] : "");
            if (args.length > 1 && args[1].equals("leaving")) {
                ranks.leave();
            } else {
                ranks.run();
            }
            Say.line("ended well");
        } catch (SluiceException e) {
            Say.line("failed " + e.code() + " " + e.peer() + " at " + System.nanoTime() + " after "
                    + (System.nanoTime() - start) / 1_000_000 + " ms: "
                    + e.getMessage().replace('\n', ' '));
            System.exit(FAILED_STATUS);
        }
    }

    private void leave() {
        goesOn(1);
        Say.line("round 1");
        if (device.rank() == 0) {
            Say.awaitTest("send");
            Request[] sent = new Request[MESSAGES];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = device.isend(last(i), other, LAST_TAG);
            }
            device.waitAll(sent);
            Say.line("closes");
        } else {
            Say.awaitTest("receive");
            byte[] into = new byte[LAST_BYTES];
            for (int i = 0; i < MESSAGES; i++) {
                device.recv(into, other, LAST_TAG);
                Say.check(Arrays.equals(last(i), into), "message " + i);
            }
        }
    }

    private byte[] last(int number) {
        byte[] content = new byte[LAST_BYTES];
        new Random(seed + number).nextBytes(content);
        return content;
    }

    private void run() throws Exception {
        if (device.rank() == 0) {
            Thread listener = new Thread(() -> {
                Say.awaitTest("end");
                end = true;
            });
            listener.setDaemon(true);
            listener.start();
        }
        for (int round = 1; goesOn(round); round++) {
            long now = seed + (long) round * 2 * SEED_STEP;
            FutureTask<Void> sending = new FutureTask<>(() -> send(now + device.rank() * SEED_STEP), null);
            Thread sender = new Thread(sending, "sender");
            sender.setDaemon(true);
            sender.start();
            if (!oneWay || device.rank() == 1) {
                new CheckedTraffic(now + other * SEED_STEP, MESSAGES).receive(device, other);
            }
            Say.await(sending);
            Say.line("round " + round);
            if (idle) {
                device.recv(new byte[1], other, NEVER_SENT);
            }
        }
    }

    private void send(long now) {
        if (!oneWay || device.rank() == 0) {
            new CheckedTraffic(now, MESSAGES).send(device, other);
        }
    }

    private boolean goesOn(int round) {
        int[] said = {end ? 0 : round};
        if (device.rank() == 0) {
            device.send(said, 1, ROUND_TAG);
        } else {
            device.recv(said, 0, ROUND_TAG);
            Say.check(said[0] == 0 || said[0] == round, "round " + said[0] + " and not " + round);
        }
        return said[0] != 0;
    }
}
