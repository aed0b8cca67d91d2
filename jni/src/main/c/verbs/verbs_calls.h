/*
 * The calls of libibverbs and librdmacm behind org.sluice.jni.verbs.Verbs, free of JNI so that a C harness can run them
 * under sanitizers. Every function returns a value >= 0, or -errno; a handle is the address of the library's object.
 * Nothing is allocated per message, none keeps state, and none blocks but sluice_verbs_wait_ready.
 */
#ifndef SLUICE_VERBS_CALLS_H
#define SLUICE_VERBS_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* Java passes handles, addresses and sizes as 64-bit longs; on a 32-bit machine they would be cut silently. */
_Static_assert(sizeof(void *) == 8, "libsluice_verbs is for 64-bit machines");
_Static_assert(sizeof(long) == 8, "libsluice_verbs needs LP64");
_Static_assert(sizeof(size_t) == 8, "libsluice_verbs needs a 64-bit size_t");

#define SLUICE_VERBS_NAME_BYTES 64            /* libibverbs' IBV_SYSFS_NAME_MAX, its zero byte included */
#define SLUICE_VERBS_CONNECT_PRIVATE_BYTES 56 /* what librdmacm leaves of InfiniBand's 92 in a request */
#define SLUICE_VERBS_ACCEPT_PRIVATE_BYTES 196
#define SLUICE_VERBS_REJECT_PRIVATE_BYTES 148
#define SLUICE_VERBS_EVENT_PRIVATE_BYTES 256
#define SLUICE_VERBS_IPV4_BYTES 4
#define SLUICE_VERBS_IPV6_BYTES 16
#define SLUICE_VERBS_LAYOUT_LIMIT 256    /* more numbers than verbs_layout.c has */
#define SLUICE_VERBS_WAIT_DESCRIPTORS 31 /* a bit each in a result that is not below zero */

/* The fields of VerbsCalls, in its order. */
enum sluice_verbs_device_field {
    SLUICE_VERBS_DEVICE_MAX_QP,
    SLUICE_VERBS_DEVICE_MAX_QP_WR,
    SLUICE_VERBS_DEVICE_MAX_SGE,
    SLUICE_VERBS_DEVICE_MAX_CQ,
    SLUICE_VERBS_DEVICE_MAX_CQE,
    SLUICE_VERBS_DEVICE_MAX_MR,
    SLUICE_VERBS_DEVICE_MAX_MR_SIZE,
    SLUICE_VERBS_DEVICE_MAX_QP_RD_ATOM,
    SLUICE_VERBS_DEVICE_MAX_QP_INIT_RD_ATOM,
    SLUICE_VERBS_DEVICE_MAX_SRQ,
    SLUICE_VERBS_DEVICE_MAX_SRQ_WR,
    SLUICE_VERBS_DEVICE_MAX_SRQ_SGE,
    SLUICE_VERBS_DEVICE_PORTS,
    SLUICE_VERBS_DEVICE_VENDOR_ID,
    SLUICE_VERBS_DEVICE_FIELDS
};

enum sluice_verbs_port_field {
    SLUICE_VERBS_PORT_STATE,
    SLUICE_VERBS_PORT_MAX_MTU_BYTES,
    SLUICE_VERBS_PORT_ACTIVE_MTU_BYTES,
    SLUICE_VERBS_PORT_LINK_LAYER,
    SLUICE_VERBS_PORT_GIDS,
    SLUICE_VERBS_PORT_MAX_MESSAGE_BYTES,
    SLUICE_VERBS_PORT_FIELDS
};

enum sluice_verbs_gid_field {
    SLUICE_VERBS_GID_HIGH,
    SLUICE_VERBS_GID_LOW,
    SLUICE_VERBS_GID_TYPE,
    SLUICE_VERBS_GID_INTERFACE,
    SLUICE_VERBS_GID_FIELDS
};

enum sluice_verbs_cm_gid_field {
    SLUICE_VERBS_CM_GID_HIGH,
    SLUICE_VERBS_CM_GID_LOW,
    SLUICE_VERBS_CM_GID_PKEY,
    SLUICE_VERBS_CM_GID_FIELDS
};

enum sluice_verbs_region_field {
    SLUICE_VERBS_REGION_HANDLE,
    SLUICE_VERBS_REGION_LKEY,
    SLUICE_VERBS_REGION_RKEY,
    SLUICE_VERBS_REGION_FIELDS
};

enum sluice_verbs_queue_pair_field {
    SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_WR,
    SLUICE_VERBS_QUEUE_PAIR_MAX_SEND_SGE,
    SLUICE_VERBS_QUEUE_PAIR_MAX_INLINE_BYTES,
    SLUICE_VERBS_QUEUE_PAIR_NUMBER,
    SLUICE_VERBS_QUEUE_PAIR_FIELDS
};

enum sluice_verbs_path_field {
    SLUICE_VERBS_PATH_STATE,
    SLUICE_VERBS_PATH_MTU_BYTES,
    SLUICE_VERBS_PATH_PKEY_INDEX,
    SLUICE_VERBS_PATH_GID_INDEX,
    SLUICE_VERBS_PATH_TRAFFIC_CLASS,
    SLUICE_VERBS_PATH_SERVICE_LEVEL,
    SLUICE_VERBS_PATH_ACK_TIMEOUT,
    SLUICE_VERBS_PATH_RETRY_COUNT,
    SLUICE_VERBS_PATH_RNR_RETRY_COUNT,
    SLUICE_VERBS_PATH_FIELDS
};

enum sluice_verbs_connect_field {
    SLUICE_VERBS_CONNECT_RESPONDER_RESOURCES,
    SLUICE_VERBS_CONNECT_INITIATOR_DEPTH,
    SLUICE_VERBS_CONNECT_RETRY_COUNT,
    SLUICE_VERBS_CONNECT_RNR_RETRY_COUNT,
    SLUICE_VERBS_CONNECT_FIELDS
};

enum sluice_verbs_async_field { SLUICE_VERBS_ASYNC_KIND, SLUICE_VERBS_ASYNC_NUMBER, SLUICE_VERBS_ASYNC_FIELDS };

/* The connection event as VerbsLayout draws it. */
struct sluice_verbs_event {
    int32_t kind;
    int32_t status;
    int64_t id;
    int64_t listener;
    int32_t responder_resources;
    int32_t initiator_depth;
    int32_t private_bytes;
    int32_t peer_queue_pair;
    uint8_t private_data[SLUICE_VERBS_EVENT_PRIVATE_BYTES];
};

/* verbs_layout.c: writes as many numbers as fit, in the order of LayoutCheck, and returns how many there are */
int32_t sluice_verbs_layout(int32_t *out, int32_t capacity);

/* verbs_devices.c: names are C strings; the shim has checked their end */
int32_t sluice_verbs_device_names(char *out, int32_t capacity);
int64_t sluice_verbs_open_device(const char *name);
int32_t sluice_verbs_close_device(int64_t context);
int32_t sluice_verbs_query_device(int64_t context, int64_t out[SLUICE_VERBS_DEVICE_FIELDS]);
int32_t sluice_verbs_query_port(int64_t context, int32_t port, int64_t out[SLUICE_VERBS_PORT_FIELDS]);
int32_t sluice_verbs_query_gid(int64_t context, int32_t port, int32_t index, int64_t out[SLUICE_VERBS_GID_FIELDS]);
int32_t sluice_verbs_query_pkey(int64_t context, int32_t port, int32_t index);
int32_t sluice_verbs_device_name(int64_t context, char out[SLUICE_VERBS_NAME_BYTES]);

/* verbs_objects.c */
int64_t sluice_verbs_allocate_protection_domain(int64_t context);
int32_t sluice_verbs_deallocate_protection_domain(int64_t domain);
int64_t sluice_verbs_create_completion_channel(int64_t context);
int32_t sluice_verbs_destroy_completion_channel(int64_t channel);
int32_t sluice_verbs_completion_channel_fd(int64_t channel);
int64_t sluice_verbs_create_completion_queue(int64_t context, int32_t entries, int64_t channel);
int32_t sluice_verbs_destroy_completion_queue(int64_t queue);
int64_t sluice_verbs_create_shared_receive_queue(int64_t domain, int32_t max_wr, int32_t max_sge);
int32_t sluice_verbs_set_limit(int64_t queue, int32_t limit);
int32_t sluice_verbs_destroy_shared_receive_queue(int64_t queue);
int32_t sluice_verbs_register_memory(int64_t domain, int64_t address, int64_t bytes, int32_t access,
                                     int64_t out[SLUICE_VERBS_REGION_FIELDS]);
int32_t sluice_verbs_deregister_memory(int64_t region);

/* verbs_work.c: the calls that a message makes */
int32_t sluice_verbs_post_receive(int64_t queue, int64_t work_request, int64_t bad_address);
int32_t sluice_verbs_post_send(int64_t queue_pair, int64_t work_request, int64_t bad_address);
int32_t sluice_verbs_poll(int64_t queue, int32_t count, int64_t address);
int32_t sluice_verbs_request_notify(int64_t queue);
int32_t sluice_verbs_drain_completion_events(int64_t channel);

/* verbs_queue_pairs.c */
int64_t sluice_verbs_create_queue_pair(int64_t id, int64_t domain, int64_t send_queue, int64_t receive_queue,
                                       int64_t shared_receive_queue, int64_t limits[SLUICE_VERBS_QUEUE_PAIR_FIELDS]);
int32_t sluice_verbs_destroy_queue_pair(int64_t id);
int32_t sluice_verbs_fail_queue_pair(int64_t queue_pair);
int32_t sluice_verbs_query_queue_pair(int64_t queue_pair, int64_t out[SLUICE_VERBS_PATH_FIELDS]);

/* verbs_addresses.c: an address is as long as its length says, 4 or 16 */
int64_t sluice_verbs_create_event_channel(void);
int32_t sluice_verbs_destroy_event_channel(int64_t channel);
int32_t sluice_verbs_event_channel_fd(int64_t channel);
int64_t sluice_verbs_create_id(int64_t channel);
int32_t sluice_verbs_destroy_id(int64_t id);
int32_t sluice_verbs_bind(int64_t id, const uint8_t *address, int32_t address_bytes, int32_t port);
int32_t sluice_verbs_listen(int64_t id, int32_t backlog);
int32_t sluice_verbs_local_port(int64_t id);
int64_t sluice_verbs_cm_context(int64_t id);
int32_t sluice_verbs_cm_port(int64_t id);
int32_t sluice_verbs_cm_gid(int64_t id, int64_t out[SLUICE_VERBS_CM_GID_FIELDS]);
int32_t sluice_verbs_resolve_address(int64_t id, const uint8_t *source, const uint8_t *destination,
                                     int32_t address_bytes, int32_t port, int32_t timeout_ms);
int32_t sluice_verbs_resolve_route(int64_t id, int32_t timeout_ms);
int32_t sluice_verbs_set_type_of_service(int64_t id, int32_t value);
int32_t sluice_verbs_set_ack_timeout(int64_t id, int32_t value);

/* verbs_routes.c */
int32_t sluice_verbs_copy_route(int64_t from, int64_t to, int32_t mtu_bytes, int32_t service_level);

/* verbs_connections.c */
int32_t sluice_verbs_connect(int64_t id, const int64_t parameters[SLUICE_VERBS_CONNECT_FIELDS], const uint8_t *data,
                             int32_t bytes);
int32_t sluice_verbs_accept(int64_t id, const int64_t parameters[SLUICE_VERBS_CONNECT_FIELDS], const uint8_t *data,
                            int32_t bytes);
int32_t sluice_verbs_reject(int64_t id, const uint8_t *data, int32_t bytes);
int32_t sluice_verbs_tell_established(int64_t id);
int32_t sluice_verbs_disconnect(int64_t id);
int32_t sluice_verbs_connection_event(int64_t channel, int64_t address);

/* verbs_waiting.c */
int32_t sluice_verbs_async_fd(int64_t context);
int32_t sluice_verbs_async_event(int64_t context, int64_t out[SLUICE_VERBS_ASYNC_FIELDS]);
int32_t sluice_verbs_create_bell(void);
int32_t sluice_verbs_ring(int32_t bell);
int32_t sluice_verbs_hush(int32_t bell);
int32_t sluice_verbs_close_bell(int32_t bell);
int32_t sluice_verbs_wait_ready(const int32_t *descriptors, int32_t count, int32_t timeout_ms);
int64_t sluice_verbs_locked_memory_limit(void);

#endif
