package org.sluice.bench.contestant;

import org.sluice.bench.plan.Route;
import org.sluice.device.option.Option;
import org.sluice.launch.Launcher;

/** What sends the messages of a job of Sluice by a route, if the device wouldn't choose it. */
public final class SluiceWay {
    private SluiceWay() {}

    public static void set(Launcher launcher, Route route, int ranks) {
        if (route == Route.IB) {
            launcher.environment(Option.CHANNELS.environmentVariable(), "threads,ib");
        }
        if (route == Route.TCP) {
            launcher.environment(Option.CHANNELS.environmentVariable(), "threads,tcp");
            launcher.environment(
                    Option.TCP_INTERFACE.environmentVariable(), Wire.get().network());
            launcher.commandPrefix(first -> Wire.get().prefix(first, ranks));
        }
    }
}
