package org.sluice.jni.verbs;

/**
 * Compares the numbers of {@link VerbsLayout}, and those of {@link VerbsCalls} that are the library's own, with what C
 * found in its headers. They cross no call that could check them: a wrong one would send the wrong bytes in silence.
 */
final class LayoutCheck {

    private record Constant(String name, int value) {}

    /** In the order of {@code verbs_layout.c}. */
    private static final Constant[] CONSTANTS = {
        new Constant("SEND_WR_BYTES", VerbsLayout.SEND_WR_BYTES),
        new Constant("RECV_WR_BYTES", VerbsLayout.RECV_WR_BYTES),
        new Constant("WR_ID", VerbsLayout.WR_ID),
        new Constant("WR_NEXT", VerbsLayout.WR_NEXT),
        new Constant("WR_SGE_LIST", VerbsLayout.WR_SGE_LIST),
        new Constant("WR_SGES", VerbsLayout.WR_SGES),
        new Constant("WR_ID of a receive", VerbsLayout.WR_ID),
        new Constant("WR_NEXT of a receive", VerbsLayout.WR_NEXT),
        new Constant("WR_SGE_LIST of a receive", VerbsLayout.WR_SGE_LIST),
        new Constant("WR_SGES of a receive", VerbsLayout.WR_SGES),
        new Constant("SEND_WR_OPCODE", VerbsLayout.SEND_WR_OPCODE),
        new Constant("SEND_WR_FLAGS", VerbsLayout.SEND_WR_FLAGS),
        new Constant("SEND_WR_IMMEDIATE", VerbsLayout.SEND_WR_IMMEDIATE),
        new Constant("SEND_WR_REMOTE_ADDRESS", VerbsLayout.SEND_WR_REMOTE_ADDRESS),
        new Constant("SEND_WR_RKEY", VerbsLayout.SEND_WR_RKEY),
        new Constant("SGE_BYTES", VerbsLayout.SGE_BYTES),
        new Constant("SGE_ADDRESS", VerbsLayout.SGE_ADDRESS),
        new Constant("SGE_LENGTH", VerbsLayout.SGE_LENGTH),
        new Constant("SGE_LKEY", VerbsLayout.SGE_LKEY),
        new Constant("WC_BYTES", VerbsLayout.WC_BYTES),
        new Constant("WC_WR_ID", VerbsLayout.WC_WR_ID),
        new Constant("WC_STATUS", VerbsLayout.WC_STATUS),
        new Constant("WC_OPCODE", VerbsLayout.WC_OPCODE),
        new Constant("WC_VENDOR_ERROR", VerbsLayout.WC_VENDOR_ERROR),
        new Constant("WC_LENGTH", VerbsLayout.WC_LENGTH),
        new Constant("WC_IMMEDIATE", VerbsLayout.WC_IMMEDIATE),
        new Constant("WC_QUEUE_PAIR", VerbsLayout.WC_QUEUE_PAIR),
        new Constant("WC_FLAGS", VerbsLayout.WC_FLAGS),
        new Constant("OPCODE_RDMA_WRITE", VerbsLayout.OPCODE_RDMA_WRITE),
        new Constant("OPCODE_RDMA_WRITE_WITH_IMM", VerbsLayout.OPCODE_RDMA_WRITE_WITH_IMM),
        new Constant("OPCODE_SEND", VerbsLayout.OPCODE_SEND),
        new Constant("OPCODE_RDMA_READ", VerbsLayout.OPCODE_RDMA_READ),
        new Constant("SEND_FENCE", VerbsLayout.SEND_FENCE),
        new Constant("SEND_SIGNALED", VerbsLayout.SEND_SIGNALED),
        new Constant("SEND_SOLICITED", VerbsLayout.SEND_SOLICITED),
        new Constant("SEND_INLINE", VerbsLayout.SEND_INLINE),
        new Constant("WC_SEND", VerbsLayout.WC_SEND),
        new Constant("WC_RDMA_WRITE", VerbsLayout.WC_RDMA_WRITE),
        new Constant("WC_RDMA_READ", VerbsLayout.WC_RDMA_READ),
        new Constant("WC_RECV", VerbsLayout.WC_RECV),
        new Constant("WC_RECV_RDMA_WITH_IMM", VerbsLayout.WC_RECV_RDMA_WITH_IMM),
        new Constant("EVENT_BYTES", VerbsLayout.EVENT_BYTES),
        new Constant("EVENT_KIND", VerbsLayout.EVENT_KIND),
        new Constant("EVENT_STATUS", VerbsLayout.EVENT_STATUS),
        new Constant("EVENT_ID", VerbsLayout.EVENT_ID),
        new Constant("EVENT_LISTENER", VerbsLayout.EVENT_LISTENER),
        new Constant("EVENT_RESPONDER_RESOURCES", VerbsLayout.EVENT_RESPONDER_RESOURCES),
        new Constant("EVENT_INITIATOR_DEPTH", VerbsLayout.EVENT_INITIATOR_DEPTH),
        new Constant("EVENT_PRIVATE_BYTES", VerbsLayout.EVENT_PRIVATE_BYTES),
        new Constant("EVENT_PEER_QUEUE_PAIR", VerbsLayout.EVENT_PEER_QUEUE_PAIR),
        new Constant("EVENT_PRIVATE_DATA", VerbsLayout.EVENT_PRIVATE_DATA),
        new Constant("ADDRESS_RESOLVED", VerbsLayout.ADDRESS_RESOLVED),
        new Constant("ADDRESS_ERROR", VerbsLayout.ADDRESS_ERROR),
        new Constant("ROUTE_RESOLVED", VerbsLayout.ROUTE_RESOLVED),
        new Constant("ROUTE_ERROR", VerbsLayout.ROUTE_ERROR),
        new Constant("CONNECT_REQUEST", VerbsLayout.CONNECT_REQUEST),
        new Constant("CONNECT_RESPONSE", VerbsLayout.CONNECT_RESPONSE),
        new Constant("CONNECT_ERROR", VerbsLayout.CONNECT_ERROR),
        new Constant("UNREACHABLE", VerbsLayout.UNREACHABLE),
        new Constant("REJECTED", VerbsLayout.REJECTED),
        new Constant("ESTABLISHED", VerbsLayout.ESTABLISHED),
        new Constant("DISCONNECTED", VerbsLayout.DISCONNECTED),
        new Constant("DEVICE_REMOVAL", VerbsLayout.DEVICE_REMOVAL),
        new Constant("ADDRESS_CHANGE", VerbsLayout.ADDRESS_CHANGE),
        new Constant("TIMEWAIT_EXIT", VerbsLayout.TIMEWAIT_EXIT),
        new Constant("PORT_STATE_ACTIVE", VerbsCalls.PORT_STATE_ACTIVE),
        new Constant("LINK_LAYER_INFINIBAND", VerbsCalls.LINK_LAYER_INFINIBAND),
        new Constant("LINK_LAYER_ETHERNET", VerbsCalls.LINK_LAYER_ETHERNET),
        new Constant("GID_TYPE_INFINIBAND", VerbsCalls.GID_TYPE_INFINIBAND),
        new Constant("GID_TYPE_ROCE_V1", VerbsCalls.GID_TYPE_ROCE_V1),
        new Constant("GID_TYPE_ROCE_V2", VerbsCalls.GID_TYPE_ROCE_V2),
        new Constant("ACCESS_LOCAL_WRITE", VerbsCalls.ACCESS_LOCAL_WRITE),
        new Constant("ACCESS_REMOTE_WRITE", VerbsCalls.ACCESS_REMOTE_WRITE),
        new Constant("ACCESS_REMOTE_READ", VerbsCalls.ACCESS_REMOTE_READ),
    };

    static final int NUMBERS = CONSTANTS.length;

    private LayoutCheck() {}

    static String name(int index) {
        return CONSTANTS[index].name();
    }

    static int value(int index) {
        return CONSTANTS[index].value();
    }

    /**
     * What is wrong, or null.
     *
     * @param count how many numbers C has
     */
    static String difference(int[] found, int count) {
        if (count != NUMBERS) {
            return "it has " + count + " numbers to compare and these classes have " + NUMBERS
                    + "; build the jar again";
        }
        for (int i = 0; i < NUMBERS; i++) {
            if (found[i] != value(i)) {
                return name(i) + " is " + found[i] + " in the headers that it was built with, and " + value(i)
                        + " in Sluice; build Sluice with the headers of rdma-core's libibverbs and librdmacm";
            }
        }
        return null;
    }
}
