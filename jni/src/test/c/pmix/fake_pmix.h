/* A libpmix for one process of two, without a server: what was committed is there for both. Its n-th call fails where a
 * check says so. */
#ifndef SLUICE_FAKE_PMIX_H
#define SLUICE_FAKE_PMIX_H

#include "pmix_abi.h"

#define FAKE_SIZE 2
#define FAKE_RANK 1

/* From 1; 0: none fails. */
extern int fake_failing_call;
extern int fake_status;
extern int fake_calls;
extern int fake_finished;
extern int fake_aborted_with;
extern char fake_abort_message[64];
/* What the job's size is said to be, and how. */
extern uint16_t fake_size_type;
/* The last fence's. */
extern int fake_timeout;
extern int fake_collects;
extern int fake_events_done;

void fake_reset(void);

/* As the library's own thread does. */
void fake_event(int status, const char *namespace, uint32_t source, const char *affected_namespace, uint32_t affected);

#endif
