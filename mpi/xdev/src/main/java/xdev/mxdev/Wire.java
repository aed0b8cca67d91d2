package xdev.mxdev;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import mpjbuf.Buffer;
import mpjdev.Status;
import org.sluice.device.Device;
import org.sluice.device.ProcessId;
import org.sluice.device.layer.Layer;
import xdev.ProcessID;
import xdev.XDevException;

/**
 * An open device, in the words of both: ranks, contexts, tags and statuses. A context of MPJ Express is two of the
 * layer's, as its barriers count their tags up past the highest int.
 *
 * <p><i>Thread</i>: any.
 */
final class Wire {
    private static final int HIGHEST_CONTEXT = Layer.HIGHEST_CONTEXT >> 1;

    final Layer layer;
    final OpenRequests open = new OpenRequests();
    /** Receives that wait for their message before they choose where it goes: later ones must not overtake them. */
    final AtomicInteger takes = new AtomicInteger();

    private final RankId[] ids;
    private final Map<UUID, RankId> byUuid = new HashMap<>();
    private final ThreadLocal<org.sluice.device.Status> statuses =
            ThreadLocal.withInitial(org.sluice.device.Status::new);

    Wire(Device device) {
        this.layer = Layer.of(device);
        List<ProcessId> peers = device.peers();
        this.ids = new RankId[peers.size()];
        for (ProcessId peer : peers) {
            ids[peer.rank()] = new RankId(peer.uuid(), peer.rank());
            byUuid.put(peer.uuid(), ids[peer.rank()]);
        }
    }

    /** By rank. */
    ProcessID[] ids() {
        return ids.clone();
    }

    ProcessID id() {
        return ids[layer.device().rank()];
    }

    /** Of a blocking call, which reads it before it returns. */
    org.sluice.device.Status statusOfThread() {
        return statuses.get();
    }

    int dest(ProcessID id) {
        if (id instanceof RankId) {
            return ((RankId) id).rank;
        }
        // Intercommunicators make their own.
        RankId rank = id == null ? null : byUuid.get(id.uuid());
        if (rank == null) {
            throw new XDevException("the process " + (id == null ? "null" : id.uuid()) + " is none of the " + ids.length
                    + " ranks of this job");
        }
        return rank.rank;
    }

    int source(ProcessID id) {
        return id == xdev.Device.ANY_SRC ? Device.ANY_SOURCE : dest(id);
    }

    static int tagToSend(int tag) {
        if (tag == xdev.Device.ANY_TAG) {
            throw new XDevException("tag " + tag + " is MPI.ANY_TAG: it can be received with, and not sent with");
        }
        return tag & Integer.MAX_VALUE;
    }

    static int tagToReceive(int tag) {
        return tag == xdev.Device.ANY_TAG ? Device.ANY_TAG : tag & Integer.MAX_VALUE;
    }

    /** The layer's context: of wildcards that of tags from 0 on. */
    static int space(int context, int tag) {
        if (context < 0 || context > HIGHEST_CONTEXT) {
            throw new XDevException("context " + context + " can't be used; they are 0 to " + HIGHEST_CONTEXT
                    + ". MPJ Express gives -1 to collectives of an Intercomm, which it doesn't have");
        }
        return context << 1 | (tag < 0 && tag != xdev.Device.ANY_TAG ? 1 : 0);
    }

    /** One that nothing is known of yet. */
    static Status status(int tag) {
        return new Status(null, tag, -1);
    }

    /** Fills in whose message it is, with which tag, and what the first section of it has. */
    Status told(Status status, org.sluice.device.Status received, int tag, Buffer buffer) {
        told(status, received, tag);
        Contents.describe(buffer, status);
        return status;
    }

    private void told(Status status, org.sluice.device.Status received, int tag) {
        status.srcID = ids[received.source()].uuid();
        status.tag = tag == xdev.Device.ANY_TAG ? received.tag() : tag;
    }

    /** Null of null. */
    Status probed(org.sluice.device.Status found, int tag) {
        if (found == null) {
            return null;
        }
        Status status = status(tag);
        told(status, found, tag);
        status.countInBytes = (int) Math.max(0, found.bytes() - Contents.HEADER_BYTES);
        return status;
    }

    static XDevException failure(RuntimeException cause) {
        XDevException failure = new XDevException(cause.getMessage());
        failure.initCause(cause);
        return failure;
    }
}
