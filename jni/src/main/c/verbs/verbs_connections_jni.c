/* The mirror of org.sluice.jni.verbs.Verbs for what belongs to a connection. */
#include "verbs_jni.h"

VERBS_CALL(jint, bind)(JNIEnv *env, jclass type, jlong id, jbyteArray address, jint port) {
    (void)type;
    uint8_t copy[SLUICE_VERBS_IPV6_BYTES];
    jint length = get_bytes(env, address, copy, sizeof copy);
    return length < 0 ? length : sluice_verbs_bind(id, copy, length, port);
}

VERBS_CALL(jint, resolveAddress)
(JNIEnv *env, jclass type, jlong id, jbyteArray source, jbyteArray destination, jint port, jint timeout_ms) {
    (void)type;
    uint8_t to[SLUICE_VERBS_IPV6_BYTES];
    uint8_t from[SLUICE_VERBS_IPV6_BYTES];
    jint length = get_bytes(env, destination, to, sizeof to);
    if (length < 0) {
        return length;
    }
    /* Both of one family, or no route could be found. */
    if (source != NULL && get_bytes(env, source, from, sizeof from) != length) {
        return -EINVAL;
    }
    return sluice_verbs_resolve_address(id, source != NULL ? from : NULL, to, length, port, timeout_ms);
}

VERBS_CALL(jlong, createQueuePair)
(JNIEnv *env, jclass type, jlong id, jlong domain, jlong send_queue, jlong receive_queue, jlong shared_receive_queue,
 jlongArray limits) {
    (void)type;
    int64_t fields[SLUICE_VERBS_QUEUE_PAIR_FIELDS];
    if (!has_room(env, limits, SLUICE_VERBS_QUEUE_PAIR_FIELDS)) {
        return -EINVAL;
    }
    get_longs(env, limits, fields, SLUICE_VERBS_QUEUE_PAIR_FIELDS);
    jlong result = sluice_verbs_create_queue_pair(id, domain, send_queue, receive_queue, shared_receive_queue, fields);
    if (result > 0) {
        put_longs(env, limits, fields, SLUICE_VERBS_QUEUE_PAIR_FIELDS);
    }
    return result;
}

/* Copies the private data, where no array means no data; its length, or -EINVAL. */
static jint get_private_data(JNIEnv *env, jbyteArray data, uint8_t *to, jsize limit) {
    return data == NULL ? 0 : get_bytes(env, data, to, limit);
}

VERBS_CALL(jint, connect)(JNIEnv *env, jclass type, jlong id, jlongArray parameters, jbyteArray private_data) {
    (void)type;
    int64_t fields[SLUICE_VERBS_CONNECT_FIELDS];
    uint8_t data[SLUICE_VERBS_CONNECT_PRIVATE_BYTES];
    jint length = get_private_data(env, private_data, data, sizeof data);
    if (length < 0 || !has_room(env, parameters, SLUICE_VERBS_CONNECT_FIELDS)) {
        return -EINVAL;
    }
    get_longs(env, parameters, fields, SLUICE_VERBS_CONNECT_FIELDS);
    return sluice_verbs_connect(id, fields, data, length);
}

VERBS_CALL(jint, accept)(JNIEnv *env, jclass type, jlong id, jlongArray parameters, jbyteArray private_data) {
    (void)type;
    int64_t fields[SLUICE_VERBS_CONNECT_FIELDS];
    uint8_t data[SLUICE_VERBS_ACCEPT_PRIVATE_BYTES];
    jint length = get_private_data(env, private_data, data, sizeof data);
    if (length < 0 || !has_room(env, parameters, SLUICE_VERBS_CONNECT_FIELDS)) {
        return -EINVAL;
    }
    get_longs(env, parameters, fields, SLUICE_VERBS_CONNECT_FIELDS);
    return sluice_verbs_accept(id, fields, data, length);
}

VERBS_CALL(jint, reject)(JNIEnv *env, jclass type, jlong id, jbyteArray private_data) {
    (void)type;
    uint8_t data[SLUICE_VERBS_REJECT_PRIVATE_BYTES];
    jint length = get_private_data(env, private_data, data, sizeof data);
    return length < 0 ? length : sluice_verbs_reject(id, data, length);
}

VERBS_CALL(jlong, createEventChannel)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_verbs_create_event_channel();
}

VERBS_CALL(jint, destroyEventChannel)(JNIEnv *env, jclass type, jlong channel) {
    (void)env, (void)type;
    return sluice_verbs_destroy_event_channel(channel);
}

VERBS_CALL(jint, eventChannelFd)(JNIEnv *env, jclass type, jlong channel) {
    (void)env, (void)type;
    return sluice_verbs_event_channel_fd(channel);
}

VERBS_CALL(jlong, createId)(JNIEnv *env, jclass type, jlong event_channel) {
    (void)env, (void)type;
    return sluice_verbs_create_id(event_channel);
}

VERBS_CALL(jint, destroyId)(JNIEnv *env, jclass type, jlong id) {
    (void)env, (void)type;
    return sluice_verbs_destroy_id(id);
}

VERBS_CALL(jint, listen)(JNIEnv *env, jclass type, jlong id, jint backlog) {
    (void)env, (void)type;
    return sluice_verbs_listen(id, backlog);
}

VERBS_CALL(jint, localPort)(JNIEnv *env, jclass type, jlong id) {
    (void)env, (void)type;
    return sluice_verbs_local_port(id);
}

VERBS_CALL(jlong, cmContext)(JNIEnv *env, jclass type, jlong id) {
    (void)env, (void)type;
    return sluice_verbs_cm_context(id);
}

VERBS_CALL(jint, cmPort)(JNIEnv *env, jclass type, jlong id) {
    (void)env, (void)type;
    return sluice_verbs_cm_port(id);
}

VERBS_CALL(jint, resolveRoute)(JNIEnv *env, jclass type, jlong id, jint timeout_ms) {
    (void)env, (void)type;
    return sluice_verbs_resolve_route(id, timeout_ms);
}

VERBS_CALL(jint, setTypeOfService)(JNIEnv *env, jclass type, jlong id, jint value) {
    (void)env, (void)type;
    return sluice_verbs_set_type_of_service(id, value);
}

VERBS_CALL(jint, setAckTimeout)(JNIEnv *env, jclass type, jlong id, jint value) {
    (void)env, (void)type;
    return sluice_verbs_set_ack_timeout(id, value);
}

VERBS_CALL(jint, destroyQueuePair)(JNIEnv *env, jclass type, jlong id) {
    (void)env, (void)type;
    return sluice_verbs_destroy_queue_pair(id);
}

VERBS_CALL(jint, cmGid)(JNIEnv *env, jclass type, jlong id, jlongArray out) {
    (void)type;
    int64_t fields[SLUICE_VERBS_CM_GID_FIELDS];
    if (!has_room(env, out, SLUICE_VERBS_CM_GID_FIELDS)) {
        return -EINVAL;
    }
    jint result = sluice_verbs_cm_gid(id, fields);
    if (result == 0) {
        put_longs(env, out, fields, SLUICE_VERBS_CM_GID_FIELDS);
    }
    return result;
}

VERBS_CALL(jint, copyRoute)(JNIEnv *env, jclass type, jlong from, jlong to, jint mtu_bytes, jint service_level) {
    (void)env, (void)type;
    return sluice_verbs_copy_route(from, to, mtu_bytes, service_level);
}

VERBS_CALL(jint, tellEstablished)(JNIEnv *env, jclass type, jlong id) {
    (void)env, (void)type;
    return sluice_verbs_tell_established(id);
}

VERBS_CALL(jint, disconnect)(JNIEnv *env, jclass type, jlong id) {
    (void)env, (void)type;
    return sluice_verbs_disconnect(id);
}

VERBS_CALL(jint, connectionEvent)(JNIEnv *env, jclass type, jlong event_channel, jlong address) {
    (void)env, (void)type;
    return sluice_verbs_connection_event(event_channel, address);
}
