#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_ids.h"
#include "verbs_mtu.h"

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

static int is_count(int64_t value) { return value >= 0 && value <= INT32_MAX; }

int64_t sluice_verbs_create_queue_pair(int64_t id, int64_t domain, int64_t send_queue, int64_t receive_queue,
                                       int64_t shared_receive_queue, int64_t limits[SLUICE_VERBS_QUEUE_PAIR_FIELDS]) {
    if (!is_bound(id) || !is_handle(domain) || !is_handle(send_queue) || !is_handle(receive_queue) ||
        !is_handle(shared_receive_queue) || limits == NULL) {
        return -EINVAL;
    }
    if (!is_count(limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_WR]) ||
        !is_count(limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_SGE]) ||
        !is_count(limits[SLUICE_VERBS_QUEUE_PAIR_MAX_INLINE_BYTES])) {
        return -EINVAL;
    }
    struct rdma_cm_id *connection = TO_OBJECT(rdma_cm_id, id);
    struct ibv_qp_init_attr wanted = {
        .send_cq = TO_OBJECT(ibv_cq, send_queue),
        .recv_cq = TO_OBJECT(ibv_cq, receive_queue),
        .srq = TO_OBJECT(ibv_srq, shared_receive_queue),
        .cap =
            {
                .max_send_wr = (uint32_t)limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_WR],
                .max_send_sge = (uint32_t)limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_SGE],
                .max_inline_data = (uint32_t)limits[SLUICE_VERBS_QUEUE_PAIR_MAX_INLINE_BYTES],
            },
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 0,
    };
    errno = 0;
    int32_t error = from_minus_one(rdma_create_qp(connection, TO_OBJECT(ibv_pd, domain), &wanted));
    if (error != 0) {
        return error;
    }
    limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_WR] = wanted.cap.max_send_wr;
    limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_SGE] = wanted.cap.max_send_sge;
    limits[SLUICE_VERBS_QUEUE_PAIR_MAX_INLINE_BYTES] = wanted.cap.max_inline_data;
    limits[SLUICE_VERBS_QUEUE_PAIR_NUMBER] = connection->qp->qp_num;
    return from_pointer(connection->qp);
}

/*
 * Not by rdma_destroy_qp, which throws the error away. What it does besides is to destroy the completion queues that
 * librdmacm made, and here it made none.
 */
int32_t sluice_verbs_destroy_queue_pair(int64_t id) {
    if (!is_handle(id)) {
        return -EINVAL;
    }
    struct rdma_cm_id *connection = TO_OBJECT(rdma_cm_id, id);
    if (connection->qp == NULL) {
        return 0;
    }
    int32_t error = from_number(ibv_destroy_qp(connection->qp));
    if (error == 0) {
        connection->qp = NULL;
    }
    return error;
}

int32_t sluice_verbs_fail_queue_pair(int64_t queue_pair) {
    if (!is_handle(queue_pair)) {
        return -EINVAL;
    }
    struct ibv_qp_attr wanted = {.qp_state = IBV_QPS_ERR};
    return from_number(ibv_modify_qp(TO_OBJECT(ibv_qp, queue_pair), &wanted, IBV_QP_STATE));
}

int32_t sluice_verbs_query_queue_pair(int64_t queue_pair, int64_t out[SLUICE_VERBS_PATH_FIELDS]) {
    struct ibv_qp_attr found;
    struct ibv_qp_init_attr made_with;
    if (!is_handle(queue_pair) || out == NULL) {
        return -EINVAL;
    }
    int32_t error = from_number(ibv_query_qp(TO_OBJECT(ibv_qp, queue_pair), &found,
                                             IBV_QP_STATE | IBV_QP_PATH_MTU | IBV_QP_PKEY_INDEX | IBV_QP_AV |
                                                 IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY,
                                             &made_with));
    if (error != 0) {
        return error;
    }
    out[SLUICE_VERBS_PATH_STATE] = found.qp_state;
    out[SLUICE_VERBS_PATH_MTU_BYTES] = mtu_bytes(found.path_mtu);
    out[SLUICE_VERBS_PATH_PKEY_INDEX] = found.pkey_index;
    out[SLUICE_VERBS_PATH_GID_INDEX] = found.ah_attr.grh.sgid_index;
    out[SLUICE_VERBS_PATH_TRAFFIC_CLASS] = found.ah_attr.grh.traffic_class;
    out[SLUICE_VERBS_PATH_SERVICE_LEVEL] = found.ah_attr.sl;
    out[SLUICE_VERBS_PATH_ACK_TIMEOUT] = found.timeout;
    out[SLUICE_VERBS_PATH_RETRY_COUNT] = found.retry_cnt;
    out[SLUICE_VERBS_PATH_RNR_RETRY_COUNT] = found.rnr_retry;
    return 0;
}
