#define _GNU_SOURCE
#include "os_calls.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>

/* The kernel cuts one call at 2 GB less a page (MAX_RW_COUNT) without an error; whole gigabytes stay aligned. */
#define READ_PIECE_BYTES (INT64_C(1) << 30)

/* Only a fatal signal interrupts this call, so a few tries are plenty; unbounded ones could hang a dying process. */
#define READ_INTERRUPTS_LIMIT 16

static int64_t read_piece(int32_t pid, int64_t local_address, int64_t remote_address, int64_t bytes) {
    struct iovec local = {.iov_base = (void *)(uintptr_t)local_address, .iov_len = (size_t)bytes};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)remote_address, .iov_len = (size_t)bytes};
    for (int interrupts = 0;; interrupts++) {
        ssize_t count = process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0);
        if (count >= 0) {
            return (int64_t)count;
        }
        if (errno != EINTR || interrupts == READ_INTERRUPTS_LIMIT) {
            return -(int64_t)errno;
        }
    }
}

/* Adding bytes to either address must stay a positive long: the kernel's own check is on unsigned sums. */
static int is_range(int64_t address, int64_t bytes) {
    int64_t end;
    return address > 0 && !__builtin_add_overflow(address, bytes, &end);
}

/*
 * A short read is repeated from where it stopped: the kernel reports what it got before a bad page, and the next try
 * gets the errno. That errno is returned only when nothing was read at all, else the caller could not know what is
 * valid.
 */
int64_t sluice_os_process_vm_readv(int32_t pid, int64_t local_address, int64_t remote_address, int64_t bytes) {
    if (pid <= 0 || bytes < 0) {
        return -EINVAL;
    }
    if (bytes == 0) {
        return 0;
    }
    if (!is_range(local_address, bytes) || !is_range(remote_address, bytes)) {
        return -EFAULT;
    }
    int64_t done = 0;
    while (done < bytes) {
        int64_t left = bytes - done;
        int64_t piece = left < READ_PIECE_BYTES ? left : READ_PIECE_BYTES;
        int64_t count = read_piece(pid, local_address + done, remote_address + done, piece);
        if (count < 0) {
            return done > 0 ? done : count;
        }
        if (count == 0) {
            break;
        }
        done += count;
    }
    return done;
}

static int64_t map(int32_t fd, int64_t offset, int64_t bytes, int protection) {
    if (fd < 0) {
        return -EBADF;
    }
    if (offset < 0 || bytes <= 0) {
        return -EINVAL;
    }
    void *address = mmap(NULL, (size_t)bytes, protection, MAP_SHARED, fd, (off_t)offset);
    if (address == MAP_FAILED) {
        return -(int64_t)errno;
    }
    sluice_os_watch_mapping((int64_t)(uintptr_t)address, bytes, protection);
    return (int64_t)(uintptr_t)address;
}

int64_t sluice_os_mmap_shared(int32_t fd, int64_t offset, int64_t bytes) {
    return map(fd, offset, bytes, PROT_READ | PROT_WRITE);
}

int64_t sluice_os_mmap_read_only(int32_t fd, int64_t offset, int64_t bytes) {
    return map(fd, offset, bytes, PROT_READ);
}

/* Watched until the zeros are there: a page that was gone before must not end the process meanwhile. */
int32_t sluice_os_mmap_zeros(int64_t address, int64_t bytes) {
    if (address <= 0 || bytes <= 0) {
        return -EINVAL;
    }
    void *zeros = mmap((void *)(uintptr_t)address, (size_t)bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) {
        return -errno;
    }
    sluice_os_forget_mapping(address);
    return 0;
}

int32_t sluice_os_munmap(int64_t address, int64_t bytes) {
    if (address <= 0 || bytes <= 0) {
        return -EINVAL;
    }
    /* First: as soon as it is unmapped, the address may be somebody else's. */
    sluice_os_forget_mapping(address);
    return munmap((void *)(uintptr_t)address, (size_t)bytes) == 0 ? 0 : -errno;
}
