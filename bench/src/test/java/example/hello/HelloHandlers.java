package example.hello;

import org.sluice.device.Device;
import org.sluice.device.Handlers;

/** The example of docs/reference/handlers.md; a test compares the two and runs this as one, two and four ranks. */
public final class HelloHandlers {
    private static final int ADD = 1;

    private HelloHandlers() {}

    public static void main(String[] args) {
        // page begin
        try (Device device = Device.open()) {
            Handlers handlers = device.handlers();
            double[] sum = {0};
            int[] missing = {device.size() - 1};
            handlers.register(ADD, (source, message) -> {
                sum[0] += message.getDouble(0);
                if (--missing[0] == 0) {
                    handlers.stop(); // ends serve
                }
            });
            if (device.rank() != 0) {
                handlers.syncSend(0, ADD, new double[] {device.rank()}); // has rank 0 add it
            } else {
                if (device.size() > 1) { // alone it would wait for ever
                    handlers.serve();
                }
                System.out.println("the others add up to " + sum[0]);
            }
        }
        // page end
    }
}
