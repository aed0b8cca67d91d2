#define _GNU_SOURCE
#include "os_calls.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

/*
 * What happens when somebody cuts a mapped file short while it is in use. Whoever touches a page that is gone gets
 * SIGBUS, and HotSpot's answer is an InternalError that comes out of whatever the thread does later: between taking a
 * lock and the try block that gives it back, or in the program after the call. So this library answers first, for its
 * own mappings: the whole mapping becomes private zero memory, the access is made again and meets that, and
 * sluice_os_lost_pages tells it from then on. Zeros are nothing that a ring or a header may hold, so that no second
 * message is taken from there. Every other fault goes to the handler that was there before.
 */

/* Above it a mapping is left to the JVM. A rank maps a segment per peer of its node and a few extents of each. */
#define MAPPINGS 4096

struct mapping {
    uintptr_t begin; /* 0: free; written last and cleared first, as the handler may look at any time */
    uintptr_t end;
    int protection;
    int lost;
};

static struct mapping mappings[MAPPINGS];
static int32_t lost; /* how many mappings were; read by whoever has copied out of one */
static int used;     /* entries below it may hold something */
static int locked;
static int installed;
static struct sigaction before;

static void lock(void) {
    while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE) != 0) {
        sluice_os_sched_yield();
    }
}

static void unlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }

/* The entry that has this address in it, and what it said while it was whole; NULL when there is none. */
static struct mapping *find(uintptr_t address, struct mapping *seen) {
    int count = __atomic_load_n(&used, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; i++) {
        seen->begin = __atomic_load_n(&mappings[i].begin, __ATOMIC_ACQUIRE);
        seen->end = __atomic_load_n(&mappings[i].end, __ATOMIC_RELAXED);
        seen->protection = __atomic_load_n(&mappings[i].protection, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (seen->begin != 0 && address >= seen->begin && address < seen->end &&
            __atomic_load_n(&mappings[i].begin, __ATOMIC_RELAXED) == seen->begin) {
            return &mappings[i];
        }
    }
    return NULL;
}

/* Two threads may do this to one mapping at a time: what the second replaces holds nothing that anybody needs. */
static int replace(struct mapping *mapping, const struct mapping *seen) {
    __atomic_store_n(&mapping->lost, 1, __ATOMIC_RELEASE);
    /* Before the first zero can be read: a copy that has one finds another number afterwards. */
    __atomic_fetch_add(&lost, 1, __ATOMIC_SEQ_CST);
    void *zeros = mmap((void *)seen->begin, (size_t)(seen->end - seen->begin), seen->protection,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return zeros != MAP_FAILED;
}

static void pass_on(int signal_number, siginfo_t *info, void *context) {
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(signal_number, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(signal_number);
    } else {
        /* The access is made again, and now ends the process as it would have without us. */
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(signal_number, &standard, NULL);
    }
}

static void on_bus_error(int signal_number, siginfo_t *info, void *context) {
    int saved = errno;
    struct mapping seen;
    struct mapping *mapping = info->si_code == BUS_ADRERR ? find((uintptr_t)info->si_addr, &seen) : NULL;
    if (mapping == NULL || !replace(mapping, &seen)) {
        pass_on(signal_number, info, context);
    }
    errno = saved;
}

/* With the lock. Once in a process: the handler that it finds is the JVM's, and is asked last for ever. */
static void install(void) {
    struct sigaction ours;
    if (installed || sigaction(SIGBUS, NULL, &before) != 0) {
        return;
    }
    ours = before;
    ours.sa_sigaction = on_bus_error;
    ours.sa_flags = (before.sa_flags & SA_ONSTACK) | SA_SIGINFO | SA_RESTART;
    installed = sigaction(SIGBUS, &ours, NULL) == 0;
}

void sluice_os_watch_mapping(int64_t address, int64_t bytes, int32_t protection) {
    lock();
    install();
    for (int i = 0; installed && i < MAPPINGS; i++) {
        if (mappings[i].begin == 0) {
            __atomic_store_n(&mappings[i].end, (uintptr_t)address + (uintptr_t)bytes, __ATOMIC_RELAXED);
            __atomic_store_n(&mappings[i].protection, protection, __ATOMIC_RELAXED);
            __atomic_store_n(&mappings[i].lost, 0, __ATOMIC_RELAXED);
            __atomic_store_n(&mappings[i].begin, (uintptr_t)address, __ATOMIC_RELEASE);
            if (i >= used) {
                __atomic_store_n(&used, i + 1, __ATOMIC_RELEASE);
            }
            break;
        }
    }
    unlock();
}

void sluice_os_forget_mapping(int64_t address) {
    lock();
    struct mapping seen;
    struct mapping *mapping = find((uintptr_t)address, &seen);
    if (mapping != NULL && seen.begin == (uintptr_t)address) {
        __atomic_store_n(&mapping->begin, 0, __ATOMIC_RELEASE);
    }
    unlock();
}

int32_t sluice_os_lost_pages(int64_t address) {
    struct mapping seen;
    struct mapping *mapping = address <= 0 ? NULL : find((uintptr_t)address, &seen);
    return mapping == NULL ? -EINVAL : __atomic_load_n(&mapping->lost, __ATOMIC_ACQUIRE);
}

int64_t sluice_os_lost_count(void) { return (int64_t)(intptr_t)&lost; }
