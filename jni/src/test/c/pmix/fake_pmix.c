#include "fake_pmix.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 256
#define LOST_CONNECTION (-61)

int fake_failing_call;
int fake_status;
int fake_calls;
int fake_finished;
int fake_aborted_with;
char fake_abort_message[64];
uint16_t fake_size_type = SLUICE_PMIX_UINT32;
int fake_timeout;
int fake_collects;
int fake_events_done;

static char put_key[SLUICE_PMIX_KEY_BYTES];
static char put_bytes[ROOM];
static size_t put_size;
static int committed;
static sluice_pmix_event event_handler;
static sluice_pmix_event death_handler;
static const int *death_codes;
static size_t death_code_count;

void fake_reset(void) {
    fake_failing_call = fake_status = fake_calls = fake_finished = fake_aborted_with = fake_timeout = fake_collects =
        fake_events_done = committed = 0;
    fake_size_type = SLUICE_PMIX_UINT32;
    put_key[0] = fake_abort_message[0] = 0;
    put_size = 0;
}

static int called(void) { return ++fake_calls == fake_failing_call ? fake_status : SLUICE_PMIX_SUCCESS; }

static sluice_pmix_value *new_value(uint16_t type) {
    sluice_pmix_value *value = calloc(1, sizeof *value);
    value->type = type;
    return value;
}

int PMIx_Init(sluice_pmix_proc *proc, sluice_pmix_info *infos, size_t count) {
    (void)infos;
    int status = called();
    if (status == SLUICE_PMIX_SUCCESS) {
        strcpy(proc->namespace, "fake-job");
        proc->rank = FAKE_RANK;
    }
    return count == 0 ? status : SLUICE_PMIX_ERR_BAD_PARAM;
}

int PMIx_Finalize(const sluice_pmix_info *infos, size_t count) {
    (void)infos, (void)count;
    fake_finished++;
    return called();
}

int PMIx_Abort(int status, const char *message, sluice_pmix_proc *procs, size_t count) {
    fake_aborted_with = procs == NULL && count == 0 ? status : -1;
    strncpy(fake_abort_message, message, sizeof fake_abort_message - 1);
    return called();
}

int PMIx_Put(uint8_t scope, const char *key, sluice_pmix_value *value) {
    if (scope != SLUICE_PMIX_GLOBAL || value->type != SLUICE_PMIX_BYTE_OBJECT || value->data.object.size > ROOM) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    int status = called();
    if (status == SLUICE_PMIX_SUCCESS) {
        strcpy(put_key, key);
        put_size = value->data.object.size;
        memcpy(put_bytes, value->data.object.bytes, put_size);
    }
    return status;
}

int PMIx_Commit(void) {
    int status = called();
    committed = status == SLUICE_PMIX_SUCCESS;
    return status;
}

int PMIx_Fence(const sluice_pmix_proc *procs, size_t proc_count, const sluice_pmix_info *infos, size_t count) {
    if (proc_count != 1 || procs->rank != SLUICE_PMIX_RANK_WILDCARD || strcmp(procs->namespace, "fake-job") != 0) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(infos[i].key, SLUICE_PMIX_TIMEOUT) == 0 && infos[i].value.type == SLUICE_PMIX_INT) {
            fake_timeout = infos[i].value.data.integer;
        }
        if (strcmp(infos[i].key, SLUICE_PMIX_COLLECT_DATA) == 0 && infos[i].value.type == SLUICE_PMIX_BOOL) {
            fake_collects = infos[i].value.data.flag;
        }
    }
    return called();
}

int PMIx_Get(const sluice_pmix_proc *proc, const char *key, const sluice_pmix_info *infos, size_t count,
             sluice_pmix_value **value) {
    (void)infos, (void)count;
    int status = called();
    if (status != SLUICE_PMIX_SUCCESS) {
        return status;
    }
    if (proc->rank == SLUICE_PMIX_RANK_WILDCARD && strcmp(key, SLUICE_PMIX_JOB_SIZE) == 0) {
        *value = new_value(fake_size_type);
        (*value)->data.uint32 = FAKE_SIZE;
        return status;
    }
    if (!committed || proc->rank >= FAKE_SIZE || strcmp(key, put_key) != 0) {
        return -46;
    }
    *value = new_value(SLUICE_PMIX_BYTE_OBJECT);
    (*value)->data.object.size = put_size;
    (*value)->data.object.bytes = malloc(put_size == 0 ? 1 : put_size);
    memcpy((*value)->data.object.bytes, put_bytes, put_size);
    return status;
}

int PMIx_Register_event_handler(int *codes, size_t code_count, sluice_pmix_info *infos, size_t count,
                                sluice_pmix_event handler, sluice_pmix_registered registered, void *data) {
    (void)infos, (void)count;
    if (codes == NULL) {
        event_handler = handler;
    } else {
        death_handler = handler;
        death_codes = codes;
        death_code_count = code_count;
    }
    registered(SLUICE_PMIX_SUCCESS, 0, data);
    return called();
}

/* All that this tells of processes goes to who named the code alone; what it tells of itself, to all. */
static sluice_pmix_event handler_of(int status) {
    for (size_t i = 0; i < death_code_count; i++) {
        if (death_codes[i] == status) {
            return death_handler;
        }
    }
    return status == LOST_CONNECTION ? event_handler : NULL;
}

static void event_done(int status, sluice_pmix_info *results, size_t count, sluice_pmix_done done, void *done_data,
                       void *data) {
    (void)results, (void)count, (void)done, (void)done_data;
    fake_events_done += status == SLUICE_PMIX_EVENT_ACTION_COMPLETE && data == &fake_events_done;
}

void fake_event(int status, const char *namespace, uint32_t source, const char *affected_namespace, uint32_t affected) {
    sluice_pmix_proc from = {.rank = source};
    sluice_pmix_proc whom = {.rank = affected};
    sluice_pmix_info infos[2] = {{.key = "pmix.other", .value = {.type = SLUICE_PMIX_INT}}};
    strcpy(from.namespace, namespace);
    strcpy(infos[1].key, SLUICE_PMIX_EVENT_AFFECTED_PROC);
    infos[1].value.type = SLUICE_PMIX_PROC;
    infos[1].value.data.proc = &whom;
    if (affected_namespace != NULL) {
        strcpy(whom.namespace, affected_namespace);
    }
    sluice_pmix_event handler = handler_of(status);
    if (handler != NULL) {
        handler(0, status, &from, infos, affected_namespace == NULL ? 1 : 2, NULL, 0, event_done, &fake_events_done);
    }
}

const char *PMIx_Error_string(int status) { return status == -25 ? "UNREACHABLE" : "ERROR"; }

const char *PMIx_Get_version(void) { return "OpenPMIx 4.2.2, of a check"; }
