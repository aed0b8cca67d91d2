/*
 * How the mirror of org.sluice.jni.verbs.Verbs moves arrays in and out. Array regions are copied, never pinned, and a
 * region is asked for only after its length was checked, so no JNI call here can throw.
 */
#ifndef SLUICE_VERBS_JNI_H
#define SLUICE_VERBS_JNI_H

#include "org_sluice_jni_verbs_Verbs.h"
#include "verbs_calls.h"

#include <errno.h>

_Static_assert(sizeof(jlong) == sizeof(int64_t), "jlong arrays are copied as int64_t");
_Static_assert(sizeof(jint) == sizeof(int32_t), "jint arrays are copied as int32_t");

#define VERBS_CALL(result, name) JNIEXPORT result JNICALL Java_org_sluice_jni_verbs_Verbs_##name

/* Checked before the call, so that nothing was done when the answer has no place to go. */
static inline int has_room(JNIEnv *env, jarray array, jsize length) {
    return array != NULL && (*env)->GetArrayLength(env, array) >= length;
}

static inline void put_longs(JNIEnv *env, jlongArray array, const int64_t *from, jsize length) {
    (*env)->SetLongArrayRegion(env, array, 0, length, (const jlong *)from);
}

static inline void get_longs(JNIEnv *env, jlongArray array, int64_t *to, jsize length) {
    (*env)->GetLongArrayRegion(env, array, 0, length, (jlong *)to);
}

/* The array's length, or -EINVAL when there is none or it is longer than the limit. */
static inline jint get_bytes(JNIEnv *env, jbyteArray array, void *to, jsize limit) {
    if (array == NULL) {
        return -EINVAL;
    }
    jsize length = (*env)->GetArrayLength(env, array);
    if (length > limit) {
        return -EINVAL;
    }
    (*env)->GetByteArrayRegion(env, array, 0, length, (jbyte *)to);
    return length;
}

#endif
