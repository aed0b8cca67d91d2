package org.sluice.device;

import java.util.Map;

/**
 * What makes devices: found by name, so that this room compiles without any other. There is one, in {@code hybrid}; to
 * look for it as a service would read the class path's jars in every open (docs/project/adr/0008-fast-open.md).
 */
public interface DeviceProvider {
    int RANK_OF_CALLER = -1;
    String NAME = "org.sluice.hybrid.device.HybridDeviceProvider";

    Device open(int rankOrCaller, Map<String, String> options);

    static DeviceProvider find() {
        try {
            return (DeviceProvider) Class.forName(NAME).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "no Sluice device on the class path: add the artifact sluice-hybrid beside "
                            + "sluice-device, or sluice.jar, which holds both",
                    e);
        }
    }
}
