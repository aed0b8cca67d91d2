#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_ids.h"

#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <string.h>

#define PORT_LIMIT 65535
#define TYPE_OF_SERVICE_LIMIT 255
#define ACK_TIMEOUT_LIMIT 31

union socket_address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

/* Only this file makes ids, and always with a channel: an id without one would make the calls below block. */
int64_t sluice_verbs_create_event_channel(void) {
    errno = 0;
    struct rdma_event_channel *channel = rdma_create_event_channel();
    if (channel == NULL) {
        return last_error();
    }
    int32_t error = make_non_blocking(channel->fd);
    if (error != 0) {
        rdma_destroy_event_channel(channel);
        return error;
    }
    return from_pointer(channel);
}

int32_t sluice_verbs_destroy_event_channel(int64_t channel) {
    if (!is_handle(channel)) {
        return -EINVAL;
    }
    rdma_destroy_event_channel(TO_OBJECT(rdma_event_channel, channel));
    return 0;
}

int32_t sluice_verbs_event_channel_fd(int64_t channel) {
    return is_handle(channel) ? TO_OBJECT(rdma_event_channel, channel)->fd : -EINVAL;
}

int64_t sluice_verbs_create_id(int64_t channel) {
    struct rdma_cm_id *id = NULL;
    if (!is_handle(channel)) {
        return -EINVAL;
    }
    int32_t error = from_minus_one(rdma_create_id(TO_OBJECT(rdma_event_channel, channel), &id, NULL, RDMA_PS_TCP));
    return error != 0 ? error : from_pointer(id);
}

int32_t sluice_verbs_destroy_id(int64_t id) {
    if (!is_handle(id)) {
        return -EINVAL;
    }
    return from_minus_one(rdma_destroy_id(TO_OBJECT(rdma_cm_id, id)));
}

static int is_address(const uint8_t *address, int32_t bytes) {
    return address != NULL && (bytes == SLUICE_VERBS_IPV4_BYTES || bytes == SLUICE_VERBS_IPV6_BYTES);
}

static union socket_address socket_address(const uint8_t *address, int32_t bytes, int32_t port) {
    union socket_address result;
    memset(&result, 0, sizeof result);
    if (bytes == SLUICE_VERBS_IPV4_BYTES) {
        result.ipv4.sin_family = AF_INET;
        result.ipv4.sin_port = htons((uint16_t)port);
        memcpy(&result.ipv4.sin_addr, address, SLUICE_VERBS_IPV4_BYTES);
    } else {
        result.ipv6.sin6_family = AF_INET6;
        result.ipv6.sin6_port = htons((uint16_t)port);
        memcpy(&result.ipv6.sin6_addr, address, SLUICE_VERBS_IPV6_BYTES);
    }
    return result;
}

int32_t sluice_verbs_bind(int64_t id, const uint8_t *address, int32_t address_bytes, int32_t port) {
    if (!is_handle(id) || !is_address(address, address_bytes) || port < 0 || port > PORT_LIMIT) {
        return -EINVAL;
    }
    union socket_address to = socket_address(address, address_bytes, port);
    return from_minus_one(rdma_bind_addr(TO_OBJECT(rdma_cm_id, id), &to.any));
}

int32_t sluice_verbs_listen(int64_t id, int32_t backlog) {
    if (!is_handle(id) || backlog < 0) {
        return -EINVAL;
    }
    return from_minus_one(rdma_listen(TO_OBJECT(rdma_cm_id, id), backlog));
}

int32_t sluice_verbs_local_port(int64_t id) {
    return is_handle(id) ? ntohs(rdma_get_src_port(TO_OBJECT(rdma_cm_id, id))) : -EINVAL;
}

int64_t sluice_verbs_cm_context(int64_t id) {
    return is_handle(id) ? (int64_t)(uintptr_t)TO_OBJECT(rdma_cm_id, id)->verbs : -EINVAL;
}

int32_t sluice_verbs_cm_port(int64_t id) { return is_handle(id) ? TO_OBJECT(rdma_cm_id, id)->port_num : -EINVAL; }

int32_t sluice_verbs_cm_gid(int64_t id, int64_t out[SLUICE_VERBS_CM_GID_FIELDS]) {
    uint64_t halves[2];
    if (!is_bound(id) || out == NULL) {
        return -EINVAL;
    }
    const struct rdma_ib_addr *address = &TO_OBJECT(rdma_cm_id, id)->route.addr.addr.ibaddr;
    memcpy(halves, address->sgid.raw, sizeof halves);
    out[SLUICE_VERBS_CM_GID_HIGH] = (int64_t)be64toh(halves[0]);
    out[SLUICE_VERBS_CM_GID_LOW] = (int64_t)be64toh(halves[1]);
    out[SLUICE_VERBS_CM_GID_PKEY] = be16toh(address->pkey);
    return 0;
}

int32_t sluice_verbs_resolve_address(int64_t id, const uint8_t *source, const uint8_t *destination,
                                     int32_t address_bytes, int32_t port, int32_t timeout_ms) {
    if (!is_handle(id) || !is_address(destination, address_bytes) || port < 1 || port > PORT_LIMIT || timeout_ms < 0) {
        return -EINVAL;
    }
    union socket_address to = socket_address(destination, address_bytes, port);
    union socket_address from;
    if (source != NULL) {
        from = socket_address(source, address_bytes, 0);
    }
    return from_minus_one(
        rdma_resolve_addr(TO_OBJECT(rdma_cm_id, id), source != NULL ? &from.any : NULL, &to.any, timeout_ms));
}

int32_t sluice_verbs_resolve_route(int64_t id, int32_t timeout_ms) {
    if (!is_bound(id) || timeout_ms < 0) {
        return -EINVAL;
    }
    return from_minus_one(rdma_resolve_route(TO_OBJECT(rdma_cm_id, id), timeout_ms));
}

static int32_t set_option(int64_t id, int option, int32_t value, int32_t limit) {
    if (!is_handle(id) || value < 0 || value > limit) {
        return -EINVAL;
    }
    uint8_t byte = (uint8_t)value;
    return from_minus_one(rdma_set_option(TO_OBJECT(rdma_cm_id, id), RDMA_OPTION_ID, option, &byte, sizeof byte));
}

int32_t sluice_verbs_set_type_of_service(int64_t id, int32_t value) {
    return set_option(id, RDMA_OPTION_ID_TOS, value, TYPE_OF_SERVICE_LIMIT);
}

int32_t sluice_verbs_set_ack_timeout(int64_t id, int32_t value) {
    return set_option(id, RDMA_OPTION_ID_ACK_TIMEOUT, value, ACK_TIMEOUT_LIMIT);
}
