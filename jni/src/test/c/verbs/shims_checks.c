/*
 * The JNI shims with an environment of seven functions: arrays are plain C, and a region beyond an array's end is
 * counted, where a JVM would throw. Any other JNI function is a null pointer, so a shim that starts to use one is found
 * at once.
 */
#include "org_sluice_jni_verbs_Verbs.h"
#include "verbs_checks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CALL(name) Java_org_sluice_jni_verbs_Verbs_##name

struct fake_array {
    jsize length;
    union {
        jbyte bytes[512];
        jint ints[SLUICE_VERBS_LAYOUT_LIMIT];
        jlong longs[64];
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

#define REGION_FUNCTIONS(type, name)                                                                            \
    static void JNICALL get_##name(JNIEnv *env, type##Array array, jsize start, jsize length, type *out) {      \
        (void)env;                                                                                              \
        char *from = region(array, start, length, sizeof *out);                                                 \
        if (from != NULL) {                                                                                     \
            memcpy(out, from, (size_t)length * sizeof *out);                                                    \
        }                                                                                                       \
    }                                                                                                           \
    static void JNICALL set_##name(JNIEnv *env, type##Array array, jsize start, jsize length, const type *in) { \
        (void)env;                                                                                              \
        char *to = region(array, start, length, sizeof *in);                                                    \
        if (to != NULL) {                                                                                       \
            memcpy(to, in, (size_t)length * sizeof *in);                                                        \
        }                                                                                                       \
    }

REGION_FUNCTIONS(jbyte, bytes)
REGION_FUNCTIONS(jint, ints)
REGION_FUNCTIONS(jlong, longs)

static const struct JNINativeInterface_ functions = {
    .GetArrayLength = array_length,
    .GetByteArrayRegion = get_bytes,
    .SetByteArrayRegion = set_bytes,
    .GetIntArrayRegion = get_ints,
    .SetIntArrayRegion = set_ints,
    .GetLongArrayRegion = get_longs,
    .SetLongArrayRegion = set_longs,
};

static void check_names(JNIEnv *env, struct fake_array *array) {
    jbyteArray name = (jbyteArray)array;
    array->length = 8;
    EQUAL(CALL(deviceNames)(env, NULL, name), 20);
    EQUAL(memcmp(array->data.bytes, "fake0", 6), 0);
    EQUAL(CALL(deviceNames)(env, NULL, NULL), -EINVAL);
    array->length = 0;
    EQUAL(CALL(deviceNames)(env, NULL, name), 20);
    EQUAL(CALL(openDevice)(env, NULL, name), -EINVAL);
    EQUAL(CALL(openDevice)(env, NULL, NULL), -EINVAL);
    array->length = 1;
    array->data.bytes[0] = 0;
    EQUAL(CALL(openDevice)(env, NULL, name), -EINVAL);
    memcpy(array->data.bytes, "fake0\0\0", 7);
    array->length = 5;
    EQUAL(CALL(openDevice)(env, NULL, name), -EINVAL);
    array->length = 7;
    EQUAL(CALL(openDevice)(env, NULL, name), -EINVAL);
    array->length = SLUICE_VERBS_NAME_BYTES + 1;
    EQUAL(CALL(openDevice)(env, NULL, name), -EINVAL);
    array->length = 6;
    jlong context = CALL(openDevice)(env, NULL, name);
    HOLDS(context > 0);
    array->length = 4;
    EQUAL(CALL(deviceName)(env, NULL, context, name), -EINVAL);
    EQUAL(CALL(deviceName)(env, NULL, context, NULL), -EINVAL);
    array->length = 5;
    EQUAL(CALL(deviceName)(env, NULL, context, name), 5);
    EQUAL(CALL(closeDevice)(env, NULL, context), 0);
}

#define NEEDS(call, fields)     \
    array->length = (fields)-1; \
    EQUAL(call, -EINVAL);       \
    EQUAL(fake_calls, 0);       \
    array->length = (fields);   \
    HOLDS((call) != -EINVAL);   \
    fake_calls = 0;

static void check_out_arrays(JNIEnv *env, struct fake_array *array) {
    jlongArray out = (jlongArray)array;
    jlong context = HANDLE(&fake_context), queue = HANDLE(&fake_queue), receives = HANDLE(&fake_receive_queue);
    memset(&array->data, 0, sizeof array->data);
    fakes_reset();
    NEEDS(CALL(queryDevice)(env, NULL, context, out), SLUICE_VERBS_DEVICE_FIELDS)
    NEEDS(CALL(queryPort)(env, NULL, context, 1, out), SLUICE_VERBS_PORT_FIELDS)
    NEEDS(CALL(queryGid)(env, NULL, context, 1, 0, out), SLUICE_VERBS_GID_FIELDS)
    NEEDS(CALL(queryQueuePair)(env, NULL, HANDLE(&fake_queue_pair), out), SLUICE_VERBS_PATH_FIELDS)
    fake_id.verbs = &fake_context;
    array->length = SLUICE_VERBS_CM_GID_FIELDS - 1;
    EQUAL(CALL(cmGid)(env, NULL, HANDLE(&fake_id), out), -EINVAL);
    array->length++;
    EQUAL(CALL(cmGid)(env, NULL, HANDLE(&fake_id), out), 0);
    NEEDS(CALL(registerMemory)(env, NULL, context, 4096, 1, 0, out), SLUICE_VERBS_REGION_FIELDS)
    EQUAL(array->data.longs[1], 0xfffffff1);
    NEEDS(CALL(asyncEvent)(env, NULL, context, out), SLUICE_VERBS_ASYNC_FIELDS)
    memset(&array->data, 0, sizeof array->data);
    NEEDS(CALL(createQueuePair)(env, NULL, HANDLE(&fake_id), context, queue, queue, receives, out),
          SLUICE_VERBS_QUEUE_PAIR_FIELDS)
    EQUAL(array->data.longs[SLUICE_VERBS_QUEUE_PAIR_NUMBER], 4711);
    memset(&array->data, 0, sizeof array->data);
    fake_id.verbs = &fake_context;
    NEEDS(CALL(connect)(env, NULL, HANDLE(&fake_id), out, NULL), SLUICE_VERBS_CONNECT_FIELDS)
    NEEDS(CALL(accept)(env, NULL, HANDLE(&fake_id), out, NULL), SLUICE_VERBS_CONNECT_FIELDS)
    EQUAL(CALL(queryDevice)(env, NULL, context, NULL), -EINVAL);
    EQUAL(CALL(connect)(env, NULL, HANDLE(&fake_id), NULL, NULL), -EINVAL);
}

static void check_in_arrays(JNIEnv *env, struct fake_array *array, struct fake_array *longs) {
    jbyteArray bytes = (jbyteArray)array;
    jlong id = HANDLE(&fake_id);
    longs->length = SLUICE_VERBS_CONNECT_FIELDS;
    memset(&longs->data, 0, sizeof longs->data);
    array->length = SLUICE_VERBS_CONNECT_PRIVATE_BYTES;
    EQUAL(CALL(connect)(env, NULL, id, (jlongArray)longs, bytes), 0);
    array->length++;
    EQUAL(CALL(connect)(env, NULL, id, (jlongArray)longs, bytes), -EINVAL);
    array->length = SLUICE_VERBS_ACCEPT_PRIVATE_BYTES;
    EQUAL(CALL(accept)(env, NULL, id, (jlongArray)longs, bytes), 0);
    array->length++;
    EQUAL(CALL(accept)(env, NULL, id, (jlongArray)longs, bytes), -EINVAL);
    array->length = SLUICE_VERBS_REJECT_PRIVATE_BYTES;
    EQUAL(CALL(reject)(env, NULL, id, bytes), 0);
    array->length++;
    EQUAL(CALL(reject)(env, NULL, id, bytes), -EINVAL);
    EQUAL(CALL(reject)(env, NULL, id, NULL), 0);
    for (jsize length = 0; length <= 17; length++) {
        array->length = length;
        EQUAL(CALL(bind)(env, NULL, id, bytes, 0), length == 4 || length == 16 ? 0 : -EINVAL);
        EQUAL(CALL(resolveAddress)(env, NULL, id, NULL, bytes, 1, 1), length == 4 || length == 16 ? 0 : -EINVAL);
    }
    EQUAL(CALL(bind)(env, NULL, id, NULL, 0), -EINVAL);
    EQUAL(CALL(resolveAddress)(env, NULL, id, NULL, NULL, 1, 1), -EINVAL);
    array->length = 4;
    longs->length = 4; /* read as bytes here */
    EQUAL(CALL(resolveAddress)(env, NULL, id, (jbyteArray)longs, bytes, 1, 1), 0);
    longs->length = 16;
    EQUAL(CALL(resolveAddress)(env, NULL, id, (jbyteArray)longs, bytes, 1, 1), -EINVAL);
}

static void check_ints(JNIEnv *env, struct fake_array *array) {
    jintArray ints = (jintArray)array;
    array->length = SLUICE_VERBS_LAYOUT_LIMIT;
    jint count = CALL(layout)(env, NULL, ints);
    EQUAL(array->data.ints[0], 128);
    array->length = count - 1;
    EQUAL(CALL(layout)(env, NULL, ints), count);
    EQUAL(CALL(layout)(env, NULL, NULL), count);
    jint bell = CALL(createBell)(env, NULL);
    array->length = 1;
    array->data.ints[0] = bell;
    EQUAL(CALL(ring)(env, NULL, bell), 0);
    EQUAL(CALL(waitReady)(env, NULL, ints, 0), 1);
    EQUAL(CALL(hush)(env, NULL, bell), 0);
    EQUAL(CALL(closeBell)(env, NULL, bell), 0);
    array->length = 0;
    EQUAL(CALL(waitReady)(env, NULL, ints, 0), -EINVAL);
    array->length = SLUICE_VERBS_WAIT_DESCRIPTORS + 1;
    EQUAL(CALL(waitReady)(env, NULL, ints, 0), -EINVAL);
    EQUAL(CALL(waitReady)(env, NULL, NULL, 0), -EINVAL);
}

void check_verbs_shims(void) {
    JNIEnv table = &functions;
    struct fake_array *array = calloc(1, sizeof *array);
    struct fake_array *longs = calloc(1, sizeof *longs);
    fakes_reset();
    check_names(&table, array);
    check_out_arrays(&table, array);
    check_in_arrays(&table, array, longs);
    check_ints(&table, array);
    EQUAL(regions_outside, 0);
    free(array);
    free(longs);
}
