/*
 * The JNI shims with an environment of four functions: arrays are plain C, and a region beyond an array's end is
 * counted, where a JVM would throw. Any other JNI function is a null pointer, so a shim that starts to use one is found
 * at once.
 */
#include "checks.h"
#include "org_sluice_jni_os_Os.h"
#include "os_calls.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct fake_array {
    jsize length;
    union {
        jbyte bytes[PATH_MAX + 8];
        jlong longs[64];
    } data;
};

static int regions_outside;

static jsize JNICALL array_length(JNIEnv *env, jarray array) {
    (void)env;
    return ((struct fake_array *)array)->length;
}

static int is_inside(jarray array, jsize start, jsize length) {
    if (start < 0 || length < 0 || start + length > ((struct fake_array *)array)->length) {
        regions_outside++;
        return 0;
    }
    return 1;
}

static void JNICALL get_bytes(JNIEnv *env, jbyteArray array, jsize start, jsize length, jbyte *out) {
    (void)env;
    if (is_inside(array, start, length)) {
        memcpy(out, ((struct fake_array *)array)->data.bytes + start, (size_t)length);
    }
}

static void JNICALL get_longs(JNIEnv *env, jlongArray array, jsize start, jsize length, jlong *out) {
    (void)env;
    if (is_inside(array, start, length)) {
        memcpy(out, ((struct fake_array *)array)->data.longs + start, (size_t)length * sizeof *out);
    }
}

static void JNICALL set_longs(JNIEnv *env, jlongArray array, jsize start, jsize length, const jlong *in) {
    (void)env;
    if (is_inside(array, start, length)) {
        memcpy(((struct fake_array *)array)->data.longs + start, in, (size_t)length * sizeof *in);
    }
}

static const struct JNINativeInterface_ functions = {
    .GetArrayLength = array_length,
    .GetByteArrayRegion = get_bytes,
    .GetLongArrayRegion = get_longs,
    .SetLongArrayRegion = set_longs,
};

static void set_path(struct fake_array *path, const char *text, jsize length) {
    memcpy(path->data.bytes, text, (size_t)length);
    path->length = length;
}

static void check_paths(JNIEnv *env, struct fake_array *path) {
    jbyteArray array = (jbyteArray)path;
    EQUAL(Java_org_sluice_jni_os_Os_openExisting(env, NULL, NULL), -EINVAL);
    set_path(path, "", 0);
    EQUAL(Java_org_sluice_jni_os_Os_openExisting(env, NULL, array), -EINVAL);
    set_path(path, "\0", 1);
    EQUAL(Java_org_sluice_jni_os_Os_unlink(env, NULL, array), -EINVAL);
    set_path(path, "/nowhere", 8);
    EQUAL(Java_org_sluice_jni_os_Os_openExisting(env, NULL, array), -EINVAL);
    set_path(path, "/no\0where", 10);
    EQUAL(Java_org_sluice_jni_os_Os_openExclusive(env, NULL, array, 0600), -EINVAL);
    set_path(path, "/nowhere", 9);
    EQUAL(Java_org_sluice_jni_os_Os_openExisting(env, NULL, array), -ENOENT);
    memset(path->data.bytes, 'a', sizeof path->data.bytes);
    path->data.bytes[PATH_MAX - 1] = 0;
    path->length = PATH_MAX;
    EQUAL(Java_org_sluice_jni_os_Os_openExisting(env, NULL, array), -ENAMETOOLONG); /* the kernel's word */
    path->data.bytes[PATH_MAX - 1] = 'a';
    path->data.bytes[PATH_MAX] = 0;
    path->length = PATH_MAX + 1;
    EQUAL(Java_org_sluice_jni_os_Os_openExisting(env, NULL, array), -ENAMETOOLONG);
}

static void check_out_arrays(JNIEnv *env, struct fake_array *path, struct fake_array *out) {
    set_path(path, "/", 2);
    out->length = SLUICE_OS_STATVFS_FIELDS - 1;
    EQUAL(Java_org_sluice_jni_os_Os_statvfs(env, NULL, (jbyteArray)path, (jlongArray)out), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_statvfs(env, NULL, (jbyteArray)path, NULL), -EINVAL);
    out->length = SLUICE_OS_STATVFS_FIELDS;
    EQUAL(Java_org_sluice_jni_os_Os_statvfs(env, NULL, NULL, (jlongArray)out), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_statvfs(env, NULL, (jbyteArray)path, (jlongArray)out), 0);
    HOLDS(out->data.longs[0] > 0);
    EQUAL(Java_org_sluice_jni_os_Os_fstat(env, NULL, 0, (jlongArray)out), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_fstat(env, NULL, 0, NULL), -EINVAL);
    out->length = SLUICE_OS_STAT_FIELDS;
    EQUAL(Java_org_sluice_jni_os_Os_fstat(env, NULL, -1, (jlongArray)out), -EBADF);
}

static void check_masks(JNIEnv *env, struct fake_array *mask) {
    jlongArray array = (jlongArray)mask;
    jsize wrong[] = {0, SLUICE_OS_CPU_WORDS + 1};
    for (int i = 0; i < 2; i++) {
        mask->length = wrong[i];
        EQUAL(Java_org_sluice_jni_os_Os_schedGetaffinity(env, NULL, 0, array), -EINVAL);
        EQUAL(Java_org_sluice_jni_os_Os_schedSetaffinity(env, NULL, 0, array), -EINVAL);
    }
    EQUAL(Java_org_sluice_jni_os_Os_schedGetaffinity(env, NULL, 0, NULL), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_schedSetaffinity(env, NULL, 0, NULL), -EINVAL);
    mask->length = SLUICE_OS_CPU_WORDS;
    EQUAL(Java_org_sluice_jni_os_Os_schedGetaffinity(env, NULL, 0, array), 0);
    EQUAL(Java_org_sluice_jni_os_Os_schedSetaffinity(env, NULL, 0, array), 0);
}

static void check_ends(JNIEnv *env, struct fake_array *ends) {
    jbyteArray array = (jbyteArray)ends;
    jsize wrong[] = {0, SLUICE_OS_ENDS_BYTES - 1, SLUICE_OS_ENDS_BYTES + 1};
    memset(ends->data.bytes, 0, SLUICE_OS_ENDS_BYTES);
    for (int i = 0; i < 3; i++) {
        ends->length = wrong[i];
        EQUAL(Java_org_sluice_jni_os_Os_findSocket(env, NULL, array), -EINVAL);
        EQUAL(Java_org_sluice_jni_os_Os_tcpRetransmits(env, NULL, 0, array), -EINVAL);
    }
    EQUAL(Java_org_sluice_jni_os_Os_findSocket(env, NULL, NULL), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_tcpRetransmits(env, NULL, 0, NULL), -EINVAL);
    ends->length = SLUICE_OS_ENDS_BYTES;
    EQUAL(Java_org_sluice_jni_os_Os_findSocket(env, NULL, array), -ENOENT);
    EQUAL(Java_org_sluice_jni_os_Os_tcpRetransmits(env, NULL, -1, array), -ENOENT);
}

void check_shims(void) {
    JNIEnv table = &functions;
    struct fake_array *path = calloc(1, sizeof *path);
    struct fake_array *longs = calloc(1, sizeof *longs);
    check_paths(&table, path);
    check_out_arrays(&table, path, longs);
    check_masks(&table, longs);
    check_ends(&table, path);
    EQUAL(regions_outside, 0);
    EQUAL(Java_org_sluice_jni_os_Os_close(&table, NULL, -1), -EBADF);
    EQUAL(Java_org_sluice_jni_os_Os_mmapReadOnly(&table, NULL, -1, 0, 1), -EBADF);
    EQUAL(Java_org_sluice_jni_os_Os_lostPages(&table, NULL, 0), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_mmapZeros(&table, NULL, 0, 0), -EINVAL);
    HOLDS(Java_org_sluice_jni_os_Os_lostCount(&table, NULL) > 0);
    EQUAL(Java_org_sluice_jni_os_Os_munmap(&table, NULL, 0, 0), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_processVmReadv(&table, NULL, 0, 0, 0, 0), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_arrayAddress(&table, NULL, NULL), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_readIntoArray(&table, NULL, 1, NULL, 0, 4096, 8), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_countCollections(&table, NULL, 0), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_countCollections(&table, NULL, 4097), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_endCounting(&table, NULL, 0), -EINVAL);
    EQUAL(Java_org_sluice_jni_os_Os_collector(&table, NULL), 0); /* no JVM is here */
    free(path);
    free(longs);
}
