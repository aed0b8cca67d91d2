/*
 * One reliable connection between two guests and nothing of Sluice: RDMA reads, RDMA writes or sends, of memory whose
 * content is known, over and over; what arrived is compared each time, and each send carries its number. As with
 * Sluice, receives are taken from a shared queue, and of sends that follow each other one in four is signalled. Shows
 * whether the device keeps its promises on a wire that loses, doubles or reorders (docs/explanation/verbs-failures.md).
 * By hand:
 *
 *   gcc -O2 -o .build/raw_link ib/src/test/c/raw_link.c -libverbs -lrdmacm
 *   ./sluice vm --nodes 2 --fault 'delay=1ms~300us,reorder=25%' -- timeout 60 .build/raw_link read 141656 40 4 2 1
 *
 * Exits with 0 where all was right, 1 where content or the order of sends was wrong, 2 where work ended with an error,
 * 3 where it was ended by timeout(1).
 */
#include <arpa/inet.h>
#include <rdma/rdma_cma.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_DEPTH = 16,
    RECEIVES = 256,
    NOTE = 64,
    LARGEST_SEND = 8192,
    HEAD_WORDS = 3,
    SIGNALLED = 4,
    PORT = 7199,
    ACK_TIMEOUT = 14
};
enum { WRONG = 1, ENDED = 2, STOPPED = 3, USAGE = 64 };
enum what { MOVE = 1, SEND = 2, RECEIVE = 3 };
enum kind { WRITTEN = 1, TAKEN = 2, READ_IT = 3, BYE = 4, SENT = 5 };

struct place {
    uint64_t source, target;
    uint32_t source_key, target_key;
};

static size_t bytes;
static int count, depth, ways, sends, writes, only_sends, retries = 7, node;
static size_t note_bytes = NOTE;
static struct ibv_cq *cq;
static struct ibv_srq *srq;
static struct rdma_cm_id *id;
static uint8_t *source, *target;
static uint8_t *notes;
static struct ibv_mr *source_mr, *target_mr, *notes_mr;
static struct place mine, other;
static int begun, done, wrong, bye_in, sends_out, checked;
static uint32_t next_out, next_in;

static void die(const char *what) {
    perror(what);
    exit(ENDED);
}

static uint32_t *text_at(int at) { return (uint32_t *)(notes + at * note_bytes); }

static uint32_t word(int at, int who, size_t index) {
    return (uint32_t)(index * 2654435761u) ^ (uint32_t)at << 24 ^ (uint32_t)who << 30;
}

static void check(int at) {
    uint32_t *got = (uint32_t *)(target + at * bytes);
    size_t words = bytes / 4, first = words, bad = 0, untouched = 0;
    int from = 1 - node;
    for (size_t i = 0; i < words; i++) {
        if (got[i] != word(at, from, i)) {
            if (first == words) first = i;
            bad++;
            untouched += got[i] == 0xEEEEEEEE;
        }
    }
    checked++;
    if (bad) {
        wrong++;
        printf("node %d: number %d: wrong from byte %zu on, %zu words of %zu, %zu of them untouched\n", node, checked,
               first * 4, bad, words, untouched);
    }
    memset(got, 0xEE, bytes);
}

static void receive(int at) {
    struct ibv_sge sge = {(uintptr_t)text_at(at), note_bytes, notes_mr->lkey};
    struct ibv_recv_wr wr = {(uint64_t)RECEIVE << 32 | at, NULL, &sge, 1}, *bad;
    if (ibv_post_srq_recv(srq, &wr, &bad)) die("ibv_post_srq_recv");
}

static void note(enum kind kind, int at) {
    static int next;
    uint32_t *text = text_at(RECEIVES + next);
    next = (next + 1) % RECEIVES;
    text[0] = kind;
    text[1] = at;
    text[2] = next_out++;
    for (size_t i = HEAD_WORDS; i < note_bytes / 4; i++) text[i] = word(text[2], node, i);
    struct ibv_sge sge = {(uintptr_t)text, note_bytes, notes_mr->lkey};
    struct ibv_send_wr wr = {.wr_id = (uint64_t)SEND << 32,
                             .sg_list = &sge,
                             .num_sge = 1,
                             .opcode = IBV_WR_SEND,
                             .send_flags =
                                 kind != SENT || begun % SIGNALLED == 0 || begun == count ? IBV_SEND_SIGNALED : 0},
                       *bad;
    if (ibv_post_send(id->qp, &wr, &bad)) die("ibv_post_send");
    sends_out += wr.send_flags != 0;
}

/* Sends come in order, each once, or the connection has broken its promise; what comes behind would be taken for
 * something else. */
static void check_note(const uint32_t *text) {
    checked++;
    if (text[2] != next_in) {
        printf("node %d: send %u came where %u had to come\n", node, text[2], next_in);
        exit(WRONG);
    }
    next_in++;
    for (size_t i = HEAD_WORDS; i < note_bytes / 4; i++) {
        if (text[i] != word(text[2], 1 - node, i)) {
            wrong++;
            printf("node %d: send %u: wrong from byte %zu on\n", node, text[2], i * 4);
            return;
        }
    }
}

static void move(int at) {
    if (begun == count) return;
    begun++;
    if (only_sends) {
        note(SENT, at);
        return;
    }
    struct ibv_sge sge = {(uintptr_t)((writes ? source : target) + at * bytes), bytes,
                          (writes ? source_mr : target_mr)->lkey};
    struct ibv_send_wr wr = {.wr_id = (uint64_t)MOVE << 32 | at,
                             .sg_list = &sge,
                             .num_sge = 1,
                             .opcode = writes ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ,
                             .send_flags = IBV_SEND_SIGNALED},
                       *bad;
    wr.wr.rdma.remote_addr = (writes ? other.target : other.source) + at * bytes;
    wr.wr.rdma.rkey = writes ? other.target_key : other.source_key;
    if (ibv_post_send(id->qp, &wr, &bad)) die("ibv_post_send");
    if (writes) note(WRITTEN, at);
}

static void completed(struct ibv_wc *wc) {
    int what = wc->wr_id >> 32, at = (int)wc->wr_id;
    if (wc->status) {
        printf("node %d: %d ended with %s after %d\n", node, what, ibv_wc_status_str(wc->status), done);
        exit(ENDED);
    }
    if (what == MOVE && !writes) {
        check(at);
        done++;
        if (sends) note(READ_IT, at);
        move(at);
    } else if (what == SEND) {
        sends_out--;
        // One completion stands for those before it, too.
        for (int i = 0; only_sends && i < SIGNALLED && done < begun; i++) {
            done++;
            move(0);
        }
    } else if (what == RECEIVE) {
        uint32_t kind = text_at(at)[0], which = text_at(at)[1];
        check_note(text_at(at));
        receive(at);
        if (kind == WRITTEN) {
            check(which);
            note(TAKEN, which);
        } else if (kind == TAKEN) {
            done++;
            move(which);
        } else if (kind == BYE) {
            bye_in = 1;
        }
    }
}

static void report(int signal) {
    char text[200];
    int n = snprintf(text, sizeof text, "node %d: ended by signal %d: %d done, %d checked, %d wrong\n", node, signal,
                     done, checked, wrong);
    if (write(1, text, n) < 0) _exit(STOPPED);
    _exit(STOPPED);
}

static void take(void) {
    struct ibv_wc wc[16];
    int n = ibv_poll_cq(cq, 16, wc);
    if (n < 0) die("ibv_poll_cq");
    if (n == 0) usleep(50);
    for (int i = 0; i < n; i++) completed(&wc[i]);
}

static struct rdma_cm_event *await(struct rdma_event_channel *channel, int kind) {
    struct rdma_cm_event *event;
    if (rdma_get_cm_event(channel, &event)) die("rdma_get_cm_event");
    if ((int)event->event != kind) {
        printf("node %d: %s, status %d\n", node, rdma_event_str(event->event), event->status);
        exit(ENDED);
    }
    return event;
}

static void prepare(void) {
    struct ibv_qp_init_attr attr = {.qp_type = IBV_QPT_RC};
    cq = ibv_create_cq(id->verbs, 4096, NULL, NULL, 0);
    struct ibv_pd *pd = ibv_alloc_pd(id->verbs);
    if (!cq || !pd) die("ibv_alloc_pd");
    struct ibv_srq_init_attr shared = {.attr = {.max_wr = RECEIVES, .max_sge = 1}};
    srq = ibv_create_srq(pd, &shared);
    if (!srq) die("ibv_create_srq");
    attr.srq = srq;
    attr.send_cq = attr.recv_cq = cq;
    attr.cap.max_send_wr = RECEIVES;
    attr.cap.max_send_sge = 1;
    if (rdma_create_qp(id, pd, &attr)) die("rdma_create_qp");
    source = aligned_alloc(4096, (depth * bytes + 4095) & ~4095ul);
    target = aligned_alloc(4096, (depth * bytes + 4095) & ~4095ul);
    notes = calloc(2 * RECEIVES, note_bytes);
    for (int at = 0; at < depth; at++)
        for (size_t i = 0; i < bytes / 4; i++) ((uint32_t *)(source + at * bytes))[i] = word(at, node, i);
    memset(target, 0xEE, depth * bytes);
    int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
    source_mr = ibv_reg_mr(pd, source, depth * bytes, access);
    target_mr = ibv_reg_mr(pd, target, depth * bytes, access);
    notes_mr = ibv_reg_mr(pd, notes, 2 * RECEIVES * note_bytes, access);
    if (!source_mr || !target_mr || !notes_mr) die("ibv_reg_mr");
    mine = (struct place){(uintptr_t)source, (uintptr_t)target, source_mr->rkey, target_mr->rkey};
    for (int i = 0; i < RECEIVES; i++) receive(i);
}

static void connect_both(void) {
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct rdma_cm_event *event = NULL;
    uint8_t timeout = ACK_TIMEOUT;
    inet_pton(AF_INET, "10.9.0.1", &address.sin_addr);
    if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP)) die("rdma_create_id");
    if (node == 0) {
        if (rdma_bind_addr(id, (struct sockaddr *)&address) || rdma_listen(id, 1)) die("rdma_listen");
        event = await(channel, RDMA_CM_EVENT_CONNECT_REQUEST);
        id = event->id;
    } else {
        sleep(2);
        if (rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, 5000)) die("rdma_resolve_addr");
        rdma_ack_cm_event(await(channel, RDMA_CM_EVENT_ADDR_RESOLVED));
        if (rdma_resolve_route(id, 5000)) die("rdma_resolve_route");
        rdma_ack_cm_event(await(channel, RDMA_CM_EVENT_ROUTE_RESOLVED));
    }
    rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, &timeout, sizeof timeout);
    prepare();
    struct rdma_conn_param parameters = {.private_data = &mine,
                                         .private_data_len = sizeof mine,
                                         .initiator_depth = depth,
                                         .responder_resources = depth,
                                         .retry_count = retries,
                                         .rnr_retry_count = 7};
    if (node == 0) {
        memcpy(&other, event->param.conn.private_data, sizeof other);
        rdma_ack_cm_event(event);
        if (rdma_accept(id, &parameters)) die("rdma_accept");
        rdma_ack_cm_event(await(channel, RDMA_CM_EVENT_ESTABLISHED));
    } else {
        if (rdma_connect(id, &parameters)) die("rdma_connect");
        event = await(channel, RDMA_CM_EVENT_ESTABLISHED);
        memcpy(&other, event->param.conn.private_data, sizeof other);
        rdma_ack_cm_event(event);
    }
}

static int usage(void) {
    fprintf(stderr,
            "raw_link read|write|send BYTES COUNT DEPTH WAYS SENDS [RETRIES], in both of two guests\n"
            "  BYTES of each, a multiple of 4, sends %d to %d; COUNT in all, DEPTH of them at once, 1 to %d, sends %d "
            "at least;\n"
            "  WAYS 1: only node 1 moves bytes, 2: both; SENDS 1: a small send follows each read, 0: none;\n"
            "  RETRIES 0 to 7 times before the adapter gives up, 7 unless given\n",
            NOTE, LARGEST_SEND, MOST_DEPTH, SIGNALLED);
    return USAGE;
}

int main(int argc, char **argv) {
    const char *own = getenv("SLUICE_VM_NODE");
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc < 7 || argc > 8 || !own) return usage();
    writes = !strcmp(argv[1], "write");
    only_sends = !strcmp(argv[1], "send");
    bytes = strtoul(argv[2], NULL, 0);
    count = atoi(argv[3]);
    depth = atoi(argv[4]);
    ways = atoi(argv[5]);
    sends = atoi(argv[6]);
    retries = argc == 8 ? atoi(argv[7]) : 7;
    node = atoi(own);
    if (only_sends && (bytes < NOTE || bytes > LARGEST_SEND || depth < SIGNALLED)) return usage();
    note_bytes = only_sends ? bytes : NOTE;
    if (retries < 0 || retries > 7 || (!writes && !only_sends && strcmp(argv[1], "read")) || bytes < 4 || bytes % 4 ||
        count < 1 || depth < 1 || depth > MOST_DEPTH)
        return usage();
    signal(SIGTERM, report);
    connect_both();
    time_t start = time(NULL);
    int moves = ways == 2 || node == 1;
    for (int at = 0; moves && at < depth; at++) move(at);
    while (moves && done < count) take();
    note(BYE, 0);
    while (!bye_in || sends_out) take();
    printf("node %d: %d done, %d checked, %d wrong, %ld s\n", node, done, checked, wrong, (long)(time(NULL) - start));
    // The other end may still wait for the last acknowledgement.
    sleep(1);
    return wrong ? WRONG : 0;
}
