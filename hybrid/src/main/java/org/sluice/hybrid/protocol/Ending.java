package org.sluice.hybrid.protocol;

import org.sluice.device.ErrorCode;
import org.sluice.device.channel.Sharing;
import org.sluice.device.channel.Withdrawn;
import org.sluice.hybrid.persistent.PersistentRoutes;
import org.sluice.hybrid.receive.Receiver;
import org.sluice.hybrid.rendezvous.RendezvousReceiver;
import org.sluice.hybrid.rendezvous.RendezvousSender;
import org.sluice.hybrid.request.Failure;
import org.sluice.hybrid.route.Route;

/**
 * Ends what is in flight with one peer, or with all: first nothing is moved any more, and only then does a program have
 * its memory again. Where something is thrown in between, the next call goes on with what is left
 * (docs/project/adr/0086).
 *
 * <p><i>Thread</i>: under the progress lock. <i>Proof</i>: {@code EndedExchangeTest}, {@code FailedDeviceCases}.
 */
final class Ending {
    private final Route[] routes;
    private final Driving driving;
    private final RendezvousSender sender;
    private final PersistentRoutes persistent;
    private final RendezvousReceiver rendezvous;
    private final Receiver receiver;
    /** By rank, from before its operations leave their lists until it is disconnected. */
    private final boolean[] isMoving;

    Ending(
            Route[] routes,
            Driving driving,
            RendezvousSender sender,
            PersistentRoutes persistent,
            RendezvousReceiver rendezvous,
            Receiver receiver) {
        this.routes = routes;
        this.driving = driving;
        this.sender = sender;
        this.persistent = persistent;
        this.rendezvous = rendezvous;
        this.receiver = receiver;
        this.isMoving = new boolean[routes.length];
    }

    void of(int peer, Failure failure) {
        // From here on nothing is written to the receives that are failed now, and nothing read from the sends.
        isMoving[peer] = true;
        // A peer that is cut off, and lives, may read on what is the program's again from here on.
        stop(peer, failure, Withdrawn.BY_FAILURE);
        driving.endSends(failure);
        sender.fail(peer, failure);
        persistent.fail(peer, failure);
        rendezvous.fail(peer, failure);
        receiver.fail(peer, failure);
    }

    void ofAll(Failure failure) {
        Withdrawn reason = failure.code() == ErrorCode.DEVICE_FAILED ? Withdrawn.BY_FAILURE : Withdrawn.BY_CLOSE;
        for (int peer = 0; peer < routes.length; peer++) {
            isMoving[peer] |= rendezvous.isWritten(peer)
                    || sender.isWriting(peer)
                    || routes[peer].loans().isLending()
                    || persistent.isWriting(peer);
            stop(peer, failure, reason);
        }
        driving.endSends(failure);
        for (int peer = 0; peer < routes.length; peer++) {
            sender.fail(peer, failure);
        }
        persistent.end(failure);
        rendezvous.fail(-1, failure);
        receiver.failAll(failure);
    }

    private void stop(int peer, Failure failure, Withdrawn reason) {
        driving.fail(routes[peer], failure);
        if (isMoving[peer]) {
            routes[peer].channel().disconnect(peer);
            isMoving[peer] = false;
        }
        // Before any request ends: then its memory is the program's, and peers may still be reading it.
        Sharing sharing = routes[peer].abilities().sharing;
        if (sharing != null) {
            sharing.withdraw(peer, reason);
        }
    }
}
