#define _GNU_SOURCE
#include "checks.h"
#include "os_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t page;

static volatile char *at(int64_t address) { return (volatile char *)(uintptr_t)address; }

static int file_of(int pages) {
    int fd = memfd_create("sluice-harness", MFD_CLOEXEC);
    HOLDS(fd >= 0);
    EQUAL(ftruncate(fd, pages * page), 0);
    return fd;
}

static void check_zeros_take_the_place_of_all(void) {
    int fd = file_of(4);
    int64_t address = sluice_os_mmap_shared(fd, 0, 4 * page);
    int64_t other = sluice_os_mmap_shared(fd, 0, page);
    const volatile int32_t *lost = (const volatile int32_t *)(intptr_t)sluice_os_lost_count();
    int32_t before = *lost;
    HOLDS(address > 0 && other > 0);
    *at(address) = 42;
    EQUAL(ftruncate(fd, page), 0);
    EQUAL(*at(address), 42);
    EQUAL(sluice_os_lost_pages(address), 0);
    EQUAL(*lost, before);
    EQUAL(*at(address + 2 * page), 0);
    EQUAL(*lost, before + 1);
    EQUAL(sluice_os_lost_pages(address), 1);
    EQUAL(sluice_os_lost_pages(address + 4 * page - 1), 1);
    EQUAL(sluice_os_lost_pages(other), 0);
    EQUAL(*at(address), 0);
    *at(address) = 7;
    *at(address + 4 * page - 1) = 7;
    EQUAL(*at(other), 42);
    EQUAL(sluice_os_munmap(address, 4 * page), 0);
    EQUAL(sluice_os_lost_pages(address), -EINVAL);
    EQUAL(sluice_os_munmap(other, page), 0);
    close(fd);
}

static void check_zeros_that_were_asked_for(void) {
    int fd = file_of(2);
    int64_t address = sluice_os_mmap_shared(fd, 0, 2 * page);
    int64_t other = sluice_os_mmap_read_only(fd, 0, page);
    HOLDS(address > 0 && other > 0);
    *at(address) = 42;
    EQUAL(ftruncate(fd, page), 0);
    EQUAL(sluice_os_mmap_zeros(address, 2 * page), 0);
    EQUAL(*at(address), 0);
    EQUAL(*at(address + page), 0);
    *at(address) = 7;
    EQUAL(*at(other), 42);
    EQUAL(sluice_os_lost_pages(address), -EINVAL);
    EQUAL(sluice_os_munmap(address, 2 * page), 0);
    EQUAL(sluice_os_munmap(other, page), 0);
    close(fd);
}

static void check_writing_first(void) {
    int fd = file_of(1);
    int64_t address = sluice_os_mmap_shared(fd, 0, page);
    EQUAL(ftruncate(fd, 0), 0);
    *at(address + 8) = 5;
    EQUAL(sluice_os_lost_pages(address), 1);
    EQUAL(*at(address + 8), 5);
    EQUAL(sluice_os_munmap(address, page), 0);
    close(fd);
}

static void check_reading_alone(void) {
    int fd = file_of(2);
    EQUAL(sluice_os_mmap_read_only(fd, -page, page), -EINVAL);
    int64_t address = sluice_os_mmap_read_only(fd, page, page);
    HOLDS(address > 0);
    EQUAL(pwrite(fd, "x", 1, page), 1);
    EQUAL(*at(address), 'x');
    EQUAL(ftruncate(fd, page), 0);
    EQUAL(*at(address), 0);
    EQUAL(sluice_os_lost_pages(address), 1);
    EQUAL(sluice_os_munmap(address, page), 0);
    close(fd);
}

/* A child, since it ends by it: the sanitizer's handler, which was there before ours, says so and exits. */
static void check_other_faults_are_passed_on(void) {
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        int fd = file_of(1);
        volatile char *address = mmap(NULL, (size_t)page, PROT_READ, MAP_SHARED, fd, 0);
        _exit(ftruncate(fd, 0) == 0 ? *address : 0);
    }
    int status = 0;
    EQUAL(waitpid(child, &status, 0), child);
    HOLDS(status != 0);
}

static void check_unknown_addresses(void) {
    EQUAL(sluice_os_lost_pages(0), -EINVAL);
    EQUAL(sluice_os_lost_pages(-1), -EINVAL);
    EQUAL(sluice_os_lost_pages(page), -EINVAL);
}

void check_lost(void) {
    page = sysconf(_SC_PAGESIZE);
    check_zeros_take_the_place_of_all();
    check_zeros_that_were_asked_for();
    check_writing_first();
    check_reading_alone();
    check_other_faults_are_passed_on();
    check_unknown_addresses();
}
