#define _GNU_SOURCE
#include "os_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8, "file offsets must be 64 bits wide");

/*
 * fstat is asked of the kernel directly: the C library's own symbol is GLIBC_2.33, which would shut out Debian 11 and
 * RHEL 8. That is sound where the kernel's struct is the C library's, which these sizes pin down.
 */
#if defined(__x86_64__)
_Static_assert(sizeof(struct stat) == 144, "struct stat is not the kernel's");
#elif defined(__aarch64__)
_Static_assert(sizeof(struct stat) == 128, "struct stat is not the kernel's");
#else
#error "check that struct stat is the kernel's on this machine"
#endif

#define FALLOCATE_INTERRUPTS_LIMIT 1000
#define FALLOCATE_LEAST_PIECE_BYTES (INT64_C(1) << 20)

/*
 * The tmpfs of older kernels gives everything back when any signal interrupts it (6.18 stops for fatal ones only), so a
 * large reservation under a profiler's timer would never end: each interrupt halves the piece. The first try is the
 * whole, because a refused whole leaves nothing behind.
 */
int32_t sluice_os_posix_fallocate(int32_t fd, int64_t offset, int64_t bytes) {
    int64_t end;
    if (fd < 0) {
        return -EBADF;
    }
    if (offset < 0 || bytes <= 0) {
        return -EINVAL;
    }
    if (__builtin_add_overflow(offset, bytes, &end)) {
        return -EFBIG;
    }
    int64_t piece = bytes;
    int interrupts = 0;
    while (offset < end) {
        int64_t left = end - offset;
        int64_t take = left < piece ? left : piece;
        int error = posix_fallocate(fd, (off_t)offset, (off_t)take); /* returns the error, leaves errno alone */
        if (error == 0) {
            offset += take;
        } else if (error == EINTR && interrupts < FALLOCATE_INTERRUPTS_LIMIT) {
            interrupts++;
            piece = piece / 2 > FALLOCATE_LEAST_PIECE_BYTES ? piece / 2 : FALLOCATE_LEAST_PIECE_BYTES;
        } else {
            return -error;
        }
    }
    return 0;
}

int32_t sluice_os_open_exclusive(const char *path, int32_t mode) {
    if (path == NULL || mode < 0 || mode > 07777) {
        return -EINVAL;
    }
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, (mode_t)mode);
    return fd >= 0 ? fd : -errno;
}

int32_t sluice_os_open_unnamed(const char *directory, int32_t mode) {
    if (directory == NULL || mode < 0 || mode > 07777) {
        return -EINVAL;
    }
    /* O_EXCL: nobody can give it a name later. */
    int fd = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, (mode_t)mode);
    return fd >= 0 ? fd : -errno;
}

int32_t sluice_os_open_of(int32_t pid, int32_t fd) {
    if (pid <= 0 || fd < 0) {
        return -EINVAL;
    }
    char path[sizeof "/proc/2147483647/fd/2147483647"];
    snprintf(path, sizeof path, "/proc/%" PRId32 "/fd/%" PRId32, pid, fd);
    /* O_NONBLOCK: whatever else stands behind that number must not hang us; it means nothing to a regular file. */
    int opened = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    return opened >= 0 ? opened : -errno;
}

int32_t sluice_os_open_existing(const char *path) {
    if (path == NULL) {
        return -EINVAL;
    }
    /* O_NONBLOCK: another user's FIFO under the expected name must not hang us; it means nothing to a regular file. */
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    return fd >= 0 ? fd : -errno;
}

int32_t sluice_os_fstat(int32_t fd, int64_t out[SLUICE_OS_STAT_FIELDS]) {
    struct stat status;
    if (out == NULL) {
        return -EINVAL;
    }
    if (syscall(SYS_fstat, fd, &status) != 0) {
        return -errno;
    }
    out[SLUICE_OS_STAT_DEVICE] = (int64_t)status.st_dev;
    out[SLUICE_OS_STAT_INODE] = (int64_t)status.st_ino;
    out[SLUICE_OS_STAT_UID] = (int64_t)status.st_uid;
    out[SLUICE_OS_STAT_MODE] = (int64_t)status.st_mode;
    out[SLUICE_OS_STAT_SIZE] = (int64_t)status.st_size;
    out[SLUICE_OS_STAT_LINKS] = (int64_t)status.st_nlink;
    return 0;
}

int32_t sluice_os_ftruncate(int32_t fd, int64_t bytes) {
    if (bytes < 0) {
        return -EINVAL;
    }
    return ftruncate(fd, (off_t)bytes) == 0 ? 0 : -errno;
}

int32_t sluice_os_unlink(const char *path) {
    if (path == NULL) {
        return -EINVAL;
    }
    return unlink(path) == 0 ? 0 : -errno;
}

/* f_bavail, not f_bfree: what is kept back for root is not there for the rest of us. */
int32_t sluice_os_statvfs(const char *path, int64_t out[SLUICE_OS_STATVFS_FIELDS]) {
    struct statvfs status;
    if (path == NULL || out == NULL) {
        return -EINVAL;
    }
    if (statvfs(path, &status) != 0) {
        return -errno;
    }
    if (__builtin_mul_overflow(status.f_blocks, status.f_frsize, &out[SLUICE_OS_STATVFS_TOTAL]) ||
        __builtin_mul_overflow(status.f_bavail, status.f_frsize, &out[SLUICE_OS_STATVFS_FREE])) {
        return -EOVERFLOW;
    }
    return 0;
}

/* Never repeated after EINTR: on Linux the number is free again by then, and may already be another thread's file. */
int32_t sluice_os_close(int32_t fd) { return close(fd) == 0 ? 0 : -errno; }
