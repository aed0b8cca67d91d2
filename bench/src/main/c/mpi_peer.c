/*
 * The native peer: runs the same steps as the JVM ranks do, over MPI, and is driven by the same lines. Compiled with
 * the mpicc of the MPI that it stands for. A step is "RUN benchmark api size batches batch leadIn rewrite verify
 * window" (Step.java); rank 0 answers with the nanoseconds of each batch, the others with "OK"; of a
 * collective all ranks answer so.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <inttypes.h>
#include <mpi.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { DATA_TAG = 7, ANSWER_TAG = 8, PAGE = 4096, WORD = 8 };

struct step {
    char benchmark[16], api[16];
    int size, batches, batch, lead_in, rewrite, verify, window;
};

/* Of rewrite, as Rewrite.java has them. */
enum { REWRITES = 1, REWRITING_TIMED = 2 };

static int rank, ranks;
static struct step step;
static int slots, requested;
/* For the test of the check alone (BENCH_SPOIL in the environment): the last byte of each message is another than it
 * should be. */
static int spoils;
static unsigned char *outgoing, *incoming;
static size_t capacity;
static int64_t rewriting_ns;
/* Of an iteration this alone counts, if it is so. */
static int64_t part_ns;
static int times_part;
static MPI_Request *requests;
static int pending, request_capacity;
/* Where the answers go; NULL until this rank has connected. */
static FILE *harness;

static void fail(const char *what) {
    fprintf(stderr, "mpi_peer, rank %d: %s\n", rank, what);
    /* An mpiexec that is told to abort may end before it has printed what its ranks had said. */
    if (harness != NULL) {
        fprintf(harness, "ERR %s\n", what);
        fflush(harness);
    }
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    if (value == NULL) {
        fprintf(stderr, "mpi_peer: the environment has no %s; it is started by ./sluice bench\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return value;
}

/* The core of this rank, as every other contestant has it; "0,1" by rank, empty for none. */
static void pin(void) {
    const char *cores = environment("BENCH_CORES");
    for (int i = 0; i < rank && cores != NULL; i++) {
        cores = strchr(cores, ',');
        cores = cores == NULL ? NULL : cores + 1;
    }
    if (cores != NULL && *cores != '\0') {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(atoi(cores), &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0) {
            fail("sched_setaffinity failed");
        }
    }
}

/* ---- content: see Content.java, only that ours need not equal Java's ---- */

static uint64_t seed(int iteration, int slot, int sender) {
    return ((uint64_t)step.size << 40) ^ ((uint64_t)iteration << 16) ^ ((uint64_t)slot << 8) ^ (uint64_t)sender;
}

static uint64_t word(uint64_t base, int index) { return (base + (uint64_t)index) * UINT64_C(0x9E3779B97F4A7C15); }

static void write_words(unsigned char *at, int size, uint64_t base) {
    for (int done = 0; done < size; done += WORD) {
        uint64_t value = word(base, done / WORD);
        memcpy(at + done, &value, size - done < WORD ? size - done : WORD);
    }
}

static void check_words(const unsigned char *at, int size, uint64_t base) {
    for (int done = 0; done < size; done += WORD) {
        uint64_t value = word(base, done / WORD);
        if (memcmp(at + done, &value, size - done < WORD ? size - done : WORD) != 0) {
            fail("wrong content");
        }
    }
}

static void fill(int iteration, int slot) {
    unsigned char *at = outgoing + (size_t)slot * step.size;
    if (step.verify) {
        write_words(at, step.size, seed(iteration, slot, rank));
        if (spoils && step.size > 0) {
            at[step.size - 1] ^= 1;
        }
    } else if (step.rewrite == REWRITES) {
        memset(at, iteration, step.size);
    } else if (step.rewrite == REWRITING_TIMED) {
        /* Twice: what lies between two reads of the clock if nothing does is taken off. */
        int64_t before = now(), start = now();
        memset(at, iteration, step.size);
        rewriting_ns += now() - start - (start - before);
    }
}

/* The clock that batches are timed by: it goes on while the sender rewrites, if only that counts. */
static int64_t step_now(void) { return step.rewrite == REWRITING_TIMED ? rewriting_ns : times_part ? part_ns : now(); }

static void check_sent_from(int iteration, int slot, int sent_slot, int sender) {
    if (!step.verify) {
        return;
    }
    const unsigned char *at = incoming + (size_t)slot * step.size;
    check_words(at, step.size, seed(iteration, sent_slot, sender));
}

static void check(int iteration, int slot, int sender) { check_sent_from(iteration, slot, slot, sender); }

/* ---- one iteration of each benchmark ---- */

static void post(int to, int slot) {
    unsigned char *at = outgoing + (size_t)slot * step.size;
    if (requested) {
        MPI_Isend(at, step.size, MPI_BYTE, to, DATA_TAG, MPI_COMM_WORLD, &requests[pending++]);
    } else {
        MPI_Send(at, step.size, MPI_BYTE, to, DATA_TAG, MPI_COMM_WORLD);
    }
}

static void expect(int from, int slot) {
    unsigned char *at = incoming + (size_t)slot * step.size;
    if (requested) {
        MPI_Irecv(at, step.size, MPI_BYTE, from, DATA_TAG, MPI_COMM_WORLD, &requests[pending++]);
    } else {
        MPI_Recv(at, step.size, MPI_BYTE, from, DATA_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void finish(void) {
    if (pending == 1) {
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else if (pending > 1) {
        MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
    }
    pending = 0;
}

static void answer_to(int to) { MPI_Send(NULL, 0, MPI_BYTE, to, ANSWER_TAG, MPI_COMM_WORLD); }

static void await_answer(int from) { MPI_Recv(NULL, 0, MPI_BYTE, from, ANSWER_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static int slot_of(int message) { return slots > 1 ? message : 0; }

static void ping(int iteration) {
    fill(iteration, 0);
    post(1, 0);
    finish();
    expect(1, 0);
    finish();
    check(iteration, 0, 1);
}

static void pong(int iteration) {
    expect(0, 0);
    finish();
    check(iteration, 0, 0);
    fill(iteration, 0);
    post(0, 0);
    finish();
}

static void send_window(int iteration) {
    for (int i = 0; i < step.window; i++) {
        fill(iteration, slot_of(i));
        post(1, slot_of(i));
    }
    finish();
    await_answer(1);
}

static void receive_window(int iteration) {
    for (int i = 0; i < step.window; i++) {
        expect(0, slot_of(i));
    }
    finish();
    for (int i = 0; i < slots; i++) {
        check(iteration, i, 0);
    }
    answer_to(0);
}

static void both_ways(int iteration) {
    int other = 1 - rank;
    for (int i = 0; i < step.window; i++) {
        expect(other, slot_of(i));
    }
    for (int i = 0; i < step.window; i++) {
        fill(iteration, slot_of(i));
        post(other, slot_of(i));
    }
    finish();
    for (int i = 0; i < slots; i++) {
        check(iteration, i, other);
    }
    if (rank == 0) {
        answer_to(other);
        await_answer(other);
    } else {
        await_answer(other);
        answer_to(other);
    }
}

/* To the right first: with two ranks both neighbours are one, and what is sent first is received first, from "the
 * left". */
static void ring(int iteration) {
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    expect(left, 0);
    expect(right, 1);
    fill(iteration, 0);
    fill(iteration, 1);
    post(right, 1);
    post(left, 0);
    finish();
    check_sent_from(iteration, 0, 1, left);
    check_sent_from(iteration, 1, 0, right);
}

/* ---- collectives: see CollectiveSteps.java ---- */

enum { VALUES = 97, PLACES = 8, PLACES_LEAST = 2, LARGE = 1 << 20 };

enum collective { BARRIER, BROADCAST, REDUCE, ALLREDUCE, REDUCE_SCATTER, ALLGATHER, ALLTOALL, GATHER, SCATTER, SCAN };

static const char *const collectives[] = {"barrier",   "broadcast", "reduce", "allreduce", "reduce-scatter",
                                          "allgather", "alltoall",  "gather", "scatter",   "scan"};

/* Which one the step is of, or -1. */
static int collective = -1;

static int collective_of(const char *name) {
    for (int i = 0; i < (int)(sizeof collectives / sizeof *collectives); i++) {
        if (strcmp(name, collectives[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static int is_reduction(void) {
    return collective == REDUCE || collective == ALLREDUCE || collective == REDUCE_SCATTER || collective == SCAN;
}

static int blocks_out(void) {
    return collective == ALLTOALL || collective == SCATTER || collective == REDUCE_SCATTER ? ranks : 1;
}

static int blocks_in(void) {
    return collective == ALLTOALL || collective == GATHER || collective == ALLGATHER ? ranks : 1;
}

static int elements(void) { return is_reduction() ? step.size / (int)sizeof(double) : step.size; }

static int content(int iteration, int of, int element) { return (iteration * 7 + of * 13 + element) % VALUES; }

static void contribute(int iteration, void *at, int count) {
    if (!step.verify && !step.rewrite) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (is_reduction()) {
            ((double *)at)[i] = content(iteration, rank, i);
        } else {
            ((char *)at)[i] = (char)content(iteration, rank, i);
        }
    }
}

static double expected(int iteration, int root, int from, int element) {
    int block = elements();
    switch (collective) {
        case BROADCAST:
            return content(iteration, root, element);
        case SCATTER:
            return content(iteration, root, rank * block + element);
        case ALLTOALL:
            return content(iteration, from, rank * block + element);
        case GATHER:
        case ALLGATHER:
            return content(iteration, from, element);
        default: {
            double sum = 0;
            int last = collective == SCAN ? rank + 1 : ranks;
            int first = collective == REDUCE_SCATTER ? rank * block : 0;
            for (int of = 0; of < last; of++) {
                sum += content(iteration, of, first + element);
            }
            return sum;
        }
    }
}

static void check_result(int iteration, int root, const void *at) {
    int at_root = collective == GATHER || collective == REDUCE;
    if (!step.verify || step.size == 0 || collective == BARRIER || (at_root && rank != root)) {
        return;
    }
    int block = elements(), count = block * blocks_in();
    for (int i = 0; i < count; i++) {
        double found = is_reduction() ? ((const double *)at)[i] : ((const char *)at)[i];
        if (found != expected(iteration, root, i / block, i % block)) {
            fail("wrong content of a collective");
        }
    }
}

static void call(void *out, void *in, int n, int root) {
    MPI_Comm world = MPI_COMM_WORLD;
    switch (collective) {
        case BARRIER:
            MPI_Barrier(world);
            break;
        case BROADCAST:
            MPI_Bcast(in, n, MPI_BYTE, root, world);
            break;
        case REDUCE:
            MPI_Reduce(out, in, n, MPI_DOUBLE, MPI_SUM, root, world);
            break;
        case ALLREDUCE:
            MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_SUM, world);
            break;
        case REDUCE_SCATTER:
            MPI_Reduce_scatter_block(out, in, n, MPI_DOUBLE, MPI_SUM, world);
            break;
        case ALLGATHER:
            MPI_Allgather(out, n, MPI_BYTE, in, n, MPI_BYTE, world);
            break;
        case ALLTOALL:
            MPI_Alltoall(out, n, MPI_BYTE, in, n, MPI_BYTE, world);
            break;
        case GATHER:
            MPI_Gather(out, n, MPI_BYTE, in, n, MPI_BYTE, root, world);
            break;
        case SCATTER:
            MPI_Scatter(out, n, MPI_BYTE, in, n, MPI_BYTE, root, world);
            break;
        default:
            MPI_Scan(out, in, n, MPI_DOUBLE, MPI_SUM, world);
            break;
    }
}

static void call_and_wait(void *out, void *in, int n, int root) {
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request request;
    switch (collective) {
        case BARRIER:
            MPI_Ibarrier(world, &request);
            break;
        case BROADCAST:
            MPI_Ibcast(in, n, MPI_BYTE, root, world, &request);
            break;
        case REDUCE:
            MPI_Ireduce(out, in, n, MPI_DOUBLE, MPI_SUM, root, world, &request);
            break;
        case ALLREDUCE:
            MPI_Iallreduce(out, in, n, MPI_DOUBLE, MPI_SUM, world, &request);
            break;
        case REDUCE_SCATTER:
            MPI_Ireduce_scatter_block(out, in, n, MPI_DOUBLE, MPI_SUM, world, &request);
            break;
        case ALLGATHER:
            MPI_Iallgather(out, n, MPI_BYTE, in, n, MPI_BYTE, world, &request);
            break;
        case ALLTOALL:
            MPI_Ialltoall(out, n, MPI_BYTE, in, n, MPI_BYTE, world, &request);
            break;
        case GATHER:
            MPI_Igather(out, n, MPI_BYTE, in, n, MPI_BYTE, root, world, &request);
            break;
        case SCATTER:
            MPI_Iscatter(out, n, MPI_BYTE, in, n, MPI_BYTE, root, world, &request);
            break;
        default:
            MPI_Iscan(out, in, n, MPI_DOUBLE, MPI_SUM, world, &request);
            break;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void together(int iteration) {
    int root = iteration % ranks, n = elements();
    size_t place = (size_t)(iteration % slots);
    unsigned char *out = outgoing + place * step.size * blocks_out(), *in = incoming + place * step.size * blocks_in();
    if (collective != BROADCAST) {
        contribute(iteration, out, n * blocks_out());
    } else if (rank == root) {
        contribute(iteration, in, n);
    }
    if (requested) {
        call_and_wait(out, in, n, root);
    } else {
        call(out, in, n, root);
    }
    if (spoils && step.size > 0) {
        in[0] ^= 1;
    }
    check_result(iteration, root, in);
}

/* ---- messages that are all answered, several at once: see Partners.java and AnsweredRequests.java ---- */

enum { FIRST_TAG = 16, ANSWERS = 1 << 10, HUGE_BYTES = 4 << 20 };

enum answered { KNEIGHBOR, KNEIGHBOR_HUGE, ONE_TO_ALL, NOT_ANSWERED };

static enum answered answered = NOT_ANSWERED;

struct place {
    int rank, sent;
    unsigned char *bytes;
};

/* By place: of a message that goes, where to and what; of one that comes, where from and in which place its sender has
 * it; of an answer, what came. */
static struct place *going, *coming, *replies;
static int going_count, coming_count;
/* Receives of messages, then of answers; sends of messages, then of answers. */
static MPI_Request *receives, *sends;

static enum answered answered_of(const char *name) {
    return strcmp(name, "kneighbor") == 0        ? KNEIGHBOR
           : strcmp(name, "kneighbor-huge") == 0 ? KNEIGHBOR_HUGE
           : strcmp(name, "one-to-all") == 0     ? ONE_TO_ALL
                                                 : NOT_ANSWERED;
}

static int is_huge(int sent) { return answered == KNEIGHBOR_HUGE && sent == 0; }

static int bytes_of(int sent) { return is_huge(sent) ? HUGE_BYTES : step.size; }

static int answer_bytes(int sent) { return answered == ONE_TO_ALL ? 0 : bytes_of(sent); }

static struct place *places(struct place *old, int old_count, int count) {
    for (int i = 0; i < old_count; i++) {
        free(old[i].bytes);
    }
    struct place *new = realloc(old, (count + 1) * sizeof *new);
    if (new == NULL) {
        fail("no memory for the places");
    }
    return new;
}

static unsigned char *room(int bytes) {
    size_t rounded = ((size_t)bytes + PAGE) / PAGE * PAGE;
    unsigned char *at = bytes < PAGE ? malloc(bytes + WORD) : aligned_alloc(PAGE, rounded);
    if (at == NULL) {
        fail("no memory for a message");
    }
    memset(at, 1, bytes);
    return at;
}

static void prepare_answered(void) {
    int ring = answered != ONE_TO_ALL, k = step.window / 2;
    int to = ring ? step.window : rank == 0 ? ranks - 1 : 0, from = ring ? step.window : rank == 0 ? 0 : 1;
    replies = places(replies, going_count, to);
    going = places(going, going_count, to);
    coming = places(coming, coming_count, from);
    going_count = to;
    coming_count = from;
    for (int i = 0; i < to; i++) {
        int away = i < k ? -(i + 1) : i - k + 1;
        going[i].rank = ring ? ((rank + away) % ranks + ranks) % ranks : i + 1;
        going[i].bytes = room(bytes_of(i));
        replies[i].bytes = room(answer_bytes(i));
    }
    for (int i = 0; i < from; i++) {
        coming[i].rank = ring ? going[i].rank : 0;
        coming[i].sent = ring ? (i + k) % step.window : rank - 1;
        coming[i].bytes = room(bytes_of(coming[i].sent));
    }
    receives = realloc(receives, (to + from + 1) * sizeof *receives);
    sends = realloc(sends, (to + from + 1) * sizeof *sends);
    if (receives == NULL || sends == NULL) {
        fail("no memory for the requests");
    }
}

static void write_place(int iteration, int place) {
    unsigned char *at = going[place].bytes;
    int bytes = bytes_of(place);
    if (step.verify) {
        write_words(at, bytes, seed(iteration, place, rank));
        if (spoils && bytes > 0) {
            at[bytes - 1] ^= 1;
        }
    } else if (step.rewrite == REWRITES) {
        memset(at, iteration, bytes);
    }
}

static void answer(int iteration, int place) {
    const struct place *from = &coming[place];
    if (step.verify) {
        check_words(from->bytes, bytes_of(from->sent), seed(iteration, from->sent, from->rank));
    }
    MPI_Isend(from->bytes, answer_bytes(from->sent), MPI_BYTE, from->rank, FIRST_TAG + ANSWERS + from->sent,
              MPI_COMM_WORLD, &sends[going_count + place]);
}

static void exchange_answered(int iteration) {
    int64_t begin = answered == KNEIGHBOR_HUGE ? now() : 0;
    int all = coming_count + going_count, counted = going_count - (answered == KNEIGHBOR_HUGE);
    for (int i = 0; i < coming_count; i++) {
        MPI_Irecv(coming[i].bytes, bytes_of(coming[i].sent), MPI_BYTE, coming[i].rank, FIRST_TAG + coming[i].sent,
                  MPI_COMM_WORLD, &receives[i]);
    }
    for (int i = 0; i < going_count; i++) {
        MPI_Irecv(replies[i].bytes, answer_bytes(i), MPI_BYTE, going[i].rank, FIRST_TAG + ANSWERS + i, MPI_COMM_WORLD,
                  &receives[coming_count + i]);
    }
    for (int i = 0; i < going_count; i++) {
        write_place(iteration, i);
        MPI_Isend(going[i].bytes, bytes_of(i), MPI_BYTE, going[i].rank, FIRST_TAG + i, MPI_COMM_WORLD, &sends[i]);
    }
    for (int left = all; left > 0; left--) {
        int arrived;
        MPI_Waitany(all, receives, &arrived, MPI_STATUS_IGNORE);
        if (arrived < coming_count) {
            answer(iteration, arrived);
            continue;
        }
        int place = arrived - coming_count;
        if (step.verify) {
            check_words(replies[place].bytes, answer_bytes(place), seed(iteration, place, rank));
        }
        if (answered == KNEIGHBOR_HUGE && !is_huge(place) && --counted == 0) {
            part_ns += now() - begin;
        }
    }
    MPI_Waitall(all, sends, MPI_STATUSES_IGNORE);
}

static void (*part(void))(int) {
    if (collective >= 0) {
        return together;
    }
    if (answered != NOT_ANSWERED) {
        return exchange_answered;
    }
    if (strcmp(step.benchmark, "latency") == 0) {
        return rank == 0 ? ping : pong;
    }
    if (strcmp(step.benchmark, "bandwidth") == 0 || strcmp(step.benchmark, "rate") == 0) {
        return rank == 0 ? send_window : receive_window;
    }
    return strcmp(step.benchmark, "bibandwidth") == 0 ? both_ways : ring;
}

/* ---- steps ---- */

/* Calls that are all done when they return: MPI's own blocking ones are their like. */
static int is_blocking(const char *api) {
    static const char *const blocking[] = {"blocking", "communicator", "mpijava", "openmpi"};
    for (int i = 0; i < (int)(sizeof blocking / sizeof *blocking); i++) {
        if (strcmp(api, blocking[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static void prepare(void) {
    int neighbor = strcmp(step.benchmark, "neighbor") == 0;
    collective = collective_of(step.benchmark);
    answered = answered_of(step.benchmark);
    times_part = answered == KNEIGHBOR_HUGE;
    if (answered != NOT_ANSWERED) {
        prepare_answered();
        return;
    }
    slots = neighbor ? 2 : step.rewrite || step.verify ? step.window : 1;
    requested = !is_blocking(step.api) || neighbor;
    size_t bytes = (size_t)step.size * slots;
    if (collective >= 0) {
        slots = (int64_t)step.size * ranks > LARGE ? PLACES_LEAST : PLACES;
        bytes = (size_t)step.size * slots * ranks;
    }
    if (bytes > capacity) {
        free(outgoing);
        free(incoming);
        capacity = (bytes + PAGE - 1) / PAGE * PAGE;
        outgoing = aligned_alloc(PAGE, capacity);
        incoming = aligned_alloc(PAGE, capacity);
        if (outgoing == NULL || incoming == NULL) {
            fail("no memory for the buffers");
        }
        memset(outgoing, 1, capacity);
        memset(incoming, 2, capacity);
    }
    int needed = 2 * step.window + 4;
    if (needed > request_capacity) {
        requests = realloc(requests, needed * sizeof *requests);
        request_capacity = needed;
    }
}

static void run(void) {
    prepare();
    void (*once)(int) = part();
    int64_t *samples = malloc(step.batches * sizeof *samples);
    if (samples == NULL) {
        fail("no memory for the samples");
    }
    /* Touched now, so that no page fault falls into a batch. */
    memset(samples, 1, step.batches * sizeof *samples);
    int iteration = 0;
    for (; iteration < step.lead_in; iteration++) {
        once(iteration);
    }
    int64_t start = step_now();
    for (int i = 0; i < step.batches; i++) {
        for (int j = 0; j < step.batch; j++) {
            once(iteration++);
        }
        int64_t end = step_now();
        samples[i] = end - start;
        start = end;
    }
    /* A library works only while it is called, and may still owe the others the end of their last sends: Open MPI's
     * receiver of long messages did, and its sender never returned. */
    MPI_Barrier(MPI_COMM_WORLD);
    fputs("OK", harness);
    for (int i = 0; i < step.batches && (rank == 0 || collective >= 0); i++) {
        fprintf(harness, " %" PRId64, samples[i]);
    }
    fputc('\n', harness);
    free(samples);
}

static int connect_back(void) {
    char address[64];
    snprintf(address, sizeof address, "%s", environment("BENCH_ADDRESS"));
    char *colon = strrchr(address, ':');
    if (colon == NULL) {
        fail("BENCH_ADDRESS is not host:port");
    }
    *colon = '\0';
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(colon + 1))};
    int one = 1, descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (inet_pton(AF_INET, address, &to.sin_addr) != 1 || connect(descriptor, (struct sockaddr *)&to, sizeof to) != 0) {
        fail("cannot connect to the harness");
    }
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return descriptor;
}

int main(int argc, char **argv) {
    /* So that a launcher that is killed takes its ranks along. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pin();
    spoils = getenv("BENCH_SPOIL") != NULL;
    int descriptor = connect_back();
    FILE *in = fdopen(descriptor, "r");
    harness = fdopen(dup(descriptor), "w");
    fprintf(harness, "HELLO %s %d\nREADY\n", environment("BENCH_TOKEN"), rank);
    fflush(harness);
    char line[256];
    while (fgets(line, sizeof line, in) != NULL) {
        if (sscanf(line, "RUN %15s %15s %d %d %d %d %d %d %d", step.benchmark, step.api, &step.size, &step.batches,
                   &step.batch, &step.lead_in, &step.rewrite, &step.verify, &step.window) == 9) {
            run();
        } else if (strncmp(line, "QUIT", 4) == 0) {
            fputs("BYE\n", harness);
            fflush(harness);
            break;
        } else if (strncmp(line, "GC", 2) == 0) {
            fputs("OK\n", harness);
        } else if (strncmp(line, "COMPILERS", 9) == 0) {
            fprintf(harness, "OK 0 %d\n", (int)getpid());
        } else if (strncmp(line, "PROCESSOR", 9) == 0) {
            struct timespec used;
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
            fprintf(harness, "OK %" PRId64 " %d\n", (int64_t)used.tv_sec * 1000000000 + used.tv_nsec, (int)getpid());
        } else {
            fputs("ERR not a line of this version\n", harness);
        }
        fflush(harness);
    }
    MPI_Finalize();
    return 0;
}
