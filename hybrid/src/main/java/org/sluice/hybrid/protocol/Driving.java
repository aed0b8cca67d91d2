package org.sluice.hybrid.protocol;

import java.util.ArrayList;
import java.util.List;
import org.sluice.device.channel.Channel;
import org.sluice.hybrid.operation.Ends;
import org.sluice.hybrid.persistent.PersistentRoutes;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.DeferredWork;
import org.sluice.hybrid.route.Route;
import org.sluice.hybrid.route.SendOperation;

/**
 * Sends on what waits in the routes: what found no room, and what a round answered its peers with, which leaves
 * together at its end.
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code AnsweredTogetherTest}, the device conformance suite.
 */
final class Driving {
    /** Some channel packs: else a round has no work here. */
    private final boolean packs;

    private final Route[] routes;
    private final DeferredWork deferred;
    private final Ends ends;
    private final PersistentRoutes persistent;
    private final List<SendOperation> over = new ArrayList<>();

    Driving(Channel[] channels, Route[] routes, DeferredWork deferred, Ends ends, PersistentRoutes persistent) {
        boolean any = false;
        for (Channel channel : channels) {
            any |= channel.coalescing() != null;
        }
        this.packs = any;
        this.routes = routes;
        this.deferred = deferred;
        this.ends = ends;
        this.persistent = persistent;
    }

    /**
     * All routes with something that found no room.
     *
     * @return how much was done
     */
    int all() {
        int done = 0;
        deferred.clear();
        for (Route route : routes) {
            if (route.hasWork()) {
                done += one(route);
            }
        }
        return done;
    }

    /** Whether answers wait from now on for {@link #answers}. */
    void holdAnswers(boolean on) {
        if (packs) {
            ends.hold(on);
        }
    }

    /**
     * Sends those that wait.
     *
     * @return how much was done
     */
    int answers() {
        int done = 0;
        if (!packs) {
            return done;
        }
        for (Route route = ends.nextHeld(); route != null; route = ends.nextHeld()) {
            done += one(route);
            if (route.hasWork()) {
                ends.controlsWait();
            }
        }
        return done;
    }

    private int one(Route route) {
        int done = route.drive(over);
        endSends(route.failure());
        persistent.moved();
        if (route.hasWork()) {
            deferred.set();
        }
        return done;
    }

    /** Nothing goes to this peer any more: ends all that was to. */
    void fail(Route route, Failure failure) {
        route.fail(failure, over);
    }

    /**
     * What is over since.
     *
     * @param failure why, or null where it went
     */
    void endSends(Failure failure) {
        ends.sent(routes, over, failure);
    }
}
