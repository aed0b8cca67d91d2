package org.sluice.jni.verbs;

/**
 * The library's structures as Java writes and reads them, in bytes; C compares them with its own headers when the
 * library loads.
 *
 * <pre>
 *   ibv_send_wr                ibv_recv_wr        ibv_sge          ibv_wc
 *    0 wr_id        8           0 wr_id    8       0 addr    8      0 wr_id      8
 *    8 next         8           8 next     8       8 length  4      8 status     4
 *   16 sg_list      8          16 sg_list  8      12 lkey    4     12 opcode     4
 *   24 num_sge      4          24 num_sge  4                       16 vendor_err 4
 *   28 opcode       4                                              20 byte_len   4
 *   32 send_flags   4                                              24 imm_data   4
 *   36 imm_data     4                                              28 qp_num     4
 *   40 remote_addr  8                                              36 wc_flags   4
 *   48 rkey         4
 *
 *   connection event, our own
 *    0 kind          4   as the library numbers it
 *    4 status        4   -errno, or for REJECTED the reason
 *    8 id            8   whom it concerns; for CONNECT_REQUEST the new one
 *   16 listener      8   for CONNECT_REQUEST
 *   24 responder resources  4   what the peer offers
 *   28 initiator depth      4
 *   32 private bytes        4   what follows; may be padded with zeros by the connection manager
 *   36 peer queue pair      4
 *   40 private data       256
 * </pre>
 */
public final class VerbsLayout {
    public static final int SEND_WR_BYTES = 128;
    public static final int RECV_WR_BYTES = 32;
    public static final int WR_ID = 0;
    public static final int WR_NEXT = 8;
    public static final int WR_SGE_LIST = 16;
    public static final int WR_SGES = 24;
    public static final int SEND_WR_OPCODE = 28;
    public static final int SEND_WR_FLAGS = 32;
    public static final int SEND_WR_IMMEDIATE = 36;
    public static final int SEND_WR_REMOTE_ADDRESS = 40;
    public static final int SEND_WR_RKEY = 48;

    public static final int SGE_BYTES = 16;
    public static final int SGE_ADDRESS = 0;
    public static final int SGE_LENGTH = 8;
    public static final int SGE_LKEY = 12;

    public static final int WC_BYTES = 48;
    public static final int WC_WR_ID = 0;
    public static final int WC_STATUS = 8;
    public static final int WC_OPCODE = 12;
    public static final int WC_VENDOR_ERROR = 16;
    public static final int WC_LENGTH = 20;
    public static final int WC_IMMEDIATE = 24;
    public static final int WC_QUEUE_PAIR = 28;
    public static final int WC_FLAGS = 36;

    public static final int OPCODE_RDMA_WRITE = 0;
    public static final int OPCODE_RDMA_WRITE_WITH_IMM = 1;
    public static final int OPCODE_SEND = 2;
    public static final int OPCODE_RDMA_READ = 4;

    public static final int SEND_FENCE = 1;
    public static final int SEND_SIGNALED = 1 << 1;
    public static final int SEND_SOLICITED = 1 << 2;
    public static final int SEND_INLINE = 1 << 3;

    public static final int WC_SEND = 0;
    public static final int WC_RDMA_WRITE = 1;
    public static final int WC_RDMA_READ = 2;
    /** Receive completions have this bit. */
    public static final int WC_RECV = 1 << 7;

    public static final int WC_RECV_RDMA_WITH_IMM = WC_RECV + 1;

    public static final int EVENT_KIND = 0;
    public static final int EVENT_STATUS = 4;
    public static final int EVENT_ID = 8;
    public static final int EVENT_LISTENER = 16;
    public static final int EVENT_RESPONDER_RESOURCES = 24;
    public static final int EVENT_INITIATOR_DEPTH = 28;
    public static final int EVENT_PRIVATE_BYTES = 32;
    public static final int EVENT_PEER_QUEUE_PAIR = 36;
    public static final int EVENT_PRIVATE_DATA = 40;
    public static final int EVENT_BYTES = 296;

    public static final int ADDRESS_RESOLVED = 0;
    public static final int ADDRESS_ERROR = 1;
    public static final int ROUTE_RESOLVED = 2;
    public static final int ROUTE_ERROR = 3;
    public static final int CONNECT_REQUEST = 4;
    public static final int CONNECT_RESPONSE = 5;
    public static final int CONNECT_ERROR = 6;
    public static final int UNREACHABLE = 7;
    public static final int REJECTED = 8;
    public static final int ESTABLISHED = 9;
    public static final int DISCONNECTED = 10;
    public static final int DEVICE_REMOVAL = 11;
    public static final int ADDRESS_CHANGE = 14;
    public static final int TIMEWAIT_EXIT = 15;

    private VerbsLayout() {}
}
