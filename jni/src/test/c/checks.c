/* What the harnesses count with: checks.h says what each function is for. */
#define _GNU_SOURCE
#include "checks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static int passed;
static int failed;
static int skipped;

void check_equal(const char *file, int line, const char *text, int64_t found, int64_t wanted) {
    if (found == wanted) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: %s is %lld, wanted %lld\n", file, line, text, (long long)found, (long long)wanted);
}

void check_true(const char *file, int line, const char *text, int held) {
    if (held) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: does not hold: %s\n", file, line, text);
}

void check_skipped(const char *what, const char *reason) {
    skipped++;
    printf("skipped: %s: %s\n", what, reason);
}

static void take_signal(int signal_number) { (void)signal_number; }

static void set_timer(long microseconds) {
    struct itimerval timer = {
        .it_interval = {.tv_usec = microseconds},
        .it_value = {.tv_usec = microseconds},
    };
    if (setitimer(ITIMER_REAL, &timer, NULL) != 0) {
        perror("setitimer");
        exit(2);
    }
}

void checks_start_timer(long microseconds) {
    struct sigaction action = {.sa_handler = take_signal}; /* no SA_RESTART: that would hide the interrupts */
    if (sigaction(SIGALRM, &action, NULL) != 0) {
        perror("sigaction");
        exit(2);
    }
    set_timer(microseconds);
}

void checks_stop_timer(void) { set_timer(0); }

int checks_finish(void) {
    if (skipped > 0) {
        printf("%d skipped\n", skipped);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
