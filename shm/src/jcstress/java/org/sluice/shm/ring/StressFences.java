package org.sluice.shm.ring;

import org.sluice.device.channel.Fences;
import org.sluice.jni.os.FenceEverywhere;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** Fences as devices have them: asymmetric where this machine can. */
final class StressFences {
    private StressFences() {}

    static Fences ofThisMachine() {
        OsCalls os = Os.calls();
        return FenceEverywhere.isKnown(os) && FenceEverywhere.register(os) == 0 && FenceEverywhere.registerOwn(os) == 0
                ? Fences.asymmetric(new FenceEverywhere(os))
                : Fences.SYMMETRIC;
    }
}
