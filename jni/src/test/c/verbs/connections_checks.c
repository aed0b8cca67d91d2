/* Addresses, parameters and queue pairs of connections: what reaches librdmacm. */
#define _GNU_SOURCE
#include "verbs_checks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>

#define ID HANDLE(&fake_id)

static uint8_t bytes[256];

static void set_up(void) {
    fakes_reset();
    fake_id = (struct rdma_cm_id){.verbs = &fake_context, .port_num = 2};
    for (int i = 0; i < 256; i++) {
        bytes[i] = (uint8_t)(i + 1);
    }
}

static void check_addresses(void) {
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)&fake_address;
    const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)&fake_address;
    EQUAL(sluice_verbs_bind(ID, bytes, 4, 65535), 0);
    EQUAL(ipv4->sin_family, AF_INET);
    EQUAL(ntohl(ipv4->sin_addr.s_addr), 0x01020304);
    EQUAL(ntohs(ipv4->sin_port), 65535);
    EQUAL(sluice_verbs_bind(ID, bytes, 16, 0), 0);
    EQUAL(ipv6->sin6_family, AF_INET6);
    EQUAL(memcmp(&ipv6->sin6_addr, bytes, 16), 0);
    EQUAL(ipv6->sin6_port, 0);
    EQUAL(sluice_verbs_resolve_address(ID, bytes + 4, bytes, 4, 1, 10), 0);
    EQUAL(ntohl(((const struct sockaddr_in *)&fake_source)->sin_addr.s_addr), 0x05060708);
    EQUAL(((const struct sockaddr_in *)&fake_source)->sin_port, 0);
    EQUAL(ntohl(ipv4->sin_addr.s_addr), 0x01020304);
    EQUAL(ntohs(ipv4->sin_port), 1);
    EQUAL(sluice_verbs_resolve_address(ID, NULL, bytes, 16, 1, 10), 0);
    EQUAL(fake_source.ss_family, 0);
    fakes_reset();
    EQUAL(sluice_verbs_bind(ID, bytes, 5, 0), -EINVAL);
    EQUAL(sluice_verbs_bind(ID, NULL, 4, 0), -EINVAL);
    EQUAL(sluice_verbs_bind(ID, bytes, 4, -1), -EINVAL);
    EQUAL(sluice_verbs_bind(ID, bytes, 4, 65536), -EINVAL);
    EQUAL(sluice_verbs_resolve_address(ID, NULL, bytes, 4, 0, 10), -EINVAL);
    EQUAL(sluice_verbs_resolve_address(ID, NULL, bytes, 4, 65536, 10), -EINVAL);
    EQUAL(sluice_verbs_resolve_address(ID, NULL, bytes, 4, 1, -1), -EINVAL);
    EQUAL(sluice_verbs_resolve_address(ID, bytes, NULL, 4, 1, 1), -EINVAL);
    EQUAL(sluice_verbs_resolve_route(ID, -1), -EINVAL);
    EQUAL(sluice_verbs_listen(ID, -1), -EINVAL);
    EQUAL(fake_calls, 0);
    EQUAL(sluice_verbs_local_port(ID), 18515);
    EQUAL(sluice_verbs_cm_port(ID), 2);
    EQUAL(sluice_verbs_cm_context(ID), HANDLE(&fake_context));
}

static void check_options(void) {
    EQUAL(sluice_verbs_set_type_of_service(ID, 255), 0);
    EQUAL(fake_option, RDMA_OPTION_ID_TOS);
    EQUAL(fake_option_value, 255);
    EQUAL(sluice_verbs_set_ack_timeout(ID, 31), 0);
    EQUAL(fake_option, RDMA_OPTION_ID_ACK_TIMEOUT);
    EQUAL(fake_option_value, 31);
    EQUAL(sluice_verbs_set_type_of_service(ID, 256), -EINVAL);
    EQUAL(sluice_verbs_set_type_of_service(ID, -1), -EINVAL);
    EQUAL(sluice_verbs_set_ack_timeout(ID, 32), -EINVAL);
}

static void check_parameters(void) {
    int64_t parameters[SLUICE_VERBS_CONNECT_FIELDS] = {11, 12, 6, 7};
    const struct rdma_conn_param *given = &fake_connection_parameters;
    EQUAL(sluice_verbs_connect(ID, parameters, bytes, 56), 0);
    EQUAL(given->responder_resources, 11);
    EQUAL(given->initiator_depth, 12);
    EQUAL(given->retry_count, 6);
    EQUAL(given->rnr_retry_count, 7);
    EQUAL(given->private_data_len, 56);
    EQUAL(memcmp(fake_private_data, bytes, 56), 0);
    EQUAL(sluice_verbs_connect(ID, parameters, bytes, 57), -EINVAL);
    EQUAL(sluice_verbs_accept(ID, parameters, bytes, 196), 0);
    EQUAL(given->private_data_len, 196);
    EQUAL(memcmp(fake_private_data, bytes, 196), 0);
    EQUAL(sluice_verbs_accept(ID, parameters, bytes, 197), -EINVAL);
    EQUAL(sluice_verbs_accept(ID, parameters, NULL, 1), -EINVAL);
    EQUAL(sluice_verbs_accept(ID, NULL, bytes, 0), -EINVAL);
    EQUAL(sluice_verbs_reject(ID, bytes, 148), 0);
    EQUAL(given->private_data_len, 148);
    EQUAL(sluice_verbs_reject(ID, bytes, 149), -EINVAL);
    EQUAL(sluice_verbs_reject(ID, NULL, 0), 0);
    HOLDS(given->private_data == NULL);
    static const int64_t limits[SLUICE_VERBS_CONNECT_FIELDS] = {255, 255, 7, 7};
    for (int i = 0; i < SLUICE_VERBS_CONNECT_FIELDS; i++) {
        int64_t wrong[SLUICE_VERBS_CONNECT_FIELDS] = {0};
        wrong[i] = limits[i];
        EQUAL(sluice_verbs_connect(ID, wrong, NULL, 0), 0);
        wrong[i] = limits[i] + 1;
        EQUAL(sluice_verbs_connect(ID, wrong, NULL, 0), -EINVAL);
        wrong[i] = -1;
        EQUAL(sluice_verbs_accept(ID, wrong, NULL, 0), -EINVAL);
    }
    EQUAL(sluice_verbs_disconnect(ID), 0);
}

static void check_queue_pair(void) {
    int64_t limits[SLUICE_VERBS_QUEUE_PAIR_FIELDS] = {16, 4, 64, -1};
    int64_t domain = HANDLE(limits), queue = HANDLE(&fake_queue), receives = HANDLE(&fake_receive_queue);
    EQUAL(sluice_verbs_create_queue_pair(ID, domain, queue, queue, receives, limits), HANDLE(&fake_queue_pair));
    EQUAL(fake_wanted_queue_pair.qp_type, IBV_QPT_RC);
    EQUAL(fake_wanted_queue_pair.sq_sig_all, 0);
    EQUAL(fake_wanted_queue_pair.cap.max_recv_wr, 0);
    EQUAL(fake_wanted_queue_pair.cap.max_send_wr, 16);
    HOLDS(fake_wanted_queue_pair.srq == &fake_receive_queue);
    EQUAL(limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_WR], 17);
    EQUAL(limits[SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_SGE], 6);
    EQUAL(limits[SLUICE_VERBS_QUEUE_PAIR_MAX_INLINE_BYTES], 67);
    EQUAL(limits[SLUICE_VERBS_QUEUE_PAIR_NUMBER], 4711);
    EQUAL(sluice_verbs_fail_queue_pair(HANDLE(&fake_queue_pair)), 0);
    EQUAL(sluice_verbs_destroy_queue_pair(ID), 0);
    fakes_reset();
    EQUAL(sluice_verbs_create_queue_pair(ID, 0, queue, queue, receives, limits), -EINVAL);
    EQUAL(sluice_verbs_create_queue_pair(ID, domain, 0, queue, receives, limits), -EINVAL);
    EQUAL(sluice_verbs_create_queue_pair(ID, domain, queue, 0, receives, limits), -EINVAL);
    EQUAL(sluice_verbs_create_queue_pair(ID, domain, queue, queue, 0, limits), -EINVAL);
    EQUAL(sluice_verbs_create_queue_pair(ID, domain, queue, queue, receives, NULL), -EINVAL);
    for (int i = 0; i < 3; i++) {
        int64_t wrong[SLUICE_VERBS_QUEUE_PAIR_FIELDS] = {0};
        wrong[i] = INT64_C(1) << 32;
        EQUAL(sluice_verbs_create_queue_pair(ID, domain, queue, queue, receives, wrong), -EINVAL);
        wrong[i] = -1;
        EQUAL(sluice_verbs_create_queue_pair(ID, domain, queue, queue, receives, wrong), -EINVAL);
    }
    EQUAL(fake_calls, 0);
}

static void check_path_of_queue_pair(void) {
    int64_t out[SLUICE_VERBS_PATH_FIELDS];
    fake_queue_pair_attributes = (struct ibv_qp_attr){
        .path_mtu = IBV_MTU_2048,
        .pkey_index = 1,
        .timeout = 5,
        .retry_cnt = 6,
        .rnr_retry = 7,
        .ah_attr = {.sl = 4, .grh = {.sgid_index = 2, .traffic_class = 3}},
    };
    EQUAL(sluice_verbs_query_queue_pair(HANDLE(&fake_queue_pair), out), 0);
    EQUAL(out[SLUICE_VERBS_PATH_STATE], IBV_QPS_RTS);
    EQUAL(out[SLUICE_VERBS_PATH_MTU_BYTES], 2048);
    for (int i = SLUICE_VERBS_PATH_PKEY_INDEX; i < SLUICE_VERBS_PATH_FIELDS; i++) {
        EQUAL(out[i], i - 1);
    }
    EQUAL(sluice_verbs_query_queue_pair(HANDLE(&fake_queue_pair), NULL), -EINVAL);
}

static void check_gid(void) {
    int64_t out[SLUICE_VERBS_CM_GID_FIELDS];
    for (int i = 0; i < 16; i++) {
        fake_id.route.addr.addr.ibaddr.sgid.raw[i] = (uint8_t)(0xf0 + i);
    }
    fake_id.route.addr.addr.ibaddr.pkey = htons(0x8002);
    EQUAL(sluice_verbs_cm_gid(ID, out), 0);
    EQUAL(out[SLUICE_VERBS_CM_GID_HIGH], (int64_t)0xf0f1f2f3f4f5f6f7);
    EQUAL(out[SLUICE_VERBS_CM_GID_LOW], (int64_t)0xf8f9fafbfcfdfeff);
    EQUAL(out[SLUICE_VERBS_CM_GID_PKEY], 0x8002);
    EQUAL(sluice_verbs_cm_gid(ID, NULL), -EINVAL);
}

/* What the copy has to say to the kernel stands in the InfiniBand specification, with the numbers most significant
 * first. */
static void check_routes(void) {
    struct ibv_sa_path_rec record = {
        .dlid = htons(1),
        .slid = htons(2),
        .flow_label = htonl(0x34567),
        .hop_limit = 64,
        .traffic_class = 8,
        .reversible = 1,
        .pkey = htons(0xffff),
        .sl = 3,
        .mtu = IBV_MTU_1024,
        .rate = 9,
        .packet_life_time = 16,
    };
    struct rdma_cm_id from = {.verbs = &fake_context, .route = {.path_rec = &record, .num_paths = 1}};
    const struct ibv_path_record *path = &fake_path.path;
    record.dgid.raw[15] = 5;
    record.sgid.raw[15] = 6;
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 0, -1), 0);
    EQUAL(fake_path.flags, IBV_PATH_FLAG_GMP | IBV_PATH_FLAG_PRIMARY | IBV_PATH_FLAG_BIDIRECTIONAL);
    EQUAL(path->dgid.raw[15], 5);
    EQUAL(path->sgid.raw[15], 6);
    EQUAL(ntohs(path->dlid), 1);
    EQUAL(ntohs(path->slid), 2);
    EQUAL(ntohl(path->flowlabel_hoplimit), 0x3456740);
    EQUAL(path->tclass, 8);
    EQUAL(path->reversible_numpath, 0x81);
    EQUAL(ntohs(path->pkey), 0xffff);
    EQUAL(ntohs(path->qosclass_sl), 3);
    EQUAL(path->mtu, 0x83);
    EQUAL(path->rate, 0x89);
    EQUAL(path->packetlifetime, 0x90);
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 256, 15), 0);
    EQUAL(path->mtu, 0x81);
    EQUAL(ntohs(path->qosclass_sl), 15);
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 4096, 0), 0);
    EQUAL(path->mtu, 0x83); /* never more than the route takes */
    EQUAL(ntohs(path->qosclass_sl), 0);
    fakes_reset();
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 128, 0), -EINVAL);
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 1000, 0), -EINVAL);
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 8192, 0), -EINVAL);
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 0, 16), -EINVAL);
    EQUAL(sluice_verbs_copy_route(HANDLE(&from), ID, 0, -2), -EINVAL);
    EQUAL(sluice_verbs_copy_route(ID, HANDLE(&from), 0, -1), -ENODATA);
    EQUAL(fake_calls, 0);
}

static void check_channel_and_id(void) {
    int64_t channel = sluice_verbs_create_event_channel();
    HOLDS((fcntl(sluice_verbs_event_channel_fd(channel), F_GETFL) & O_NONBLOCK) != 0);
    EQUAL(sluice_verbs_create_id(channel), ID);
    EQUAL(sluice_verbs_destroy_id(ID), 0);
    EQUAL(sluice_verbs_destroy_event_channel(channel), 0);
    EQUAL(fake_objects, 0);
}

void check_connections(void) {
    set_up();
    check_addresses();
    check_options();
    check_parameters();
    EQUAL(sluice_verbs_tell_established(ID), 0);
    EQUAL(fake_notified, IBV_EVENT_COMM_EST);
    check_gid();
    check_routes();
    set_up();
    check_queue_pair();
    check_path_of_queue_pair();
    check_channel_and_id();
}
