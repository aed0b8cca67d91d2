package org.sluice.ib.adapter;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.ib.queue.ControlPosts;
import org.sluice.ib.queue.ReceiveSlots;
import org.sluice.ib.queue.SendBuffers;
import org.sluice.ib.queue.SendDepth;
import org.sluice.ib.wire.BundleWriter;
import org.sluice.ib.wire.LandingNews;
import org.sluice.ib.wire.PacketHeader;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * What all connections of a rank share: protection domain, completion queue with its event channel, receive slots, send
 * buffers; sized by the options and cut to what the device can do.
 *
 * <p><i>Owns</i>: all of it; closed after the last queue pair. <i>Fails</i>: what was made is given back. <i>Proof</i>:
 * {@code SmallDeviceTest}, {@code VerbsFaultsRxeTest}.
 */
public final class Resources implements AutoCloseable {
    private static final int SLOT_ALIGNMENT = 64;

    /** That one work request gathers: a header, and a body that stays where the program has it. */
    private static final int MOST_PIECES = 2;
    /** Packets about landing rings on the way to one peer. */
    private static final int LANDING_REQUESTS = 1;

    private final VerbsCalls verbs;
    private final int bodyBytes;
    private final int bundleBytes;
    private final boolean repeatsEnvelopes;
    private final int window;
    private final int slots;
    private final int mostReads;
    private final long mostRegionBytes;
    private final long mostRegions;
    private final int sendPieces;
    private final long mostQueuePairs;
    private final int landingRequests;
    private final int slotBytes;
    private final InlineBytes inline;
    private final boolean isSoftRoce;
    private final OpeningMemory opening;
    private long domain;
    private long completionChannel;
    private long completionQueue;
    private ReceiveSlots receiveSlots;
    private SendBuffers sendBuffers;

    public Resources(VerbsCalls verbs, Adapter adapter, Options options, int peers, int ranks) {
        this.verbs = verbs;
        long[] limits = adapter.limits();
        bodyBytes = options.count(Option.IB_BODY_BYTES);
        String coalesce = options.text(Option.IB_COALESCE);
        bundleBytes = coalesce.equals("off") ? 0 : bodyBytes;
        repeatsEnvelopes = coalesce.equals("whole");
        slotBytes = PacketHeader.BYTES + bodyBytes + SLOT_ALIGNMENT - 1 & -SLOT_ALIGNMENT;
        slots = (int) Math.max(
                1,
                Math.min(
                        Math.min(options.count(Option.IB_SLOTS), limits[VerbsCalls.DEVICE_MAX_SRQ_WR]),
                        limits[VerbsCalls.DEVICE_MAX_MR_SIZE] / slotBytes));
        mostReads =
                (int) Math.min(limits[VerbsCalls.DEVICE_MAX_QP_RD_ATOM], limits[VerbsCalls.DEVICE_MAX_QP_INIT_RD_ATOM]);
        mostRegionBytes = limits[VerbsCalls.DEVICE_MAX_MR_SIZE];
        mostRegions = limits[VerbsCalls.DEVICE_MAX_MR];
        mostQueuePairs = limits[VerbsCalls.DEVICE_MAX_QP];
        sendPieces = (int) Math.min(MOST_PIECES, limits[VerbsCalls.DEVICE_MAX_SGE]);
        landingRequests = options.text(Option.IB_EAGER).equals("send") ? 0 : LANDING_REQUESTS;
        isSoftRoce = limits[VerbsCalls.DEVICE_VENDOR_ID] == VerbsCalls.VENDOR_SOFT_ROCE;
        window = window(
                options.count(Option.IB_WINDOW),
                limits[VerbsCalls.DEVICE_MAX_QP_WR],
                limits[VerbsCalls.DEVICE_MAX_CQE],
                peers);
        inline = new InlineBytes(options, SendDepth.transfers(window) == 1);
        // Every receive slot, and every work request of every peer: all are completed at once where the device fails.
        long mostSlots =
                Math.max(slots, Math.min(limits[VerbsCalls.DEVICE_MAX_SRQ_WR], options.count(Option.IB_SLOTS_MOST)));
        mostSlots = Math.max(
                slots, Math.min(mostSlots, limits[VerbsCalls.DEVICE_MAX_CQE] - (long) peers * requestsOfOne()));
        long entries = mostSlots + (long) peers * requestsOfOne();
        opening = new OpeningMemory(
                (long) slots * slotBytes,
                SendBuffers.firstBytes(slotBytes, mostRegionBytes),
                ControlPosts.bytes(ranks),
                landingBytes(ranks));
        try {
            domain = VerbsFailure.check("ibv_alloc_pd", verbs.allocateProtectionDomain(adapter.context()));
            completionChannel =
                    VerbsFailure.check("ibv_create_comp_channel", verbs.createCompletionChannel(adapter.context()));
            completionQueue = VerbsFailure.check(
                    "ibv_create_cq of " + entries,
                    verbs.createCompletionQueue(adapter.context(), (int) entries, completionChannel));
            int most = (int) mostSlots;
            receiveSlots = opening.register(
                    (long) slots * slotBytes, () -> new ReceiveSlots(verbs, domain, slots, most, slotBytes));
            sendBuffers = opening.register(
                    SendBuffers.firstBytes(slotBytes, mostRegionBytes),
                    () -> new SendBuffers(
                            verbs, domain, slotBytes, options.count(Option.IB_SEND_SLOTS), mostRegionBytes));
        } catch (RuntimeException e) {
            GivingBack.after(e, this);
            throw e;
        }
    }

    /**
     * The longest window up to the wanted one with which a queue pair is one that this device makes, and those of all
     * peers can't overrun the completion queue.
     */
    private int window(int wanted, long mostRequests, long mostEntries, int peers) {
        for (int each = wanted; each > 0; each--) {
            if (requestsOfOne(each) <= mostRequests && slots + (long) peers * requestsOfOne(each) <= mostEntries) {
                return each;
            }
        }
        throw new SluiceException(
                ErrorCode.OPEN_FAILED,
                -1,
                "this RDMA device gives a queue pair " + mostRequests + " send work requests at most, and a"
                        + " completion queue " + mostEntries + " entries; at least " + requestsOfOne(1)
                        + " requests are needed for each of " + peers
                        + " peers, and an entry for each of those and of " + slots + " receive slots ("
                        + Option.IB_SLOTS.property()
                        + "): have fewer ranks or slots, or let it reach fewer of them (" + Option.CHANNELS.property()
                        + ")",
                null);
    }

    /** @param peers that all are to be connected to */
    public void requireQueuePairs(int peers) {
        if (peers > mostQueuePairs) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    mostQueuePairs() + ", and connecting to all takes one for each of " + peers
                            + " peers. All are connected to with "
                            + Option.IB_CONNECT.property()
                            + " = all, and where the launcher tells nobody of deaths (mpirun --enable-recovery):"
                            + " connect on demand, or let verbs reach fewer of them ("
                            + Option.CHANNELS.property() + ")",
                    null);
        }
    }

    /** Registered for packets about landing rings, in a job of so many ranks; the rings are made later. */
    public long landingBytes(int ranks) {
        return landingRequests > 0 ? (long) ranks * LandingNews.PACKET_BYTES : 0;
    }

    /** For whoever registers more of it. */
    public OpeningMemory opening() {
        return opening;
    }

    /** Where the device has no more the library says ENOMEM, which by itself leads astray. */
    public String noQueuePair(long result) {
        return VerbsFailure.describe("rdma_create_qp", result) + "; " + mostQueuePairs();
    }

    private String mostQueuePairs() {
        return "this RDMA device has " + mostQueuePairs + " queue pairs at most (max_qp), for all processes together";
    }

    public int bodyBytes() {
        return bodyBytes;
    }

    /** Longest body of a packet that holds several messages; 0: none does. */
    public int bundleBytes() {
        return bundleBytes;
    }

    /** For one connection. */
    public BundleWriter bundle() {
        return new BundleWriter(bundleBytes, repeatsEnvelopes);
    }

    /** Whether the device is the kernel's own in software. */
    public boolean isSoftRoce() {
        return isSoftRoce;
    }

    public int window() {
        return window;
    }

    /** Send work requests that the queue pair of one peer takes. */
    public int requestsOfOne() {
        return requestsOfOne(window);
    }

    private int requestsOfOne(int ofWindow) {
        return SendDepth.of(ofWindow, reads(ofWindow), SendDepth.transfers(ofWindow)) + landingRequests;
    }

    /** Of packets that go with their work request. */
    public InlineBytes inline() {
        return inline;
    }

    /** Receive slots that there are from the start. */
    public int slots() {
        return slots;
    }

    /** Outstanding RDMA reads that a connection may have, either way. */
    public int reads() {
        return reads(window);
    }

    private int reads(int ofWindow) {
        return Math.min(SendDepth.transfers(ofWindow), mostReads);
    }

    /** The longest piece of memory that the device registers. */
    public long mostRegionBytes() {
        return mostRegionBytes;
    }

    /** Pieces of memory that the device registers for all processes together. */
    public long mostRegions() {
        return mostRegions;
    }

    /** RDMA writes that a connection may have on the way, of long messages and of persistent routes. */
    public int writes() {
        return SendDepth.transfers(window);
    }

    /** Pieces of memory that a send work request may gather. */
    public int sendPieces() {
        return sendPieces;
    }

    /** Those of them that are for news of landing rings; 0 where there are none. */
    public int landingRequests() {
        return landingRequests;
    }

    /** Length of receive slots and send slots. */
    public int slotBytes() {
        return slotBytes;
    }

    public long domain() {
        return domain;
    }

    public long completionChannel() {
        return completionChannel;
    }

    public long completionQueue() {
        return completionQueue;
    }

    public ReceiveSlots receiveSlots() {
        return receiveSlots;
    }

    public SendBuffers sendBuffers() {
        return sendBuffers;
    }

    @Override
    public void close() {
        GivingBack back = new GivingBack();
        back.close(sendBuffers);
        back.close(receiveSlots);
        if (completionQueue != 0) {
            back.took("ibv_destroy_cq", verbs.destroyCompletionQueue(completionQueue));
        }
        if (completionChannel != 0) {
            back.took("ibv_destroy_comp_channel", verbs.destroyCompletionChannel(completionChannel));
        }
        if (domain != 0) {
            back.took("ibv_dealloc_pd", verbs.deallocateProtectionDomain(domain));
        }
        back.end();
    }
}
