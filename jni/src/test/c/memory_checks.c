#define _GNU_SOURCE
#include "checks.h"
#include "os_calls.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t address_of(const void *pointer) { return (int64_t)(uintptr_t)pointer; }

static void check_reading_ourselves(void) {
    enum { BYTES = 100000 };
    unsigned char *from = malloc(BYTES);
    unsigned char *to = calloc(BYTES, 1);
    for (int i = 0; i < BYTES; i++) {
        from[i] = (unsigned char)(i * 31);
    }
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), address_of(from), BYTES), BYTES);
    HOLDS(memcmp(from, to, BYTES) == 0);
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), address_of(from), 0), 0);
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), address_of(from), -1), -EINVAL);
    EQUAL(sluice_os_process_vm_readv(0, address_of(to), address_of(from), 1), -EINVAL);
    EQUAL(sluice_os_process_vm_readv(-5, address_of(to), address_of(from), 1), -EINVAL);
    EQUAL(sluice_os_process_vm_readv(0x7fffffff, address_of(to), address_of(from), 1), -ESRCH);
    EQUAL(sluice_os_process_vm_readv(getpid(), 0, address_of(from), 1), -EFAULT);
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), 0, 1), -EFAULT);
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), INT64_MAX - 4, 100), -EFAULT);
    EQUAL(sluice_os_process_vm_readv(getpid(), -8, address_of(from), 1), -EFAULT);
    free(from);
    free(to);
}

static void check_a_hole_ends_the_read(void) {
    int64_t page = sysconf(_SC_PAGESIZE);
    char *from = mmap(NULL, (size_t)(2 * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HOLDS(from != MAP_FAILED);
    memset(from, 7, (size_t)(2 * page));
    EQUAL(munmap(from + page, (size_t)page), 0);
    char *to = calloc((size_t)(2 * page), 1);
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), address_of(from), 2 * page), page);
    HOLDS(to[page - 1] == 7 && to[page] == 0);
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), address_of(from) + page, page), -EFAULT);
    free(to);
    munmap(from, (size_t)page);
}

static void check_reading_a_child(void) {
    int ready[2];
    int go_on[2];
    HOLDS(pipe(ready) == 0 && pipe(go_on) == 0);
    static volatile int word = 1;
    pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        word = 12345;
        if (write(ready[1], &byte, 1) == 1 && read(go_on[0], &byte, 1) == 1) {
            _exit(0);
        }
        _exit(1);
    }
    char byte = 0;
    EQUAL(read(ready[0], &byte, 1), 1);
    int seen = 0;
    int64_t remote = address_of((const void *)&word);
    EQUAL(sluice_os_process_vm_readv(child, address_of(&seen), remote, sizeof seen), sizeof seen);
    EQUAL(seen, 12345);
    EQUAL(word, 1);
    EQUAL(write(go_on[1], &byte, 1), 1);
    int status = -1;
    EQUAL(waitpid(child, &status, 0), child);
    EQUAL(status, 0);
    EQUAL(sluice_os_process_vm_readv(child, address_of(&seen), remote, sizeof seen), -ESRCH);
    close(ready[0]);
    close(ready[1]);
    close(go_on[0]);
    close(go_on[1]);
}

/* Untouched zero pages read into one 32 MB file that is mapped again and again: over 2 GB without the memory for it. */
static void check_more_than_two_gigabytes(void) {
    int64_t bytes = (INT64_C(2) << 30) + (INT64_C(64) << 20);
    char *from = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int64_t step = INT64_C(32) << 20;
    int fd = memfd_create("sluice-harness", MFD_CLOEXEC);
    HOLDS(from != MAP_FAILED && fd >= 0);
    EQUAL(ftruncate(fd, step), 0);
    char *to = mmap(NULL, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    HOLDS(to != MAP_FAILED);
    for (int64_t at = 0; at < bytes; at += step) {
        if (mmap(to + at, (size_t)step, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
            HOLDS(!"mapping a window of the target");
        }
    }
    EQUAL(sluice_os_process_vm_readv(getpid(), address_of(to), address_of(from), bytes), bytes);
    munmap(from, (size_t)bytes);
    munmap(to, (size_t)bytes);
    close(fd);
}

static void check_mapping(void) {
    int64_t bytes = INT64_C(3) << 30;
    int fd = memfd_create("sluice-harness", MFD_CLOEXEC);
    EQUAL(ftruncate(fd, bytes), 0);
    int64_t address = sluice_os_mmap_shared(fd, 0, bytes);
    HOLDS(address > 0);
    char *last = (char *)(uintptr_t)(address + bytes - 1);
    *last = 42;
    char seen = 0;
    EQUAL(pread(fd, &seen, 1, bytes - 1), 1);
    EQUAL(seen, 42);
    EQUAL(sluice_os_munmap(address, bytes), 0);
    EQUAL(sluice_os_mmap_shared(fd, 1, 4096), -EINVAL);
    EQUAL(sluice_os_mmap_shared(fd, -4096, 4096), -EINVAL);
    EQUAL(sluice_os_mmap_shared(fd, 0, 0), -EINVAL);
    EQUAL(sluice_os_mmap_shared(fd, 0, INT64_MAX), -ENOMEM);
    EQUAL(sluice_os_mmap_shared(-1, 0, 4096), -EBADF);
    EQUAL(sluice_os_mmap_shared(9999, 0, 4096), -EBADF);
    EQUAL(sluice_os_munmap(0, 4096), -EINVAL);
    EQUAL(sluice_os_munmap(4096, 0), -EINVAL);
    EQUAL(sluice_os_munmap(4097, 4096), -EINVAL);
    close(fd);
}

void check_memory(void) {
    check_reading_ourselves();
    check_a_hole_ends_the_read();
    check_reading_a_child();
    check_more_than_two_gigabytes();
    check_mapping();
}
