/* Bells and waiting, which are the kernel's own and need no adapter. */
#define _GNU_SOURCE
#include "verbs_checks.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void check_bells(void) {
    int32_t bells[SLUICE_VERBS_WAIT_DESCRIPTORS + 1];
    for (int i = 0; i < SLUICE_VERBS_WAIT_DESCRIPTORS; i++) {
        bells[i] = sluice_verbs_create_bell();
        HOLDS(bells[i] >= 0);
    }
    EQUAL(sluice_verbs_wait_ready(bells, SLUICE_VERBS_WAIT_DESCRIPTORS, 0), 0);
    EQUAL(sluice_verbs_ring(bells[1]), 0);
    EQUAL(sluice_verbs_ring(bells[1]), 0);
    EQUAL(sluice_verbs_ring(bells[30]), 0);
    EQUAL(sluice_verbs_wait_ready(bells, SLUICE_VERBS_WAIT_DESCRIPTORS, 10000), 1 << 1 | 1 << 30);
    EQUAL(sluice_verbs_hush(bells[1]), 0);
    EQUAL(sluice_verbs_hush(bells[1]), 0);
    EQUAL(sluice_verbs_wait_ready(bells, SLUICE_VERBS_WAIT_DESCRIPTORS, 10000), 1 << 30);
    uint64_t most = UINT64_MAX - 1;
    EQUAL(write(bells[0], &most, sizeof most), sizeof most);
    EQUAL(sluice_verbs_ring(bells[0]), 0); /* full, and so ringing */
    EQUAL(sluice_verbs_wait_ready(bells, SLUICE_VERBS_WAIT_DESCRIPTORS + 1, 0), -EINVAL);
    EQUAL(sluice_verbs_wait_ready(bells, 0, 0), -EINVAL);
    EQUAL(sluice_verbs_wait_ready(bells, 1, -1), -EINVAL);
    EQUAL(sluice_verbs_wait_ready(NULL, 1, 0), -EINVAL);
    for (int i = 0; i < SLUICE_VERBS_WAIT_DESCRIPTORS; i++) {
        EQUAL(sluice_verbs_close_bell(bells[i]), 0);
    }
    EQUAL(sluice_verbs_wait_ready(bells, 1, 0), -EBADF);
    EQUAL(sluice_verbs_wait_ready(&(int32_t){-1}, 1, 0), -EBADF);
    EQUAL(sluice_verbs_close_bell(-1), -EBADF);
    EQUAL(sluice_verbs_ring(-1), -EBADF);
    EQUAL(sluice_verbs_hush(-1), -EBADF);
}

static void check_timeouts(void) {
    int pipes[2];
    int32_t bell = sluice_verbs_create_bell();
    int64_t began = milliseconds();
    EQUAL(sluice_verbs_wait_ready(&bell, 1, 30), 0);
    HOLDS(milliseconds() - began >= 29);
    began = milliseconds();
    checks_start_timer(2000);
    EQUAL(sluice_verbs_wait_ready(&bell, 1, 60000), 0); /* a signal ends it */
    checks_stop_timer();
    HOLDS(milliseconds() - began < 30000);
    EQUAL(pipe(pipes), 0);
    close(pipes[1]);
    EQUAL(sluice_verbs_wait_ready(&pipes[0], 1, 60000), 1); /* a hang-up can be read */
    close(pipes[0]);
    EQUAL(sluice_verbs_close_bell(bell), 0);
}

static void check_limit(void) {
    struct rlimit old;
    getrlimit(RLIMIT_MEMLOCK, &old);
    struct rlimit small = {.rlim_cur = 65536, .rlim_max = old.rlim_max};
    EQUAL(setrlimit(RLIMIT_MEMLOCK, &small), 0);
    EQUAL(sluice_verbs_locked_memory_limit(), 65536);
    EQUAL(setrlimit(RLIMIT_MEMLOCK, &old), 0);
    if (old.rlim_max == RLIM_INFINITY) {
        small.rlim_cur = RLIM_INFINITY;
        EQUAL(setrlimit(RLIMIT_MEMLOCK, &small), 0);
        EQUAL(sluice_verbs_locked_memory_limit(), INT64_MAX);
        EQUAL(setrlimit(RLIMIT_MEMLOCK, &old), 0);
    }
}

void check_waiting(void) {
    check_bells();
    check_timeouts();
    check_limit();
}
