package example.hello;

import static org.sluice.device.Device.ANY_SOURCE;

import org.sluice.device.Device;
import org.sluice.device.Status;

/** Two ranks that greet each other: the least program, for tests that need one. */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            double[] data = {1, 2, 3};
            if (device.rank() == 0) {
                device.send(data, 1, 7); // to rank 1 with tag 7
            } else {
                Status status = device.recv(data, ANY_SOURCE, 7); // MPI's names: isend, ssend, irecv, probe ...
                System.out.println(status.count() + " doubles from rank " + status.source());
            }
        }
    }
}
