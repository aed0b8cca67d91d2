package org.sluice.ib;

import java.util.UUID;
import org.sluice.device.channel.WaitWord;
import org.sluice.device.counter.Counters;
import org.sluice.device.option.Options;
import org.sluice.device.random.Unguessable;
import org.sluice.ib.adapter.Adapter;
import org.sluice.ib.adapter.GivingBack;
import org.sluice.ib.adapter.Resources;
import org.sluice.ib.connect.ConnectSettings;
import org.sluice.ib.connect.ConnectionEvents;
import org.sluice.ib.connect.Connections;
import org.sluice.ib.connect.Connector;
import org.sluice.ib.connect.RoutingTable;
import org.sluice.ib.landing.Landings;
import org.sluice.ib.queue.Completions;
import org.sluice.ib.queue.ControlPosts;
import org.sluice.ib.sleep.EventWatch;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * What a channel is made of, built in the order in which each needs the one before, and given back in the other.
 *
 * <p><i>Thread</i>: {@link #work} the helper's, the rest whoever opens and closes the channel. <i>Owns</i>: all of it,
 * until {@link #close}, also where building stopped half-way.
 */
final class Parts implements EventWatch.Duty, AutoCloseable {
    Adapter adapter;
    Resources resources;
    Completions completions;
    ControlPosts posts;
    RemoteMemory remote;
    RouteMemory routeMemory;
    Landings landings;
    IbFacts own;
    Connections connections;
    Connector connector;
    CreditReturns returns;
    Arrivals arrivals;
    /** Of what the helper does; those of a rank may also be counted by the helper of another. */
    final Counters helperCounters = new Counters();

    private ConnectionEvents connectionEvents;
    private AsyncEvents asyncEvents;

    /**
     * As {@link IbChannel#create}.
     *
     * @param counters of what happens under the progress lock
     * @param traffic of the whole channel
     */
    Parts(
            int rank,
            int ranks,
            int peers,
            UUID process,
            WaitWord word,
            Options options,
            VerbsCalls verbs,
            Counters counters,
            Traffic traffic) {
        try {
            adapter = new Adapter(verbs, options);
            resources = new Resources(verbs, adapter, options, peers, ranks);
            completions = new Completions(verbs, resources.completionQueue());
            posts = resources
                    .opening()
                    .register(
                            ControlPosts.bytes(ranks),
                            () -> new ControlPosts(verbs, resources.domain(), ranks, counters));
            remote = new RemoteMemory(
                    verbs, resources.domain(), options, ranks, adapter.mostMessageBytes(), resources, counters);
            connectionEvents = new ConnectionEvents(verbs, adapter.eventChannel());
            own = new IbFacts(
                    rank,
                    adapter.address(),
                    adapter.port(),
                    process,
                    Unguessable.uuid(),
                    resources.bodyBytes(),
                    resources.reads(),
                    resources.isSoftRoce());
            ConnectSettings settings = ConnectSettings.of(options, adapter.eventChannel());
            connections = new Connections(verbs, resources, settings.mostCredits(), word, ranks);
            routeMemory = new RouteMemory(
                    verbs, resources.domain(), remote.writes(), connections, adapter.mostMessageBytes(), traffic);
            connector = new Connector(verbs, connections, resources, settings, own);
            returns = new CreditReturns(connections, posts, counters);
            landings = resources
                    .opening()
                    .register(
                            resources.landingBytes(ranks),
                            () -> new Landings(verbs, resources, connections, options, ranks, counters));
            arrivals =
                    new Arrivals(completions, connections, resources.receiveSlots(), posts, remote, returns, landings);
            asyncEvents = new AsyncEvents(
                    verbs, adapter.context(), adapter.devicePort(), resources, connections, helperCounters);
        } catch (RuntimeException | Error e) {
            GivingBack.after(e, this);
            throw e;
        }
    }

    /** A peer, which may connect as soon as it is known. */
    void add(IbFacts peer) {
        RoutingTable.require(own, peer);
        synchronized (connections) {
            connections.add(peer);
            landings.add(connections.of(peer.rank()));
        }
    }

    @Override
    public long work(int ready) {
        if ((ready & EventWatch.CONNECTION) != 0) {
            int result = connectionEvents.drain(connections, connector);
            if (result < 0) {
                throw new IllegalStateException(Errno.describe("rdma_get_cm_event", result));
            }
        }
        if ((ready & EventWatch.ASYNC) != 0) {
            asyncEvents.drain();
        }
        return connector.work();
    }

    /** Nobody uses any of it any more. The program's memory is let go of in any case, or told to be kept. */
    @Override
    public void close() {
        GivingBack back = new GivingBack();
        back.close(asyncEvents);
        back.close(connections);
        back.close(connectionEvents);
        back.close(remote);
        if (connections == null || !connections.isAnyLeft()) {
            back.close(() -> CloseAll.of(routeMemory, landings, posts, completions, resources, adapter));
        }
        back.end();
    }
}
