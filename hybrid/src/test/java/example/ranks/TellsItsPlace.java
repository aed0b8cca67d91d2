package example.ranks;

import org.sluice.device.Device;

/** A user's program that says where its classes came from. */
public final class TellsItsPlace {
    private TellsItsPlace() {}

    public static void main(String[] args) {
        try (Device device = Device.open()) {
            device.barrier();
            System.out.println("rank " + device.rank() + " "
                    + TellsItsPlace.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .getPath());
        }
    }
}
