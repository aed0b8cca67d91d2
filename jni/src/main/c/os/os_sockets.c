#define _GNU_SOURCE
#include "os_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel writes it; the C library's readdir allocates. */
struct entry {
    uint64_t inode;
    int64_t next;
    uint16_t bytes;
    uint8_t type;
    char name[];
};

/* An end as the caller writes it: the address as one of IPv6, then the port, both in network order. */
static int has_end(const struct sockaddr_storage *address, const uint8_t *end) {
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        return memcmp(&six->sin6_addr, end, 16) == 0 && memcmp(&six->sin6_port, end + 16, 2) == 0;
    }
    if (address->ss_family == AF_INET) {
        static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        return memcmp(mapped, end, 12) == 0 && memcmp(&four->sin_addr, end + 12, 4) == 0 &&
               memcmp(&four->sin_port, end + 16, 2) == 0;
    }
    return 0;
}

/* 1 for the TCP socket with these two ends, 0 for anything else. */
static int is_between(int fd, const uint8_t ends[SLUICE_OS_ENDS_BYTES]) {
    struct sockaddr_storage address;
    socklen_t bytes = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &bytes) != 0 || !has_end(&address, ends)) {
        return 0;
    }
    bytes = sizeof address;
    return getpeername(fd, (struct sockaddr *)&address, &bytes) == 0 &&
           has_end(&address, ends + SLUICE_OS_ENDS_BYTES / 2);
}

static int32_t find_in(int folder, const uint8_t ends[SLUICE_OS_ENDS_BYTES]) {
    _Alignas(struct entry) char entries[4096];
    long bytes;
    while ((bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
        for (long at = 0; at < bytes;) {
            const struct entry *entry = (const struct entry *)(entries + at);
            char *end;
            long fd = strtol(entry->name, &end, 10);
            if (end != entry->name && *end == 0 && is_between((int)fd, ends)) {
                return (int32_t)fd;
            }
            at += entry->bytes;
        }
    }
    return bytes < 0 ? -errno : -ENOENT;
}

int32_t sluice_os_find_socket(const uint8_t ends[SLUICE_OS_ENDS_BYTES]) {
    int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return -errno;
    }
    int32_t found = find_in(folder, ends);
    close(folder);
    return found;
}

/* Looks at the ends first: the number may be another socket's by now. */
int64_t sluice_os_tcp_retransmits(int32_t fd, const uint8_t ends[SLUICE_OS_ENDS_BYTES]) {
    if (!is_between(fd, ends)) {
        return -ENOENT;
    }
    struct tcp_info info;
    socklen_t bytes = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes) != 0) {
        return -errno;
    }
    /* An older kernel, or a sandbox's, writes less. */
    return bytes >= offsetof(struct tcp_info, tcpi_total_retrans) + sizeof info.tcpi_total_retrans
               ? (int64_t)info.tcpi_total_retrans
               : -EOPNOTSUPP;
}
