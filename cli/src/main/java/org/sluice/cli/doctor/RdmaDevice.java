package org.sluice.cli.doctor;

import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;
import org.sluice.ib.IbPresence;

/** Whether ranks could talk over verbs here, found out by opening the device that they would use. */
final class RdmaDevice {
    static final String TOPIC = "verbs";

    private RdmaDevice() {}

    static Finding examine(Options options) {
        String reason = IbPresence.absentReason(options);
        if (!reason.isEmpty()) {
            return Finding.information(TOPIC, "not to be had: " + reason);
        }
        try {
            return Finding.ok(
                    TOPIC, IbPresence.describe(options) + "; used towards ranks that share no memory with this one");
        } catch (SluiceException e) {
            return Finding.slower(TOPIC, e.getMessage(), "until then only ranks that share memory reach each other");
        }
    }
}
