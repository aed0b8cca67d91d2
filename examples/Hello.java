import static org.sluice.device.Device.ANY_SOURCE;

import org.sluice.device.Device;
import org.sluice.device.Status;

public final class Hello {
    public static void main(String[] args) {
        try (Device device = Device.open()) {
            double[] data = {1, 2, 3};
            if (device.rank() == 0) {
                for (int rank = 1; rank < device.size(); rank++) {
                    device.send(data, rank, 7); // to this rank, with tag 7
                }
            } else {
                Status status = device.recv(data, ANY_SOURCE, 7);
                System.out.println(status.count() + " doubles from rank " + status.source());
            }
        }
    }
}
