#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_ids.h"

#include <endian.h>
#include <infiniband/sa.h>
#include <string.h>

#define SERVICE_LEVEL_LIMIT 15
#define NUMBER_BITS 6 /* of a size in a path record; above them stands how it is to be compared */
#define EXACTLY (2 << NUMBER_BITS)
#define HOP_LIMIT_BITS 8
#define FLOW_LABEL_MASK 0xfffffu
#define REVERSIBLE_BIT 7
#define LEAST_MTU 256
#define MOST_MTU 4096

static int is_mtu(int32_t bytes) {
    return bytes == 0 || (bytes >= LEAST_MTU && bytes <= MOST_MTU && (bytes & (bytes - 1)) == 0);
}

static uint8_t mtu_number(int32_t bytes) {
    uint8_t number = IBV_MTU_256;
    for (int32_t size = LEAST_MTU; size < bytes; size *= 2) {
        number++;
    }
    return number;
}

/* librdmacm takes the kernel's path record apart when the route is resolved; this puts it together again. */
static struct ibv_path_record to_record(const struct ibv_sa_path_rec *from) {
    struct ibv_path_record to;
    memset(&to, 0, sizeof to);
    to.dgid = from->dgid;
    to.sgid = from->sgid;
    to.dlid = from->dlid;
    to.slid = from->slid;
    to.flowlabel_hoplimit = htobe32((be32toh(from->flow_label) & FLOW_LABEL_MASK) << HOP_LIMIT_BITS | from->hop_limit);
    to.tclass = from->traffic_class;
    to.reversible_numpath = (uint8_t)((from->reversible != 0) << REVERSIBLE_BIT | 1);
    to.pkey = from->pkey;
    to.qosclass_sl = htobe16(from->sl);
    to.mtu = EXACTLY | from->mtu;
    to.rate = EXACTLY | from->rate;
    to.packetlifetime = EXACTLY | from->packet_life_time;
    return to;
}

int32_t sluice_verbs_copy_route(int64_t from, int64_t to, int32_t mtu_bytes, int32_t service_level) {
    if (!is_bound(from) || !is_bound(to) || !is_mtu(mtu_bytes) || service_level < -1 ||
        service_level > SERVICE_LEVEL_LIMIT) {
        return -EINVAL;
    }
    const struct rdma_route *route = &TO_OBJECT(rdma_cm_id, from)->route;
    if (route->num_paths < 1 || route->path_rec == NULL) {
        return -ENODATA;
    }
    /* The kernel takes a path only with just these. */
    struct ibv_path_data path = {.flags = IBV_PATH_FLAG_GMP | IBV_PATH_FLAG_PRIMARY | IBV_PATH_FLAG_BIDIRECTIONAL};
    struct ibv_sa_path_rec wanted = route->path_rec[0];
    if (mtu_bytes != 0 && mtu_number(mtu_bytes) < wanted.mtu) {
        wanted.mtu = mtu_number(mtu_bytes);
    }
    if (service_level >= 0) {
        wanted.sl = (uint8_t)service_level;
    }
    path.path = to_record(&wanted);
    return from_minus_one(
        rdma_set_option(TO_OBJECT(rdma_cm_id, to), RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, &path, sizeof path));
}
