package org.sluice.hybrid.device;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.sluice.device.Device;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.launch.Job;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;
import org.sluice.shm.threads.ThreadChannel;

/**
 * Opens a device: finds out who is where, opens a channel for each kind of peer, and fences so that nobody sends before all listen.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: gives back what was opened so far, then throws. <i>Proof</i>: {@code OpenProcessTest}.
 */
final class DeviceOpening {
    private final Job job;
    private final Options options;
    private final long timeoutMs;

    DeviceOpening(Job job, Options options) {
        this.job = job;
        this.options = options;
        this.timeoutMs = options.number(Option.OPEN_TIMEOUT_MS);
    }

    Device open() {
        PeerFacts own = PeerFacts.own("", options);
        own.publish(job.bootstrap());
        job.bootstrap().fence(timeoutMs);
        List<PeerFacts> facts = PeerFacts.all(job.bootstrap(), job.size(), own);
        WaitWord word = privateWord();
        int[] sameJvm = IntStream.range(0, job.size()).filter(rank -> facts.get(rank).jvm().equals(own.jvm())).toArray();
        ThreadChannel threads = ThreadChannel.open(job.id(), job.rank(), sameJvm, word, options);
        job.bootstrap().fence(timeoutMs);
        Route[] routes = new Route[job.size()];
        for (int rank : sameJvm) {
            routes[rank] = route(rank, rank == job.rank() ? Locality.SELF : Locality.SAME_JVM, threads);
        }
        return assemble(facts, word, new Channel[] {threads}, routes);
    }

    private Route route(int rank, Locality locality, Channel channel) {
        long limit = options.number(Option.EAGER_LIMIT);
        return new Route(rank, locality, channel, limit < 0 ? channel.protocolSwitchLimitBytes() : (int) limit,
                options.number(Option.EAGER_SHARE));
    }

    private Device assemble(List<PeerFacts> facts, WaitWord word, Channel[] channels, Route[] routes) {
        Counters counters = new Counters();
        Exchange exchange = new Exchange(job.rank(), channels, routes, options.number(Option.EAGER_SHARE),
                options.text(Option.PEEK).equals("on"), counters);
        ProgressEngine engine = new ProgressEngine(exchange, word, WaitPolicy.of(options, job.size()), NativeSleeper.of(options),
                options.count(Option.PROGRESS_THREADS), "sluice-progress-" + job.rank(), counters);
        exchange.engine(engine);
        engine.start();
        return new HybridDevice(new DeviceParts(job, options, job.rank(), PeerFacts.ids(facts), routes, exchange, engine,
                new DirectMemory(), channels, counters, new Counters[0]));
    }

    private WaitWord privateWord() {
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * Memory.FALSE_SHARING);
        long address = Memory.address(memory) + Memory.FALSE_SHARING - 1 & -Memory.FALSE_SHARING;
        return new WaitWord(address, memory, NativeSleeper.waker(options));
    }
}
