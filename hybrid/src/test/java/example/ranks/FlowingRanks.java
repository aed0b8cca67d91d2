package example.ranks;

import org.sluice.device.Device;
import org.sluice.device.MessageBuffer;

/**
 * A user's program that never ends by itself: rank 0 blocks in a receive that nobody serves, rank 1 floods with small
 * messages and rank 3 with large ones, out of an array and out of a message buffer, rank 2 takes them all, and says
 * when each kind has come.
 */
public final class FlowingRanks {
    private static final int TAKER = 2;
    private static final int NEVER_SENT = 9;
    private static final int SMALL = 500;
    private static final int LARGE = 1 << 20;
    private static final int ENOUGH = 200;

    private FlowingRanks() {}

    public static void main(String[] args) {
        Device device = Device.open();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("asked to end")));
        device.barrier();
        switch (device.rank()) {
            case 0 -> device.recv(new byte[SMALL], Device.ANY_SOURCE, NEVER_SENT);
            case TAKER -> take(device);
            case 1 -> floodWithSmall(device);
            default -> floodWithLarge(device);
        }
        throw new IllegalStateException("rank " + device.rank() + " came to an end");
    }

    private static void take(Device device) {
        byte[] into = new byte[LARGE];
        int[] taken = new int[device.size()];
        while (true) {
            taken[device.recv(into, Device.ANY_SOURCE, Device.ANY_TAG).source()]++;
            if (taken[1] >= ENOUGH && taken[3] >= ENOUGH) {
                System.out.println("flowing");
                taken = new int[device.size()];
            }
        }
    }

    private static void floodWithSmall(Device device) {
        while (true) {
            device.send(new byte[SMALL], TAKER, 1);
        }
    }

    private static void floodWithLarge(Device device) {
        try (MessageBuffer buffer = device.allocate(LARGE)) {
            while (true) {
                device.waitAll(device.isend(new byte[LARGE], TAKER, 3), device.isend(buffer, TAKER, 3));
            }
        }
    }
}
