/* The mirror of org.sluice.jni.verbs.Verbs for devices, their objects, work and waiting. */
#include "verbs_jni.h"

#include <stdlib.h>
#include <string.h>

VERBS_CALL(jint, layout)(JNIEnv *env, jclass type, jintArray out) {
    (void)type;
    int32_t numbers[SLUICE_VERBS_LAYOUT_LIMIT];
    jint count = sluice_verbs_layout(numbers, SLUICE_VERBS_LAYOUT_LIMIT);
    if (has_room(env, out, count)) {
        (*env)->SetIntArrayRegion(env, out, 0, count, (const jint *)numbers);
    }
    return count;
}

/* Many adapters with many virtual functions have more names than a stack should hold. */
VERBS_CALL(jint, deviceNames)(JNIEnv *env, jclass type, jbyteArray out) {
    (void)type;
    if (out == NULL) {
        return -EINVAL;
    }
    jsize capacity = (*env)->GetArrayLength(env, out);
    char *names = calloc(1, (size_t)capacity + 1);
    if (names == NULL) {
        return -ENOMEM;
    }
    jint bytes = sluice_verbs_device_names(names, capacity);
    if (bytes > 0) {
        (*env)->SetByteArrayRegion(env, out, 0, bytes < capacity ? bytes : capacity, (const jbyte *)names);
    }
    free(names);
    return bytes;
}

VERBS_CALL(jlong, openDevice)(JNIEnv *env, jclass type, jbyteArray name) {
    (void)type;
    char copy[SLUICE_VERBS_NAME_BYTES];
    jint length = get_bytes(env, name, copy, SLUICE_VERBS_NAME_BYTES);
    if (length < 0) {
        return length;
    }
    /* Exactly one zero, at the end, which makes a cut or doubled name impossible. */
    if (length < 2 || memchr(copy, 0, (size_t)length) != copy + length - 1) {
        return -EINVAL;
    }
    return sluice_verbs_open_device(copy);
}

VERBS_CALL(jint, queryDevice)(JNIEnv *env, jclass type, jlong context, jlongArray out) {
    (void)type;
    int64_t fields[SLUICE_VERBS_DEVICE_FIELDS];
    if (!has_room(env, out, SLUICE_VERBS_DEVICE_FIELDS)) {
        return -EINVAL;
    }
    jint result = sluice_verbs_query_device(context, fields);
    if (result == 0) {
        put_longs(env, out, fields, SLUICE_VERBS_DEVICE_FIELDS);
    }
    return result;
}

VERBS_CALL(jint, queryPort)(JNIEnv *env, jclass type, jlong context, jint port, jlongArray out) {
    (void)type;
    int64_t fields[SLUICE_VERBS_PORT_FIELDS];
    if (!has_room(env, out, SLUICE_VERBS_PORT_FIELDS)) {
        return -EINVAL;
    }
    jint result = sluice_verbs_query_port(context, port, fields);
    if (result == 0) {
        put_longs(env, out, fields, SLUICE_VERBS_PORT_FIELDS);
    }
    return result;
}

VERBS_CALL(jint, queryGid)(JNIEnv *env, jclass type, jlong context, jint port, jint index, jlongArray out) {
    (void)type;
    int64_t fields[SLUICE_VERBS_GID_FIELDS];
    if (!has_room(env, out, SLUICE_VERBS_GID_FIELDS)) {
        return -EINVAL;
    }
    jint result = sluice_verbs_query_gid(context, port, index, fields);
    if (result == 0) {
        put_longs(env, out, fields, SLUICE_VERBS_GID_FIELDS);
    }
    return result;
}

VERBS_CALL(jint, deviceName)(JNIEnv *env, jclass type, jlong context, jbyteArray out) {
    (void)type;
    char name[SLUICE_VERBS_NAME_BYTES];
    if (out == NULL) {
        return -EINVAL;
    }
    jint length = sluice_verbs_device_name(context, name);
    if (length < 0) {
        return length;
    }
    if (!has_room(env, out, length)) {
        return -EINVAL;
    }
    (*env)->SetByteArrayRegion(env, out, 0, length, (const jbyte *)name);
    return length;
}

VERBS_CALL(jint, registerMemory)
(JNIEnv *env, jclass type, jlong domain, jlong address, jlong bytes, jint access, jlongArray out) {
    (void)type;
    int64_t fields[SLUICE_VERBS_REGION_FIELDS];
    if (!has_room(env, out, SLUICE_VERBS_REGION_FIELDS)) {
        return -EINVAL;
    }
    jint result = sluice_verbs_register_memory(domain, address, bytes, access, fields);
    if (result == 0) {
        put_longs(env, out, fields, SLUICE_VERBS_REGION_FIELDS);
    }
    return result;
}

VERBS_CALL(jint, asyncEvent)(JNIEnv *env, jclass type, jlong context, jlongArray out) {
    (void)type;
    int64_t fields[SLUICE_VERBS_ASYNC_FIELDS];
    if (!has_room(env, out, SLUICE_VERBS_ASYNC_FIELDS)) {
        return -EINVAL;
    }
    jint result = sluice_verbs_async_event(context, fields);
    if (result == 1) {
        put_longs(env, out, fields, SLUICE_VERBS_ASYNC_FIELDS);
    }
    return result;
}

VERBS_CALL(jint, waitReady)(JNIEnv *env, jclass type, jintArray descriptors, jint timeout_ms) {
    (void)type;
    int32_t copy[SLUICE_VERBS_WAIT_DESCRIPTORS];
    if (descriptors == NULL) {
        return -EINVAL;
    }
    jsize count = (*env)->GetArrayLength(env, descriptors);
    if (count < 1 || count > SLUICE_VERBS_WAIT_DESCRIPTORS) {
        return -EINVAL;
    }
    (*env)->GetIntArrayRegion(env, descriptors, 0, count, (jint *)copy);
    return sluice_verbs_wait_ready(copy, count, timeout_ms);
}

VERBS_CALL(jint, closeDevice)(JNIEnv *env, jclass type, jlong context) {
    (void)env, (void)type;
    return sluice_verbs_close_device(context);
}

VERBS_CALL(jlong, allocateProtectionDomain)(JNIEnv *env, jclass type, jlong context) {
    (void)env, (void)type;
    return sluice_verbs_allocate_protection_domain(context);
}

VERBS_CALL(jint, deallocateProtectionDomain)(JNIEnv *env, jclass type, jlong domain) {
    (void)env, (void)type;
    return sluice_verbs_deallocate_protection_domain(domain);
}

VERBS_CALL(jlong, createCompletionChannel)(JNIEnv *env, jclass type, jlong context) {
    (void)env, (void)type;
    return sluice_verbs_create_completion_channel(context);
}

VERBS_CALL(jint, destroyCompletionChannel)(JNIEnv *env, jclass type, jlong channel) {
    (void)env, (void)type;
    return sluice_verbs_destroy_completion_channel(channel);
}

VERBS_CALL(jint, completionChannelFd)(JNIEnv *env, jclass type, jlong channel) {
    (void)env, (void)type;
    return sluice_verbs_completion_channel_fd(channel);
}

VERBS_CALL(jlong, createCompletionQueue)(JNIEnv *env, jclass type, jlong context, jint entries, jlong channel) {
    (void)env, (void)type;
    return sluice_verbs_create_completion_queue(context, entries, channel);
}

VERBS_CALL(jint, destroyCompletionQueue)(JNIEnv *env, jclass type, jlong queue) {
    (void)env, (void)type;
    return sluice_verbs_destroy_completion_queue(queue);
}

VERBS_CALL(jint, requestNotify)(JNIEnv *env, jclass type, jlong queue) {
    (void)env, (void)type;
    return sluice_verbs_request_notify(queue);
}

VERBS_CALL(jint, drainCompletionEvents)(JNIEnv *env, jclass type, jlong channel) {
    (void)env, (void)type;
    return sluice_verbs_drain_completion_events(channel);
}

VERBS_CALL(jint, poll)(JNIEnv *env, jclass type, jlong queue, jint count, jlong address) {
    (void)env, (void)type;
    return sluice_verbs_poll(queue, count, address);
}

VERBS_CALL(jlong, createSharedReceiveQueue)(JNIEnv *env, jclass type, jlong domain, jint max_wr, jint max_sge) {
    (void)env, (void)type;
    return sluice_verbs_create_shared_receive_queue(domain, max_wr, max_sge);
}

VERBS_CALL(jint, setLimit)(JNIEnv *env, jclass type, jlong shared_receive_queue, jint limit) {
    (void)env, (void)type;
    return sluice_verbs_set_limit(shared_receive_queue, limit);
}

VERBS_CALL(jint, destroySharedReceiveQueue)(JNIEnv *env, jclass type, jlong queue) {
    (void)env, (void)type;
    return sluice_verbs_destroy_shared_receive_queue(queue);
}

VERBS_CALL(jint, postReceive)
(JNIEnv *env, jclass type, jlong shared_receive_queue, jlong work_request, jlong bad_address) {
    (void)env, (void)type;
    return sluice_verbs_post_receive(shared_receive_queue, work_request, bad_address);
}

VERBS_CALL(jint, postSend)(JNIEnv *env, jclass type, jlong queue_pair, jlong work_request, jlong bad_address) {
    (void)env, (void)type;
    return sluice_verbs_post_send(queue_pair, work_request, bad_address);
}

VERBS_CALL(jint, deregisterMemory)(JNIEnv *env, jclass type, jlong region) {
    (void)env, (void)type;
    return sluice_verbs_deregister_memory(region);
}

VERBS_CALL(jint, failQueuePair)(JNIEnv *env, jclass type, jlong queue_pair) {
    (void)env, (void)type;
    return sluice_verbs_fail_queue_pair(queue_pair);
}

VERBS_CALL(jint, queryQueuePair)(JNIEnv *env, jclass type, jlong queue_pair, jlongArray out) {
    (void)type;
    int64_t fields[SLUICE_VERBS_PATH_FIELDS];
    if (!has_room(env, out, SLUICE_VERBS_PATH_FIELDS)) {
        return -EINVAL;
    }
    jint result = sluice_verbs_query_queue_pair(queue_pair, fields);
    if (result == 0) {
        put_longs(env, out, fields, SLUICE_VERBS_PATH_FIELDS);
    }
    return result;
}

VERBS_CALL(jint, queryPkey)(JNIEnv *env, jclass type, jlong context, jint port, jint index) {
    (void)env, (void)type;
    return sluice_verbs_query_pkey(context, port, index);
}

VERBS_CALL(jint, asyncFd)(JNIEnv *env, jclass type, jlong context) {
    (void)env, (void)type;
    return sluice_verbs_async_fd(context);
}

VERBS_CALL(jint, createBell)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_verbs_create_bell();
}

VERBS_CALL(jint, ring)(JNIEnv *env, jclass type, jint bell) {
    (void)env, (void)type;
    return sluice_verbs_ring(bell);
}

VERBS_CALL(jint, hush)(JNIEnv *env, jclass type, jint bell) {
    (void)env, (void)type;
    return sluice_verbs_hush(bell);
}

VERBS_CALL(jint, closeBell)(JNIEnv *env, jclass type, jint bell) {
    (void)env, (void)type;
    return sluice_verbs_close_bell(bell);
}

VERBS_CALL(jlong, lockedMemoryLimit)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_verbs_locked_memory_limit();
}
