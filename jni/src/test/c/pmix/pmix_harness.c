/*
 * Runs the pmix library over a libpmix of its own, under ASan and UBSan, without a JVM and without a launcher: see
 * jni/test.sh. The JNI shims have an environment of five functions, in which arrays are plain C: any other JNI function
 * is a null pointer, so a shim that starts to use one is found at once.
 */
#include "checks.h"
#include "fake_pmix.h"
#include "org_sluice_jni_pmix_Pmix.h"
#include "pmix_calls.h"

#include <stdlib.h>
#include <string.h>

#define CALL(name) Java_org_sluice_jni_pmix_Pmix_##name
#define FAILURE (-31000)

struct fake_array {
    jsize length;
    union {
        jbyte bytes[1100];
        jint ints[16];
        jlong longs[16];
    } data;
};

static int regions_outside;

static jsize JNICALL array_length(JNIEnv *env, jarray array) {
    (void)env;
    return ((struct fake_array *)array)->length;
}

static char *region(jarray array, jsize start, jsize length, size_t size) {
    struct fake_array *fake = (struct fake_array *)array;
    if (start < 0 || length < 0 || start + length > fake->length) {
        regions_outside++;
        return NULL;
    }
    return (char *)&fake->data + (size_t)start * size;
}

static void JNICALL get_bytes(JNIEnv *env, jbyteArray array, jsize start, jsize length, jbyte *out) {
    (void)env;
    char *from = region(array, start, length, sizeof *out);
    if (from != NULL) {
        memcpy(out, from, (size_t)length);
    }
}

#define SET_FUNCTION(type, name)                                                                                \
    static void JNICALL set_##name(JNIEnv *env, type##Array array, jsize start, jsize length, const type *in) { \
        (void)env;                                                                                              \
        char *to = region(array, start, length, sizeof *in);                                                    \
        if (to != NULL) {                                                                                       \
            memcpy(to, in, (size_t)length * sizeof *in);                                                        \
        }                                                                                                       \
    }

SET_FUNCTION(jbyte, bytes)
SET_FUNCTION(jint, ints)
SET_FUNCTION(jlong, longs)

static const struct JNINativeInterface_ functions = {
    .GetArrayLength = array_length,
    .GetByteArrayRegion = get_bytes,
    .SetByteArrayRegion = set_bytes,
    .SetIntArrayRegion = set_ints,
    .SetLongArrayRegion = set_longs,
};

static JNIEnv environment = &functions;
static struct fake_array text, numbers;

static jbyteArray text_of(const char *words, jsize length) {
    memcpy(text.data.bytes, words, (size_t)length);
    text.length = length;
    return (jbyteArray)&text;
}

static int32_t init(void) {
    text.length = SLUICE_PMIX_NAMESPACE_BYTES;
    numbers.length = SLUICE_PMIX_MEMBER_FIELDS;
    return CALL(init)(&environment, NULL, (jbyteArray)&text, (jlongArray)&numbers);
}

static void check_membership(void) {
    fake_reset();
    EQUAL(init(), 0);
    EQUAL(numbers.data.longs[SLUICE_PMIX_MEMBER_RANK], FAKE_RANK);
    EQUAL(numbers.data.longs[SLUICE_PMIX_MEMBER_SIZE], FAKE_SIZE);
    EQUAL(strcmp((char *)text.data.bytes, "fake-job"), 0);
    fake_size_type = SLUICE_PMIX_INT;
    EQUAL(init(), SLUICE_PMIX_ERR_TYPE_MISMATCH);
    EQUAL(CALL(init)(&environment, NULL, NULL, (jlongArray)&numbers), SLUICE_PMIX_ERR_BAD_PARAM);
    numbers.length = 1;
    EQUAL(CALL(init)(&environment, NULL, (jbyteArray)&text, (jlongArray)&numbers), SLUICE_PMIX_ERR_BAD_PARAM);
    text.length = 5;
    EQUAL(CALL(version)(&environment, NULL, (jbyteArray)&text), 5);
    EQUAL(memcmp(text.data.bytes, "OpenP", 5), 0);
    text.length = 64;
    EQUAL(CALL(errorString)(&environment, NULL, -25, (jbyteArray)&text), 11);
    EQUAL(CALL(errorString)(&environment, NULL, -25, NULL), SLUICE_PMIX_ERR_BAD_PARAM);
}

static void check_exchange(void) {
    char value[] = "facts", found[8] = "";
    int64_t from = (int64_t)(uintptr_t)value, to = (int64_t)(uintptr_t)found;
    fake_reset();
    EQUAL(init(), 0);
    EQUAL(CALL(put)(&environment, NULL, text_of("sluice.0", 9), from, 5), 0);
    EQUAL(CALL(get)(&environment, NULL, 0, text_of("sluice.0", 9), 1, to, 8), -46);
    EQUAL(CALL(commit)(&environment, NULL), 0);
    EQUAL(CALL(fence)(&environment, NULL, 7), 0);
    EQUAL(fake_timeout, 7);
    EQUAL(fake_collects, 1);
    EQUAL(CALL(get)(&environment, NULL, 0, text_of("sluice.0", 9), 1, to, 4), 5);
    EQUAL(found[0], 0); /* too small a place holds nothing */
    EQUAL(CALL(get)(&environment, NULL, 0, text_of("sluice.0", 9), 1, to, 8), 5);
    EQUAL(memcmp(found, "facts", 5), 0);
    EQUAL(CALL(get)(&environment, NULL, -1, text_of("sluice.0", 9), 1, to, 8), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(get)(&environment, NULL, 0, text_of("sluice.0", 9), 1, 0, 8), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(get)(&environment, NULL, 0, text_of("no end", 6), 1, to, 8), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(get)(&environment, NULL, 0, NULL, 1, to, 8), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(put)(&environment, NULL, text_of("two\0ends", 9), from, 5), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(put)(&environment, NULL, text_of("key", 4), from, -1), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(put)(&environment, NULL, text_of("key", 4), from, 0), 0);
    EQUAL(CALL(commit)(&environment, NULL), 0);
    EQUAL(CALL(get)(&environment, NULL, 1, text_of("key", 4), 1, to, 0), 0);
    memset(text.data.bytes, 'k', SLUICE_PMIX_KEY_BYTES);
    text.data.bytes[SLUICE_PMIX_KEY_BYTES] = 0;
    text.length = SLUICE_PMIX_KEY_BYTES + 1;
    EQUAL(CALL(put)(&environment, NULL, (jbyteArray)&text, from, 5), SLUICE_PMIX_ERR_BAD_PARAM);
}

/* Each call of libpmix in turn: its status comes out, and nothing leaks. */
static void check_failures(void) {
    char value[4] = "";
    int64_t address = (int64_t)(uintptr_t)value;
    int made = 0;
    for (int failing = 1; failing <= made || failing == 1; failing++) {
        fake_reset();
        fake_failing_call = failing;
        fake_status = FAILURE;
        int64_t first = init();
        first = first != 0 ? first : CALL(put)(&environment, NULL, text_of("key", 4), address, 4);
        first = first != 0 ? first : CALL(commit)(&environment, NULL);
        first = first != 0 ? first : CALL(fence)(&environment, NULL, 1);
        int64_t length = first != 0 ? first : CALL(get)(&environment, NULL, 1, text_of("key", 4), 1, address, 4);
        first = length == 4 ? CALL(finish)(&environment, NULL) : length;
        EQUAL(first, FAILURE);
        made = failing == 1 ? 7 : made;
    }
    fake_reset();
    fake_failing_call = 1;
    fake_status = 1; /* a status that is no error and no success either */
    EQUAL(init(), SLUICE_PMIX_ERR_INIT);
}

static void check_end(void) {
    fake_reset();
    EQUAL(CALL(abort)(&environment, NULL, 3, text_of("why", 4)), 0);
    EQUAL(fake_aborted_with, 3);
    EQUAL(strcmp(fake_abort_message, "why"), 0);
    EQUAL(CALL(abort)(&environment, NULL, 3, NULL), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(finish)(&environment, NULL), 0);
    EQUAL(fake_finished, 1);
}

static int32_t next_event(void) {
    numbers.length = SLUICE_PMIX_EVENT_FIELDS;
    return CALL(awaitEvent)(&environment, NULL, 0, (jintArray)&numbers);
}

static void expect_event(int code, int rank) {
    EQUAL(next_event(), 1);
    EQUAL(numbers.data.ints[SLUICE_PMIX_EVENT_CODE], code);
    EQUAL(numbers.data.ints[SLUICE_PMIX_EVENT_RANK], rank);
}

static void check_events(void) {
    const int deaths[] = {-7, -8, -200, -400, -402, -404};
    fake_reset();
    EQUAL(init(), 0);
    EQUAL(next_event(), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(endWait)(&environment, NULL), SLUICE_PMIX_ERR_BAD_PARAM);
    EQUAL(CALL(watch)(&environment, NULL), 0);
    EQUAL(CALL(watch)(&environment, NULL), SLUICE_PMIX_ERR_INIT);
    EQUAL(next_event(), 0);
    fake_event(-200, "fake-job", 0, NULL, 0);
    fake_event(-402, "a-server", 7, "fake-job", 1);
    fake_event(-402, "fake-job", 0, "another-job", 1);
    fake_event(-61, "fake-job", UINT32_MAX, NULL, 0);
    expect_event(-200, 0);
    expect_event(-402, 1);
    expect_event(-402, -1);
    expect_event(-61, -1);
    for (size_t i = 0; i < sizeof deaths / sizeof deaths[0]; i++) {
        fake_event(deaths[i], "a-server", 7, "fake-job", 1);
        expect_event(deaths[i], 1);
    }
    EQUAL(CALL(endWait)(&environment, NULL), 0);
    expect_event(0, -1);
    EQUAL(next_event(), 0);
    for (int i = 0; i < 20000; i++) {
        fake_event(-200, "fake-job", 0, NULL, 0); /* more than the pipe holds */
    }
    EQUAL(fake_events_done, 20010);
    EQUAL(CALL(endWait)(&environment, NULL), 0);
    int held = 0;
    while (next_event() == 1) {
        held++;
    }
    HOLDS(held > 1000 && held < 20000);
    EQUAL(CALL(awaitEvent)(&environment, NULL, -1, (jintArray)&numbers), SLUICE_PMIX_ERR_BAD_PARAM);
    numbers.length = 1;
    EQUAL(CALL(awaitEvent)(&environment, NULL, 0, (jintArray)&numbers), SLUICE_PMIX_ERR_BAD_PARAM);
}

int main(void) {
    check_membership();
    check_exchange();
    check_failures();
    check_end();
    check_events();
    EQUAL(regions_outside, 0);
    return checks_finish();
}
