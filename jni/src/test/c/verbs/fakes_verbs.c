/* libibverbs as fakes.h describes it. */
#define _GNU_SOURCE
#include "fakes.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int fake_error;
enum fake_style fake_style;
int fake_calls;
int fake_objects;
int fake_completion_events;
int fake_async_events;
int fake_polled;
void *fake_bad_request;
struct ibv_device fake_devices[2] = {{.name = "fake0"}, {.name = "a_longer_name"}};
struct ibv_device_attr fake_device_attributes;
struct ibv_port_attr fake_port_attributes;
struct ibv_gid_entry fake_gid_entry;
uint16_t fake_pkey;
struct ibv_qp_attr fake_queue_pair_attributes;
struct ibv_async_event fake_async_event;

static int poll_queue(struct ibv_cq *queue, int count, struct ibv_wc *out);
static int notify(struct ibv_cq *queue, int solicited);
static int post_receive(struct ibv_srq *queue, struct ibv_recv_wr *request, struct ibv_recv_wr **bad);
static int post_send(struct ibv_qp *queue, struct ibv_send_wr *request, struct ibv_send_wr **bad);

struct ibv_context fake_context = {
    .device = &fake_devices[1],
    .ops = {.poll_cq = poll_queue, .req_notify_cq = notify, .post_srq_recv = post_receive, .post_send = post_send},
};
struct ibv_cq fake_queue = {.context = &fake_context};
struct ibv_srq fake_receive_queue = {.context = &fake_context};
struct ibv_qp fake_queue_pair = {.context = &fake_context, .qp_num = 4711};
static struct ibv_pd domain;
static struct ibv_mr region = {.lkey = 0xfffffff1, .rkey = 0xfffffff2};

void fakes_reset(void) {
    fake_error = 0;
    fake_style = FAKE_POSITIVE;
    fake_calls = 0;
    fake_objects = 0;
    fake_completion_events = 0;
    fake_connection_events = 0;
    fake_async_events = 0;
    fake_bad_request = NULL;
    fake_polled = 0;
    memset(&fake_connection_event, 0, sizeof fake_connection_event);
}

/* The result of a call that returns the number of its error. */
static int number(void) {
    fake_calls++;
    if (fake_error == 0) {
        return 0;
    }
    switch (fake_style) {
        case FAKE_MINUS_ONE:
            errno = fake_error;
            return -1;
        case FAKE_NEGATIVE:
            return -fake_error;
        default:
            return fake_error;
    }
}

static int destroyed(void) {
    int result = number();
    fake_objects -= result == 0;
    return result;
}

static void *made(void *object) {
    fake_calls++;
    if (fake_error != 0) {
        errno = fake_error;
        return NULL;
    }
    fake_objects++;
    return object;
}

struct ibv_device **ibv_get_device_list(int *count) {
    if (made(&fake_devices) == NULL) {
        return NULL;
    }
    struct ibv_device **list = malloc(3 * sizeof *list);
    list[0] = &fake_devices[0], list[1] = &fake_devices[1], list[2] = NULL;
    *count = 2;
    return list;
}

void ibv_free_device_list(struct ibv_device **list) {
    free(list);
    fake_objects--;
}

const char *ibv_get_device_name(struct ibv_device *device) { return device->name; }

struct ibv_context *ibv_open_device(struct ibv_device *device) {
    fake_context.device = device;
    fake_context.async_fd = eventfd(0, EFD_CLOEXEC);
    return made(&fake_context);
}

int ibv_close_device(struct ibv_context *context) {
    close(context->async_fd);
    fake_calls++;
    fake_objects--;
    errno = fake_error;
    return fake_error == 0 ? 0 : -1; /* the one destruction that sets errno */
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *out) {
    (void)context;
    *out = fake_device_attributes;
    return number();
}

#undef ibv_query_port
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *out) {
    (void)context, (void)port;
    memcpy(out, &fake_port_attributes, sizeof fake_port_attributes);
    return number();
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *out,
                      uint32_t flags, size_t bytes) {
    (void)context, (void)port, (void)index, (void)flags;
    memcpy(out, &fake_gid_entry, bytes);
    return number();
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *out) {
    (void)context, (void)port, (void)index;
    *out = htobe16(fake_pkey);
    return number();
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    (void)context;
    return made(&domain);
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
    (void)pd;
    return destroyed();
}

#undef ibv_reg_mr
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t bytes, int access) {
    (void)pd, (void)address, (void)bytes, (void)access;
    return made(&region);
}

int ibv_dereg_mr(struct ibv_mr *mr) {
    (void)mr;
    return destroyed();
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
    static struct ibv_comp_channel channel;
    channel = (struct ibv_comp_channel){.context = context, .fd = eventfd(0, EFD_CLOEXEC)};
    return made(&channel);
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
    close(channel->fd);
    return destroyed();
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *label, struct ibv_comp_channel *channel,
                             int vector) {
    (void)context, (void)entries, (void)label, (void)channel, (void)vector;
    return made(&fake_queue);
}

int ibv_destroy_cq(struct ibv_cq *queue) {
    (void)queue;
    return destroyed();
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **queue, void **label) {
    (void)channel;
    fake_calls++;
    if (fake_error != 0 || fake_completion_events == 0) {
        errno = fake_error != 0 ? fake_error : EAGAIN;
        return -1;
    }
    fake_completion_events--;
    fake_objects++;
    *queue = &fake_queue;
    *label = NULL;
    return 0;
}

void ibv_ack_cq_events(struct ibv_cq *queue, unsigned int events) {
    (void)queue;
    fake_objects -= (int)events;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *wanted) {
    (void)pd, (void)wanted;
    return made(&fake_receive_queue);
}

int ibv_modify_srq(struct ibv_srq *queue, struct ibv_srq_attr *wanted, int mask) {
    (void)queue, (void)wanted, (void)mask;
    return number();
}

int ibv_destroy_srq(struct ibv_srq *queue) {
    (void)queue;
    return destroyed();
}

int ibv_destroy_qp(struct ibv_qp *queue_pair) {
    (void)queue_pair;
    return destroyed();
}

int ibv_modify_qp(struct ibv_qp *queue_pair, struct ibv_qp_attr *wanted, int mask) {
    (void)queue_pair, (void)mask;
    return wanted->qp_state == IBV_QPS_ERR ? number() : EPROTO;
}

int ibv_query_qp(struct ibv_qp *queue_pair, struct ibv_qp_attr *out, int mask, struct ibv_qp_init_attr *made_with) {
    (void)queue_pair, (void)mask, (void)made_with;
    *out = fake_queue_pair_attributes;
    out->qp_state = IBV_QPS_RTS;
    return number();
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *out) {
    (void)context;
    fake_calls++;
    if (fake_error != 0 || fake_async_events == 0) {
        errno = fake_error != 0 ? fake_error : EAGAIN;
        return -1;
    }
    fake_async_events--;
    fake_objects++;
    *out = fake_async_event;
    return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event) {
    (void)event;
    fake_objects--;
}

static int poll_queue(struct ibv_cq *queue, int count, struct ibv_wc *out) {
    (void)queue;
    fake_calls++;
    for (int i = 0; i < fake_polled && i < count; i++) {
        out[i] = (struct ibv_wc){.wr_id = 100 + (uint64_t)i};
    }
    return fake_polled < count ? fake_polled : count;
}

static int notify(struct ibv_cq *queue, int solicited) {
    (void)queue, (void)solicited;
    return number();
}

static int post_receive(struct ibv_srq *queue, struct ibv_recv_wr *request, struct ibv_recv_wr **bad) {
    (void)queue, (void)request;
    if (fake_bad_request != NULL) {
        *bad = fake_bad_request;
    }
    return number();
}

static int post_send(struct ibv_qp *queue, struct ibv_send_wr *request, struct ibv_send_wr **bad) {
    (void)queue, (void)request;
    if (fake_bad_request != NULL) {
        *bad = fake_bad_request;
    }
    return number();
}
