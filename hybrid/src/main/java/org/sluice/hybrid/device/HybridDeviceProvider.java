package org.sluice.hybrid.device;

import java.util.Map;
import org.sluice.device.Device;
import org.sluice.device.DeviceProvider;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.launch.Job;
import org.sluice.launch.TypoWarning;

/** Finds the job and opens the rank's device. <i>Thread</i>: any. */
public final class HybridDeviceProvider implements DeviceProvider {
    @Override
    public Device open(int rankOrCaller, Map<String, String> given) {
        Options options = Options.of(given);
        if (Memory.isUnsafe() && options.text(Option.UNSAFE).equals("off")) {
            throw new IllegalArgumentException(Option.UNSAFE.property()
                    + " is of the whole JVM, which has begun with it on: give it as -D" + Option.UNSAFE.property()
                    + "=off, or as " + Option.UNSAFE.environmentVariable() + "=off in the environment");
        }
        Job job;
        try {
            job = Job.find(options, rankOrCaller);
        } catch (RuntimeException e) {
            // It may be for the want of just what was misspelt.
            TypoWarning.say(rankOrCaller, options);
            throw e;
        }
        TypoWarning.say(job.rank(), options);
        try {
            return new DeviceOpening(job, options).open();
        } catch (RuntimeException | Error e) {
            job.bootstrap().close();
            throw e;
        }
    }
}
