#define _GNU_SOURCE
#include "checks.h"
#include "os_calls.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_pidfd(void) {
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    int pidfd = sluice_os_pidfd_open(child);
    if (pidfd == -ENOSYS || pidfd == -EPERM) {
        check_skipped("pidfd", "the kernel is older than 5.3 or a sandbox hides the call");
    } else {
        HOLDS(pidfd >= 0);
        EQUAL(sluice_os_pidfd_has_exited(pidfd), 0);
        kill(child, SIGKILL);
        siginfo_t info;
        EQUAL(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
        EQUAL(sluice_os_pidfd_has_exited(pidfd), 1); /* a zombie has ended */
    }
    kill(child, SIGKILL);
    int status;
    EQUAL(waitpid(child, &status, 0), child);
    if (pidfd >= 0) {
        EQUAL(sluice_os_pidfd_has_exited(pidfd), 1);
        EQUAL(sluice_os_close(pidfd), 0);
        EQUAL(sluice_os_pidfd_has_exited(pidfd), -EBADF);
        EQUAL(sluice_os_pidfd_open(child), -ESRCH);
    }
    EQUAL(sluice_os_pidfd_has_exited(-1), -EBADF);
    EQUAL(sluice_os_pidfd_open(0), -EINVAL);
    EQUAL(sluice_os_pidfd_open(-1), -EINVAL);
}

static void check_prctl(void) {
    int wanted = access("/proc/sys/kernel/yama/ptrace_scope", F_OK) == 0 ? 0 : -EINVAL;
    EQUAL(sluice_os_prctl_set_ptracer(-1), wanted);
    EQUAL(sluice_os_prctl_set_ptracer(getpid()), wanted);
    EQUAL(sluice_os_prctl_set_ptracer(0), wanted);
    EQUAL(sluice_os_prctl_set_ptracer(-2), -EINVAL);
    int signal_number = -1;
    EQUAL(sluice_os_set_pdeathsig(SIGTERM), 0);
    EQUAL(prctl(PR_GET_PDEATHSIG, &signal_number), 0);
    EQUAL(signal_number, SIGTERM);
    EQUAL(sluice_os_set_pdeathsig(0), 0);
    EQUAL(sluice_os_set_pdeathsig(1000), -EINVAL);
    EQUAL(sluice_os_set_pdeathsig(-1), -EINVAL);
}

void check_processes(void) {
    check_pidfd();
    check_prctl();
    EQUAL(sluice_os_getpid(), getpid());
    EQUAL(sluice_os_gettid(), gettid());
    EQUAL(sluice_os_getuid(), getuid());
    EQUAL(sluice_os_geteuid(), geteuid());
}

void check_processors(void) {
    int64_t before[SLUICE_OS_CPU_WORDS];
    int64_t one[SLUICE_OS_CPU_WORDS] = {0};
    int64_t after[SLUICE_OS_CPU_WORDS];
    EQUAL(sluice_os_sched_getaffinity(0, before, SLUICE_OS_CPU_WORDS), 0);
    EQUAL(sluice_os_sched_yield(), 0);
    int cpu = sluice_os_sched_getcpu();
    HOLDS(cpu >= 0 && cpu < CPU_SETSIZE);
    one[cpu / 64] = (int64_t)(UINT64_C(1) << (cpu % 64));
    EQUAL(sluice_os_sched_setaffinity(0, one, SLUICE_OS_CPU_WORDS), 0);
    EQUAL(sluice_os_sched_getcpu(), cpu);
    EQUAL(sluice_os_sched_getaffinity(gettid(), after, SLUICE_OS_CPU_WORDS), 0);
    HOLDS(memcmp(one, after, sizeof one) == 0);
    EQUAL(sluice_os_sched_setaffinity(0, before, SLUICE_OS_CPU_WORDS), 0);

    memset(one, 0, sizeof one);
    EQUAL(sluice_os_sched_setaffinity(0, one, 1), -EINVAL);
    EQUAL(sluice_os_sched_setaffinity(0, before, 0), -EINVAL);
    EQUAL(sluice_os_sched_setaffinity(0, before, SLUICE_OS_CPU_WORDS + 1), -EINVAL);
    EQUAL(sluice_os_sched_setaffinity(0, NULL, 1), -EINVAL);
    EQUAL(sluice_os_sched_setaffinity(-1, before, 1), -EINVAL);
    EQUAL(sluice_os_sched_getaffinity(0, NULL, 1), -EINVAL);
    EQUAL(sluice_os_sched_getaffinity(0x7fffffff, after, 1), -ESRCH);

    int commands = sluice_os_membarrier(0);
    if (commands < 0) {
        check_skipped("membarrier", "the kernel lacks it or a sandbox hides it");
    } else {
        HOLDS((commands & 6) == 6);
        EQUAL(sluice_os_membarrier(4), 0);
        EQUAL(sluice_os_membarrier(2), 0);
        EQUAL(sluice_os_membarrier(1 << 30), -EINVAL);
    }
    EQUAL(sluice_os_membarrier(-1), -EINVAL);
}
