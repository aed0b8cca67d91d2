#ifndef SLUICE_VERBS_MTU_H
#define SLUICE_VERBS_MTU_H

#include <infiniband/verbs.h>
#include <stdint.h>

/* The library numbers 256 bytes as 1, and each next one is twice as large; 0 for a number it has no size for. */
static inline int64_t mtu_bytes(enum ibv_mtu mtu) {
    return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? INT64_C(128) << mtu : 0;
}

#endif
