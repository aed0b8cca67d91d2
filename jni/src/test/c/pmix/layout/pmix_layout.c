/* Compiles only where pmix_abi.h says the same as the header of the libpmix that is installed: see jni/test.sh. */
#define SLUICE_PMIX_LAYOUT_ONLY
#include "pmix_abi.h"

#include <pmix.h>
#include <string.h>

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #ours " is not " #theirs)

SAME(SLUICE_PMIX_NAMESPACE_BYTES, PMIX_MAX_NSLEN + 1);
SAME(SLUICE_PMIX_KEY_BYTES, PMIX_MAX_KEYLEN + 1);
SAME(SLUICE_PMIX_SUCCESS, PMIX_SUCCESS);
SAME(SLUICE_PMIX_ERR_TYPE_MISMATCH, PMIX_ERR_TYPE_MISMATCH);
SAME(SLUICE_PMIX_ERR_BAD_PARAM, PMIX_ERR_BAD_PARAM);
SAME(SLUICE_PMIX_ERR_INIT, PMIX_ERR_INIT);
SAME(SLUICE_PMIX_EVENT_ACTION_COMPLETE, PMIX_EVENT_ACTION_COMPLETE);
SAME(SLUICE_PMIX_BOOL, PMIX_BOOL);
SAME(SLUICE_PMIX_INT, PMIX_INT);
SAME(SLUICE_PMIX_UINT32, PMIX_UINT32);
SAME(SLUICE_PMIX_PROC, PMIX_PROC);
SAME(SLUICE_PMIX_BYTE_OBJECT, PMIX_BYTE_OBJECT);
SAME(SLUICE_PMIX_RANK_WILDCARD, PMIX_RANK_WILDCARD);
SAME(SLUICE_PMIX_GLOBAL, PMIX_GLOBAL);
SAME(sizeof(sluice_pmix_proc), sizeof(pmix_proc_t));
SAME(offsetof(sluice_pmix_proc, rank), offsetof(pmix_proc_t, rank));
SAME(sizeof(sluice_pmix_value), sizeof(pmix_value_t));
SAME(offsetof(sluice_pmix_value, data), offsetof(pmix_value_t, data));
SAME(offsetof(sluice_pmix_value, data.object.size), offsetof(pmix_value_t, data.bo.size));
SAME(sizeof(sluice_pmix_info), sizeof(pmix_info_t));
SAME(offsetof(sluice_pmix_info, flags), offsetof(pmix_info_t, flags));
SAME(offsetof(sluice_pmix_info, value), offsetof(pmix_info_t, value));
SAME(sizeof(uint8_t), sizeof(pmix_scope_t));
SAME(sizeof(int), sizeof(pmix_status_t));
SAME(sizeof(uint16_t), sizeof(pmix_data_type_t));
SAME(sizeof(uint32_t), sizeof(pmix_info_directives_t));

/* The codes of org.sluice.jni.pmix.PmixCalls. */
SAME(-24, PMIX_ERR_TIMEOUT);
SAME(-46, PMIX_ERR_NOT_FOUND);
SAME(-61, PMIX_ERR_LOST_CONNECTION);
SAME(SLUICE_PMIX_ERR_PROC_REQUESTED_ABORT, PMIX_ERR_PROC_REQUESTED_ABORT);
SAME(SLUICE_PMIX_ERR_PROC_TERM_WO_SYNC, PMIX_ERR_PROC_TERM_WO_SYNC);
SAME(SLUICE_PMIX_ERR_PROC_KILLED_BY_CMD, PMIX_ERR_PROC_KILLED_BY_CMD);
SAME(SLUICE_PMIX_ERR_PROC_ABORTED_BY_SIG, PMIX_ERR_PROC_ABORTED_BY_SIG);
SAME(SLUICE_PMIX_ERR_EXIT_NONZERO_TERM, PMIX_ERR_EXIT_NONZERO_TERM);
SAME(-8, PMIX_ERR_PROC_REQUESTED_ABORT);
SAME(-200, PMIX_ERR_PROC_TERM_WO_SYNC);
SAME(-400, PMIX_ERR_PROC_KILLED_BY_CMD);
SAME(-402, PMIX_ERR_PROC_ABORTED_BY_SIG);
SAME(-404, PMIX_ERR_EXIT_NONZERO_TERM);

int main(void) {
    return strcmp(SLUICE_PMIX_JOB_SIZE, PMIX_JOB_SIZE) != 0 ||
           strcmp(SLUICE_PMIX_COLLECT_DATA, PMIX_COLLECT_DATA) != 0 || strcmp(SLUICE_PMIX_TIMEOUT, PMIX_TIMEOUT) != 0 ||
           strcmp(SLUICE_PMIX_EVENT_AFFECTED_PROC, PMIX_EVENT_AFFECTED_PROC) != 0;
}
