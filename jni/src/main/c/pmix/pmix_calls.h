/*
 * The calls of libpmix behind org.sluice.jni.pmix.Pmix, free of JNI so that a C harness can run them under sanitizers.
 * Every function returns a value >= 0, or a status of PMIx, which is negative. A process is one client of its launcher,
 * so what pmix_calls.c keeps it keeps once.
 */
#ifndef SLUICE_PMIX_CALLS_H
#define SLUICE_PMIX_CALLS_H

#include "pmix_abi.h"

_Static_assert(sizeof(void *) == 8, "libsluice_pmix is for 64-bit machines");

enum sluice_pmix_member { SLUICE_PMIX_MEMBER_RANK, SLUICE_PMIX_MEMBER_SIZE, SLUICE_PMIX_MEMBER_FIELDS };

enum sluice_pmix_event_field { SLUICE_PMIX_EVENT_CODE, SLUICE_PMIX_EVENT_RANK, SLUICE_PMIX_EVENT_FIELDS };

/* pmix_calls.c */
int32_t sluice_pmix_init(char namespace[SLUICE_PMIX_NAMESPACE_BYTES], int64_t out[SLUICE_PMIX_MEMBER_FIELDS]);
int32_t sluice_pmix_put(const char *key, int64_t address, int64_t bytes);
int32_t sluice_pmix_commit(void);
int32_t sluice_pmix_fence(int32_t timeout_seconds);
int64_t sluice_pmix_get(int32_t rank, const char *key, int32_t timeout_seconds, int64_t address, int64_t capacity);
int32_t sluice_pmix_abort(int32_t status, const char *message);
int32_t sluice_pmix_finalize(void);
const sluice_pmix_proc *sluice_pmix_self(void);

/* pmix_events.c */
int32_t sluice_pmix_watch(void);
int32_t sluice_pmix_end_wait(void);
int32_t sluice_pmix_await_event(int32_t timeout_ms, int32_t out[SLUICE_PMIX_EVENT_FIELDS]);

#endif
