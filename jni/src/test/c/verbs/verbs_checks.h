/* The parts of verbs_harness.c. */
#ifndef SLUICE_VERBS_CHECKS_H
#define SLUICE_VERBS_CHECKS_H

#include "checks.h"
#include "fakes.h"
#include "verbs_calls.h"

#define HANDLE(object) ((int64_t)(uintptr_t)(object))

void check_errors(void);
void check_devices(void);
void check_work(void);
void check_connections(void);
void check_events(void);
void check_waiting(void);
void check_verbs_shims(void);

#endif
