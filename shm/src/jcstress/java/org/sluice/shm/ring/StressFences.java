package org.sluice.shm.ring;

import org.sluice.device.channel.Fences;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** Fences as devices have them: asymmetric where this machine can. */
final class StressFences {
    private StressFences() {
    }

    static Fences ofThisMachine() {
        OsCalls os = Os.calls();
        return os.membarrier(OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED) == 0
                ? Fences.asymmetric(() -> os.membarrier(OsCalls.MEMBARRIER_GLOBAL_EXPEDITED)) : Fences.SYMMETRIC;
    }
}
