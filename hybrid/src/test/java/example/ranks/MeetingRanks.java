package example.ranks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sluice.device.Device;
import org.sluice.device.Request;

/** A user's program in which rank 0 meets the last rank, then everybody everybody; says how many were connected. */
public final class MeetingRanks {
    private static final int TAG = 1;
    private static final int BYTES = 8;
    private static final long PAUSE_MS = 20;

    private MeetingRanks() {}

    /** @param args a folder that all ranks see: they wait there for each other, as messages would connect them */
    public static void main(String[] args) throws Exception {
        try (Device device = Device.open()) {
            int last = device.size() - 1;
            byte[] message = new byte[BYTES];
            long before = connections(device);
            await(device, Path.of(args[0], "opened"));
            if (device.rank() == 0) {
                device.send(message, last, TAG);
            } else if (device.rank() == last) {
                device.recv(message, 0, TAG);
            }
            long afterOne = connections(device);
            await(device, Path.of(args[0], "met"));
            allToAll(device);
            System.out.println("rank " + device.rank() + " " + before + " " + afterOne + " " + connections(device));
            // Nobody closes before all have met.
            device.barrier();
        }
    }

    private static void await(Device device, Path folder) throws Exception {
        Files.createDirectories(folder);
        Files.createFile(folder.resolve(Integer.toString(device.rank())));
        while (folder.toFile().list().length < device.size()) {
            Thread.sleep(PAUSE_MS);
        }
    }

    private static long connections(Device device) {
        return device.counters().get("connections");
    }

    private static void allToAll(Device device) {
        List<Request> requests = new ArrayList<>();
        byte[][] into = new byte[device.size()][BYTES];
        byte[] mine = new byte[BYTES];
        mine[0] = (byte) device.rank();
        for (int peer = 0; peer < device.size(); peer++) {
            if (peer != device.rank()) {
                requests.add(device.irecv(into[peer], peer, TAG + 1));
                requests.add(device.isend(mine, peer, TAG + 1));
            }
        }
        device.waitAll(requests.toArray(new Request[0]));
        for (int peer = 0; peer < device.size(); peer++) {
            if (peer != device.rank() && into[peer][0] != (byte) peer) {
                throw new IllegalStateException("of rank " + peer + " came " + into[peer][0]);
            }
        }
    }
}
