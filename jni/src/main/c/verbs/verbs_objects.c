#define _GNU_SOURCE
#include "verbs_calls.h"
#include "verbs_results.h"

#include <infiniband/verbs.h>

int64_t sluice_verbs_allocate_protection_domain(int64_t context) {
    if (!is_handle(context)) {
        return -EINVAL;
    }
    errno = 0;
    return from_pointer(ibv_alloc_pd(TO_OBJECT(ibv_context, context)));
}

int32_t sluice_verbs_deallocate_protection_domain(int64_t domain) {
    if (!is_handle(domain)) {
        return -EINVAL;
    }
    return from_number(ibv_dealloc_pd(TO_OBJECT(ibv_pd, domain)));
}

int64_t sluice_verbs_create_completion_channel(int64_t context) {
    if (!is_handle(context)) {
        return -EINVAL;
    }
    errno = 0;
    struct ibv_comp_channel *channel = ibv_create_comp_channel(TO_OBJECT(ibv_context, context));
    if (channel == NULL) {
        return last_error();
    }
    int32_t error = make_non_blocking(channel->fd);
    if (error != 0) {
        ibv_destroy_comp_channel(channel);
        return error;
    }
    return from_pointer(channel);
}

int32_t sluice_verbs_destroy_completion_channel(int64_t channel) {
    if (!is_handle(channel)) {
        return -EINVAL;
    }
    return from_number(ibv_destroy_comp_channel(TO_OBJECT(ibv_comp_channel, channel)));
}

int32_t sluice_verbs_completion_channel_fd(int64_t channel) {
    return is_handle(channel) ? TO_OBJECT(ibv_comp_channel, channel)->fd : -EINVAL;
}

int64_t sluice_verbs_create_completion_queue(int64_t context, int32_t entries, int64_t channel) {
    if (!is_handle(context) || entries < 1 || (channel != 0 && !is_handle(channel))) {
        return -EINVAL;
    }
    errno = 0;
    return from_pointer(
        ibv_create_cq(TO_OBJECT(ibv_context, context), entries, NULL, TO_OBJECT(ibv_comp_channel, channel), 0));
}

int32_t sluice_verbs_destroy_completion_queue(int64_t queue) {
    if (!is_handle(queue)) {
        return -EINVAL;
    }
    return from_number(ibv_destroy_cq(TO_OBJECT(ibv_cq, queue)));
}

int64_t sluice_verbs_create_shared_receive_queue(int64_t domain, int32_t max_wr, int32_t max_sge) {
    if (!is_handle(domain) || max_wr < 1 || max_sge < 1) {
        return -EINVAL;
    }
    struct ibv_srq_init_attr wanted = {.attr = {.max_wr = (uint32_t)max_wr, .max_sge = (uint32_t)max_sge}};
    errno = 0;
    return from_pointer(ibv_create_srq(TO_OBJECT(ibv_pd, domain), &wanted));
}

int32_t sluice_verbs_set_limit(int64_t queue, int32_t limit) {
    if (!is_handle(queue) || limit < 0) {
        return -EINVAL;
    }
    struct ibv_srq_attr wanted = {.srq_limit = (uint32_t)limit};
    return from_number(ibv_modify_srq(TO_OBJECT(ibv_srq, queue), &wanted, IBV_SRQ_LIMIT));
}

int32_t sluice_verbs_destroy_shared_receive_queue(int64_t queue) {
    if (!is_handle(queue)) {
        return -EINVAL;
    }
    return from_number(ibv_destroy_srq(TO_OBJECT(ibv_srq, queue)));
}

#define ACCESS_ALLOWED (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

int32_t sluice_verbs_register_memory(int64_t domain, int64_t address, int64_t bytes, int32_t access,
                                     int64_t out[SLUICE_VERBS_REGION_FIELDS]) {
    if (!is_handle(domain) || address <= 0 || bytes <= 0 || (access & ~ACCESS_ALLOWED) != 0 || out == NULL) {
        return -EINVAL;
    }
    errno = 0;
    /* In parentheses: the header's macro would take a newer symbol, for access flags that are refused above. */
    struct ibv_mr *region = (ibv_reg_mr)(TO_OBJECT(ibv_pd, domain), (void *)(uintptr_t)address, (size_t)bytes, access);
    if (region == NULL) {
        return last_error();
    }
    out[SLUICE_VERBS_REGION_HANDLE] = from_pointer(region);
    out[SLUICE_VERBS_REGION_LKEY] = region->lkey;
    out[SLUICE_VERBS_REGION_RKEY] = region->rkey;
    return 0;
}

int32_t sluice_verbs_deregister_memory(int64_t region) {
    if (!is_handle(region)) {
        return -EINVAL;
    }
    return from_number(ibv_dereg_mr(TO_OBJECT(ibv_mr, region)));
}
