/*
 * The floor beside which messages over TCP are weighed: one connection, whose both ends spin, and nothing else: no tag,
 * no header, no matching. "bare_sockets RANK ADDRESS FILE": rank 1 listens at the address and writes its port into the
 * file, rank 0 connects. A number in the place of the file is the port. Driven by the same lines as mpi_peer.c.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, WAIT_US = 1000, NAME = 512, LINE = 256 };
/* Of who comes to a port before anybody listens there: a minute. */
enum { TRIES = 60000 };

struct step {
    char benchmark[16], api[16];
    int size, batches, batch, lead_in, rewrite, verify, window;
};

static int rank, peer;
static struct step step;
static unsigned char *buffer;

static void fail(const char *what) {
    fprintf(stderr, "bare_sockets, rank %d: %s: %s\n", rank, what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    if (value == NULL) {
        fprintf(stderr, "bare_sockets: the environment has no %s; it is started by ./sluice bench\n", name);
        exit(1);
    }
    return value;
}

/* See mpi_peer.c. */
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
            fail("sched_setaffinity");
        }
    }
}

/* ---- the connection ---- */

static struct sockaddr_in address(const char *host, int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, host, &at.sin_addr) != 1) {
        fail(host);
    }
    return at;
}

static int without_delay(int descriptor) {
    int one = 1;
    if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0) {
        fail("TCP_NODELAY");
    }
    return descriptor;
}

static int connected(const char *host, int port, int tries) {
    struct sockaddr_in to = address(host, port);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    while (connect(descriptor, (struct sockaddr *)&to, sizeof to) != 0) {
        if (errno != ECONNREFUSED || --tries <= 0) {
            fail("connect");
        }
        close(descriptor);
        usleep(WAIT_US);
        descriptor = socket(AF_INET, SOCK_STREAM, 0);
    }
    return without_delay(descriptor);
}

/* The port that the place says itself; 0 where it is a file. */
static int port_of(const char *place) { return *place >= '0' && *place <= '9' ? atoi(place) : 0; }

static void tell(const char *file, int port) {
    char unfinished[NAME];
    snprintf(unfinished, sizeof unfinished, "%s.new", file);
    FILE *out = fopen(unfinished, "w");
    if (out == NULL || fprintf(out, "%d\n", port) < 0 || fclose(out) != 0 || rename(unfinished, file) != 0) {
        fail(file);
    }
}

static int accepted(const char *host, const char *file) {
    struct sockaddr_in at = address(host, port_of(file));
    socklen_t length = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&at, &length) != 0) {
        fail("listen");
    }
    if (port_of(file) == 0) {
        tell(file, ntohs(at.sin_port));
    }
    int descriptor = accept(listener, NULL, NULL);
    if (descriptor < 0) {
        fail("accept");
    }
    close(listener);
    return without_delay(descriptor);
}

static int port_in(const char *file) {
    int port = port_of(file);
    for (FILE *in = NULL; port == 0; usleep(WAIT_US)) {
        in = fopen(file, "r");
        if (in != NULL) {
            if (fscanf(in, "%d", &port) != 1) {
                fail(file);
            }
            fclose(in);
        }
    }
    return port;
}

static void send_all(const unsigned char *at, size_t left) {
    while (left > 0) {
        ssize_t done = send(peer, at, left, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (done >= 0) {
            at += done;
            left -= (size_t)done;
        } else if (errno != EAGAIN && errno != EINTR) {
            fail("send");
        }
    }
}

static void receive_all(unsigned char *at, size_t left) {
    while (left > 0) {
        ssize_t done = recv(peer, at, left, MSG_DONTWAIT);
        if (done > 0) {
            at += done;
            left -= (size_t)done;
        } else if (done == 0) {
            errno = ECONNRESET;
            fail("recv");
        } else if (errno != EAGAIN && errno != EINTR) {
            fail("recv");
        }
    }
}

/* ---- one iteration of each benchmark; a stream knows no message of length 0 ---- */

static void ping(void) {
    send_all(buffer, step.size);
    receive_all(buffer, step.size);
}

static void pong(void) {
    receive_all(buffer, step.size);
    send_all(buffer, step.size);
}

static void send_window(void) {
    for (int i = 0; i < step.window; i++) {
        send_all(buffer, step.size);
    }
    receive_all(buffer, 1);
}

static void receive_window(void) {
    for (int i = 0; i < step.window; i++) {
        receive_all(buffer, step.size);
    }
    send_all(buffer, 1);
}

static void (*part(void))(void) {
    if (strcmp(step.benchmark, "latency") == 0) {
        return rank == 0 ? ping : pong;
    }
    return rank == 0 ? send_window : receive_window;
}

/* ---- steps ---- */

static void prepare(void) {
    static size_t capacity;
    size_t bytes = ((size_t)step.size + PAGE) / PAGE * PAGE;
    if (bytes > capacity) {
        free(buffer);
        capacity = bytes;
        buffer = aligned_alloc(PAGE, capacity);
        if (buffer == NULL) {
            fail("no memory for the buffer");
        }
        memset(buffer, 1, capacity);
    }
}

static void run(FILE *out) {
    prepare();
    void (*once)(void) = part();
    int64_t *samples = malloc(step.batches * sizeof *samples);
    if (samples == NULL) {
        fail("no memory for the samples");
    }
    memset(samples, 1, step.batches * sizeof *samples);
    for (int i = 0; i < step.lead_in; i++) {
        once();
    }
    int64_t start = now();
    for (int i = 0; i < step.batches; i++) {
        for (int j = 0; j < step.batch; j++) {
            once();
        }
        int64_t end = now();
        samples[i] = end - start;
        start = end;
    }
    fputs("OK", out);
    for (int i = 0; i < step.batches && rank == 0; i++) {
        fprintf(out, " %" PRId64, samples[i]);
    }
    fputc('\n', out);
    free(samples);
}

static int connect_back(void) {
    char host[LINE];
    snprintf(host, sizeof host, "%s", environment("BENCH_ADDRESS"));
    char *colon = strrchr(host, ':');
    if (colon == NULL) {
        fail("BENCH_ADDRESS is not host:port");
    }
    *colon = '\0';
    return connected(host, atoi(colon + 1), 1);
}

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "usage: bare_sockets RANK ADDRESS FILE\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    rank = atoi(words[1]);
    pin();
    peer = rank == 1 ? accepted(words[2], words[3]) : connected(words[2], port_in(words[3]), TRIES);
    int descriptor = connect_back();
    FILE *in = fdopen(descriptor, "r"), *out = fdopen(dup(descriptor), "w");
    fprintf(out, "HELLO %s %d\nREADY\n", environment("BENCH_TOKEN"), rank);
    fflush(out);
    char line[LINE];
    while (fgets(line, sizeof line, in) != NULL) {
        if (sscanf(line, "RUN %15s %15s %d %d %d %d %d %d %d", step.benchmark, step.api, &step.size, &step.batches,
                   &step.batch, &step.lead_in, &step.rewrite, &step.verify, &step.window) == 9) {
            run(out);
        } else if (strncmp(line, "QUIT", 4) == 0) {
            fputs("BYE\n", out);
            fflush(out);
            break;
        } else if (strncmp(line, "GC", 2) == 0) {
            fputs("OK\n", out);
        } else if (strncmp(line, "PROCESSOR", 9) == 0) {
            struct timespec used;
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
            fprintf(out, "OK %" PRId64 " %d\n", (int64_t)used.tv_sec * 1000000000 + used.tv_nsec, (int)getpid());
        } else if (strncmp(line, "COMPILERS", 9) == 0) {
            fprintf(out, "OK 0 %d\n", (int)getpid());
        } else {
            fputs("ERR not a line of this version\n", out);
        }
        fflush(out);
    }
    return 0;
}
