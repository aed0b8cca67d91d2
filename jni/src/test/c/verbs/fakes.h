/*
 * Stand-ins for libibverbs and librdmacm, which the harness is linked with in place of the libraries: no adapter is
 * needed, and each call fails on request in the way that its man page says.
 */
#ifndef SLUICE_VERBS_FAKES_H
#define SLUICE_VERBS_FAKES_H

#include <infiniband/sa.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

/* The error number with which every stand-in fails; 0 and they succeed. */
extern int fake_error;

/* How the error comes out of calls that return its number; some drivers return -1 and errno, or the negative number. */
enum fake_style { FAKE_POSITIVE, FAKE_MINUS_ONE, FAKE_NEGATIVE };
extern enum fake_style fake_style;

/* Stand-ins called since the last reset, and the objects of theirs that were neither destroyed nor acknowledged. */
extern int fake_calls;
extern int fake_objects;

extern struct ibv_device fake_devices[2];
extern struct ibv_context fake_context;
extern struct ibv_cq fake_queue;
extern struct ibv_srq fake_receive_queue;
extern struct ibv_qp fake_queue_pair;
extern struct rdma_cm_id fake_id;

/* What the queries answer with. */
extern struct ibv_device_attr fake_device_attributes;
extern struct ibv_port_attr fake_port_attributes;
extern struct ibv_gid_entry fake_gid_entry;
extern uint16_t fake_pkey;
extern struct ibv_qp_attr fake_queue_pair_attributes;

/* How many of these events wait, and how the next ones look. */
extern int fake_completion_events;
extern int fake_connection_events;
extern int fake_async_events;
extern struct rdma_cm_event fake_connection_event;
extern struct ibv_async_event fake_async_event;

/* What the last connect, accept, reject, bind, resolve, option or post was given. */
extern struct rdma_conn_param fake_connection_parameters;
extern uint8_t fake_private_data[256];
extern struct sockaddr_storage fake_address;
extern struct sockaddr_storage fake_source;
extern int fake_option;
extern uint8_t fake_option_value;
extern struct ibv_path_data fake_path;
extern enum ibv_event_type fake_notified;
extern struct ibv_qp_init_attr fake_wanted_queue_pair;

/* The request that a post refuses, or NULL: then it leaves the caller's pointer alone. */
extern void *fake_bad_request;
/* What a poll returns. */
extern int fake_polled;

void fakes_reset(void);

#endif
