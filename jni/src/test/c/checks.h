/* Checks of a C harness: each is counted, a failed one is printed with what was found, and the run goes on. */
#ifndef SLUICE_CHECKS_H
#define SLUICE_CHECKS_H

#include <stdint.h>

void check_equal(const char *file, int line, const char *text, int64_t found, int64_t wanted);
void check_true(const char *file, int line, const char *text, int held);

/* A check that this machine cannot make: printed with its reason, and counted apart. */
void check_skipped(const char *what, const char *reason);

/* Interrupts system calls by a signal, again and again, as a profiler does. */
void checks_start_timer(long microseconds);
void checks_stop_timer(void);

/* Prints "N passed, N failed" as the last line; the exit status of the process. */
int checks_finish(void);

#define EQUAL(found, wanted) check_equal(__FILE__, __LINE__, #found, (int64_t)(found), (int64_t)(wanted))
#define HOLDS(condition) check_true(__FILE__, __LINE__, #condition, (condition))

/* The parts of os_harness.c. */
void check_memory(void);
void check_lost(void);
void check_futex(void);
void check_files(void);
void check_processes(void);
void check_processors(void);
void check_sockets(void);
void check_shims(void);

#endif
