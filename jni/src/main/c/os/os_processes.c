#define _GNU_SOURCE
#include "os_calls.h"

#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Headers of before Linux 5.3 and 3.4 lack these; the numbers are part of the kernel's interface. */
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#endif

_Static_assert(SYS_pidfd_open == 434, "pidfd_open has the same number on every 64-bit machine");
_Static_assert(sizeof(pid_t) == 4 && sizeof(uid_t) == 4, "ids must fit into a Java int");

int32_t sluice_os_pidfd_open(int32_t pid) {
    if (pid <= 0) {
        return -EINVAL;
    }
    long pidfd = syscall(SYS_pidfd_open, pid, 0);
    return pidfd >= 0 ? (int32_t)pidfd : -errno;
}

/* 1 when the process has ended (a zombie included), 0 while it lives. */
int32_t sluice_os_pidfd_has_exited(int32_t pidfd) {
    if (pidfd < 0) {
        return -EBADF; /* poll would skip a negative number and report that nothing happened */
    }
    struct pollfd entry = {.fd = pidfd, .events = POLLIN};
    int ready = poll(&entry, 1, 0);
    if (ready < 0) {
        return -errno;
    }
    if ((entry.revents & POLLNVAL) != 0) {
        return -EBADF;
    }
    return (entry.revents & (POLLIN | POLLHUP | POLLERR)) != 0 ? 1 : 0;
}

/* -1 is PR_SET_PTRACER_ANY, 0 takes the permission back; the kernel compares the whole unsigned long. */
int32_t sluice_os_prctl_set_ptracer(int32_t pid) {
    if (pid < -1) {
        return -EINVAL;
    }
    unsigned long tracer = pid == -1 ? (unsigned long)-1 : (unsigned long)pid;
    return prctl(PR_SET_PTRACER, tracer, 0UL, 0UL, 0UL) == 0 ? 0 : -errno;
}

int32_t sluice_os_set_pdeathsig(int32_t signal_number) {
    if (signal_number < 0) {
        return -EINVAL;
    }
    return prctl(PR_SET_PDEATHSIG, (unsigned long)signal_number, 0UL, 0UL, 0UL) == 0 ? 0 : -errno;
}

int64_t sluice_os_getuid(void) { return (int64_t)getuid(); }

int64_t sluice_os_geteuid(void) { return (int64_t)geteuid(); }

int32_t sluice_os_getpid(void) { return (int32_t)getpid(); }

/* The C library's own gettid is GLIBC_2.30. */
int32_t sluice_os_gettid(void) { return (int32_t)syscall(SYS_gettid); }
