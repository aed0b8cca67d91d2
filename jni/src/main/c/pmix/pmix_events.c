/*
 * What the launcher reports: libpmix calls on_event on a thread of its own, which may not enter Java. So it writes into
 * a pipe, and a thread of Java's reads that.
 */
#define _GNU_SOURCE
#include "pmix_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define NO_RANK (-1)

/* For the life of the process, as the handler is: libpmix may call it until its end. */
static int event_pipe[2] = {-1, -1};

/* Launchers send these past handlers that name no codes ("non-default"), as PRRTE does. libpmix goes on reading them
 * while it registers. */
static int deaths[] = {SLUICE_PMIX_ERR_PROC_ABORTED,        SLUICE_PMIX_ERR_PROC_REQUESTED_ABORT,
                       SLUICE_PMIX_ERR_PROC_TERM_WO_SYNC,   SLUICE_PMIX_ERR_PROC_KILLED_BY_CMD,
                       SLUICE_PMIX_ERR_PROC_ABORTED_BY_SIG, SLUICE_PMIX_ERR_EXIT_NONZERO_TERM};

static int is_of_this_job(const sluice_pmix_proc *proc) {
    return proc != NULL && strncmp(proc->namespace, sluice_pmix_self()->namespace, SLUICE_PMIX_NAMESPACE_BYTES) == 0;
}

/* Who died stands in the event where it is told of by a server, and else is its source. */
static int32_t rank_of(const sluice_pmix_proc *source, const sluice_pmix_info *infos, size_t count) {
    const sluice_pmix_proc *affected = source;
    for (size_t i = 0; i < count; i++) {
        if (infos[i].value.type == SLUICE_PMIX_PROC &&
            strncmp(infos[i].key, SLUICE_PMIX_EVENT_AFFECTED_PROC, SLUICE_PMIX_KEY_BYTES) == 0) {
            affected = infos[i].value.data.proc;
        }
    }
    return is_of_this_job(affected) && affected->rank <= INT32_MAX ? (int32_t)affected->rank : NO_RANK;
}

static void on_event(size_t handler, int status, const sluice_pmix_proc *source, sluice_pmix_info *infos, size_t count,
                     sluice_pmix_info *results, size_t result_count, sluice_pmix_event_done done, void *data) {
    (void)handler, (void)results, (void)result_count;
    int32_t event[SLUICE_PMIX_EVENT_FIELDS] = {
        [SLUICE_PMIX_EVENT_CODE] = status, [SLUICE_PMIX_EVENT_RANK] = rank_of(source, infos, count)};
    ssize_t written;
    do {
        written = write(event_pipe[1], event, sizeof event);
    } while (written < 0 && errno == EINTR);
    /* A full pipe has thousands of deaths that nobody has read: one more says nothing new. */
    if (done != NULL) {
        done(SLUICE_PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, data);
    }
}

/* Where a launcher reports nothing, that is no error: then no event comes. */
static void registered(int status, size_t handler, void *data) { (void)status, (void)handler, (void)data; }

/* Once. */
int32_t sluice_pmix_watch(void) {
    if (event_pipe[0] >= 0 || pipe2(event_pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
        return SLUICE_PMIX_ERR_INIT;
    }
    int status =
        PMIx_Register_event_handler(deaths, sizeof deaths / sizeof deaths[0], NULL, 0, on_event, registered, NULL);
    /* Of the launcher's end. */
    int other = PMIx_Register_event_handler(NULL, 0, NULL, 0, on_event, registered, NULL);
    return status != SLUICE_PMIX_SUCCESS ? status : other;
}

/* Who waits gets an event that is none: of code 0 and no rank. */
int32_t sluice_pmix_end_wait(void) {
    const int32_t none[SLUICE_PMIX_EVENT_FIELDS] = {[SLUICE_PMIX_EVENT_CODE] = 0, [SLUICE_PMIX_EVENT_RANK] = NO_RANK};
    if (event_pipe[1] < 0) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    ssize_t written;
    do {
        written = write(event_pipe[1], none, sizeof none);
    } while (written < 0 && errno == EINTR);
    /* Who finds a full pipe waits no more. */
    return SLUICE_PMIX_SUCCESS;
}

/* 1 with an event, 0 where none came in time or a signal did. */
int32_t sluice_pmix_await_event(int32_t timeout_ms, int32_t out[SLUICE_PMIX_EVENT_FIELDS]) {
    if (timeout_ms < 0 || event_pipe[0] < 0) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    struct pollfd waiting = {.fd = event_pipe[0], .events = POLLIN};
    if (poll(&waiting, 1, timeout_ms) <= 0) {
        return 0;
    }
    /* Written in one piece, and so read in one. */
    ssize_t bytes = read(event_pipe[0], out, SLUICE_PMIX_EVENT_FIELDS * sizeof out[0]);
    return bytes == (ssize_t)(SLUICE_PMIX_EVENT_FIELDS * sizeof out[0]);
}
