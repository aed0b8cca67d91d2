package org.sluice.hybrid.process;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.sluice.device.Device;
import org.sluice.device.option.Option;

/**
 * The last rank sends long messages out of direct memory for ever; the first receives them into direct memory until
 * that one is dead, and where it is asked by an argument tells what its observers see.
 */
final class ReadingRanks {
    /** What observers see is asked for, or also what the flight recorder has. */
    static final String OBSERVED = "observed";

    static final String RECORDED = "recorded";

    private static final int BYTES = 4 << 20;
    private static final int TAG = 3;
    private static final long LATE_MS = 500;
    /** More than sluice.peer.check.ms. */
    private static final long NOTICED_MS = 300;

    private ReadingRanks() {}

    public static void main(String[] args) throws Exception {
        Observer observer = args.length > 0
                        && System.getProperty(Option.JOB_RANK.property()).equals("0")
                ? new Observer(args[0].equals(RECORDED))
                : null;
        try (Device device = Device.open()) {
            int victim = device.size() - 1;
            if (device.rank() == victim) {
                ByteBuffer from = ByteBuffer.allocateDirect(BYTES);
                while (true) {
                    device.send(from, 0, TAG);
                }
            } else if (device.rank() == 0) {
                receive(device, victim, observer);
            } else {
                ByteBuffer echoed = ByteBuffer.allocateDirect(BYTES / 8);
                device.recv(echoed, 0, TAG);
                device.send(echoed, 0, TAG);
                if (args.length > 0) {
                    // Not closed before it was seen.
                    device.recv(null, 0, TAG);
                }
            }
        }
    }

    private static void receive(Device device, int victim, Observer observer) throws Exception {
        ByteBuffer into = ByteBuffer.allocateDirect(BYTES);
        device.recv(into, victim, TAG);
        if (observer != null) {
            observer.sayChannel("IbChannel");
        }
        Say.line("ready");
        Say.failure("receive", () -> {
            while (true) {
                device.recv(into, victim, TAG);
            }
        });
        // The buffer is this program's again.
        byte[] mark = new byte[BYTES];
        Arrays.fill(mark, (byte) 0x5A);
        into.put(0, mark);
        Thread.sleep(LATE_MS);
        Say.check(into.mismatch(ByteBuffer.wrap(mark)) < 0, "the buffer was written after its receive had failed");
        Say.check(device.counters().get("copied.bytes") < BYTES, "the bytes were copied");
        if (device.size() > 2) {
            ByteBuffer other = ByteBuffer.allocateDirect(BYTES / 8);
            device.send(other, 1, TAG);
            device.recv(other, 1, TAG);
        }
        if (observer != null) {
            look(device, observer);
        }
        Say.line("done");
    }

    private static void look(Device device, Observer observer) throws Exception {
        Thread.sleep(NOTICED_MS);
        while (device.progress()) {
            // A round that brings nothing looks at the peers.
            Thread.onSpinWait();
        }
        observer.sayCounters();
        observer.sayEvents();
        device.send(null, 1, TAG);
    }
}
