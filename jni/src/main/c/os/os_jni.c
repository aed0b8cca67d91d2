/*
 * The mirror of org.sluice.jni.os.Os: checks arguments, moves arrays in and out, calls the function of the same name.
 * Array regions are copied, never pinned, except by os_arrays.c: a critical section would hold up G1, and these arrays
 * are small.
 * A region is asked for only after its length was checked, so no JNI call here can throw.
 */
#include "os_arrays.h"
#include "os_calls.h"
#include "org_sluice_jni_os_Os.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

_Static_assert(sizeof(jlong) == sizeof(int64_t), "a jlong mask is copied as int64_t words");
_Static_assert(sizeof(jint) == sizeof(int32_t), "results are passed on as int32_t");

#define OS_CALL(result, name) JNIEXPORT result JNICALL Java_org_sluice_jni_os_Os_##name

/* 0, or -errno: a path is UTF-8 with exactly one zero, at its end, which makes a cut or doubled path impossible. */
static jint copy_path(JNIEnv *env, jbyteArray path, char out[PATH_MAX]) {
    if (path == NULL) {
        return -EINVAL;
    }
    jsize length = (*env)->GetArrayLength(env, path);
    if (length < 2) {
        return -EINVAL;
    }
    if (length > PATH_MAX) {
        return -ENAMETOOLONG;
    }
    (*env)->GetByteArrayRegion(env, path, 0, length, (jbyte *)out);
    return memchr(out, 0, (size_t)length) == out + length - 1 ? 0 : -EINVAL;
}

/* 0, or -EINVAL where the array has another length. */
static jint copy_ends(JNIEnv *env, jbyteArray ends, uint8_t out[SLUICE_OS_ENDS_BYTES]) {
    if (ends == NULL || (*env)->GetArrayLength(env, ends) != SLUICE_OS_ENDS_BYTES) {
        return -EINVAL;
    }
    (*env)->GetByteArrayRegion(env, ends, 0, SLUICE_OS_ENDS_BYTES, (jbyte *)out);
    return 0;
}

/* Checked before the system call, so that nothing was done when the answer has no place to go. */
static int has_room(JNIEnv *env, jlongArray array, jsize words) {
    return array != NULL && (*env)->GetArrayLength(env, array) >= words;
}

OS_CALL(jlong, processVmReadv)(JNIEnv *env, jclass type, jint pid, jlong local, jlong remote, jlong bytes) {
    (void)env, (void)type;
    return sluice_os_process_vm_readv(pid, local, remote, bytes);
}

OS_CALL(jlong, mmapShared)(JNIEnv *env, jclass type, jint fd, jlong offset, jlong bytes) {
    (void)env, (void)type;
    return sluice_os_mmap_shared(fd, offset, bytes);
}

OS_CALL(jlong, mmapReadOnly)(JNIEnv *env, jclass type, jint fd, jlong offset, jlong bytes) {
    (void)env, (void)type;
    return sluice_os_mmap_read_only(fd, offset, bytes);
}

OS_CALL(jint, lostPages)(JNIEnv *env, jclass type, jlong address) {
    (void)env, (void)type;
    return sluice_os_lost_pages(address);
}

OS_CALL(jint, mmapZeros)(JNIEnv *env, jclass type, jlong address, jlong bytes) {
    (void)env, (void)type;
    return sluice_os_mmap_zeros(address, bytes);
}

OS_CALL(jlong, lostCount)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_lost_count();
}

OS_CALL(jint, munmap)(JNIEnv *env, jclass type, jlong address, jlong bytes) {
    (void)env, (void)type;
    return sluice_os_munmap(address, bytes);
}

OS_CALL(jint, futexWait)(JNIEnv *env, jclass type, jlong address, jint expected, jlong timeout_nanos) {
    (void)env, (void)type;
    return sluice_os_futex_wait(address, expected, timeout_nanos);
}

OS_CALL(jint, futexWake)(JNIEnv *env, jclass type, jlong address, jint count) {
    (void)env, (void)type;
    return sluice_os_futex_wake(address, count);
}

OS_CALL(jint, posixFallocate)(JNIEnv *env, jclass type, jint fd, jlong offset, jlong bytes) {
    (void)env, (void)type;
    return sluice_os_posix_fallocate(fd, offset, bytes);
}

OS_CALL(jint, openExclusive)(JNIEnv *env, jclass type, jbyteArray path, jint mode) {
    (void)type;
    char copy[PATH_MAX];
    jint error = copy_path(env, path, copy);
    return error != 0 ? error : sluice_os_open_exclusive(copy, mode);
}

OS_CALL(jint, openUnnamed)(JNIEnv *env, jclass type, jbyteArray directory, jint mode) {
    (void)type;
    char copy[PATH_MAX];
    jint error = copy_path(env, directory, copy);
    return error != 0 ? error : sluice_os_open_unnamed(copy, mode);
}

OS_CALL(jint, openOf)(JNIEnv *env, jclass type, jint pid, jint fd) {
    (void)env, (void)type;
    return sluice_os_open_of(pid, fd);
}

OS_CALL(jint, openExisting)(JNIEnv *env, jclass type, jbyteArray path) {
    (void)type;
    char copy[PATH_MAX];
    jint error = copy_path(env, path, copy);
    return error != 0 ? error : sluice_os_open_existing(copy);
}

OS_CALL(jint, fstat)(JNIEnv *env, jclass type, jint fd, jlongArray out) {
    (void)type;
    if (!has_room(env, out, SLUICE_OS_STAT_FIELDS)) {
        return -EINVAL;
    }
    int64_t fields[SLUICE_OS_STAT_FIELDS];
    jint result = sluice_os_fstat(fd, fields);
    if (result == 0) {
        (*env)->SetLongArrayRegion(env, out, 0, SLUICE_OS_STAT_FIELDS, (const jlong *)fields);
    }
    return result;
}

OS_CALL(jint, ftruncate)(JNIEnv *env, jclass type, jint fd, jlong bytes) {
    (void)env, (void)type;
    return sluice_os_ftruncate(fd, bytes);
}

OS_CALL(jint, unlink)(JNIEnv *env, jclass type, jbyteArray path) {
    (void)type;
    char copy[PATH_MAX];
    jint error = copy_path(env, path, copy);
    return error != 0 ? error : sluice_os_unlink(copy);
}

OS_CALL(jint, statvfs)(JNIEnv *env, jclass type, jbyteArray path, jlongArray out) {
    (void)type;
    if (!has_room(env, out, SLUICE_OS_STATVFS_FIELDS)) {
        return -EINVAL;
    }
    char copy[PATH_MAX];
    int64_t fields[SLUICE_OS_STATVFS_FIELDS];
    jint result = copy_path(env, path, copy);
    if (result == 0) {
        result = sluice_os_statvfs(copy, fields);
    }
    if (result == 0) {
        (*env)->SetLongArrayRegion(env, out, 0, SLUICE_OS_STATVFS_FIELDS, (const jlong *)fields);
    }
    return result;
}

OS_CALL(jint, close)(JNIEnv *env, jclass type, jint fd) {
    (void)env, (void)type;
    return sluice_os_close(fd);
}

OS_CALL(jint, pidfdOpen)(JNIEnv *env, jclass type, jint pid) {
    (void)env, (void)type;
    return sluice_os_pidfd_open(pid);
}

OS_CALL(jint, pidfdHasExited)(JNIEnv *env, jclass type, jint pidfd) {
    (void)env, (void)type;
    return sluice_os_pidfd_has_exited(pidfd);
}

OS_CALL(jint, prctlSetPtracer)(JNIEnv *env, jclass type, jint pid) {
    (void)env, (void)type;
    return sluice_os_prctl_set_ptracer(pid);
}

OS_CALL(jint, setPdeathsig)(JNIEnv *env, jclass type, jint signal_number) {
    (void)env, (void)type;
    return sluice_os_set_pdeathsig(signal_number);
}

OS_CALL(jlong, getuid)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_getuid();
}

OS_CALL(jlong, geteuid)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_geteuid();
}

OS_CALL(jint, getpid)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_getpid();
}

OS_CALL(jint, gettid)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_gettid();
}

OS_CALL(jint, findSocket)(JNIEnv *env, jclass type, jbyteArray ends) {
    (void)type;
    uint8_t copy[SLUICE_OS_ENDS_BYTES];
    jint error = copy_ends(env, ends, copy);
    return error != 0 ? error : sluice_os_find_socket(copy);
}

OS_CALL(jlong, tcpRetransmits)(JNIEnv *env, jclass type, jint fd, jbyteArray ends) {
    (void)type;
    uint8_t copy[SLUICE_OS_ENDS_BYTES];
    jint error = copy_ends(env, ends, copy);
    return error != 0 ? error : sluice_os_tcp_retransmits(fd, copy);
}

OS_CALL(jint, schedSetaffinity)(JNIEnv *env, jclass type, jint tid, jlongArray mask) {
    (void)type;
    if (mask == NULL) {
        return -EINVAL;
    }
    int64_t words[SLUICE_OS_CPU_WORDS];
    jsize length = (*env)->GetArrayLength(env, mask);
    if (length < 1 || length > SLUICE_OS_CPU_WORDS) {
        return -EINVAL;
    }
    (*env)->GetLongArrayRegion(env, mask, 0, length, (jlong *)words);
    return sluice_os_sched_setaffinity(tid, words, length);
}

OS_CALL(jint, schedGetaffinity)(JNIEnv *env, jclass type, jint tid, jlongArray mask) {
    (void)type;
    if (mask == NULL) {
        return -EINVAL;
    }
    int64_t words[SLUICE_OS_CPU_WORDS];
    jsize length = (*env)->GetArrayLength(env, mask);
    if (length < 1 || length > SLUICE_OS_CPU_WORDS) {
        return -EINVAL;
    }
    jint result = sluice_os_sched_getaffinity(tid, words, length);
    if (result == 0) {
        (*env)->SetLongArrayRegion(env, mask, 0, length, (const jlong *)words);
    }
    return result;
}

OS_CALL(jint, schedGetcpu)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_sched_getcpu();
}

OS_CALL(jint, schedYield)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_sched_yield();
}

OS_CALL(jint, membarrier)(JNIEnv *env, jclass type, jint command) {
    (void)env, (void)type;
    return sluice_os_membarrier(command);
}

OS_CALL(jlong, arrayAddress)(JNIEnv *env, jclass type, jobject array) {
    (void)type;
    return sluice_os_array_address(env, array);
}

OS_CALL(jlong, readIntoArray)
(JNIEnv *env, jclass type, jint pid, jobject array, jlong offset, jlong remote, jlong bytes) {
    (void)type;
    return sluice_os_read_into_array(env, pid, array, offset, remote, bytes);
}

OS_CALL(jlong, countCollections)(JNIEnv *env, jclass type, jlong address) {
    (void)type;
    return sluice_os_count_collections(env, address);
}

OS_CALL(jint, endCounting)(JNIEnv *env, jclass type, jlong counting) {
    (void)env, (void)type;
    return sluice_os_end_counting(counting);
}

OS_CALL(jint, collector)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return sluice_os_collector();
}
