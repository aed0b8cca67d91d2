#define _GNU_SOURCE
#include "verbs_calls.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

/*
 * Every number of VerbsLayout, in the order of LayoutCheck, as this machine's headers have it: Java writes and reads
 * these structures without C in between, so a difference would be silent.
 */
static const int32_t layout[] = {
    sizeof(struct ibv_send_wr),
    sizeof(struct ibv_recv_wr),
    offsetof(struct ibv_send_wr, wr_id),
    offsetof(struct ibv_send_wr, next),
    offsetof(struct ibv_send_wr, sg_list),
    offsetof(struct ibv_send_wr, num_sge),
    offsetof(struct ibv_recv_wr, wr_id),
    offsetof(struct ibv_recv_wr, next),
    offsetof(struct ibv_recv_wr, sg_list),
    offsetof(struct ibv_recv_wr, num_sge),
    offsetof(struct ibv_send_wr, opcode),
    offsetof(struct ibv_send_wr, send_flags),
    offsetof(struct ibv_send_wr, imm_data),
    offsetof(struct ibv_send_wr, wr.rdma.remote_addr),
    offsetof(struct ibv_send_wr, wr.rdma.rkey),

    sizeof(struct ibv_sge),
    offsetof(struct ibv_sge, addr),
    offsetof(struct ibv_sge, length),
    offsetof(struct ibv_sge, lkey),

    sizeof(struct ibv_wc),
    offsetof(struct ibv_wc, wr_id),
    offsetof(struct ibv_wc, status),
    offsetof(struct ibv_wc, opcode),
    offsetof(struct ibv_wc, vendor_err),
    offsetof(struct ibv_wc, byte_len),
    offsetof(struct ibv_wc, imm_data),
    offsetof(struct ibv_wc, qp_num),
    offsetof(struct ibv_wc, wc_flags),

    IBV_WR_RDMA_WRITE,
    IBV_WR_RDMA_WRITE_WITH_IMM,
    IBV_WR_SEND,
    IBV_WR_RDMA_READ,
    IBV_SEND_FENCE,
    IBV_SEND_SIGNALED,
    IBV_SEND_SOLICITED,
    IBV_SEND_INLINE,
    IBV_WC_SEND,
    IBV_WC_RDMA_WRITE,
    IBV_WC_RDMA_READ,
    IBV_WC_RECV,
    IBV_WC_RECV_RDMA_WITH_IMM,

    sizeof(struct sluice_verbs_event),
    offsetof(struct sluice_verbs_event, kind),
    offsetof(struct sluice_verbs_event, status),
    offsetof(struct sluice_verbs_event, id),
    offsetof(struct sluice_verbs_event, listener),
    offsetof(struct sluice_verbs_event, responder_resources),
    offsetof(struct sluice_verbs_event, initiator_depth),
    offsetof(struct sluice_verbs_event, private_bytes),
    offsetof(struct sluice_verbs_event, peer_queue_pair),
    offsetof(struct sluice_verbs_event, private_data),

    RDMA_CM_EVENT_ADDR_RESOLVED,
    RDMA_CM_EVENT_ADDR_ERROR,
    RDMA_CM_EVENT_ROUTE_RESOLVED,
    RDMA_CM_EVENT_ROUTE_ERROR,
    RDMA_CM_EVENT_CONNECT_REQUEST,
    RDMA_CM_EVENT_CONNECT_RESPONSE,
    RDMA_CM_EVENT_CONNECT_ERROR,
    RDMA_CM_EVENT_UNREACHABLE,
    RDMA_CM_EVENT_REJECTED,
    RDMA_CM_EVENT_ESTABLISHED,
    RDMA_CM_EVENT_DISCONNECTED,
    RDMA_CM_EVENT_DEVICE_REMOVAL,
    RDMA_CM_EVENT_ADDR_CHANGE,
    RDMA_CM_EVENT_TIMEWAIT_EXIT,

    IBV_PORT_ACTIVE,
    IBV_LINK_LAYER_INFINIBAND,
    IBV_LINK_LAYER_ETHERNET,
    IBV_GID_TYPE_IB,
    IBV_GID_TYPE_ROCE_V1,
    IBV_GID_TYPE_ROCE_V2,
    IBV_ACCESS_LOCAL_WRITE,
    IBV_ACCESS_REMOTE_WRITE,
    IBV_ACCESS_REMOTE_READ,
};

#define LAYOUT_NUMBERS ((int32_t)(sizeof layout / sizeof layout[0]))

_Static_assert(LAYOUT_NUMBERS <= SLUICE_VERBS_LAYOUT_LIMIT, "the shim has no room for all numbers");

int32_t sluice_verbs_layout(int32_t *out, int32_t capacity) {
    if (out == NULL || capacity < 0) {
        return -EINVAL;
    }
    for (int32_t i = 0; i < LAYOUT_NUMBERS && i < capacity; i++) {
        out[i] = layout[i];
    }
    return LAYOUT_NUMBERS;
}
