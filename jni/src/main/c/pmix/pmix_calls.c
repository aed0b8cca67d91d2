#include "pmix_calls.h"

#include <stdlib.h>
#include <string.h>

/* Written by sluice_pmix_init before any other call, which Java sees to. */
static sluice_pmix_proc self;

const sluice_pmix_proc *sluice_pmix_self(void) { return &self; }

static void set_key(sluice_pmix_info *info, const char *key) {
    memset(info, 0, sizeof *info);
    strncpy(info->key, key, sizeof info->key - 1);
}

static void set_timeout(sluice_pmix_info *info, int32_t seconds) {
    set_key(info, SLUICE_PMIX_TIMEOUT);
    info->value.type = SLUICE_PMIX_INT;
    info->value.data.integer = seconds;
}

/* What PMIx_Get hands over is the caller's, with all that it points to. */
static void release(sluice_pmix_value *value) {
    if (value->type == SLUICE_PMIX_BYTE_OBJECT) {
        free(value->data.object.bytes);
    }
    free(value);
}

static int32_t job_size(int64_t *out) {
    sluice_pmix_proc job = self;
    job.rank = SLUICE_PMIX_RANK_WILDCARD;
    sluice_pmix_value *value = NULL;
    int status = PMIx_Get(&job, SLUICE_PMIX_JOB_SIZE, NULL, 0, &value);
    if (status != SLUICE_PMIX_SUCCESS || value == NULL) {
        return status < 0 ? status : SLUICE_PMIX_ERR_INIT;
    }
    int is_number = value->type == SLUICE_PMIX_UINT32;
    *out = value->data.uint32;
    release(value);
    return is_number ? SLUICE_PMIX_SUCCESS : SLUICE_PMIX_ERR_TYPE_MISMATCH;
}

int32_t sluice_pmix_init(char namespace[SLUICE_PMIX_NAMESPACE_BYTES], int64_t out[SLUICE_PMIX_MEMBER_FIELDS]) {
    int status = PMIx_Init(&self, NULL, 0);
    if (status != SLUICE_PMIX_SUCCESS) {
        return status < 0 ? status : SLUICE_PMIX_ERR_INIT;
    }
    self.namespace[SLUICE_PMIX_NAMESPACE_BYTES - 1] = 0;
    memcpy(namespace, self.namespace, SLUICE_PMIX_NAMESPACE_BYTES);
    out[SLUICE_PMIX_MEMBER_RANK] = self.rank;
    return job_size(&out[SLUICE_PMIX_MEMBER_SIZE]);
}

int32_t sluice_pmix_put(const char *key, int64_t address, int64_t bytes) {
    if (address <= 0 || bytes < 0) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    sluice_pmix_value value;
    memset(&value, 0, sizeof value);
    value.type = SLUICE_PMIX_BYTE_OBJECT;
    value.data.object.bytes = (char *)(uintptr_t)address;
    value.data.object.size = (size_t)bytes;
    return PMIx_Put(SLUICE_PMIX_GLOBAL, key, &value);
}

int32_t sluice_pmix_commit(void) { return PMIx_Commit(); }

/* Of all processes of the job, with what they have put: the launcher carries it, and no process hears from another. */
int32_t sluice_pmix_fence(int32_t timeout_seconds) {
    sluice_pmix_info infos[2];
    set_key(&infos[0], SLUICE_PMIX_COLLECT_DATA);
    infos[0].value.type = SLUICE_PMIX_BOOL;
    infos[0].value.data.flag = 1;
    set_timeout(&infos[1], timeout_seconds);
    sluice_pmix_proc job = self;
    job.rank = SLUICE_PMIX_RANK_WILDCARD;
    return PMIx_Fence(&job, 1, infos, 2);
}

/* The length of the value, also where it is longer than the place for it, which then holds nothing. */
int64_t sluice_pmix_get(int32_t rank, const char *key, int32_t timeout_seconds, int64_t address, int64_t capacity) {
    if (rank < 0 || address <= 0 || capacity < 0) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    sluice_pmix_info timeout;
    set_timeout(&timeout, timeout_seconds);
    sluice_pmix_proc peer = self;
    peer.rank = (uint32_t)rank;
    sluice_pmix_value *value = NULL;
    int status = PMIx_Get(&peer, key, &timeout, 1, &value);
    if (status != SLUICE_PMIX_SUCCESS || value == NULL) {
        return status < 0 ? status : SLUICE_PMIX_ERR_INIT;
    }
    int64_t length = SLUICE_PMIX_ERR_TYPE_MISMATCH;
    if (value->type == SLUICE_PMIX_BYTE_OBJECT) {
        length = (int64_t)value->data.object.size;
        if (length > 0 && length <= capacity) {
            memcpy((void *)(uintptr_t)address, value->data.object.bytes, (size_t)length);
        }
    }
    release(value);
    return length;
}

/* All processes of the job. */
int32_t sluice_pmix_abort(int32_t status, const char *message) { return PMIx_Abort(status, message, NULL, 0); }

int32_t sluice_pmix_finalize(void) { return PMIx_Finalize(NULL, 0); }
