/* Every call: its failure in each way that the libraries have for it, and a handle that is none. */
#include "verbs_checks.h"

#include <errno.h>
#include <stdlib.h>

static int64_t words[64];
static const uint8_t address[SLUICE_VERBS_IPV6_BYTES];
static struct ibv_comp_channel completion_channel = {.fd = -1};
static struct rdma_event_channel event_channel = {.fd = -1};

#define CONTEXT HANDLE(&fake_context)
#define QUEUE HANDLE(&fake_queue)
#define RECEIVE_QUEUE HANDLE(&fake_receive_queue)
#define QUEUE_PAIR HANDLE(&fake_queue_pair)
#define ID HANDLE(&fake_id)
#define WORDS HANDLE(words)

/* Another id, whose route is known. */
static int64_t routed(void) {
    static struct ibv_sa_path_rec record;
    static struct rdma_cm_id id;
    id = (struct rdma_cm_id){.verbs = &fake_context, .route = {.path_rec = &record, .num_paths = 1}};
    return HANDLE(&id);
}

/* Calls whose stand-ins return the number of the error. The last argument of each macro is the handle under test. */
#define NUMBER_CALLS(CALL)                                                        \
    CALL(sluice_verbs_query_device(h, words), CONTEXT)                            \
    CALL(sluice_verbs_query_port(h, 1, words), CONTEXT)                           \
    CALL(sluice_verbs_query_gid(h, 1, 0, words), CONTEXT)                         \
    CALL(sluice_verbs_deallocate_protection_domain(h), WORDS)                     \
    CALL(sluice_verbs_destroy_completion_channel(h), HANDLE(&completion_channel)) \
    CALL(sluice_verbs_destroy_completion_queue(h), QUEUE)                         \
    CALL(sluice_verbs_set_limit(h, 1), RECEIVE_QUEUE)                             \
    CALL(sluice_verbs_destroy_shared_receive_queue(h), RECEIVE_QUEUE)             \
    CALL(sluice_verbs_deregister_memory(h), WORDS)                                \
    CALL(sluice_verbs_post_receive(h, WORDS, WORDS), RECEIVE_QUEUE)               \
    CALL(sluice_verbs_post_send(h, WORDS, WORDS), QUEUE_PAIR)                     \
    CALL(sluice_verbs_request_notify(h), QUEUE)                                   \
    CALL(sluice_verbs_destroy_queue_pair(h), ID)                                  \
    CALL(sluice_verbs_fail_queue_pair(h), QUEUE_PAIR)                             \
    CALL(sluice_verbs_query_pkey(h, 1, 0), CONTEXT)                               \
    CALL(sluice_verbs_query_queue_pair(h, words), QUEUE_PAIR)

/* Calls whose stand-ins return -1 or NULL and set errno. */
#define ERRNO_CALLS(CALL)                                                                      \
    CALL(sluice_verbs_allocate_protection_domain(h), CONTEXT)                                  \
    CALL(sluice_verbs_create_completion_channel(h), CONTEXT)                                   \
    CALL(sluice_verbs_create_completion_queue(h, 1, 0), CONTEXT)                               \
    CALL(sluice_verbs_create_shared_receive_queue(h, 1, 1), WORDS)                             \
    CALL(sluice_verbs_register_memory(h, 4096, 1, 0, words), WORDS)                            \
    CALL(sluice_verbs_drain_completion_events(h), HANDLE(&completion_channel))                 \
    CALL(sluice_verbs_create_id(h), HANDLE(&event_channel))                                    \
    CALL(sluice_verbs_destroy_id(h), ID)                                                       \
    CALL(sluice_verbs_bind(h, address, SLUICE_VERBS_IPV4_BYTES, 0), ID)                        \
    CALL(sluice_verbs_listen(h, 0), ID)                                                        \
    CALL(sluice_verbs_resolve_address(h, NULL, address, SLUICE_VERBS_IPV6_BYTES, 1, 0), ID)    \
    CALL(sluice_verbs_resolve_route(h, 0), ID)                                                 \
    CALL(sluice_verbs_set_type_of_service(h, 0), ID)                                           \
    CALL(sluice_verbs_set_ack_timeout(h, 0), ID)                                               \
    CALL(sluice_verbs_create_queue_pair(h, WORDS, QUEUE, QUEUE, RECEIVE_QUEUE, words + 8), ID) \
    CALL(sluice_verbs_connect(h, words + 8, NULL, 0), ID)                                      \
    CALL(sluice_verbs_accept(h, words + 8, NULL, 0), ID)                                       \
    CALL(sluice_verbs_reject(h, NULL, 0), ID)                                                  \
    CALL(sluice_verbs_copy_route(routed(), h, 0, -1), ID)                                      \
    CALL(sluice_verbs_tell_established(h), ID)                                                 \
    CALL(sluice_verbs_disconnect(h), ID)                                                       \
    CALL(sluice_verbs_connection_event(h, WORDS), HANDLE(&event_channel))

/* Calls that read what an object holds, and so can only be given a wrong one. */
#define READING_CALLS(CALL)                                                  \
    CALL(sluice_verbs_close_device(h), CONTEXT)                              \
    CALL(sluice_verbs_device_name(h, (char *)words), CONTEXT)                \
    CALL(sluice_verbs_completion_channel_fd(h), HANDLE(&completion_channel)) \
    CALL(sluice_verbs_poll(h, 1, WORDS), QUEUE)                              \
    CALL(sluice_verbs_destroy_event_channel(h), HANDLE(&event_channel))      \
    CALL(sluice_verbs_event_channel_fd(h), HANDLE(&event_channel))           \
    CALL(sluice_verbs_local_port(h), ID)                                     \
    CALL(sluice_verbs_cm_context(h), ID)                                     \
    CALL(sluice_verbs_cm_port(h), ID)                                        \
    CALL(sluice_verbs_cm_gid(h, words), ID)                                  \
    CALL(sluice_verbs_copy_route(h, ID, 0, -1), ID)                          \
    CALL(sluice_verbs_async_fd(h), CONTEXT)                                  \
    CALL(sluice_verbs_async_event(h, words), CONTEXT)

static void set_up(int error, enum fake_style style) {
    fakes_reset();
    fake_error = error;
    fake_style = style;
    fake_id.verbs = &fake_context;
    fake_id.qp = &fake_queue_pair;
    for (int i = 0; i < 64; i++) {
        words[i] = 0;
    }
}

#define FAILS(call, handle)            \
    {                                  \
        int64_t h = (handle);          \
        set_up(ENOMEM, FAKE_POSITIVE); \
        EQUAL(call, -ENOMEM);          \
        EQUAL(fake_calls, 1);          \
        EQUAL(fake_objects, 0);        \
    }
#define FAILS_OTHERWISE(call, handle)  \
    {                                  \
        int64_t h = (handle);          \
        set_up(EBUSY, FAKE_MINUS_ONE); \
        EQUAL(call, -EBUSY);           \
        set_up(EBUSY, FAKE_NEGATIVE);  \
        EQUAL(call, -EBUSY);           \
    }
#define REFUSES(call, handle)                                     \
    {                                                             \
        const int64_t wrong[] = {0, -8, INT64_MIN, (handle) + 1}; \
        for (int i = 0; i < 4; i++) {                             \
            int64_t h = wrong[i];                                 \
            set_up(0, FAKE_POSITIVE);                             \
            EQUAL(call, -EINVAL);                                 \
            EQUAL(fake_calls, 0);                                 \
        }                                                         \
    }

/* An object that failed to go is still there, and can be asked to go again. */
static void check_failed_destruction(void) {
    set_up(EBUSY, FAKE_POSITIVE);
    EQUAL(sluice_verbs_destroy_queue_pair(ID), -EBUSY);
    HOLDS(fake_id.qp == &fake_queue_pair);
    fake_error = 0;
    EQUAL(sluice_verbs_destroy_queue_pair(ID), 0);
    HOLDS(fake_id.qp == NULL);
    EQUAL(sluice_verbs_destroy_queue_pair(ID), 0);
}

/* librdmacm would read the device of an id that has none. */
static void check_unbound_id(void) {
    set_up(0, FAKE_POSITIVE);
    fake_id.verbs = NULL;
    EQUAL(sluice_verbs_connect(ID, words, NULL, 0), -EINVAL);
    EQUAL(sluice_verbs_accept(ID, words, NULL, 0), -EINVAL);
    EQUAL(sluice_verbs_reject(ID, NULL, 0), -EINVAL);
    EQUAL(sluice_verbs_disconnect(ID), -EINVAL);
    EQUAL(sluice_verbs_resolve_route(ID, 1), -EINVAL);
    EQUAL(sluice_verbs_copy_route(routed(), ID, 0, -1), -EINVAL);
    EQUAL(sluice_verbs_copy_route(ID, routed(), 0, -1), -EINVAL);
    EQUAL(sluice_verbs_tell_established(ID), -EINVAL);
    EQUAL(sluice_verbs_cm_gid(ID, words), -EINVAL);
    EQUAL(fake_calls, 0);
    EQUAL(sluice_verbs_cm_context(ID), 0);
}

/* Success is asked for the number alone: a failed call that forgot its error is no success. */
static void check_missing_number(void) {
    set_up(0, FAKE_POSITIVE);
    fake_polled = -2;
    EQUAL(sluice_verbs_poll(QUEUE, 1, WORDS), -EIO);
}

void check_errors(void) {
    NUMBER_CALLS(FAILS)
    NUMBER_CALLS(FAILS_OTHERWISE)
    NUMBER_CALLS(REFUSES)
    ERRNO_CALLS(FAILS)
    ERRNO_CALLS(REFUSES)
    READING_CALLS(REFUSES)
    set_up(ENODEV, FAKE_POSITIVE);
    EQUAL(sluice_verbs_create_event_channel(), -ENODEV);
    check_failed_destruction();
    check_unbound_id();
    check_missing_number();
}
