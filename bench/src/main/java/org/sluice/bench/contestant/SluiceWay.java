package org.sluice.bench.contestant;

import java.net.InetAddress;
import java.util.stream.Collectors;
import org.sluice.bench.plan.Route;
import org.sluice.device.option.Option;
import org.sluice.launch.HostList;
import org.sluice.launch.Launcher;
import org.sluice.launch.RemoteShell;

/** What sends the messages of a job of Sluice by a route, if the device wouldn't choose it. */
public final class SluiceWay {
    private final Route route;
    private final Wire wire;

    /** @param nodes that share no memory; 1 for this one */
    public SluiceWay(Route route, int nodes) {
        this.route = route;
        this.wire = route == Route.TCP || nodes > 1 ? Wire.of(nodes) : Wire.LOOPBACK;
    }

    Route route() {
        return route;
    }

    /** Where ranks reach the harness. */
    InetAddress harness() {
        return wire.here();
    }

    public void set(Launcher launcher, int ranks) {
        if (wire.isOfMachines()) {
            spread(launcher, ranks);
            return;
        }
        if (route == Route.IB) {
            launcher.environment(Option.CHANNELS.environmentVariable(), "threads,ib");
        }
        if (route == Route.TCP) {
            launcher.environment(
                    Option.CHANNELS.environmentVariable(), wire.isBetweenNodes() ? "threads,shm,tcp" : "threads,tcp");
            launcher.environment(Option.TCP_INTERFACE.environmentVariable(), wire.network());
            launcher.commandPrefix(first -> wire.prefix(first, ranks));
        }
    }

    /** Over machines, as {@code ./sluice run --host} does. */
    private void spread(Launcher launcher, int ranks) {
        launcher.environment(
                Option.CHANNELS.environmentVariable(), "threads,shm," + (route == Route.IB ? "ib" : "tcp"));
        if (route == Route.TCP) {
            launcher.environment(Option.TCP_INTERFACE.environmentVariable(), wire.network());
        }
        int each = ranks / wire.addresses().size();
        String hosts = wire.addresses().stream()
                .map(address -> address.getHostAddress() + ":" + each)
                .collect(Collectors.joining(","));
        launcher.hosts(HostList.ofWords(hosts), RemoteShell.of(wire.shell().toString()), each);
    }
}
