#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_results.h"

#include <infiniband/verbs.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

int32_t sluice_verbs_async_fd(int64_t context) {
    if (!is_handle(context)) {
        return -EINVAL;
    }
    int fd = TO_OBJECT(ibv_context, context)->async_fd;
    int32_t error = make_non_blocking(fd);
    return error != 0 ? error : fd;
}

/* What the event's union holds depends on its kind; looked at before the event is acknowledged, while the object lives.
 */
static int64_t concerned_number(const struct ibv_async_event *event) {
    switch (event->event_type) {
        case IBV_EVENT_QP_FATAL:
        case IBV_EVENT_QP_REQ_ERR:
        case IBV_EVENT_QP_ACCESS_ERR:
        case IBV_EVENT_COMM_EST:
        case IBV_EVENT_SQ_DRAINED:
        case IBV_EVENT_PATH_MIG:
        case IBV_EVENT_PATH_MIG_ERR:
        case IBV_EVENT_QP_LAST_WQE_REACHED:
            return event->element.qp->qp_num;
        case IBV_EVENT_PORT_ACTIVE:
        case IBV_EVENT_PORT_ERR:
        case IBV_EVENT_LID_CHANGE:
        case IBV_EVENT_PKEY_CHANGE:
        case IBV_EVENT_SM_CHANGE:
        case IBV_EVENT_CLIENT_REREGISTER:
        case IBV_EVENT_GID_CHANGE:
            return event->element.port_num;
        case IBV_EVENT_CQ_ERR:
            return (int64_t)(uintptr_t)event->element.cq;
        case IBV_EVENT_SRQ_ERR:
        case IBV_EVENT_SRQ_LIMIT_REACHED:
            return (int64_t)(uintptr_t)event->element.srq;
        default:
            return 0;
    }
}

/* A context of librdmacm's may come here with a descriptor that nobody has asked for yet, and that would block. */
int32_t sluice_verbs_async_event(int64_t context, int64_t out[SLUICE_VERBS_ASYNC_FIELDS]) {
    struct ibv_async_event event;
    if (out == NULL) {
        return -EINVAL;
    }
    int32_t fd = sluice_verbs_async_fd(context);
    if (fd < 0) {
        return fd;
    }
    errno = 0;
    if (ibv_get_async_event(TO_OBJECT(ibv_context, context), &event) != 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : last_error();
    }
    out[SLUICE_VERBS_ASYNC_KIND] = event.event_type;
    out[SLUICE_VERBS_ASYNC_NUMBER] = concerned_number(&event);
    ibv_ack_async_event(&event);
    return 1;
}

int32_t sluice_verbs_create_bell(void) { return from_minus_one(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

/* EAGAIN: it rings already, as often as it can count. */
int32_t sluice_verbs_ring(int32_t bell) {
    uint64_t one = 1;
    if (write(bell, &one, sizeof one) == (ssize_t)sizeof one || errno == EAGAIN) {
        return 0;
    }
    return last_error();
}

/* EAGAIN: it was silent. */
int32_t sluice_verbs_hush(int32_t bell) {
    uint64_t rings;
    if (read(bell, &rings, sizeof rings) == (ssize_t)sizeof rings || errno == EAGAIN) {
        return 0;
    }
    return last_error();
}

/* Never repeated after EINTR: on Linux the number is free again by then. */
int32_t sluice_verbs_close_bell(int32_t bell) { return close(bell) == 0 ? 0 : -errno; }

int32_t sluice_verbs_wait_ready(const int32_t *descriptors, int32_t count, int32_t timeout_ms) {
    struct pollfd polled[SLUICE_VERBS_WAIT_DESCRIPTORS];
    if (descriptors == NULL || count < 1 || count > SLUICE_VERBS_WAIT_DESCRIPTORS || timeout_ms < 0) {
        return -EINVAL;
    }
    for (int32_t i = 0; i < count; i++) {
        if (descriptors[i] < 0) {
            return -EBADF; /* poll would pass over it in silence */
        }
        polled[i] = (struct pollfd){.fd = descriptors[i], .events = POLLIN};
    }
    if (poll(polled, (nfds_t)count, timeout_ms) < 0) {
        return errno == EINTR ? 0 : -errno;
    }
    uint32_t ready = 0;
    for (int32_t i = 0; i < count; i++) {
        if ((polled[i].revents & POLLNVAL) != 0) {
            return -EBADF;
        }
        /* An error or a hang-up is something to read too: the read says what it is. */
        if (polled[i].revents != 0) {
            ready |= UINT32_C(1) << i;
        }
    }
    return (int32_t)ready;
}

int64_t sluice_verbs_locked_memory_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) {
        return -errno;
    }
    return limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (rlim_t)INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}
