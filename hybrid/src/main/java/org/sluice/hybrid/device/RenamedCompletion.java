package org.sluice.hybrid.device;

import org.sluice.device.Status;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.Waiting;

/** A receive, or a probe, whose status has a layer's context and ranks. <i>Thread</i>: as its superclass. */
class RenamedCompletion extends Completion {
    final int context;
    final int[] ranks;

    /** @param ranks by rank of the device; null for that itself */
    RenamedCompletion(Waiting waiting, int context, int[] ranks) {
        this(waiting, context, ranks, true);
    }

    RenamedCompletion(Waiting waiting, int context, int[] ranks, boolean receives) {
        super(receives, waiting);
        this.context = context;
        this.ranks = ranks;
    }

    /** One that receives nothing. */
    static RenamedCompletion ofProbe(Waiting waiting, int context, int[] ranks) {
        return new RenamedCompletion(waiting, context, ranks, false);
    }

    @Override
    public final void fill(Status status) {
        super.fill(status);
        rename(status, context, ranks, elementSize());
    }

    static void rename(Status status, int context, int[] ranks, int elementSize) {
        int source = status.source();
        status.set(
                source < 0 || ranks == null ? source : ranks[source],
                status.tag(),
                context,
                status.bytes(),
                elementSize,
                status.error());
    }
}
