/*
 * The libraries have three ways to say that a call failed, and these turn each into -errno. Which way a call goes
 * stands in its man page; some drivers below libibverbs mix the first two up, so the first reads both.
 */
#ifndef SLUICE_VERBS_RESULTS_H
#define SLUICE_VERBS_RESULTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>

/* Objects and work requests of the libraries begin at addresses that are a multiple of this. */
#define SLUICE_VERBS_ALIGNMENT 8

static inline int is_handle(int64_t handle) { return handle > 0 && handle % SLUICE_VERBS_ALIGNMENT == 0; }

/* A failed call without an error number is no success. */
static inline int32_t last_error(void) { return errno > 0 ? -errno : -EIO; }

/* Of a call that returns 0 or the error's number: the queries, changes, destructions and posts of libibverbs. */
static inline int32_t from_number(int result) {
    if (result == 0) {
        return 0;
    }
    if (result > 0) {
        return -result;
    }
    return result == -1 ? last_error() : result;
}

/* Of a call that returns -1 and sets errno: all of librdmacm, and the event calls of libibverbs. */
static inline int32_t from_minus_one(int result) { return result >= 0 ? result : last_error(); }

/* Of a call that returns NULL and sets errno: whatever makes an object. */
static inline int64_t from_pointer(const void *object) {
    return object != NULL ? (int64_t)(uintptr_t)object : (int64_t)last_error();
}

/* Event descriptors are blocking when the libraries make them. */
static inline int32_t make_non_blocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) {
        return -errno;
    }
    if ((flags & O_NONBLOCK) != 0) {
        return 0;
    }
    return fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 ? 0 : -errno;
}

#define TO_OBJECT(type, handle) ((struct type *)(uintptr_t)(handle))

#endif
