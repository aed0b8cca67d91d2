package org.sluice.hybrid.process;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.MessageBuffer;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * Program of {@link PeerDeathProcessTest}: the last rank is killed at the step that the argument names; the others have
 * something to do with it at that moment, exchange messages all the while, and go on afterwards.
 */
final class DyingRanks {
    private static final int LARGE = 64 << 20;
    private static final int TAG = 5;
    private static final int TRAFFIC_TAG = 6;
    private static final int AFTER_TAG = 7;
    private static final long FOR_EVER_MS = 60_000;

    private final Device device;
    private final int victim;
    private final AtomicLong exchanged = new AtomicLong();
    private long exchangedAtDeath;
    private volatile boolean deathSeen;

    private DyingRanks(Device device) {
        this.device = device;
        this.victim = device.size() - 1;
    }

    /** What the victim does until it is killed, and what each of the others does. */
    private record Step(Runnable victim, Runnable survivor) {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            new DyingRanks(device).run(args[0]);
        }
        Say.line("closed");
    }

    private Map<String, Step> steps() {
        return Map.ofEntries(
                Map.entry(
                        "posted-receive",
                        new Step(this::sleep, () -> failing(() -> device.recv(new byte[8], victim, TAG)))),
                Map.entry(
                        "posted-wildcard",
                        new Step(this::sleep, () -> failing(() -> device.recv(new byte[8], Device.ANY_SOURCE, TAG)))),
                Map.entry("probe", new Step(this::sleep, () -> failing(() -> device.probe(victim, TAG)))),
                Map.entry("polled-probe", new Step(this::sleep, () -> failing(this::probeForEver))),
                Map.entry("polled-request", new Step(this::sleep, () -> failing(this::testForEver))),
                Map.entry("flood-to-sleeper", new Step(this::sleep, () -> failing(() -> sendForEver(new byte[1000])))),
                Map.entry(
                        "flood", new Step(this::receiveSmallForEver, () -> failing(() -> sendForEver(new byte[1000])))),
                Map.entry(
                        "rendezvous-receiver",
                        new Step(
                                this::receiveLargeForEver,
                                () -> failing(() -> sendForEver(new byte[LARGE / device.size()])))),
                Map.entry("rendezvous-sender", new Step(this::sendLargeForEver, () -> failing(this::receiveForEver))),
                Map.entry(
                        "rendezvous-sender-message-buffer",
                        new Step(this::sendBufferForEver, () -> failing(this::receiveForEver))),
                Map.entry(
                        "synchronous-send",
                        new Step(this::sleep, () -> failing(() -> device.ssend(new byte[8], victim, TAG)))),
                Map.entry("victim-holds-lease", new Step(this::holdLeases, this::lend)),
                Map.entry("lease-of-victim", new Step(this::sendBuffers, this::keepLease)),
                Map.entry("barrier", new Step(this::sleep, () -> failing(device::barrier))),
                Map.entry("sent-before", new Step(this::sendTen, this::receiveTen)),
                Map.entry("unreceived-rendezvous", new Step(this::offerLarge, this::receiveOfferAfterDeath)),
                Map.entry("closing", new Step(this::closeWithOffer, this::receiveOfferAfterDeath)));
    }

    private void run(String name) throws Exception {
        Step step = steps().get(name);
        device.barrier();
        if (device.rank() == victim) {
            step.victim.run();
            throw new IllegalStateException("the victim lives on");
        }
        Thread traffic = new Thread(this::exchange, "traffic");
        traffic.start();
        step.survivor.run();
        traffic.join();
        Say.check(exchanged.get() > exchangedAtDeath, "the survivors' traffic stood still");
        goOn();
        Say.line("done");
    }

    /** Keeps both survivors' channels busy from before the death to after it. */
    private void exchange() {
        int other = 1 - device.rank();
        long[] word = {0};
        boolean otherWantsEnd = false;
        boolean end = false;
        for (int round = 0; !(end && otherWantsEnd); round++) {
            end |= deathSeen;
            long mine = end ? 1 : 0;
            if (device.rank() == 0) {
                device.send(new long[] {mine}, other, TRAFFIC_TAG);
                device.recv(word, other, TRAFFIC_TAG);
            } else {
                device.recv(word, other, TRAFFIC_TAG);
                device.send(new long[] {mine}, other, TRAFFIC_TAG);
            }
            otherWantsEnd |= word[0] == 1;
            exchanged.incrementAndGet();
        }
    }

    private void failing(Runnable action) {
        Say.line("ready");
        try {
            Say.failure("step", action);
        } finally {
            // Before the traffic is told to end, which it does not do without one more exchange.
            exchangedAtDeath = exchanged.get();
            deathSeen = true;
        }
    }

    /** What names the dead rank keeps failing; wildcards work again once the death is acknowledged. */
    private void goOn() {
        int other = 1 - device.rank();
        Say.failure("send", () -> device.send(new byte[8], victim, TAG));
        Say.failure("receive", () -> device.recv(new byte[8], victim, TAG));
        // A tag of its own: the other may have acknowledged already and sent with the next one.
        Say.failure("wildcard", () -> device.recv(new byte[8], Device.ANY_SOURCE, AFTER_TAG + 1));
        device.acknowledge(victim);
        Request wild = device.irecv(new byte[8], Device.ANY_SOURCE, AFTER_TAG);
        device.send(new byte[8], other, AFTER_TAG);
        Status status = wild.waitFor();
        Say.check(status.source() == other && status.bytes() == 8, "after acknowledge: " + status);
        Say.failure("receive after acknowledge", () -> device.recv(new byte[8], victim, TAG));
    }

    private void sleep() {
        Say.line("ready");
        try {
            Thread.sleep(FOR_EVER_MS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void probeForEver() {
        while (device.iprobe(victim, TAG) == null) {
            Thread.onSpinWait();
        }
    }

    private void testForEver() {
        Request request = device.irecv(new byte[8], victim, TAG);
        while (!request.isDone()) {
            device.progress();
        }
        request.waitFor();
    }

    private void sendForEver(byte[] data) {
        for (int i = 0; ; i++) {
            device.send(data, victim, TAG);
        }
    }

    private void receiveForEver() {
        byte[] data = new byte[LARGE / 2];
        while (true) {
            device.recv(data, victim, TAG);
        }
    }

    private void receiveSmallForEver() {
        Say.line("ready");
        byte[] data = new byte[1000];
        while (true) {
            device.recv(data, Device.ANY_SOURCE, TAG);
        }
    }

    private void receiveLargeForEver() {
        Say.line("ready");
        byte[] data = new byte[LARGE / device.size()];
        while (true) {
            device.recv(data, Device.ANY_SOURCE, TAG);
        }
    }

    private void sendLargeForEver() {
        Say.line("ready");
        byte[] data = new byte[LARGE / 2];
        while (true) {
            device.waitAll(device.isend(data, 0, TAG), device.isend(data, 1, TAG));
        }
    }

    private void sendBufferForEver() {
        Say.line("ready");
        try (MessageBuffer data = device.allocate(LARGE / 2)) {
            while (true) {
                device.waitAll(device.isend(data, 0, TAG), device.isend(data, 1, TAG));
            }
        }
    }

    private void holdLeases() {
        Lease first = device.recvInPlace(0, TAG);
        Lease second = device.recvInPlace(1, TAG);
        Say.check(first.inPlace() && second.inPlace(), "taken in place");
        sleep();
        second.close();
        first.close();
    }

    private void lend() {
        MessageBuffer buffer = device.allocate(1 << 20);
        Request lent = device.isend(buffer, victim, TAG);
        failing(lent::waitFor);
        buffer.close();
    }

    private void sendBuffers() {
        MessageBuffer buffer = device.allocate(1 << 20);
        buffer.putLong(1 << 19, 42);
        Request first = device.isend(buffer, 0, TAG);
        Request second = device.isend(buffer, 1, TAG);
        Say.line("ready");
        device.waitAll(first, second);
    }

    /** The memory of a dead rank stays readable until the lease is closed. */
    private void keepLease() {
        Lease lease = device.recvInPlace(victim, TAG);
        Say.check(lease.inPlace(), "taken in place");
        failing(() -> device.recv(new byte[8], victim, TAG));
        Say.check(lease.getLong(1 << 19) == 42, "the lease's content");
        lease.close();
    }

    private void offerLarge() {
        Request first = device.isend(new byte[LARGE / 2], 0, TAG);
        Request second = device.isend(new byte[LARGE / 2], 1, TAG);
        Say.line("ready");
        device.waitAll(first, second);
    }

    private void closeWithOffer() {
        Request first = device.isend(new byte[LARGE / 2], 0, TAG);
        Request second = device.isend(new byte[LARGE / 2], 1, TAG);
        Say.line("ready");
        device.close();
        device.waitAll(first, second);
    }

    /** The message was announced and is gone with its sender. */
    private void receiveOfferAfterDeath() {
        device.probe(victim, TAG);
        Say.line("ready");
        Say.awaitTest("killed");
        failing(() -> device.recv(new byte[LARGE / 2], victim, TAG));
    }

    private void sendTen() {
        for (int i = 0; i < 10; i++) {
            byte[] data = new byte[1 + i * 100];
            Arrays.fill(data, (byte) i);
            device.send(data, 0, TAG);
            device.send(data, 1, TAG);
        }
        sleep();
    }

    /** Does nothing until the victim is dead; then everything that it sent is there. */
    private void receiveTen() {
        Say.line("ready");
        Say.awaitTest("killed");
        for (int i = 0; i < 10; i++) {
            byte[] data = new byte[1000];
            Status status = device.recv(data, victim, TAG);
            Say.check(status.bytes() == 1 + i * 100 && data[i * 100] == i, "message " + i + " is " + status);
        }
        failing(() -> device.recv(new byte[1000], victim, TAG));
    }
}
