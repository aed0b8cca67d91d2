package org.sluice.device;

import java.util.Map;
import java.util.ServiceLoader;

/**
 * What makes devices: found as a service, so that this room needs to know no other. Implemented once, in
 * {@code hybrid}.
 */
public interface DeviceProvider {
    int RANK_OF_CALLER = -1;

    Device open(int rankOrCaller, Map<String, String> options);

    static DeviceProvider find() {
        return ServiceLoader.load(DeviceProvider.class, DeviceProvider.class.getClassLoader()).findFirst()
                .orElseThrow(() -> new IllegalStateException("no Sluice device on the class path: add the artifact "
                        + "sluice-hybrid (or the one runnable sluice.jar) beside sluice-device"));
    }
}
