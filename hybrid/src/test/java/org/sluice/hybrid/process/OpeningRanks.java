package org.sluice.hybrid.process;

import org.sluice.device.Device;
import org.sluice.device.SluiceException;

/** Opens, passes a message around the ring of ranks, and closes; prints how that went. */
final class OpeningRanks {
    private static final int TAG = 1;

    private OpeningRanks() {
    }

    public static void main(String[] args) {
        long start = System.nanoTime();
        try (Device device = Device.open()) {
            Say.line("opened after " + (System.nanoTime() - start) / 1_000_000 + " ms");
            if (device.size() > 1) {
                ring(device);
            }
            Say.line("ok");
        } catch (SluiceException e) {
            Say.line("failed " + e.code() + " " + e.peer() + " after " + (System.nanoTime() - start) / 1_000_000 + " ms: "
                    + e.getMessage().replace('\n', ' '));
            System.exit(3);
        }
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
