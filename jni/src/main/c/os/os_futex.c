#define _GNU_SOURCE
#include "os_calls.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NANOS_PER_SECOND INT64_C(1000000000)

/* SYS_futex takes the kernel's old timespec: two 64-bit words on every 64-bit machine. */
_Static_assert(sizeof(struct timespec) == 16, "struct timespec is not the one that SYS_futex reads");

static int is_word(int64_t address) { return address > 0 && address % (int64_t)sizeof(uint32_t) == 0; }

/*
 * FUTEX_WAIT without FUTEX_PRIVATE_FLAG: sleeper and waker are different processes that map the same file.
 * A negative timeout is refused rather than taken as endless: no thread of the JVM could get it out again.
 */
int32_t sluice_os_futex_wait(int64_t address, int32_t expected, int64_t timeout_nanos) {
    if (!is_word(address) || timeout_nanos < 0) {
        return -EINVAL;
    }
    struct timespec timeout = {
        .tv_sec = (time_t)(timeout_nanos / NANOS_PER_SECOND),
        .tv_nsec = (long)(timeout_nanos % NANOS_PER_SECOND),
    };
    long result = syscall(SYS_futex, (uintptr_t)address, FUTEX_WAIT, (uint32_t)expected, &timeout, NULL, 0);
    return result == 0 ? 0 : -errno;
}

int32_t sluice_os_futex_wake(int64_t address, int32_t count) {
    if (!is_word(address) || count < 0) {
        return -EINVAL;
    }
    if (count == 0) {
        return 0; /* the kernel would wake one */
    }
    long woken = syscall(SYS_futex, (uintptr_t)address, FUTEX_WAKE, count, NULL, NULL, 0);
    return woken >= 0 ? (int32_t)woken : -errno;
}
