package org.sluice.hybrid.observe;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.jvm.JvmRanks;
import org.sluice.device.jvm.LocalEnd;

/** The devices that are open in this JVM. <i>Thread</i>: any. */
final class OpenDevices {
    private OpenDevices() {}

    static List<Observed> all() {
        List<Observed> all = new ArrayList<>();
        for (LocalEnd end : JvmRanks.ofThisJvm().open()) {
            if (end instanceof Observed) {
                all.add((Observed) end);
            }
        }
        return all;
    }
}
