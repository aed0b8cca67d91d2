/*
 * The mirror of org.sluice.jni.pmix.Pmix: checks arguments, moves arrays in and out, calls the function of the same
 * name. A region is asked for only after its length was checked, so no JNI call here can throw. Arguments that can't be
 * right are PMIX_ERR_BAD_PARAM, as libpmix itself would call them.
 */
#include "pmix_calls.h"
#include "org_sluice_jni_pmix_Pmix.h"

#include <string.h>

_Static_assert(sizeof(jlong) == sizeof(int64_t), "numbers are copied as int64_t words");
_Static_assert(sizeof(jint) == sizeof(int32_t), "results are passed on as int32_t");

#define PMIX_CALL(result, name) JNIEXPORT result JNICALL Java_org_sluice_jni_pmix_Pmix_##name
#define MESSAGE_BYTES 1024

/* A text is UTF-8 with exactly one zero, at its end. */
static int copy_text(JNIEnv *env, jbyteArray text, char *out, jsize room) {
    if (text == NULL) {
        return 0;
    }
    jsize length = (*env)->GetArrayLength(env, text);
    if (length < 2 || length > room) {
        return 0;
    }
    (*env)->GetByteArrayRegion(env, text, 0, length, (jbyte *)out);
    return memchr(out, 0, (size_t)length) == out + length - 1;
}

/* As much of a text as fits, without its end. */
static jint hand_over(JNIEnv *env, const char *text, jbyteArray out) {
    if (text == NULL || out == NULL) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    jsize room = (*env)->GetArrayLength(env, out);
    jsize length = (jsize)strnlen(text, (size_t)room);
    (*env)->SetByteArrayRegion(env, out, 0, length, (const jbyte *)text);
    return length;
}

static int has_room(JNIEnv *env, jarray array, jsize items) {
    return array != NULL && (*env)->GetArrayLength(env, array) >= items;
}

PMIX_CALL(jint, version)(JNIEnv *env, jclass type, jbyteArray out) {
    (void)type;
    return hand_over(env, PMIx_Get_version(), out);
}

PMIX_CALL(jint, errorString)(JNIEnv *env, jclass type, jint status, jbyteArray out) {
    (void)type;
    return hand_over(env, PMIx_Error_string(status), out);
}

PMIX_CALL(jint, init)(JNIEnv *env, jclass type, jbyteArray namespace, jlongArray out) {
    (void)type;
    if (!has_room(env, namespace, SLUICE_PMIX_NAMESPACE_BYTES) || !has_room(env, out, SLUICE_PMIX_MEMBER_FIELDS)) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    char name[SLUICE_PMIX_NAMESPACE_BYTES];
    int64_t member[SLUICE_PMIX_MEMBER_FIELDS];
    jint status = sluice_pmix_init(name, member);
    if (status == SLUICE_PMIX_SUCCESS) {
        (*env)->SetByteArrayRegion(env, namespace, 0, SLUICE_PMIX_NAMESPACE_BYTES, (const jbyte *)name);
        (*env)->SetLongArrayRegion(env, out, 0, SLUICE_PMIX_MEMBER_FIELDS, (const jlong *)member);
    }
    return status;
}

PMIX_CALL(jint, put)(JNIEnv *env, jclass type, jbyteArray key, jlong address, jlong bytes) {
    (void)type;
    char copy[SLUICE_PMIX_KEY_BYTES];
    return copy_text(env, key, copy, sizeof copy) ? sluice_pmix_put(copy, address, bytes) : SLUICE_PMIX_ERR_BAD_PARAM;
}

PMIX_CALL(jint, commit)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_pmix_commit();
}

PMIX_CALL(jint, fence)(JNIEnv *env, jclass type, jint timeout_seconds) {
    (void)env, (void)type;
    return sluice_pmix_fence(timeout_seconds);
}

PMIX_CALL(jlong, get)
(JNIEnv *env, jclass type, jint rank, jbyteArray key, jint timeout_seconds, jlong address, jlong capacity) {
    (void)type;
    char copy[SLUICE_PMIX_KEY_BYTES];
    return copy_text(env, key, copy, sizeof copy) ? sluice_pmix_get(rank, copy, timeout_seconds, address, capacity)
                                                  : SLUICE_PMIX_ERR_BAD_PARAM;
}

PMIX_CALL(jint, abort)(JNIEnv *env, jclass type, jint status, jbyteArray message) {
    (void)type;
    char copy[MESSAGE_BYTES];
    return copy_text(env, message, copy, sizeof copy) ? sluice_pmix_abort(status, copy) : SLUICE_PMIX_ERR_BAD_PARAM;
}

PMIX_CALL(jint, finish)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_pmix_finalize();
}

PMIX_CALL(jint, watch)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_pmix_watch();
}

PMIX_CALL(jint, endWait)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_pmix_end_wait();
}

PMIX_CALL(jint, awaitEvent)(JNIEnv *env, jclass type, jint timeout_ms, jintArray out) {
    (void)type;
    if (!has_room(env, out, SLUICE_PMIX_EVENT_FIELDS)) {
        return SLUICE_PMIX_ERR_BAD_PARAM;
    }
    int32_t event[SLUICE_PMIX_EVENT_FIELDS];
    jint came = sluice_pmix_await_event(timeout_ms, event);
    if (came > 0) {
        (*env)->SetIntArrayRegion(env, out, 0, SLUICE_PMIX_EVENT_FIELDS, event);
    }
    return came;
}
