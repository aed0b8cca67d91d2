#define _GNU_SOURCE
#include "checks.h"
#include "os_calls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A connected pair on the loopback interface; false where there is none of that family. */
static int connected(int family, int pair[2]) {
    struct sockaddr_storage address;
    memset(&address, 0, sizeof address);
    address.ss_family = (sa_family_t)family;
    if (family == AF_INET) {
        ((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
        ((struct sockaddr_in6 *)&address)->sin6_addr = in6addr_loopback;
    }
    socklen_t bytes = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    int listening = socket(family, SOCK_STREAM, 0);
    if (listening < 0) {
        return 0;
    }
    pair[0] = -1;
    if (bind(listening, (struct sockaddr *)&address, bytes) == 0 && listen(listening, 1) == 0 &&
        getsockname(listening, (struct sockaddr *)&address, &bytes) == 0) {
        pair[0] = socket(family, SOCK_STREAM, 0);
        if (connect(pair[0], (struct sockaddr *)&address, bytes) != 0) {
            close(pair[0]);
            pair[0] = -1;
        } else {
            pair[1] = accept(listening, NULL, NULL);
        }
    }
    close(listening);
    return pair[0] >= 0;
}

static void put_end(const struct sockaddr_storage *address, uint8_t *end) {
    if (address->ss_family == AF_INET6) {
        memcpy(end, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
        memcpy(end + 16, &((const struct sockaddr_in6 *)address)->sin6_port, 2);
    } else {
        memset(end, 0, 10);
        memset(end + 10, 0xff, 2);
        memcpy(end + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
        memcpy(end + 16, &((const struct sockaddr_in *)address)->sin_port, 2);
    }
}

static void ends_of(int fd, uint8_t ends[SLUICE_OS_ENDS_BYTES]) {
    struct sockaddr_storage address;
    socklen_t bytes = sizeof address;
    EQUAL(getsockname(fd, (struct sockaddr *)&address, &bytes), 0);
    put_end(&address, ends);
    bytes = sizeof address;
    EQUAL(getpeername(fd, (struct sockaddr *)&address, &bytes), 0);
    put_end(&address, ends + SLUICE_OS_ENDS_BYTES / 2);
}

static void check_family(int family, const char *name) {
    int pair[2];
    if (!connected(family, pair)) {
        check_skipped(name, "there is no loopback interface of that family");
        return;
    }
    uint8_t ends[2][SLUICE_OS_ENDS_BYTES];
    for (int i = 0; i < 2; i++) {
        ends_of(pair[i], ends[i]);
        EQUAL(sluice_os_find_socket(ends[i]), pair[i]);
        EQUAL(sluice_os_tcp_retransmits(pair[i], ends[i]), 0);
        EQUAL(sluice_os_tcp_retransmits(pair[1 - i], ends[i]), -ENOENT); /* the other end of it */
    }
    close(pair[0]);
    EQUAL(sluice_os_find_socket(ends[0]), -ENOENT);
    EQUAL(sluice_os_tcp_retransmits(pair[0], ends[0]), -ENOENT);
    close(pair[1]);
}

void check_sockets(void) {
    check_family(AF_INET, "sockets of IPv4");
    check_family(AF_INET6, "sockets of IPv6");
    int other[2];
    EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, other), 0);
    uint8_t ends[SLUICE_OS_ENDS_BYTES] = {0};
    EQUAL(sluice_os_tcp_retransmits(other[0], ends), -ENOENT);
    close(other[0]);
    close(other[1]);
}
