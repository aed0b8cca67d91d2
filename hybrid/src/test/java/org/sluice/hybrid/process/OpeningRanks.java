package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * Opens, passes a message around the ring of ranks, and closes; prints how that went. With the number of a rank that is
 * going to die as argument those that are left, two of three, wait for that one, and then talk to each other.
 */
final class OpeningRanks {
    private static final int TAG = 1;

    private OpeningRanks() {}

    public static void main(String[] args) {
        long start = System.nanoTime();
        try (Device device = Device.open()) {
            Say.line("opened after " + (System.nanoTime() - start) / 1_000_000 + " ms");
            if (args.length > 0) {
                outlive(device, Integer.parseInt(args[0]));
            } else if (device.size() > 1) {
                ring(device);
            }
            Say.line("ok");
        } catch (SluiceException e) {
            Say.line("failed " + e.code() + " " + e.peer() + " after " + (System.nanoTime() - start) / 1_000_000
                    + " ms: " + e.getMessage().replace('\n', ' '));
            System.exit(3);
        }
    }

    private static void outlive(Device device, int victim) {
        int[] word = new int[1];
        Say.failure("receive", () -> device.recv(word, victim, TAG));
        Say.failure("send", () -> device.send(word, victim, TAG));
        device.acknowledge(victim);
        int other = device.size() - victim - device.rank();
        Request receive = device.irecv(word, Device.ANY_SOURCE, TAG);
        device.send(new int[] {device.rank()}, other, TAG);
        Say.check(receive.waitFor().source() == other && word[0] == other, "the other's word is " + word[0]);
    }

    private static void ring(Device device) {
        int[] word = new int[1];
        int next = (device.rank() + 1) % device.size();
        int previous = (device.rank() + device.size() - 1) % device.size();
        device.send(new int[] {device.rank()}, next, TAG);
        device.recv(word, previous, TAG);
        Say.check(word[0] == previous, "the ring's word is " + word[0]);
    }
}
