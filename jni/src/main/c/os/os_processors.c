#define _GNU_SOURCE
#include "os_calls.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(cpu_set_t) == SLUICE_OS_CPU_WORDS * sizeof(int64_t), "cpu_set_t is not 1024 bits");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "processor n must be bit n % 64 of word n / 64");

static int is_mask(int32_t tid, const int64_t *mask, int32_t words) {
    return tid >= 0 && mask != NULL && words >= 1 && words <= SLUICE_OS_CPU_WORDS;
}

int32_t sluice_os_sched_setaffinity(int32_t tid, const int64_t *mask, int32_t words) {
    if (!is_mask(tid, mask, words)) {
        return -EINVAL;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    memcpy(&set, mask, (size_t)words * sizeof *mask);
    return sched_setaffinity(tid, sizeof set, &set) == 0 ? 0 : -errno;
}

/*
 * The kernel refuses a buffer that is shorter than its processor count, however few are in use, so it gets the full
 * 1024 bits; a caller's shorter mask is refused only when set bits would be lost.
 */
int32_t sluice_os_sched_getaffinity(int32_t tid, int64_t *mask, int32_t words) {
    if (!is_mask(tid, mask, words)) {
        return -EINVAL;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(tid, sizeof set, &set) != 0) {
        return -errno;
    }
    int64_t all[SLUICE_OS_CPU_WORDS];
    memcpy(all, &set, sizeof all);
    for (int32_t word = words; word < SLUICE_OS_CPU_WORDS; word++) {
        if (all[word] != 0) {
            return -EOVERFLOW;
        }
    }
    memcpy(mask, all, (size_t)words * sizeof *mask);
    return 0;
}

int32_t sluice_os_sched_getcpu(void) {
    int cpu = sched_getcpu();
    return cpu >= 0 ? cpu : -errno;
}

int32_t sluice_os_sched_yield(void) { return sched_yield() == 0 ? 0 : -errno; }

int32_t sluice_os_membarrier(int32_t command) {
    if (command < 0) {
        return -EINVAL;
    }
    long result = syscall(SYS_membarrier, command, 0, 0);
    return result >= 0 ? (int32_t)result : -errno;
}
