package org.sluice.hybrid.device;

import java.util.Map;
import org.sluice.device.Device;
import org.sluice.device.DeviceProvider;
import org.sluice.device.option.Options;
import org.sluice.hybrid.launch.Job;

/** Finds the job and opens the rank's device. <i>Thread</i>: any. */
public final class HybridDeviceProvider implements DeviceProvider {
    @Override
    public Device open(int rankOrCaller, Map<String, String> given) {
        Options options = Options.of(given);
        Job job = Job.find(options, rankOrCaller);
        try {
            return new DeviceOpening(job, options).open();
        } catch (RuntimeException | Error e) {
            job.bootstrap().close();
            throw e;
        }
    }
}
