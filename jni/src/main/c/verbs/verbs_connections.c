#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_ids.h"

#include <rdma/rdma_cma.h>
#include <string.h>

#define RESOURCES_LIMIT 255
#define RETRY_LIMIT 7

static int is_data(const uint8_t *data, int32_t bytes, int32_t limit) {
    return bytes >= 0 && bytes <= limit && (data != NULL || bytes == 0);
}

static int is_within(int64_t value, int64_t limit) { return value >= 0 && value <= limit; }

static int is_parameters(const int64_t *parameters) {
    return parameters != NULL && is_within(parameters[SLUICE_VERBS_CONNECT_RESPONDER_RESOURCES], RESOURCES_LIMIT) &&
           is_within(parameters[SLUICE_VERBS_CONNECT_INITIATOR_DEPTH], RESOURCES_LIMIT) &&
           is_within(parameters[SLUICE_VERBS_CONNECT_RETRY_COUNT], RETRY_LIMIT) &&
           is_within(parameters[SLUICE_VERBS_CONNECT_RNR_RETRY_COUNT], RETRY_LIMIT);
}

static struct rdma_conn_param connection_parameters(const int64_t *parameters, const uint8_t *data, int32_t bytes) {
    struct rdma_conn_param result;
    memset(&result, 0, sizeof result);
    result.private_data = bytes > 0 ? data : NULL;
    result.private_data_len = (uint8_t)bytes;
    result.responder_resources = (uint8_t)parameters[SLUICE_VERBS_CONNECT_RESPONDER_RESOURCES];
    result.initiator_depth = (uint8_t)parameters[SLUICE_VERBS_CONNECT_INITIATOR_DEPTH];
    result.flow_control = 1;
    result.retry_count = (uint8_t)parameters[SLUICE_VERBS_CONNECT_RETRY_COUNT];
    result.rnr_retry_count = (uint8_t)parameters[SLUICE_VERBS_CONNECT_RNR_RETRY_COUNT];
    return result;
}

int32_t sluice_verbs_connect(int64_t id, const int64_t parameters[SLUICE_VERBS_CONNECT_FIELDS], const uint8_t *data,
                             int32_t bytes) {
    if (!is_bound(id) || !is_parameters(parameters) || !is_data(data, bytes, SLUICE_VERBS_CONNECT_PRIVATE_BYTES)) {
        return -EINVAL;
    }
    struct rdma_conn_param wanted = connection_parameters(parameters, data, bytes);
    return from_minus_one(rdma_connect(TO_OBJECT(rdma_cm_id, id), &wanted));
}

int32_t sluice_verbs_accept(int64_t id, const int64_t parameters[SLUICE_VERBS_CONNECT_FIELDS], const uint8_t *data,
                            int32_t bytes) {
    if (!is_bound(id) || !is_parameters(parameters) || !is_data(data, bytes, SLUICE_VERBS_ACCEPT_PRIVATE_BYTES)) {
        return -EINVAL;
    }
    struct rdma_conn_param wanted = connection_parameters(parameters, data, bytes);
    return from_minus_one(rdma_accept(TO_OBJECT(rdma_cm_id, id), &wanted));
}

int32_t sluice_verbs_reject(int64_t id, const uint8_t *data, int32_t bytes) {
    if (!is_bound(id) || !is_data(data, bytes, SLUICE_VERBS_REJECT_PRIVATE_BYTES)) {
        return -EINVAL;
    }
    return from_minus_one(rdma_reject(TO_OBJECT(rdma_cm_id, id), bytes > 0 ? data : NULL, (uint8_t)bytes));
}

int32_t sluice_verbs_tell_established(int64_t id) {
    if (!is_bound(id)) {
        return -EINVAL;
    }
    return from_minus_one(rdma_notify(TO_OBJECT(rdma_cm_id, id), IBV_EVENT_COMM_EST));
}

int32_t sluice_verbs_disconnect(int64_t id) {
    if (!is_bound(id)) {
        return -EINVAL;
    }
    return from_minus_one(rdma_disconnect(TO_OBJECT(rdma_cm_id, id)));
}

/*
 * The kernel's statuses are -errno; where librdmacm itself failed in bringing up the queue pair it is -1, and the
 * reason is in errno. A rejection has the reason of the peer's side instead.
 */
static int32_t event_status(const struct rdma_cm_event *event, int error) {
    if (event->event == RDMA_CM_EVENT_REJECTED || event->status == 0) {
        return event->status;
    }
    if (event->status == -1 && event->event == RDMA_CM_EVENT_CONNECT_ERROR) {
        return error > 0 ? -error : -EIO;
    }
    return event->status < 0 ? event->status : -event->status;
}

static void copy_event(const struct rdma_cm_event *event, int error, struct sluice_verbs_event *out) {
    const struct rdma_conn_param *connection = &event->param.conn;
    uint32_t bytes = connection->private_data != NULL ? connection->private_data_len : 0;
    out->kind = (int32_t)event->event;
    out->status = event_status(event, error);
    out->id = (int64_t)(uintptr_t)event->id;
    out->listener = (int64_t)(uintptr_t)event->listen_id;
    out->responder_resources = connection->responder_resources;
    out->initiator_depth = connection->initiator_depth;
    out->private_bytes = (int32_t)bytes;
    out->peer_queue_pair = (int32_t)connection->qp_num;
    if (bytes > 0) {
        memcpy(out->private_data, connection->private_data, bytes); /* a byte's count, so it always fits */
    }
}

_Static_assert(sizeof(((struct rdma_conn_param *)0)->private_data_len) == 1, "private data may not fit an event");

int32_t sluice_verbs_connection_event(int64_t channel, int64_t address) {
    struct rdma_cm_event *event;
    if (!is_handle(channel) || !is_handle(address)) {
        return -EINVAL;
    }
    errno = 0;
    if (rdma_get_cm_event(TO_OBJECT(rdma_event_channel, channel), &event) != 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : last_error();
    }
    copy_event(event, errno, TO_OBJECT(sluice_verbs_event, address));
    int32_t error = from_minus_one(rdma_ack_cm_event(event));
    return error != 0 ? error : 1;
}
