package org.sluice.launch;

import java.util.HexFormat;
import org.sluice.device.random.Unguessable;

/** Tells a job, or one opening of it, from all others: 128 random bits, written in hexadecimal. */
final class JobId {
    private static final int BYTES = 16;

    private JobId() {}

    static String random() {
        return HexFormat.of().formatHex(Unguessable.bytes(BYTES));
    }
}
