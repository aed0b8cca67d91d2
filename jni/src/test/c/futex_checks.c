#define _GNU_SOURCE
#include "checks.h"
#include "os_calls.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND (1000 * MILLISECOND)

static int64_t now_nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

static void check_bad_words(int64_t address) {
    EQUAL(sluice_os_futex_wait(address + 1, 0, MILLISECOND), -EINVAL);
    EQUAL(sluice_os_futex_wait(0, 0, MILLISECOND), -EINVAL);
    EQUAL(sluice_os_futex_wait(-4, 0, MILLISECOND), -EINVAL);
    EQUAL(sluice_os_futex_wait(address, 0, -1), -EINVAL);
    EQUAL(sluice_os_futex_wake(address + 2, 1), -EINVAL);
    EQUAL(sluice_os_futex_wake(0, 1), -EINVAL);
    EQUAL(sluice_os_futex_wake(address, -1), -EINVAL);
}

static void check_wake_across_processes(_Atomic int *word, int64_t address) {
    pid_t child = fork();
    if (child == 0) {
        int result = 0;
        while (atomic_load(word) == 0 && result != -ETIMEDOUT) {
            result = sluice_os_futex_wait(address, 0, 20 * SECOND);
        }
        _exit(result == -ETIMEDOUT ? 1 : 0); /* slept through the wake: the word was not shared */
    }
    usleep(20000);
    EQUAL(sluice_os_futex_wake(address, 0), 0);
    atomic_store(word, 1);
    int woken = sluice_os_futex_wake(address, 1); /* 0 when the child is not asleep yet: then it sees the word */
    HOLDS(woken == 0 || woken == 1);
    int status = -1;
    EQUAL(waitpid(child, &status, 0), child);
    EQUAL(status, 0);
}

static void check_signal_ends_the_sleep(int64_t address) {
    checks_start_timer(10000);
    EQUAL(sluice_os_futex_wait(address, 0, 20 * SECOND), -EINTR);
    checks_stop_timer();
}

void check_futex(void) {
    _Atomic int *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HOLDS(word != MAP_FAILED);
    int64_t address = (int64_t)(uintptr_t)word;
    atomic_store(word, 0);
    EQUAL(sluice_os_futex_wait(address, 1, SECOND), -EAGAIN);
    EQUAL(sluice_os_futex_wait(address, 0, 0), -ETIMEDOUT);
    int64_t start = now_nanos();
    EQUAL(sluice_os_futex_wait(address, 0, 20 * MILLISECOND), -ETIMEDOUT);
    HOLDS(now_nanos() - start >= 20 * MILLISECOND);
    EQUAL(sluice_os_futex_wake(address, 1), 0);
    check_bad_words(address);
    check_signal_ends_the_sleep(address);
    check_wake_across_processes(word, address);
    munmap(word, 4096);
    EQUAL(sluice_os_futex_wait(address, 0, MILLISECOND), -EFAULT);
}
