/* Posts and polls. */
#include "verbs_checks.h"

#include <errno.h>
#include <stdlib.h>

#define QUEUE HANDLE(&fake_queue)
#define RECEIVE_QUEUE HANDLE(&fake_receive_queue)
#define QUEUE_PAIR HANDLE(&fake_queue_pair)

static void check_bad_requests(void) {
    int64_t bad = -1;
    struct ibv_send_wr sends[3] = {{.wr_id = 1}};
    struct ibv_recv_wr receives[3] = {{.wr_id = 1}};
    fakes_reset();
    EQUAL(sluice_verbs_post_send(QUEUE_PAIR, HANDLE(sends), HANDLE(&bad)), 0);
    EQUAL(sluice_verbs_post_receive(RECEIVE_QUEUE, HANDLE(receives), HANDLE(&bad)), 0);
    fake_error = ENOMEM;
    fake_bad_request = &sends[2];
    EQUAL(sluice_verbs_post_send(QUEUE_PAIR, HANDLE(sends), HANDLE(&bad)), -ENOMEM);
    EQUAL(bad, HANDLE(&sends[2]));
    fake_bad_request = &receives[1];
    EQUAL(sluice_verbs_post_receive(RECEIVE_QUEUE, HANDLE(receives), HANDLE(&bad)), -ENOMEM);
    EQUAL(bad, HANDLE(&receives[1]));
    fake_bad_request = NULL; /* a driver that says nothing has taken nothing */
    bad = -1;
    EQUAL(sluice_verbs_post_send(QUEUE_PAIR, HANDLE(sends), HANDLE(&bad)), -ENOMEM);
    EQUAL(bad, HANDLE(sends));
    bad = -1;
    EQUAL(sluice_verbs_post_receive(RECEIVE_QUEUE, HANDLE(receives), HANDLE(&bad)), -ENOMEM);
    EQUAL(bad, HANDLE(receives));
    bad = -1;
    fakes_reset();
    EQUAL(sluice_verbs_post_send(0, HANDLE(sends), HANDLE(&bad)), -EINVAL);
    EQUAL(bad, HANDLE(sends));
    EQUAL(sluice_verbs_post_receive(0, HANDLE(receives), HANDLE(&bad)), -EINVAL);
    EQUAL(bad, HANDLE(receives));
    EQUAL(sluice_verbs_post_send(QUEUE_PAIR, 0, HANDLE(&bad)), -EINVAL);
    EQUAL(sluice_verbs_post_send(QUEUE_PAIR, HANDLE(sends), 0), -EINVAL);
    EQUAL(sluice_verbs_post_receive(RECEIVE_QUEUE, HANDLE(receives), 0), -EINVAL);
    EQUAL(fake_calls, 0);
}

static void check_poll(void) {
    struct ibv_wc *out = malloc(2 * sizeof *out);
    fakes_reset();
    fake_polled = 5;
    EQUAL(sluice_verbs_poll(QUEUE, 2, HANDLE(out)), 2);
    EQUAL(out[1].wr_id, 101);
    EQUAL(sluice_verbs_poll(QUEUE, 0, HANDLE(out)), 0);
    EQUAL(sluice_verbs_poll(QUEUE, -1, HANDLE(out)), -EINVAL);
    EQUAL(sluice_verbs_poll(QUEUE, 1, 0), -EINVAL);
    fake_polled = 0;
    EQUAL(sluice_verbs_poll(QUEUE, 2, HANDLE(out)), 0);
    free(out);
}

void check_work(void) {
    check_bad_requests();
    check_poll();
    EQUAL(sluice_verbs_request_notify(QUEUE), 0);
}
