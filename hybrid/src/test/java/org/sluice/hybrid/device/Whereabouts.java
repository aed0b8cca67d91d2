package org.sluice.hybrid.device;

import java.util.Map;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import org.sluice.device.Device;
import org.sluice.device.option.Options;
import org.sluice.launch.Job;

/**
 * Where the ranks of a job say they live, although all are threads of this JVM: what ranks tell each other of
 * themselves is all that channels are chosen by. <i>Thread</i>: any.
 */
record Whereabouts(IntUnaryOperator jvms, IntUnaryOperator nodes) {
    /** As {@link Device#open(int, Map)}. */
    Device open(int rank, Map<String, String> given) {
        Options options = Options.of(given);
        Job job = Job.find(options, rank);
        try {
            return new DeviceOpening(job, options, NativeSupport.of(options), own -> moved(rank, own)).open();
        } catch (RuntimeException | Error e) {
            job.bootstrap().close();
            throw e;
        }
    }

    private PeerFacts moved(int rank, PeerFacts own) {
        UUID jvm = new UUID(own.jvm().getMostSignificantBits(), jvms.applyAsInt(rank));
        return new PeerFacts(
                own.uuid(),
                jvm,
                own.node() + ", part " + nodes.applyAsInt(rank),
                own.cores(),
                own.fenced(),
                own.process(),
                own.verbsReason(),
                own.verbsLink(),
                own.sharedOptions());
    }
}
