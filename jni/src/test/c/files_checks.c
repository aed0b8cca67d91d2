#define _GNU_SOURCE
#include "checks.h"
#include "os_calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEGABYTE (INT64_C(1) << 20)

static char directory[] = "/tmp/sluice-harness-XXXXXX";

static void check_open_and_stat(const char *path) {
    int fd = sluice_os_open_exclusive(path, 0600);
    HOLDS(fd >= 0);
    EQUAL(sluice_os_open_exclusive(path, 0600), -EEXIST);
    EQUAL(sluice_os_open_exclusive(path, -1), -EINVAL);
    EQUAL(sluice_os_open_exclusive(path, 010000), -EINVAL);
    EQUAL(sluice_os_open_exclusive(NULL, 0600), -EINVAL);
    EQUAL(sluice_os_ftruncate(fd, 3 * MEGABYTE + 5), 0);
    EQUAL(sluice_os_ftruncate(fd, -1), -EINVAL);
    EQUAL(sluice_os_ftruncate(-1, 5), -EBADF);

    int64_t fields[SLUICE_OS_STAT_FIELDS];
    struct stat wanted;
    EQUAL(fstat(fd, &wanted), 0);
    EQUAL(sluice_os_fstat(fd, fields), 0);
    EQUAL(fields[SLUICE_OS_STAT_DEVICE], wanted.st_dev);
    EQUAL(fields[SLUICE_OS_STAT_INODE], wanted.st_ino);
    EQUAL(fields[SLUICE_OS_STAT_UID], geteuid());
    EQUAL(fields[SLUICE_OS_STAT_MODE], S_IFREG | 0600);
    EQUAL(fields[SLUICE_OS_STAT_SIZE], 3 * MEGABYTE + 5);
    EQUAL(fields[SLUICE_OS_STAT_LINKS], 1);
    EQUAL(sluice_os_fstat(-1, fields), -EBADF);
    EQUAL(sluice_os_fstat(fd, NULL), -EINVAL);

    int again = sluice_os_open_existing(path);
    HOLDS(again >= 0 && again != fd);
    EQUAL(sluice_os_close(again), 0);
    EQUAL(sluice_os_close(again), -EBADF);
    EQUAL(sluice_os_unlink(path), 0);
    EQUAL(sluice_os_unlink(path), -ENOENT);
    EQUAL(sluice_os_unlink(NULL), -EINVAL);
    EQUAL(sluice_os_open_existing(path), -ENOENT);
    EQUAL(sluice_os_open_existing(NULL), -EINVAL);
    EQUAL(sluice_os_fstat(fd, fields), 0);
    EQUAL(fields[SLUICE_OS_STAT_LINKS], 0);
    EQUAL(sluice_os_close(fd), 0);
}

static void check_files_without_names(const char *folder) {
    int fd = sluice_os_open_unnamed(folder, 0600);
    HOLDS(fd >= 0);
    int64_t fields[SLUICE_OS_STAT_FIELDS];
    EQUAL(sluice_os_fstat(fd, fields), 0);
    EQUAL(fields[SLUICE_OS_STAT_LINKS], 0);
    EQUAL(fields[SLUICE_OS_STAT_MODE], S_IFREG | 0600);
    int again = sluice_os_open_of(getpid(), fd);
    HOLDS(again >= 0 && again != fd);
    int64_t same[SLUICE_OS_STAT_FIELDS];
    EQUAL(sluice_os_fstat(again, same), 0);
    EQUAL(same[SLUICE_OS_STAT_INODE], fields[SLUICE_OS_STAT_INODE]);
    EQUAL(sluice_os_close(again), 0);
    EQUAL(sluice_os_close(fd), 0);
    EQUAL(sluice_os_open_of(getpid(), fd), -ENOENT);
    EQUAL(sluice_os_open_of(getpid(), INT32_MAX), -ENOENT);
    EQUAL(sluice_os_open_of(getpid(), -1), -EINVAL);
    EQUAL(sluice_os_open_of(0, 0), -EINVAL);
    EQUAL(sluice_os_open_unnamed("/nowhere", 0600), -ENOENT);
    EQUAL(sluice_os_open_unnamed(NULL, 0600), -EINVAL);
    EQUAL(sluice_os_open_unnamed(folder, -1), -EINVAL);
    EQUAL(sluice_os_open_unnamed(folder, 010000), -EINVAL);
}

static void check_links_and_pipes(const char *path) {
    EQUAL(symlink("/etc/passwd", path), 0);
    EQUAL(sluice_os_open_existing(path), -ELOOP);
    EQUAL(sluice_os_open_exclusive(path, 0600), -EEXIST);
    EQUAL(sluice_os_unlink(path), 0);
    EQUAL(mkfifo(path, 0600), 0);
    int fd = sluice_os_open_existing(path); /* must come back, with whatever result */
    HOLDS(fd >= 0);
    EQUAL(sluice_os_close(fd), 0);
    EQUAL(sluice_os_unlink(path), 0);
}

static void check_fallocate(const char *path) {
    int fd = sluice_os_open_exclusive(path, 0600);
    int64_t fields[SLUICE_OS_STAT_FIELDS];
    EQUAL(sluice_os_posix_fallocate(fd, MEGABYTE, 2 * MEGABYTE), 0);
    EQUAL(sluice_os_fstat(fd, fields), 0);
    EQUAL(fields[SLUICE_OS_STAT_SIZE], 3 * MEGABYTE);
    EQUAL(sluice_os_posix_fallocate(fd, 0, 0), -EINVAL);
    EQUAL(sluice_os_posix_fallocate(fd, -1, 1), -EINVAL);
    EQUAL(sluice_os_posix_fallocate(fd, 0, -1), -EINVAL);
    EQUAL(sluice_os_posix_fallocate(fd, INT64_MAX, 2), -EFBIG);
    EQUAL(sluice_os_posix_fallocate(-1, 0, 1), -EBADF);
    EQUAL(sluice_os_posix_fallocate(9999, 0, 1), -EBADF);
    EQUAL(sluice_os_close(fd), 0);
    EQUAL(sluice_os_unlink(path), 0);
}

/*
 * Linked in place of the C library's (ld --wrap): a kernel whose tmpfs is interrupted whenever a reservation takes
 * longer than a profiler's period. Linux 6.18 stops for fatal signals only, so a real timer would show nothing there.
 */
int __real_posix_fallocate(int fd, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes);

static int64_t interrupted_above = INT64_MAX;
static int interrupts;

int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes) {
    if (bytes > interrupted_above) {
        interrupts++;
        return EINTR;
    }
    return __real_posix_fallocate(fd, offset, bytes);
}

static void check_fallocate_under_interrupts(void) {
    int64_t bytes = 64 * MEGABYTE + 4096;
    struct stat status;
    int fd = memfd_create("sluice-harness", MFD_CLOEXEC);
    HOLDS(fd >= 0);
    interrupted_above = 5 * MEGABYTE;
    EQUAL(sluice_os_posix_fallocate(fd, 0, bytes), 0);
    EQUAL(interrupts, 4); /* 64, 32, 16 and 8 MB; the fifth try is short enough */
    EQUAL(fstat(fd, &status), 0);
    EQUAL(status.st_size, bytes);
    EQUAL(status.st_blocks * 512, bytes);
    interrupted_above = 0;
    EQUAL(sluice_os_posix_fallocate(fd, 0, bytes), -EINTR); /* never an endless loop */
    interrupted_above = INT64_MAX;
    EQUAL(sluice_os_close(fd), 0);
}

static void check_full_file_system(const char *mount_point) {
    if (mkdir(mount_point, 0700) != 0 || mount("none", mount_point, "tmpfs", 0, "size=1m") != 0) {
        check_skipped("a full file system", "this user may not mount a tmpfs");
        rmdir(mount_point);
        return;
    }
    char path[512];
    snprintf(path, sizeof path, "%s/file", mount_point);
    int64_t space[SLUICE_OS_STATVFS_FIELDS];
    EQUAL(sluice_os_statvfs(mount_point, space), 0);
    EQUAL(space[SLUICE_OS_STATVFS_TOTAL], MEGABYTE);
    EQUAL(space[SLUICE_OS_STATVFS_FREE], MEGABYTE);
    int fd = sluice_os_open_exclusive(path, 0600);
    EQUAL(sluice_os_posix_fallocate(fd, 0, 2 * MEGABYTE), -ENOSPC);
    EQUAL(sluice_os_statvfs(mount_point, space), 0);
    EQUAL(space[SLUICE_OS_STATVFS_FREE], MEGABYTE); /* a refused whole leaves nothing behind */
    EQUAL(sluice_os_posix_fallocate(fd, 0, MEGABYTE), 0);
    EQUAL(sluice_os_statvfs(mount_point, space), 0);
    EQUAL(space[SLUICE_OS_STATVFS_FREE], 0);
    EQUAL(sluice_os_close(fd), 0);
    EQUAL(umount(mount_point), 0);
    EQUAL(rmdir(mount_point), 0);
}

void check_files(void) {
    HOLDS(mkdtemp(directory) != NULL);
    char path[256];
    snprintf(path, sizeof path, "%s/file", directory);
    check_open_and_stat(path);
    check_files_without_names(directory);
    check_links_and_pipes(path);
    check_fallocate(path);
    check_fallocate_under_interrupts();
    int64_t space[SLUICE_OS_STATVFS_FIELDS];
    EQUAL(sluice_os_statvfs(path, space), -ENOENT);
    EQUAL(sluice_os_statvfs(NULL, space), -EINVAL);
    EQUAL(sluice_os_statvfs(directory, NULL), -EINVAL);
    EQUAL(sluice_os_statvfs(directory, space), 0);
    HOLDS(space[SLUICE_OS_STATVFS_TOTAL] > 0 && space[SLUICE_OS_STATVFS_FREE] <= space[SLUICE_OS_STATVFS_TOTAL]);
    snprintf(path, sizeof path, "%s/small", directory);
    check_full_file_system(path);
    EQUAL(rmdir(directory), 0);
}
