/* librdmacm as fakes.h describes it: all of its calls return -1 and set errno. */
#define _GNU_SOURCE
#include "fakes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int fake_connection_events;
struct rdma_cm_event fake_connection_event;
struct rdma_conn_param fake_connection_parameters;
uint8_t fake_private_data[256];
struct sockaddr_storage fake_address;
struct sockaddr_storage fake_source;
int fake_option;
uint8_t fake_option_value;
struct ibv_path_data fake_path;
enum ibv_event_type fake_notified;
struct ibv_qp_init_attr fake_wanted_queue_pair;
struct rdma_cm_id fake_id;

static int result(void) {
    fake_calls++;
    if (fake_error == 0) {
        return 0;
    }
    errno = fake_error;
    return -1;
}

struct rdma_event_channel *rdma_create_event_channel(void) {
    static struct rdma_event_channel channel;
    if (result() != 0) {
        return NULL;
    }
    fake_objects++;
    channel.fd = eventfd(0, EFD_CLOEXEC);
    return &channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel) {
    fake_calls++;
    fake_objects--;
    close(channel->fd);
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *label,
                   enum rdma_port_space space) {
    (void)label;
    if (channel == NULL || space != RDMA_PS_TCP) {
        errno = EPROTO; /* an id without a channel blocks */
        return -1;
    }
    if (result() != 0) {
        return -1;
    }
    fake_objects++;
    *id = &fake_id;
    return 0;
}

int rdma_destroy_id(struct rdma_cm_id *id) {
    (void)id;
    fake_objects -= fake_error == 0;
    return result();
}

static void keep(struct sockaddr_storage *to, const struct sockaddr *from) {
    memset(to, 0, sizeof *to);
    if (from != NULL) {
        memcpy(to, from, from->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
    }
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address) {
    (void)id;
    keep(&fake_address, address);
    return result();
}

int rdma_listen(struct rdma_cm_id *id, int backlog) {
    (void)id, (void)backlog;
    return result();
}

__be16 rdma_get_src_port(struct rdma_cm_id *id) {
    (void)id;
    return htons(18515);
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *source, struct sockaddr *destination, int timeout_ms) {
    (void)id, (void)timeout_ms;
    keep(&fake_source, source);
    keep(&fake_address, destination);
    return result();
}

int rdma_resolve_route(struct rdma_cm_id *id, int timeout_ms) {
    (void)id, (void)timeout_ms;
    return result();
}

int rdma_set_option(struct rdma_cm_id *id, int level, int option, void *value, size_t bytes) {
    (void)id;
    fake_option = level == RDMA_OPTION_ID && bytes == 1 ? option : -1;
    fake_option_value = *(uint8_t *)value;
    if (level == RDMA_OPTION_IB && option == RDMA_OPTION_IB_PATH && bytes == sizeof fake_path) {
        memcpy(&fake_path, value, bytes);
    }
    return result();
}

int rdma_notify(struct rdma_cm_id *id, enum ibv_event_type event) {
    (void)id;
    fake_notified = event;
    return result();
}

int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *domain, struct ibv_qp_init_attr *wanted) {
    (void)domain;
    if (result() != 0) {
        return -1;
    }
    fake_objects++;
    fake_wanted_queue_pair = *wanted;
    wanted->cap.max_send_wr += 1;
    wanted->cap.max_send_sge += 2;
    wanted->cap.max_inline_data += 3;
    id->qp = &fake_queue_pair;
    return 0;
}

static void keep_parameters(const struct rdma_conn_param *parameters) {
    fake_connection_parameters = *parameters;
    memset(fake_private_data, 0, sizeof fake_private_data);
    if (parameters->private_data != NULL) {
        memcpy(fake_private_data, parameters->private_data, parameters->private_data_len);
    }
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *parameters) {
    (void)id;
    keep_parameters(parameters);
    return result();
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *parameters) {
    (void)id;
    keep_parameters(parameters);
    return result();
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t bytes) {
    (void)id;
    keep_parameters(&(struct rdma_conn_param){.private_data = data, .private_data_len = bytes});
    return result();
}

int rdma_disconnect(struct rdma_cm_id *id) {
    (void)id;
    return result();
}

/* As the library does it: the event and its private data are gone with the acknowledgement. */
int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **out) {
    (void)channel;
    fake_calls++;
    if (fake_connection_events == 0) {
        errno = fake_error != 0 ? fake_error : EAGAIN;
        return -1;
    }
    fake_connection_events--;
    fake_objects++;
    struct rdma_cm_event *event = malloc(sizeof *event);
    *event = fake_connection_event;
    if (event->param.conn.private_data != NULL) {
        void *data = malloc(event->param.conn.private_data_len);
        memcpy(data, event->param.conn.private_data, event->param.conn.private_data_len);
        event->param.conn.private_data = data;
    }
    if (fake_error != 0) {
        errno = fake_error; /* what librdmacm leaves behind when it could not bring the queue pair up */
    }
    *out = event;
    return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event) {
    fake_objects--;
    free((void *)event->param.conn.private_data);
    free(event);
    return 0;
}
