#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_mtu.h"
#include "verbs_results.h"

#include <infiniband/verbs.h>
#include <endian.h>
#include <string.h>

_Static_assert(SLUICE_VERBS_NAME_BYTES >= IBV_SYSFS_NAME_MAX, "a device's name does not fit");

#define PORT_LIMIT 255 /* a port is one byte in the calls below */

static int is_port(int32_t port) { return port >= 1 && port <= PORT_LIMIT; }

/* ENOSYS is how libibverbs says that the kernel has no verbs at all, and so no devices. */
static int32_t list_devices(struct ibv_device ***list, int *count) {
    *count = 0;
    errno = 0;
    *list = ibv_get_device_list(count);
    if (*list != NULL || errno == ENOSYS) {
        return 0;
    }
    return last_error();
}

int32_t sluice_verbs_device_names(char *out, int32_t capacity) {
    struct ibv_device **list;
    int count;
    if (out == NULL || capacity < 0) {
        return -EINVAL;
    }
    int32_t error = list_devices(&list, &count);
    if (error != 0 || list == NULL) {
        return error;
    }
    size_t bytes = 0;
    for (int i = 0; i < count; i++) {
        const char *name = ibv_get_device_name(list[i]);
        size_t length = strnlen(name, SLUICE_VERBS_NAME_BYTES - 1) + 1;
        if (bytes + length <= (size_t)capacity) {
            memcpy(out + bytes, name, length - 1);
            out[bytes + length - 1] = 0;
        }
        bytes += length;
    }
    ibv_free_device_list(list);
    return (int32_t)bytes;
}

int64_t sluice_verbs_open_device(const char *name) {
    struct ibv_device **list;
    int count;
    if (name == NULL) {
        return -EINVAL;
    }
    int32_t error = list_devices(&list, &count);
    if (error != 0 || list == NULL) {
        return error != 0 ? error : -ENODEV;
    }
    int64_t context = -ENODEV;
    for (int i = 0; i < count; i++) {
        if (strcmp(ibv_get_device_name(list[i]), name) == 0) {
            errno = 0;
            context = from_pointer(ibv_open_device(list[i]));
            break;
        }
    }
    ibv_free_device_list(list);
    return context;
}

int32_t sluice_verbs_close_device(int64_t context) {
    if (!is_handle(context)) {
        return -EINVAL;
    }
    return from_number(ibv_close_device(TO_OBJECT(ibv_context, context)));
}

int32_t sluice_verbs_query_device(int64_t context, int64_t out[SLUICE_VERBS_DEVICE_FIELDS]) {
    struct ibv_device_attr device;
    if (!is_handle(context) || out == NULL) {
        return -EINVAL;
    }
    int32_t error = from_number(ibv_query_device(TO_OBJECT(ibv_context, context), &device));
    if (error != 0) {
        return error;
    }
    out[SLUICE_VERBS_DEVICE_MAX_QP] = device.max_qp;
    out[SLUICE_VERBS_DEVICE_MAX_QP_WR] = device.max_qp_wr;
    out[SLUICE_VERBS_DEVICE_MAX_SGE] = device.max_sge;
    out[SLUICE_VERBS_DEVICE_MAX_CQ] = device.max_cq;
    out[SLUICE_VERBS_DEVICE_MAX_CQE] = device.max_cqe;
    out[SLUICE_VERBS_DEVICE_MAX_MR] = device.max_mr;
    /* All ones where there is no limit, which Java would take for an error. */
    out[SLUICE_VERBS_DEVICE_MAX_MR_SIZE] =
        device.max_mr_size > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)device.max_mr_size;
    out[SLUICE_VERBS_DEVICE_MAX_QP_RD_ATOM] = device.max_qp_rd_atom;
    out[SLUICE_VERBS_DEVICE_MAX_QP_INIT_RD_ATOM] = device.max_qp_init_rd_atom;
    out[SLUICE_VERBS_DEVICE_MAX_SRQ] = device.max_srq;
    out[SLUICE_VERBS_DEVICE_MAX_SRQ_WR] = device.max_srq_wr;
    out[SLUICE_VERBS_DEVICE_MAX_SRQ_SGE] = device.max_srq_sge;
    out[SLUICE_VERBS_DEVICE_PORTS] = device.phys_port_cnt;
    out[SLUICE_VERBS_DEVICE_VENDOR_ID] = device.vendor_id;
    return 0;
}

int32_t sluice_verbs_query_port(int64_t context, int32_t port, int64_t out[SLUICE_VERBS_PORT_FIELDS]) {
    struct ibv_port_attr attributes;
    if (!is_handle(context) || !is_port(port) || out == NULL) {
        return -EINVAL;
    }
    int32_t error = from_number(ibv_query_port(TO_OBJECT(ibv_context, context), (uint8_t)port, &attributes));
    if (error != 0) {
        return error;
    }
    out[SLUICE_VERBS_PORT_STATE] = attributes.state;
    out[SLUICE_VERBS_PORT_MAX_MTU_BYTES] = mtu_bytes(attributes.max_mtu);
    out[SLUICE_VERBS_PORT_ACTIVE_MTU_BYTES] = mtu_bytes(attributes.active_mtu);
    out[SLUICE_VERBS_PORT_LINK_LAYER] = attributes.link_layer;
    out[SLUICE_VERBS_PORT_GIDS] = attributes.gid_tbl_len;
    out[SLUICE_VERBS_PORT_MAX_MESSAGE_BYTES] = attributes.max_msg_sz;
    return 0;
}

int32_t sluice_verbs_query_gid(int64_t context, int32_t port, int32_t index, int64_t out[SLUICE_VERBS_GID_FIELDS]) {
    struct ibv_gid_entry entry;
    uint64_t halves[2];
    if (!is_handle(context) || !is_port(port) || index < 0 || out == NULL) {
        return -EINVAL;
    }
    memset(&entry, 0, sizeof entry);
    int32_t error =
        from_number(ibv_query_gid_ex(TO_OBJECT(ibv_context, context), (uint32_t)port, (uint32_t)index, &entry, 0));
    if (error != 0) {
        return error;
    }
    memcpy(halves, entry.gid.raw, sizeof halves);
    out[SLUICE_VERBS_GID_HIGH] = (int64_t)be64toh(halves[0]);
    out[SLUICE_VERBS_GID_LOW] = (int64_t)be64toh(halves[1]);
    out[SLUICE_VERBS_GID_TYPE] = entry.gid_type;
    out[SLUICE_VERBS_GID_INTERFACE] = entry.ndev_ifindex;
    return 0;
}

int32_t sluice_verbs_query_pkey(int64_t context, int32_t port, int32_t index) {
    __be16 key = 0;
    if (!is_handle(context) || !is_port(port) || index < 0) {
        return -EINVAL;
    }
    errno = 0;
    int32_t error = from_number(ibv_query_pkey(TO_OBJECT(ibv_context, context), (uint8_t)port, index, &key));
    return error != 0 ? error : be16toh(key);
}

int32_t sluice_verbs_device_name(int64_t context, char out[SLUICE_VERBS_NAME_BYTES]) {
    if (!is_handle(context) || out == NULL) {
        return -EINVAL;
    }
    const char *name = ibv_get_device_name(TO_OBJECT(ibv_context, context)->device);
    size_t length = strnlen(name, SLUICE_VERBS_NAME_BYTES - 1);
    memcpy(out, name, length);
    out[length] = 0;
    return (int32_t)length;
}
