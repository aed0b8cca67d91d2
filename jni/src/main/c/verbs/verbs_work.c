#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_results.h"

#include <infiniband/verbs.h>

#define TO_WORD(address) ((int64_t *)(uintptr_t)(address))

/* Written before the call: some drivers leave it alone on an error, and what was refused then begins at the first. */
static int32_t begin_post(int64_t queue, int64_t work_request, int64_t bad_address) {
    if (!is_handle(bad_address)) {
        return -EINVAL;
    }
    *TO_WORD(bad_address) = work_request;
    return is_handle(queue) && is_handle(work_request) ? 0 : -EINVAL;
}

int32_t sluice_verbs_post_receive(int64_t queue, int64_t work_request, int64_t bad_address) {
    int32_t error = begin_post(queue, work_request, bad_address);
    if (error != 0) {
        return error;
    }
    struct ibv_recv_wr *bad = TO_OBJECT(ibv_recv_wr, work_request);
    error = from_number(ibv_post_srq_recv(TO_OBJECT(ibv_srq, queue), bad, &bad));
    *TO_WORD(bad_address) = (int64_t)(uintptr_t)bad;
    return error;
}

int32_t sluice_verbs_post_send(int64_t queue_pair, int64_t work_request, int64_t bad_address) {
    int32_t error = begin_post(queue_pair, work_request, bad_address);
    if (error != 0) {
        return error;
    }
    struct ibv_send_wr *bad = TO_OBJECT(ibv_send_wr, work_request);
    error = from_number(ibv_post_send(TO_OBJECT(ibv_qp, queue_pair), bad, &bad));
    *TO_WORD(bad_address) = (int64_t)(uintptr_t)bad;
    return error;
}

/* A number below zero is the driver's own and no errno. */
int32_t sluice_verbs_poll(int64_t queue, int32_t count, int64_t address) {
    if (!is_handle(queue) || count < 0 || !is_handle(address)) {
        return -EINVAL;
    }
    int polled = ibv_poll_cq(TO_OBJECT(ibv_cq, queue), count, TO_OBJECT(ibv_wc, address));
    return polled >= 0 ? polled : -EIO;
}

int32_t sluice_verbs_request_notify(int64_t queue) {
    if (!is_handle(queue)) {
        return -EINVAL;
    }
    return from_number(ibv_req_notify_cq(TO_OBJECT(ibv_cq, queue), 0));
}

/* Acknowledged one by one: a queue that gets destroyed meanwhile waits for what was taken and not acknowledged. */
int32_t sluice_verbs_drain_completion_events(int64_t channel) {
    if (!is_handle(channel)) {
        return -EINVAL;
    }
    struct ibv_cq *queue;
    void *label;
    int32_t events = 0;
    while (events < INT32_MAX) {
        errno = 0;
        if (ibv_get_cq_event(TO_OBJECT(ibv_comp_channel, channel), &queue, &label) != 0) {
            return errno == EAGAIN || events > 0 ? events : last_error();
        }
        ibv_ack_cq_events(queue, 1);
        events++;
    }
    return events;
}
