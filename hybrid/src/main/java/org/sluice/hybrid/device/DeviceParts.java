package org.sluice.hybrid.device;

import java.util.List;
import org.sluice.device.ProcessId;
import org.sluice.device.channel.Channel;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Options;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.route.Route;
import org.sluice.launch.Job;

/** What an open device is made of, in the order in which it is given back. */
record DeviceParts(
        Job job,
        Options options,
        int rank,
        List<ProcessId> ids,
        Route[] routes,
        Exchange exchange,
        ProgressEngine engine,
        OpenBuffers allocator,
        Channel[] channels,
        Counters counters) {}
