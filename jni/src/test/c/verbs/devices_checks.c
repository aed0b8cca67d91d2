/* Devices, their limits and their objects. */
#define _GNU_SOURCE
#include "verbs_checks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT HANDLE(&fake_context)

static void check_names(void) {
    static const char wanted[] = "fake0\0a_longer_name";
    int32_t bytes = sizeof wanted;
    fakes_reset();
    for (int32_t capacity = 0; capacity <= bytes; capacity++) {
        char *names = malloc((size_t)capacity + 1); /* a byte too much would be one of ASan's */
        memset(names, '?', (size_t)capacity + 1);
        EQUAL(sluice_verbs_device_names(names, capacity), bytes);
        EQUAL(names[capacity], '?');
        HOLDS(capacity < 6 || strcmp(names, "fake0") == 0);
        HOLDS(capacity < bytes || memcmp(names, wanted, sizeof wanted) == 0);
        free(names);
    }
    EQUAL(fake_objects, 0);
    EQUAL(sluice_verbs_device_names(NULL, 0), -EINVAL);
    fake_error = EPERM;
    EQUAL(sluice_verbs_device_names((char *)wanted, 0), -EPERM);
    fake_error = ENOSYS; /* a kernel without verbs has no devices */
    EQUAL(sluice_verbs_device_names((char *)wanted, 0), 0);
    EQUAL(sluice_verbs_open_device("fake0"), -ENODEV);
}

static void check_open(void) {
    char name[SLUICE_VERBS_NAME_BYTES];
    fakes_reset();
    EQUAL(sluice_verbs_open_device("fake"), -ENODEV);
    EQUAL(sluice_verbs_open_device(NULL), -EINVAL);
    EQUAL(fake_objects, 0);
    EQUAL(sluice_verbs_open_device("a_longer_name"), CONTEXT);
    EQUAL(sluice_verbs_device_name(CONTEXT, name), 13);
    HOLDS(strcmp(name, "a_longer_name") == 0);
    EQUAL(sluice_verbs_close_device(CONTEXT), 0);
    EQUAL(fake_objects, 0);
    memset(fake_devices[1].name, 'x', sizeof fake_devices[1].name); /* no zero at its end */
    EQUAL(sluice_verbs_device_name(CONTEXT, name), SLUICE_VERBS_NAME_BYTES - 1);
    strcpy(fake_devices[1].name, "a_longer_name");
}

static void check_device_limits(void) {
    int64_t out[SLUICE_VERBS_DEVICE_FIELDS];
    fake_device_attributes = (struct ibv_device_attr){
        .max_qp = 1,
        .max_qp_wr = 2,
        .max_sge = 3,
        .max_cq = 4,
        .max_cqe = 5,
        .max_mr = 6,
        .max_mr_size = 7,
        .max_qp_rd_atom = 8,
        .max_qp_init_rd_atom = 9,
        .max_srq = 10,
        .max_srq_wr = 11,
        .max_srq_sge = 12,
        .phys_port_cnt = 13,
        .vendor_id = 14,
    };
    EQUAL(sluice_verbs_query_device(CONTEXT, out), 0);
    for (int i = 0; i < SLUICE_VERBS_DEVICE_FIELDS; i++) {
        EQUAL(out[i], i + 1);
    }
    EQUAL(sluice_verbs_query_device(CONTEXT, NULL), -EINVAL);
    fake_device_attributes.max_mr_size = UINT64_MAX;
    EQUAL(sluice_verbs_query_device(CONTEXT, out), 0);
    EQUAL(out[SLUICE_VERBS_DEVICE_MAX_MR_SIZE], INT64_MAX);
}

static void check_ports_and_gids(void) {
    int64_t out[SLUICE_VERBS_PORT_FIELDS];
    fake_port_attributes = (struct ibv_port_attr){
        .state = IBV_PORT_ACTIVE,
        .max_mtu = IBV_MTU_4096,
        .active_mtu = IBV_MTU_256,
        .gid_tbl_len = 5,
        .max_msg_sz = 0x80000000,
        .link_layer = IBV_LINK_LAYER_ETHERNET,
    };
    EQUAL(sluice_verbs_query_port(CONTEXT, 255, out), 0);
    EQUAL(out[SLUICE_VERBS_PORT_STATE], 4);
    EQUAL(out[SLUICE_VERBS_PORT_MAX_MTU_BYTES], 4096);
    EQUAL(out[SLUICE_VERBS_PORT_ACTIVE_MTU_BYTES], 256);
    EQUAL(out[SLUICE_VERBS_PORT_LINK_LAYER], 2);
    EQUAL(out[SLUICE_VERBS_PORT_GIDS], 5);
    EQUAL(out[SLUICE_VERBS_PORT_MAX_MESSAGE_BYTES], INT64_C(1) << 31);
    fake_port_attributes.active_mtu = 0;
    fake_port_attributes.max_mtu = 9;
    EQUAL(sluice_verbs_query_port(CONTEXT, 1, out), 0);
    EQUAL(out[SLUICE_VERBS_PORT_MAX_MTU_BYTES], 0);
    EQUAL(out[SLUICE_VERBS_PORT_ACTIVE_MTU_BYTES], 0);
    fake_gid_entry = (struct ibv_gid_entry){.gid_type = IBV_GID_TYPE_ROCE_V2, .ndev_ifindex = 77};
    for (int i = 0; i < 16; i++) {
        fake_gid_entry.gid.raw[i] = (uint8_t)(0xf0 + i);
    }
    EQUAL(sluice_verbs_query_gid(CONTEXT, 1, 0, out), 0);
    EQUAL(out[SLUICE_VERBS_GID_HIGH], (int64_t)0xf0f1f2f3f4f5f6f7);
    EQUAL(out[SLUICE_VERBS_GID_LOW], (int64_t)0xf8f9fafbfcfdfeff);
    EQUAL(out[SLUICE_VERBS_GID_TYPE], 2);
    EQUAL(out[SLUICE_VERBS_GID_INTERFACE], 77);
    fakes_reset();
    EQUAL(sluice_verbs_query_port(CONTEXT, 0, out), -EINVAL);
    EQUAL(sluice_verbs_query_port(CONTEXT, 256, out), -EINVAL);
    EQUAL(sluice_verbs_query_port(CONTEXT, 1, NULL), -EINVAL);
    EQUAL(sluice_verbs_query_gid(CONTEXT, 256, 0, out), -EINVAL);
    EQUAL(sluice_verbs_query_gid(CONTEXT, 1, -1, out), -EINVAL);
    EQUAL(sluice_verbs_query_gid(CONTEXT, 1, 0, NULL), -EINVAL);
    EQUAL(fake_calls, 0);
}

static void check_pkeys(void) {
    fakes_reset();
    fake_pkey = 0x8001;
    EQUAL(sluice_verbs_query_pkey(CONTEXT, 255, 0), 0x8001);
    EQUAL(sluice_verbs_query_pkey(CONTEXT, 256, 0), -EINVAL);
    EQUAL(sluice_verbs_query_pkey(CONTEXT, 0, 0), -EINVAL);
    EQUAL(sluice_verbs_query_pkey(CONTEXT, 1, -1), -EINVAL);
    EQUAL(fake_calls, 1);
}

static void check_objects(void) {
    fakes_reset();
    int64_t channel = sluice_verbs_create_completion_channel(CONTEXT);
    int fd = sluice_verbs_completion_channel_fd(channel);
    HOLDS((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    EQUAL(sluice_verbs_create_completion_queue(CONTEXT, 1, channel), HANDLE(&fake_queue));
    EQUAL(sluice_verbs_create_completion_queue(CONTEXT, 1, 0), HANDLE(&fake_queue));
    EQUAL(sluice_verbs_create_completion_queue(CONTEXT, 0, 0), -EINVAL);
    EQUAL(sluice_verbs_create_completion_queue(CONTEXT, 1, 1), -EINVAL);
    EQUAL(fake_objects, 3);
    EQUAL(sluice_verbs_destroy_completion_queue(HANDLE(&fake_queue)), 0);
    EQUAL(sluice_verbs_destroy_completion_queue(HANDLE(&fake_queue)), 0);
    EQUAL(sluice_verbs_destroy_completion_channel(channel), 0);
    int64_t domain = sluice_verbs_allocate_protection_domain(CONTEXT);
    EQUAL(sluice_verbs_create_shared_receive_queue(domain, 0, 1), -EINVAL);
    EQUAL(sluice_verbs_create_shared_receive_queue(domain, 1, 0), -EINVAL);
    EQUAL(sluice_verbs_set_limit(HANDLE(&fake_receive_queue), -1), -EINVAL);
    EQUAL(sluice_verbs_set_limit(HANDLE(&fake_receive_queue), 0), 0);
    int64_t out[SLUICE_VERBS_REGION_FIELDS];
    int32_t all = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
    EQUAL(sluice_verbs_register_memory(domain, 4096, INT64_C(5) << 30, all, out), 0);
    EQUAL(out[SLUICE_VERBS_REGION_LKEY], 0xfffffff1);
    EQUAL(out[SLUICE_VERBS_REGION_RKEY], 0xfffffff2);
    EQUAL(sluice_verbs_register_memory(domain, 4096, 0, all, out), -EINVAL);
    EQUAL(sluice_verbs_register_memory(domain, 0, 1, all, out), -EINVAL);
    EQUAL(sluice_verbs_register_memory(domain, 4096, 1, 1 << 3, out), -EINVAL);
    EQUAL(sluice_verbs_register_memory(domain, 4096, 1, 0, NULL), -EINVAL);
    EQUAL(sluice_verbs_deregister_memory(out[SLUICE_VERBS_REGION_HANDLE]), 0);
    EQUAL(sluice_verbs_deallocate_protection_domain(domain), 0);
    EQUAL(fake_objects, 0);
}

static void check_layout(void) {
    int32_t numbers[SLUICE_VERBS_LAYOUT_LIMIT];
    int32_t count = sluice_verbs_layout(numbers, SLUICE_VERBS_LAYOUT_LIMIT);
    HOLDS(count > 60);
    int32_t *exact = malloc(3 * sizeof *exact);
    EQUAL(sluice_verbs_layout(exact, 3), count);
    EQUAL(exact[0], 128);
    free(exact);
    EQUAL(sluice_verbs_layout(NULL, 0), -EINVAL);
    EQUAL(sluice_verbs_layout(numbers, -1), -EINVAL);
}

void check_devices(void) {
    check_names();
    check_open();
    check_device_limits();
    check_ports_and_gids();
    check_pkeys();
    check_objects();
    check_layout();
}
