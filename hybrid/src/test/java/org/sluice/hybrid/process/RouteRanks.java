package org.sluice.hybrid.process;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.sluice.device.Device;
import org.sluice.device.Lease;
import org.sluice.device.PersistentRoute;

/**
 * The first and the last rank send to each other on persistent routes until the last is dead; the one between only
 * echoes.
 */
final class RouteRanks {
    private static final int BYTES = 1 << 20;
    private static final int SLOTS = 3;
    private static final int TAG = 3;

    private RouteRanks() {}

    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int last = device.size() - 1;
            if (device.rank() == last) {
                endless(device, 0);
            } else if (device.rank() == 0) {
                survive(device, last);
            } else {
                byte[] echoed = new byte[1000];
                device.recv(echoed, 0, TAG);
                try (PersistentRoute route = device.openRoute(0, TAG, echoed.length, 1)) {
                    route.send(echoed);
                }
            }
        }
    }

    private static void endless(Device device, int peer) {
        ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer into = ByteBuffer.allocateDirect(BYTES);
        PersistentRoute route = device.openRoute(peer, TAG, BYTES, SLOTS);
        while (true) {
            exchange(device, route, from, into, peer);
        }
    }

    private static void exchange(Device device, PersistentRoute route, Object from, Object into, int peer) {
        var send = route.isend(from);
        device.recv(into, peer, TAG);
        send.waitFor();
    }

    /** With a message of the victim in a lease, which outlives it. */
    private static void survive(Device device, int victim) throws InterruptedException {
        ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
        byte[] content = new byte[BYTES];
        PersistentRoute route = device.openRoute(victim, TAG, BYTES, SLOTS);
        var first = route.isend(from);
        Lease lease = device.recvInPlace(victim, TAG);
        Say.check(lease.inPlace(), "the first message was copied");
        first.waitFor();
        // Else the victim may be killed before anything more is written to it.
        while (device.counters().get("sent.by.route") <= 1) {
            exchange(device, route, from, content, victim);
        }
        Say.line("ready");
        Say.failure("route", () -> {
            while (true) {
                exchange(device, route, from, content, victim);
            }
        });
        byte[] then = new byte[BYTES];
        lease.buffer().get(then);
        Thread.sleep(300);
        byte[] later = new byte[BYTES];
        lease.buffer().get(later);
        Say.check(Arrays.equals(then, later), "the lease changed after its sender's death");
        lease.close();
        route.close();
        device.acknowledge(victim);
        byte[] echo = new byte[1000];
        device.send(echo, 1, TAG);
        device.recv(echo, 1, TAG);
        Say.line("done");
    }
}
