package org.sluice.hybrid.device;

import org.sluice.device.Device;

/** What one rank of a test does. */
@FunctionalInterface
interface RankBody {
    void run(Device device) throws Exception;
}
