package org.sluice.hybrid.device;

import java.util.Random;
import java.util.ServiceLoader;
import org.sluice.device.Device;
import org.sluice.device.Status;
import org.sluice.hybrid.device.StormPlan.Planned;

/**
 * A {@link Storm}'s calls that suspend, where the class path has them: this room knows nothing of coroutines. They are
 * found as a service.
 */
interface SuspendedForms {

    /** A message that came, and the buffer that has it. */
    final class Arrival {
        final Status status;
        final byte[] body;

        public Arrival(Status status, byte[] body) {
            this.status = status;
            this.body = body;
        }
    }

    /** Receives of one thread. */
    interface Receives {
        /** @return what came; null: nothing was matched in time */
        Arrival one(Planned wanted, Random random);
    }

    /** @param timeoutMs 0: for ever */
    StormSend send(Device device, byte[] body, Planned message, long timeoutMs);

    Receives receives(Device device);

    /** Null: there are none. */
    static SuspendedForms ofClassPath() {
        return ServiceLoader.load(SuspendedForms.class).findFirst().orElse(null);
    }
}
