/*
 * The floor beside which Sluice's connections are weighed: an identifier of librdmacm and a queue pair for each end,
 * both ends in this process, all on one completion queue and one shared receive queue, and nothing else.
 * "bare_connections REQUESTS COUNT..." makes connections until there are COUNT ends, says what the process and the
 * kernel hold (MemoryReading.java), and goes on to the next COUNT. At the end it says which of the kernel's caches grew
 * with the connections.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <ifaddrs.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KB = 1024,
    LINE = 512,
    NAME = 64,
    CACHES = 1024,
    RESOLVE_MS = 2000,
    ENTRIES = 64,
    BACKLOG = 8,
    READS = 4,
    RETRIES = 7,
    ACK_RETRIES = 6
};

struct cache {
    char name[NAME];
    long objects, bytes;
};

static struct rdma_event_channel *channel;
static struct rdma_cm_id *listener;
static struct ibv_pd *domain;
static struct ibv_cq *completions;
static struct ibv_srq *receives;
static uint32_t requests;
static struct cache caches[CACHES];
static int cache_count;

static void fail(const char *what) {
    fprintf(stderr, "bare_connections: %s failed: %s\n", what, strerror(errno));
    exit(1);
}

static int need(int result, const char *what) {
    if (result != 0) {
        fail(what);
    }
    return result;
}

static void *made(void *result, const char *what) {
    if (result == NULL) {
        fail(what);
    }
    return result;
}

/* ---- connections ---- */

/* At the first IPv4 address that an RDMA device serves. */
static void listen_somewhere(void) {
    struct ifaddrs *all;
    need(getifaddrs(&all), "getifaddrs");
    for (struct ifaddrs *each = all; each != NULL; each = each->ifa_next) {
        if (each->ifa_addr == NULL || each->ifa_addr->sa_family != AF_INET) {
            continue;
        }
        need(rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP), "rdma_create_id");
        if (rdma_bind_addr(listener, each->ifa_addr) == 0 && listener->verbs != NULL) {
            freeifaddrs(all);
            need(rdma_listen(listener, BACKLOG), "rdma_listen");
            return;
        }
        rdma_destroy_id(listener);
    }
    fprintf(stderr, "bare_connections: no RDMA device serves an IPv4 address of this machine\n");
    exit(1);
}

static void share(void) {
    struct ibv_srq_init_attr wanted = {.attr = {.max_wr = ENTRIES, .max_sge = 1}};
    domain = made(ibv_alloc_pd(listener->verbs), "ibv_alloc_pd");
    completions = made(ibv_create_cq(listener->verbs, ENTRIES, NULL, NULL, 0), "ibv_create_cq");
    receives = made(ibv_create_srq(domain, &wanted), "ibv_create_srq");
}

/* As many send work requests as were asked for, of one piece, none inline. */
static void queue_pair(struct rdma_cm_id *id) {
    struct ibv_qp_init_attr wanted = {
        .send_cq = completions, .recv_cq = completions, .srq = receives, .qp_type = IBV_QPT_RC};
    wanted.cap.max_send_wr = requests;
    wanted.cap.max_send_sge = 1;
    need(rdma_create_qp(id, domain, &wanted), "rdma_create_qp");
}

static struct rdma_conn_param parameters(void) {
    struct rdma_conn_param result = {
        .responder_resources = READS, .initiator_depth = READS, .retry_count = ACK_RETRIES, .rnr_retry_count = RETRIES};
    return result;
}

/* @return how many ends it has brought up */
static int on_event(struct rdma_cm_event *event) {
    struct rdma_conn_param wanted = parameters();
    switch (event->event) {
        case RDMA_CM_EVENT_ADDR_RESOLVED:
            need(rdma_resolve_route(event->id, RESOLVE_MS), "rdma_resolve_route");
            return 0;
        case RDMA_CM_EVENT_ROUTE_RESOLVED:
            queue_pair(event->id);
            need(rdma_connect(event->id, &wanted), "rdma_connect");
            return 0;
        case RDMA_CM_EVENT_CONNECT_REQUEST:
            queue_pair(event->id);
            need(rdma_accept(event->id, &wanted), "rdma_accept");
            return 0;
        case RDMA_CM_EVENT_ESTABLISHED:
            return 1;
        default:
            fprintf(stderr, "bare_connections: %s, status %d, instead of a connection\n", rdma_event_str(event->event),
                    event->status);
            exit(1);
    }
}

/* Two ends; they stay until the process ends. */
static void join(void) {
    struct rdma_cm_id *id;
    struct rdma_cm_event *event;
    need(rdma_create_id(channel, &id, NULL, RDMA_PS_TCP), "rdma_create_id");
    need(rdma_resolve_addr(id, NULL, rdma_get_local_addr(listener), RESOLVE_MS), "rdma_resolve_addr");
    for (int ends = 0; ends < 2;) {
        need(rdma_get_cm_event(channel, &event), "rdma_get_cm_event");
        struct rdma_cm_event copy = *event;
        ends += on_event(&copy);
        need(rdma_ack_cm_event(event), "rdma_ack_cm_event");
    }
}

/* ---- readings ---- */

/* Kilobytes of the lines that begin with this. */
static long sum(const char *file, const char *name, int of_devices) {
    FILE *in = made(fopen(file, "r"), file);
    char line[LINE];
    long kilobytes = 0;
    int is_device = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        if (strchr("0123456789abcdef", line[0]) != NULL) {
            is_device = strstr(line, "/dev/infiniband/") != NULL;
        } else if (strncmp(line, name, strlen(name)) == 0 && (is_device || !of_devices)) {
            kilobytes += atol(line + strlen(name));
        }
    }
    fclose(in);
    return kilobytes;
}

static void say_reading(int ends) {
    long queues = sum("/proc/self/smaps", "Rss:", 1);
    long own = sum("/proc/self/smaps", "Rss:", 0) - queues;
    long kernel = sum("/proc/meminfo", "SUnreclaim:", 0) + sum("/proc/meminfo", "VmallocUsed:", 0) +
                  sum("/proc/meminfo", "PageTables:", 0);
    printf("memory-reading %d 0 %ld %ld %ld\n", ends, own * KB, queues * KB, kernel * KB);
    fflush(stdout);
}

static struct cache *cache(const char *name) {
    for (int i = 0; i < cache_count; i++) {
        if (strcmp(caches[i].name, name) == 0) {
            return &caches[i];
        }
    }
    if (cache_count == CACHES) {
        return NULL;
    }
    snprintf(caches[cache_count].name, NAME, "%s", name);
    return &caches[cache_count++];
}

/* Only root may read it: where it can't be read there is nothing to say. @param sign -1 at the beginning, 1 at the end
 */
static void read_caches(int sign) {
    FILE *in = fopen("/proc/slabinfo", "r");
    char line[LINE], name[NAME];
    long active, all, bytes;
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        struct cache *found = sscanf(line, "%63s %ld %ld %ld", name, &active, &all, &bytes) == 4 ? cache(name) : NULL;
        if (found != NULL) {
            found->objects += sign * active;
            found->bytes = bytes;
        }
    }
    if (in != NULL) {
        fclose(in);
    }
}

/* Those of which every other connection at least took one. */
static void say_caches(int ends) {
    for (int i = 0; i < cache_count; i++) {
        if (caches[i].objects * 2 >= ends) {
            printf("memory-cache %s %ld %ld %d\n", caches[i].name, caches[i].bytes, caches[i].objects, ends);
        }
    }
}

int main(int count, char **words) {
    if (count < 3) {
        fprintf(stderr, "usage: bare_connections REQUESTS ENDS...\n");
        return 2;
    }
    requests = (uint32_t)atoi(words[1]);
    channel = made(rdma_create_event_channel(), "rdma_create_event_channel");
    listen_somewhere();
    share();
    int ends = 0, first = 0;
    for (int i = 2; i < count; i++) {
        for (; ends < atoi(words[i]); ends += 2) {
            join();
        }
        say_reading(ends);
        if (i == 2) {
            first = ends;
            read_caches(-1);
        }
    }
    read_caches(1);
    say_caches(ends - first);
    return 0;
}
