/*
 * Prints how often the processor's time-stamp counter counts, in kHz: for a translated guest, whose counter is the
 * host's, and whose kernel can't find it out while the host is busy.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

enum { LOOKS = 2000, SPAN_MS = 200 };

struct moment {
    uint64_t ticks;
    int64_t nanos;
};

static int64_t nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Of many looks the one between whose two readings the least happened: no other thread had the processor then. */
static struct moment look(void) {
    struct moment best = {0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < LOOKS; i++) {
        uint64_t before = __rdtsc();
        int64_t now = nanos();
        uint64_t took = __rdtsc() - before;
        if (took < least) {
            least = took;
            best = (struct moment){before + took / 2, now};
        }
    }
    return best;
}

int main(void) {
    struct timespec span = {0, SPAN_MS * 1000000l};
    struct moment first = look();
    nanosleep(&span, NULL);
    struct moment second = look();
    printf("%.0f\n", (second.ticks - first.ticks) * 1e6 / (second.nanos - first.nanos));
    return 0;
}
