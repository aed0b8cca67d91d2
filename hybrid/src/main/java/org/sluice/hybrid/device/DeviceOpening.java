package org.sluice.hybrid.device;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.sluice.device.Device;
import org.sluice.device.SluiceException;
import org.sluice.device.arena.Arena;
import org.sluice.device.buffer.MessageAllocator;
import org.sluice.device.channel.Channel;
import org.sluice.device.channel.Fences;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.progress.ProgressEngine;
import org.sluice.hybrid.progress.WaitPolicy;
import org.sluice.hybrid.protocol.Exchange;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Locality;
import org.sluice.hybrid.route.Route;
import org.sluice.ib.IbChannel;
import org.sluice.launch.Bootstrap;
import org.sluice.launch.Job;
import org.sluice.shm.segment.SegmentChannel;
import org.sluice.shm.segment.SegmentName;
import org.sluice.shm.threads.ThreadChannel;
import org.sluice.tcp.TcpChannel;

/**
 * Opens a device: finds out who is where, opens a channel for each kind of peer, and fences so that nobody sends before
 * all listen.
 *
 * <p><i>Thread</i>: one. <i>Fails</i>: gives back what was opened so far, then throws. <i>Proof</i>:
 * {@code OpenProcessTest}, {@code FailedOpeningTest}.
 */
final class DeviceOpening {
    private static final String SEGMENT_KEY = "shm";
    private static final String VERBS_KEY = "ib";
    private static final String TCP_KEY = "tcp";
    /** A private buffer that would take more than this part of what may be registered is none of the arena. */
    private static final int POOL_PARTS = 4;

    private final Job job;
    private final Options options;
    private final Bootstrap bootstrap;
    private final long timeoutMs;
    private final NativeSupport natives;
    private final UnaryOperator<PeerFacts> disguise;
    /** Known once there are segments. */
    private DiedMeanwhile died;

    private Fences fences;
    private final List<Channel> opened = new ArrayList<>();
    private PeerFacts own;
    private List<PeerFacts> facts;
    private Locality[] localities;
    private String[] channelNames;

    DeviceOpening(Job job, Options options) {
        this(job, options, NativeSupport.of(options), null);
    }

    /**
     * @param disguise what this rank publishes instead of where it is: for tests, whose ranks are threads of one JVM;
     *     null for nothing else
     */
    DeviceOpening(Job job, Options options, NativeSupport natives, UnaryOperator<PeerFacts> disguise) {
        this.disguise = disguise;
        this.job = job;
        this.options = options;
        this.bootstrap = job.bootstrap();
        this.timeoutMs = options.number(Option.OPEN_TIMEOUT_MS);
        this.natives = natives;
    }

    Device open() {
        Inside.handleSignal(options);
        try {
            choose();
            SegmentChannel segments = createSegment();
            WaitWord word = segments == null ? privateWord() : segments.waitWord();
            ThreadChannel threads =
                    ThreadChannel.open(job.id(), job.rank(), ranksBy(ChannelChoice.THREADS), word, options);
            opened.add(threads);
            IbChannel verbs = createVerbs(word);
            TcpChannel tcp = createTcp(word);
            bootstrap.fence(timeoutMs);
            if (segments != null) {
                connectAll(segments);
            }
            if (verbs != null) {
                for (int peer : ranksBy(ChannelChoice.IB)) {
                    verbs.add(peer, bootstrap.get(peer, VERBS_KEY));
                }
            }
            if (tcp != null) {
                for (int peer : ranksBy(ChannelChoice.TCP)) {
                    tcp.add(peer, bootstrap.get(peer, TCP_KEY));
                }
                // Whoever has passed the fence below may dial.
                tcp.start();
            }
            if (segments != null) {
                natives.awaitFenced(timeoutMs);
            }
            bootstrap.fence(timeoutMs);
            if (segments != null) {
                segments.unlink();
            }
            if (verbs != null) {
                // Of a peer that nobody connected to no adapter says that it died.
                verbs.start(options.text(Option.IB_CONNECT).equals("all") || !bootstrap.tellsOfDeaths());
                watchEnds(verbs);
            }
            if (tcp != null) {
                if (!bootstrap.tellsOfDeaths()) {
                    tcp.wantAll();
                }
                bootstrap.onRankLost(tcp::lost);
                bootstrap.onRankClosed(tcp::closed);
            }
            return assemble(word, threads, segments, verbs, tcp);
        } catch (Throwable e) {
            giveBack(e);
            throw e;
        }
    }

    /**
     * Whatever goes wrong with one channel, the others are closed too, and the program learns why the opening failed.
     */
    private void giveBack(Throwable cause) {
        for (Channel channel : opened) {
            DeviceClosing.suppressing(cause, channel::close);
        }
    }

    /** Exchanges facts and derives each peer's channel from them. */
    private void choose() {
        ChannelChoice choice = new ChannelChoice(options);
        PeerFacts known = PeerFacts.own(
                NodeIdentity.of(Path.of(options.text(Option.SHM_DIR))),
                natives.isFenced(),
                OpenFiles.ownProcess(natives.calls()),
                choice.verbs(),
                options);
        own = disguise == null ? known : disguise.apply(known);
        own.publish(bootstrap);
        // Said before there is such a file, or it is known that there will be none: puts travel with the fence.
        Path name = SegmentName.of(options, natives.calls(), job.id(), job.rank());
        bootstrap.put(Bootstrap.LEFT_OVER, name.toString().getBytes(StandardCharsets.UTF_8));
        bootstrap.fence(timeoutMs);
        facts = PeerFacts.all(bootstrap, job.size(), own);
        fences = natives.fences();
        for (PeerFacts peer : facts) {
            if (!peer.fenced()) {
                fences = Fences.SYMMETRIC;
            }
        }
        localities = new Locality[job.size()];
        channelNames = new String[job.size()];
        String[] noShm = new String[job.size()];
        for (int rank = 0; rank < job.size(); rank++) {
            localities[rank] = ChannelChoice.locality(rank, job.rank(), own, facts.get(rank));
            channelNames[rank] = choice.channel(rank, localities[rank], own, facts.get(rank));
            noShm[rank] = choice.noShm(channelNames[rank], own, facts.get(rank));
        }
        if (options.text(Option.CHANNELS_SHOW).equals("on")) {
            System.err.println(ChannelTable.text(job.rank(), channelNames, noShm, own.verbsReason()));
        }
    }

    private int[] ranksBy(String channel) {
        int[] ranks = new int[job.size()];
        int count = 0;
        for (int rank = 0; rank < ranks.length; rank++) {
            if (channelNames[rank].equals(channel)) {
                ranks[count++] = rank;
            }
        }
        return Arrays.copyOf(ranks, count);
    }

    /** @return null when no peer is reached through shared memory */
    private SegmentChannel createSegment() {
        int[] peers = ranksBy(ChannelChoice.SHM);
        if (peers.length == 0) {
            return null;
        }
        SegmentChannel segments = SegmentChannel.create(
                job.id(),
                job.rank(),
                job.size(),
                peers,
                options,
                natives.calls(),
                fences,
                canOpenEachOthersFiles(peers));
        opened.add(segments);
        // A rank that is killed while it opens leaves a name, if it has one; where the launcher dies with it, its peers
        // remove that.
        died = new DiedMeanwhile(job.id(), options, natives.calls());
        bootstrap.onRankLost(died);
        bootstrap.put(SEGMENT_KEY, segments.facts());
        return segments;
    }

    private void connectAll(SegmentChannel segments) {
        int[] near = ranksBy(ChannelChoice.SHM);
        byte[][] theirFacts = new byte[near.length][];
        try {
            for (int i = 0; i < near.length; i++) {
                theirFacts[i] = bootstrap.get(near[i], SEGMENT_KEY);
            }
            segments.connect(near, theirFacts);
        } catch (SluiceException e) {
            throw died.orElse(e, timeoutMs);
        }
    }

    private boolean canOpenEachOthersFiles(int[] peers) {
        for (int peer : peers) {
            if (!OpenFiles.areShared(own.process(), facts.get(peer).process())) {
                return false;
            }
        }
        return true;
    }

    /** @return null when no peer is reached over verbs */
    private IbChannel createVerbs(WaitWord word) {
        int[] peers = ranksBy(ChannelChoice.IB);
        if (peers.length == 0) {
            return null;
        }
        IbChannel verbs = IbChannel.create(job.rank(), job.size(), peers.length, own.uuid(), word, options);
        opened.add(verbs);
        bootstrap.put(VERBS_KEY, verbs.facts());
        return verbs;
    }

    /** @return null when no peer is reached over TCP */
    private TcpChannel createTcp(WaitWord word) {
        if (ranksBy(ChannelChoice.TCP).length == 0) {
            return null;
        }
        TcpChannel tcp = TcpChannel.create(job.rank(), job.size(), word, natives.calls(), options);
        opened.add(tcp);
        bootstrap.put(TCP_KEY, tcp.facts());
        return tcp;
    }

    /** Where no connection was made yet, only the launcher knows that a rank died, or closed. */
    private void watchEnds(IbChannel verbs) {
        bootstrap.onRankLost(new IntConsumer() {
            @Override
            public void accept(int lost) {
                verbs.lost(lost);
            }
        });
        bootstrap.onRankClosed(new IntConsumer() {
            @Override
            public void accept(int closed) {
                verbs.closed(closed);
            }
        });
    }

    private Device assemble(
            WaitWord word, ThreadChannel threads, SegmentChannel segments, IbChannel verbs, TcpChannel tcp) {
        Channel[] channels = channels(segments, threads, verbs, tcp);
        DeferredWork deferred = new DeferredWork();
        Route[] routes = new Route[job.size()];
        for (int rank = 0; rank < routes.length; rank++) {
            routes[rank] = route(rank, named(channelNames[rank], channels), deferred);
        }
        Counters counters = new Counters();
        Exchange exchange = new Exchange(
                job.rank(),
                channels,
                routes,
                deferred,
                options.number(Option.EAGER_SHARE),
                options.text(Option.PEEK).equals("on"),
                counters);
        exchange.persistent().limitBytes(options.number(Option.ROUTES_BYTES));
        List<String> cores = coresOfMachine(job.size());
        int coresEach = AllowedCores.together(cores) / cores.size();
        if (coresEach == 0) {
            exchange.shareCores();
        }
        WaitPolicy policy = WaitPolicy.of(
                options,
                coresEach,
                verbs != null && options.text(Option.IB_EAGER).equals("write"),
                verbs != null && verbs.isSoftRoce() ? verbs::isMovedOnCores : null);
        ProgressEngine engine = new ProgressEngine(
                exchange,
                word,
                policy,
                natives.sleeper(homeCore(cores)),
                options.count(Option.PROGRESS_THREADS),
                "sluice-progress-" + job.rank(),
                counters);
        exchange.engine(engine);
        return begun(new HybridDevice(new DeviceParts(
                job,
                options,
                job.rank(),
                PeerFacts.ids(facts),
                routes,
                exchange,
                engine,
                allocator(segments, verbs),
                channels,
                counters)));
    }

    /**
     * Where it can't begin it closes as any other: threads of it may poll the channels already, and peers may wait for
     * it.
     */
    private Device begun(HybridDevice device) {
        try {
            device.begin();
            return device;
        } catch (Throwable e) {
            device.giveUp(e);
            throw e;
        }
    }

    private OpenBuffers allocator(SegmentChannel segments, IbChannel verbs) {
        if (verbs == null) {
            return new OpenBuffers(segments == null ? new DirectMemory() : segments.arena());
        }
        Arena arena = segments == null ? verbs.privateArena() : segments.arena();
        verbs.registrations().pool(arena);
        long most = options.number(Option.IB_POOL_LIMIT) / POOL_PARTS;
        MessageAllocator memory = segments == null ? new PrivateMemory(arena, new DirectMemory(), most) : arena;
        return new OpenBuffers(new RegisteredMemory(memory, verbs.registrations()));
    }

    /**
     * Without a peer in this JVM the thread channel carries only messages to oneself, and comes last of those that cost
     * nothing to poll.
     *
     * @param all in this order; null for one that reaches nobody
     */
    private static Channel[] channels(Channel... all) {
        List<Channel> channels = new ArrayList<>();
        for (Channel each : all) {
            if (each != null) {
                channels.add(each);
            }
        }
        return channels.toArray(new Channel[0]);
    }

    private static Channel named(String name, Channel[] channels) {
        for (Channel channel : channels) {
            if (channel.name().equals(name)) {
                return channel;
            }
        }
        throw new IllegalStateException("no channel " + name + " was opened");
    }

    private Route route(int rank, Channel channel, DeferredWork deferred) {
        long limit = options.number(Option.EAGER_LIMIT);
        return new Route(
                rank,
                localities[rank],
                channel,
                limit < 0 ? channel.protocolSwitchLimitBytes() : (int) limit,
                options.number(Option.EAGER_SHARE),
                deferred,
                fences);
    }

    /** What each rank of this machine may use, of those below {@code end}. */
    private List<String> coresOfMachine(int end) {
        List<String> cores = new ArrayList<>();
        for (int rank = 0; rank < end; rank++) {
            if (localities[rank] != Locality.REMOTE || facts.get(job.rank()).sharesCores(facts.get(rank))) {
                cores.add(facts.get(rank).cores());
            }
        }
        return cores;
    }

    private int homeCore(List<String> cores) {
        return options.text(Option.WAIT_HOME).equals("on")
                ? AllowedCores.home(cores, coresOfMachine(job.rank()).size())
                : HomeCore.NONE;
    }

    private WaitWord privateWord() {
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * Memory.FALSE_SHARING);
        long address = Memory.address(memory) + Memory.FALSE_SHARING - 1 & -Memory.FALSE_SHARING;
        return new WaitWord(address, memory, natives.waker(), fences);
    }
}
