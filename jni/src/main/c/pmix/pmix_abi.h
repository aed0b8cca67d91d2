/*
 * What of libpmix's binary interface is used, so that building needs neither its headers nor the library. All releases
 * from 3 on have it; of earlier ones values are smaller, and they are refused by their version. layout_checks.c
 * compares every line of this with pmix.h where that is installed.
 */
#ifndef SLUICE_PMIX_ABI_H
#define SLUICE_PMIX_ABI_H

#include <stddef.h>
#include <stdint.h>

#define SLUICE_PMIX_NAMESPACE_BYTES 256
#define SLUICE_PMIX_KEY_BYTES 512

enum sluice_pmix_status {
    SLUICE_PMIX_SUCCESS = 0,
    SLUICE_PMIX_ERR_TYPE_MISMATCH = -18,
    SLUICE_PMIX_ERR_BAD_PARAM = -27,
    SLUICE_PMIX_ERR_INIT = -31,
    SLUICE_PMIX_EVENT_ACTION_COMPLETE = -334,
    /* How a process ended badly; an event is one of these. */
    SLUICE_PMIX_ERR_PROC_ABORTED = -7,
    SLUICE_PMIX_ERR_PROC_REQUESTED_ABORT = -8,
    SLUICE_PMIX_ERR_PROC_TERM_WO_SYNC = -200,
    SLUICE_PMIX_ERR_PROC_KILLED_BY_CMD = -400,
    SLUICE_PMIX_ERR_PROC_ABORTED_BY_SIG = -402,
    SLUICE_PMIX_ERR_EXIT_NONZERO_TERM = -404
};

enum sluice_pmix_type {
    SLUICE_PMIX_BOOL = 1,
    SLUICE_PMIX_INT = 6,
    SLUICE_PMIX_UINT32 = 14,
    SLUICE_PMIX_PROC = 22,
    SLUICE_PMIX_BYTE_OBJECT = 27
};

#define SLUICE_PMIX_RANK_WILDCARD (UINT32_MAX - 1)

#define SLUICE_PMIX_GLOBAL 3
#define SLUICE_PMIX_JOB_SIZE "pmix.job.size"
#define SLUICE_PMIX_COLLECT_DATA "pmix.collect"
#define SLUICE_PMIX_TIMEOUT "pmix.timeout"
#define SLUICE_PMIX_EVENT_AFFECTED_PROC "pmix.evproc"

typedef struct sluice_pmix_proc {
    char namespace[SLUICE_PMIX_NAMESPACE_BYTES];
    uint32_t rank;
} sluice_pmix_proc;

typedef struct sluice_pmix_value {
    uint16_t type;
    union {
        _Bool flag;
        int integer;
        uint32_t uint32;
        sluice_pmix_proc *proc;
        struct {
            char *bytes;
            size_t size;
        } object;
        /* The largest member there is: two pointers and a character. */
        struct {
            char *name;
            char *value;
            char separator;
        } largest;
    } data;
} sluice_pmix_value;

typedef struct sluice_pmix_info {
    char key[SLUICE_PMIX_KEY_BYTES];
    uint32_t flags;
    sluice_pmix_value value;
} sluice_pmix_info;

typedef void (*sluice_pmix_done)(int status, void *data);
typedef void (*sluice_pmix_event_done)(int status, sluice_pmix_info *results, size_t count, sluice_pmix_done done,
                                       void *done_data, void *data);
typedef void (*sluice_pmix_event)(size_t handler, int status, const sluice_pmix_proc *source, sluice_pmix_info *infos,
                                  size_t count, sluice_pmix_info *results, size_t result_count,
                                  sluice_pmix_event_done done, void *data);
typedef void (*sluice_pmix_registered)(int status, size_t handler, void *data);

#ifndef SLUICE_PMIX_LAYOUT_ONLY
int PMIx_Init(sluice_pmix_proc *proc, sluice_pmix_info *infos, size_t count);
int PMIx_Finalize(const sluice_pmix_info *infos, size_t count);
int PMIx_Abort(int status, const char *message, sluice_pmix_proc *procs, size_t count);
int PMIx_Put(uint8_t scope, const char *key, sluice_pmix_value *value);
int PMIx_Commit(void);
int PMIx_Fence(const sluice_pmix_proc *procs, size_t proc_count, const sluice_pmix_info *infos, size_t count);
int PMIx_Get(const sluice_pmix_proc *proc, const char *key, const sluice_pmix_info *infos, size_t count,
             sluice_pmix_value **value);
int PMIx_Register_event_handler(int *codes, size_t code_count, sluice_pmix_info *infos, size_t count,
                                sluice_pmix_event handler, sluice_pmix_registered registered, void *data);
const char *PMIx_Error_string(int status);
const char *PMIx_Get_version(void);
#endif

#endif
