package org.sluice.hybrid.process;

import java.util.Map;
import org.sluice.device.Device;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Opens, and rank 1 stops at a step of that, says so, and waits to be killed; the argument is the step, as
 * {@link FrameGate} takes it.
 */
public final class HeldRanks {
    private static final long PATIENCE_MS = 60_000;

    private HeldRanks() {}

    public static void main(String[] args) throws Exception {
        Options options = Options.of(Map.of());
        if (options.count(Option.JOB_RANK) == 1) {
            FrameGate gate = new FrameGate(options.text(Option.JOB_ADDRESS), args[0]);
            System.setProperty(Option.JOB_ADDRESS.property(), gate.address());
            Thread teller = new Thread(() -> tell(gate), "teller");
            teller.setDaemon(true);
            teller.start();
        }
        try (Device device = Device.open()) {
            Say.line("rank " + device.rank() + " came through the gate");
        }
    }

    private static void tell(FrameGate gate) {
        try {
            gate.awaitStep(PATIENCE_MS);
            Say.line("held");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
