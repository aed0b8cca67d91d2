/* Events of connections, completions and devices: what they carry up, and that each is acknowledged. */
#define _GNU_SOURCE
#include "verbs_checks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static struct rdma_event_channel channel = {.fd = -1};
static struct sluice_verbs_event *out;

static void expect(enum rdma_cm_event_type kind, int status) {
    fakes_reset();
    fake_connection_events = 1;
    fake_connection_event = (struct rdma_cm_event){.event = kind, .status = status, .id = &fake_id};
}

static int32_t take(void) { return sluice_verbs_connection_event(HANDLE(&channel), HANDLE(out)); }

static void check_request(void) {
    struct rdma_cm_id listener;
    uint8_t data[255];
    memset(data, 0xa5, sizeof data);
    expect(RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    fake_connection_event.listen_id = &listener;
    fake_connection_event.param.conn = (struct rdma_conn_param){
        .private_data = data,
        .private_data_len = sizeof data,
        .responder_resources = 3,
        .initiator_depth = 4,
        .qp_num = 0xfffffe,
    };
    EQUAL(take(), 1);
    EQUAL(out->kind, 4);
    EQUAL(out->status, 0);
    EQUAL(out->id, HANDLE(&fake_id));
    EQUAL(out->listener, HANDLE(&listener));
    EQUAL(out->responder_resources, 3);
    EQUAL(out->initiator_depth, 4);
    EQUAL(out->private_bytes, 255);
    EQUAL(out->peer_queue_pair, 0xfffffe);
    EQUAL(memcmp(out->private_data, data, sizeof data), 0);
    EQUAL(fake_objects, 0);
    EQUAL(take(), 0);
    EQUAL(fake_objects, 0);
}

static void check_statuses(void) {
    expect(RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT);
    EQUAL(take(), 1);
    EQUAL(out->status, -ETIMEDOUT);
    EQUAL(out->private_bytes, 0);
    expect(RDMA_CM_EVENT_ADDR_ERROR, ENODEV);
    EQUAL(take(), 1);
    EQUAL(out->status, -ENODEV);
    expect(RDMA_CM_EVENT_REJECTED, 28); /* the consumer's reason, no errno */
    EQUAL(take(), 1);
    EQUAL(out->status, 28);
    expect(RDMA_CM_EVENT_CONNECT_ERROR, -1);
    fake_error = ENOMEM;
    EQUAL(take(), 1);
    EQUAL(out->status, -ENOMEM);
    expect(RDMA_CM_EVENT_CONNECT_ERROR, -1);
    EQUAL(take(), 1);
    EQUAL(out->status, -EIO);
    expect(RDMA_CM_EVENT_CONNECT_ERROR, -ECONNRESET);
    EQUAL(take(), 1);
    EQUAL(out->status, -ECONNRESET);
    fakes_reset();
    fake_error = EINTR;
    EQUAL(take(), 0);
    EQUAL(sluice_verbs_connection_event(HANDLE(&channel), 0), -EINVAL);
}

static void check_completions(void) {
    static struct ibv_comp_channel completions = {.fd = -1};
    fakes_reset();
    EQUAL(sluice_verbs_drain_completion_events(HANDLE(&completions)), 0);
    fake_completion_events = 3;
    EQUAL(sluice_verbs_drain_completion_events(HANDLE(&completions)), 3);
    EQUAL(fake_objects, 0);
}

static int64_t async_number(enum ibv_event_type kind) {
    int64_t fields[SLUICE_VERBS_ASYNC_FIELDS] = {-1, -1};
    fake_async_events = 1;
    fake_async_event.event_type = kind;
    EQUAL(sluice_verbs_async_event(HANDLE(&fake_context), fields), 1);
    EQUAL(fields[SLUICE_VERBS_ASYNC_KIND], kind);
    EQUAL(fake_objects, 0);
    return fields[SLUICE_VERBS_ASYNC_NUMBER];
}

static void check_async(void) {
    int64_t fields[SLUICE_VERBS_ASYNC_FIELDS];
    fakes_reset();
    EQUAL(sluice_verbs_open_device("fake0"), HANDLE(&fake_context));
    fakes_reset();
    EQUAL(sluice_verbs_async_event(HANDLE(&fake_context), fields), 0);
    HOLDS((fcntl(fake_context.async_fd, F_GETFL) & O_NONBLOCK) != 0);
    EQUAL(sluice_verbs_async_fd(HANDLE(&fake_context)), fake_context.async_fd);
    EQUAL(sluice_verbs_async_event(HANDLE(&fake_context), NULL), -EINVAL);
    fake_async_event.element.qp = &fake_queue_pair;
    EQUAL(async_number(IBV_EVENT_QP_FATAL), 4711);
    EQUAL(async_number(IBV_EVENT_QP_ACCESS_ERR), 4711);
    EQUAL(async_number(IBV_EVENT_QP_LAST_WQE_REACHED), 4711);
    EQUAL(async_number(IBV_EVENT_COMM_EST), 4711);
    fake_async_event.element.srq = &fake_receive_queue;
    EQUAL(async_number(IBV_EVENT_SRQ_LIMIT_REACHED), HANDLE(&fake_receive_queue));
    EQUAL(async_number(IBV_EVENT_SRQ_ERR), HANDLE(&fake_receive_queue));
    fake_async_event.element.cq = &fake_queue;
    EQUAL(async_number(IBV_EVENT_CQ_ERR), HANDLE(&fake_queue));
    EQUAL(async_number(IBV_EVENT_DEVICE_FATAL), 0);
    fake_async_event.element.port_num = 2;
    EQUAL(async_number(IBV_EVENT_PORT_ERR), 2);
    EQUAL(async_number(IBV_EVENT_GID_CHANGE), 2);
    fake_error = EIO;
    EQUAL(sluice_verbs_async_event(HANDLE(&fake_context), fields), -EIO);
    fake_error = 0;
    EQUAL(sluice_verbs_close_device(HANDLE(&fake_context)), 0);
    EQUAL(sluice_verbs_async_fd(HANDLE(&fake_context)), -EBADF);
}

void check_events(void) {
    out = malloc(sizeof *out); /* not a byte more than Java lays out */
    EQUAL(sizeof *out, 296);
    check_request();
    check_statuses();
    free(out);
    check_completions();
    check_async();
}
