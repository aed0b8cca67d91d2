/*
 * The operating system calls behind org.sluice.jni.os.Os, free of JNI so that a C harness can run them under
 * sanitizers. Every function returns a value >= 0, or -errno. None allocates, none decides what to do next, and none
 * keeps state but os_lost.c and, of the JVM, os_arrays.c.
 */
#ifndef SLUICE_OS_CALLS_H
#define SLUICE_OS_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* Java passes addresses and sizes as 64-bit longs; on a 32-bit machine they would be cut silently. */
_Static_assert(sizeof(void *) == 8, "libsluice_os is for 64-bit machines");
_Static_assert(sizeof(long) == 8, "libsluice_os needs LP64");
_Static_assert(sizeof(size_t) == 8, "libsluice_os needs a 64-bit size_t");

#define SLUICE_OS_CPU_WORDS 16 /* 1024 processors, glibc's fixed cpu_set_t */

enum sluice_os_stat_field {
    SLUICE_OS_STAT_DEVICE,
    SLUICE_OS_STAT_INODE,
    SLUICE_OS_STAT_UID,
    SLUICE_OS_STAT_MODE,
    SLUICE_OS_STAT_SIZE,
    SLUICE_OS_STAT_LINKS,
    SLUICE_OS_STAT_FIELDS
};

enum sluice_os_statvfs_field { SLUICE_OS_STATVFS_TOTAL, SLUICE_OS_STATVFS_FREE, SLUICE_OS_STATVFS_FIELDS };

/* Two addresses of IPv6 (those of IPv4 mapped), each with its port behind, in network order: this end's, the peer's. */
#define SLUICE_OS_ENDS_BYTES 36

/* os_memory.c */
int64_t sluice_os_process_vm_readv(int32_t pid, int64_t local_address, int64_t remote_address, int64_t bytes);
int64_t sluice_os_mmap_shared(int32_t fd, int64_t offset, int64_t bytes);
int64_t sluice_os_mmap_read_only(int32_t fd, int64_t offset, int64_t bytes);
int32_t sluice_os_mmap_zeros(int64_t address, int64_t bytes);
int32_t sluice_os_munmap(int64_t address, int64_t bytes);

/* os_lost.c */
void sluice_os_watch_mapping(int64_t address, int64_t bytes, int32_t protection);
void sluice_os_forget_mapping(int64_t address);
int32_t sluice_os_lost_pages(int64_t address);
int64_t sluice_os_lost_count(void);

/* os_futex.c */
int32_t sluice_os_futex_wait(int64_t address, int32_t expected, int64_t timeout_nanos);
int32_t sluice_os_futex_wake(int64_t address, int32_t count);

/* os_files.c: a path is a C string here; the shim has checked its end */
int32_t sluice_os_posix_fallocate(int32_t fd, int64_t offset, int64_t bytes);
int32_t sluice_os_open_exclusive(const char *path, int32_t mode);
int32_t sluice_os_open_unnamed(const char *directory, int32_t mode);
int32_t sluice_os_open_of(int32_t pid, int32_t fd);
int32_t sluice_os_open_existing(const char *path);
int32_t sluice_os_fstat(int32_t fd, int64_t out[SLUICE_OS_STAT_FIELDS]);
int32_t sluice_os_ftruncate(int32_t fd, int64_t bytes);
int32_t sluice_os_unlink(const char *path);
int32_t sluice_os_statvfs(const char *path, int64_t out[SLUICE_OS_STATVFS_FIELDS]);
int32_t sluice_os_close(int32_t fd);

/* os_processes.c */
int32_t sluice_os_pidfd_open(int32_t pid);
int32_t sluice_os_pidfd_has_exited(int32_t pidfd);
int32_t sluice_os_prctl_set_ptracer(int32_t pid);
int32_t sluice_os_set_pdeathsig(int32_t signal_number);
int64_t sluice_os_getuid(void);
int64_t sluice_os_geteuid(void);
int32_t sluice_os_getpid(void);
int32_t sluice_os_gettid(void);

/* os_sockets.c */
int32_t sluice_os_find_socket(const uint8_t ends[SLUICE_OS_ENDS_BYTES]);
int64_t sluice_os_tcp_retransmits(int32_t fd, const uint8_t ends[SLUICE_OS_ENDS_BYTES]);

/* os_processors.c */
int32_t sluice_os_sched_setaffinity(int32_t tid, const int64_t *mask, int32_t words);
int32_t sluice_os_sched_getaffinity(int32_t tid, int64_t *mask, int32_t words);
int32_t sluice_os_sched_getcpu(void);
int32_t sluice_os_sched_yield(void);
int32_t sluice_os_membarrier(int32_t command);

#endif
