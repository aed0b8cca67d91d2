/*
 * Arrays in the JVM's heap, for peers of this node that read them: where one is just now, reading into one, and a count
 * of the collections that may have moved one since. The only part of this library that speaks to the JVM beyond its
 * arguments. A critical section here covers one system call, or none: some collectors wait for its end.
 */
#include "os_arrays.h"

#include <errno.h>
#include <string.h>

#define PROBE_BYTES 64

/*
 * A JVM that hands out copies has nothing that a peer could read, and would write all of an array back for a part of
 * it. HotSpot does so under -Xcheck:jni alone, and doesn't say so: but two copies of one array lie in two places.
 */
static int hands_out_copies(JNIEnv *env) {
    jboolean is_copy = JNI_FALSE;
    jbyteArray probe = (*env)->NewByteArray(env, PROBE_BYTES);
    if (probe == NULL) {
        (*env)->ExceptionClear(env);
        return 1;
    }
    char *first = (*env)->GetPrimitiveArrayCritical(env, probe, &is_copy);
    char *second = (*env)->GetPrimitiveArrayCritical(env, probe, NULL);
    int are_copies = is_copy || first == NULL || first != second;
    if (second != NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, probe, second, JNI_ABORT);
    }
    if (first != NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, probe, first, JNI_ABORT);
    }
    (*env)->DeleteLocalRef(env, probe);
    return are_copies;
}

/* NULL where that can't be. What was found out once holds for the JVM. */
static char *enter(JNIEnv *env, jarray array) {
    enum { UNKNOWN, DIRECT, COPIES };
    static int handed_out;
    int known = __atomic_load_n(&handed_out, __ATOMIC_RELAXED);
    if (known == UNKNOWN) {
        known = hands_out_copies(env) ? COPIES : DIRECT;
        __atomic_store_n(&handed_out, known, __ATOMIC_RELAXED);
    }
    return known == DIRECT ? (*env)->GetPrimitiveArrayCritical(env, array, NULL) : NULL;
}

int64_t sluice_os_array_address(JNIEnv *env, jarray array) {
    if (array == NULL) {
        return -EINVAL;
    }
    char *elements = enter(env, array);
    if (elements == NULL) {
        return -EOPNOTSUPP;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, array, elements, JNI_ABORT);
    return (int64_t)(intptr_t)elements;
}

int64_t sluice_os_read_into_array(JNIEnv *env, int32_t pid, jarray array, int64_t offset, int64_t remote,
                                  int64_t bytes) {
    if (array == NULL || offset < 0 || bytes < 0 || bytes > SLUICE_OS_SECTION_BYTES) {
        return -EINVAL;
    }
    char *elements = enter(env, array);
    if (elements == NULL) {
        return -EOPNOTSUPP;
    }
    int64_t result = sluice_os_process_vm_readv(pid, (int64_t)(intptr_t)elements + offset, remote, bytes);
    (*env)->ReleasePrimitiveArrayCritical(env, array, elements, 0);
    return result;
}

/* By the JVM's own thread, when all others have stopped, and before anything moves. */
static void JNICALL on_collection(jvmtiEnv *counting) {
    uint64_t *count;
    if ((*counting)->GetEnvironmentLocalStorage(counting, (void **)&count) == JVMTI_ERROR_NONE && count != NULL) {
        /* Pairs with the reader's load fence: whoever reads a byte that was moved here finds another count then. */
        __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}

static int begin_counting(jvmtiEnv *counting, int64_t address) {
    const jvmtiCapabilities wanted = {.can_generate_garbage_collection_events = 1};
    const jvmtiEventCallbacks callbacks = {.GarbageCollectionStart = on_collection};
    return (*counting)->AddCapabilities(counting, &wanted) == JVMTI_ERROR_NONE &&
           (*counting)->SetEnvironmentLocalStorage(counting, (void *)(intptr_t)address) == JVMTI_ERROR_NONE &&
           (*counting)->SetEventCallbacks(counting, &callbacks, (jint)sizeof callbacks) == JVMTI_ERROR_NONE &&
           (*counting)->SetEventNotificationMode(counting, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL) ==
               JVMTI_ERROR_NONE;
}

int64_t sluice_os_count_collections(JNIEnv *env, int64_t address) {
    JavaVM *jvm;
    jvmtiEnv *counting;
    if (address <= 0 || address % (int64_t)sizeof(uint64_t) != 0) {
        return -EINVAL;
    }
    if ((*env)->GetJavaVM(env, &jvm) != JNI_OK ||
        (*jvm)->GetEnv(jvm, (void **)&counting, JVMTI_VERSION_1_2) != JNI_OK) {
        return -EOPNOTSUPP;
    }
    if (!begin_counting(counting, address)) {
        (*counting)->DisposeEnvironment(counting);
        return -EOPNOTSUPP;
    }
    return (int64_t)(intptr_t)counting;
}

/* The JVM disposes of it between collections: afterwards nothing is written there. */
int32_t sluice_os_end_counting(int64_t counting) {
    if (counting <= 0) {
        return -EINVAL;
    }
    jvmtiEnv *env = (jvmtiEnv *)(intptr_t)counting;
    return (*env)->DisposeEnvironment(env) == JVMTI_ERROR_NONE ? 0 : -EINVAL;
}

/*
 * What HotSpot exports of itself for debuggers and profilers, which says by itself where everything is: a table of
 * fields, each with the names of its type and of itself, and for static ones an address. Weak: in another JVM, or one
 * whose symbols are not visible, they are not there.
 */
#define EXPORTED extern __attribute__((weak, visibility("default")))
EXPORTED const char *gHotSpotVMStructs;
EXPORTED uint64_t gHotSpotVMStructEntryTypeNameOffset;
EXPORTED uint64_t gHotSpotVMStructEntryFieldNameOffset;
EXPORTED uint64_t gHotSpotVMStructEntryOffsetOffset;
EXPORTED uint64_t gHotSpotVMStructEntryAddressOffset;
EXPORTED uint64_t gHotSpotVMStructEntryArrayStride;
EXPORTED const char *gHotSpotVMTypes;
EXPORTED uint64_t gHotSpotVMTypeEntryTypeNameOffset;
EXPORTED uint64_t gHotSpotVMTypeEntrySizeOffset;
EXPORTED uint64_t gHotSpotVMTypeEntryArrayStride;

static const char *name_at(const char *entry, uint64_t offset) { return *(const char *const *)(entry + offset); }

static const char *find_field(const char *name) {
    const char *entry = gHotSpotVMStructs;
    const char *type;
    for (; (type = name_at(entry, gHotSpotVMStructEntryTypeNameOffset)) != NULL;
         entry += gHotSpotVMStructEntryArrayStride) {
        if (strcmp(type, "JVMFlag") == 0 && strcmp(name_at(entry, gHotSpotVMStructEntryFieldNameOffset), name) == 0) {
            return entry;
        }
    }
    return NULL;
}

static uint64_t flag_bytes(void) {
    const char *entry = gHotSpotVMTypes;
    const char *type;
    for (; (type = name_at(entry, gHotSpotVMTypeEntryTypeNameOffset)) != NULL;
         entry += gHotSpotVMTypeEntryArrayStride) {
        if (strcmp(type, "JVMFlag") == 0) {
            return *(const uint64_t *)(entry + gHotSpotVMTypeEntrySizeOffset);
        }
    }
    return 0;
}

static const void *static_field(const char *entry) {
    return *(const void *const *)(entry + gHotSpotVMStructEntryAddressOffset);
}

static uint64_t field_offset(const char *entry) {
    return *(const uint64_t *)(entry + gHotSpotVMStructEntryOffsetOffset);
}

static int collector_of(const char *flag) {
    static const char *const names[] = {"UseG1GC", "UseParallelGC", "UseSerialGC"};
    for (int i = 0; flag != NULL && i < 3; i++) {
        if (strcmp(flag, names[i]) == 0) {
            return SLUICE_OS_COLLECTOR_G1 + i;
        }
    }
    return SLUICE_OS_COLLECTOR_OTHER;
}

int32_t sluice_os_collector(void) {
    if (&gHotSpotVMStructs == NULL || &gHotSpotVMTypes == NULL || gHotSpotVMStructs == NULL) {
        return SLUICE_OS_COLLECTOR_OTHER;
    }
    const char *flags = find_field("flags");
    const char *count = find_field("numFlags");
    const char *name = find_field("_name");
    const char *value = find_field("_addr");
    uint64_t bytes = flag_bytes();
    if (flags == NULL || count == NULL || name == NULL || value == NULL || bytes == 0) {
        return SLUICE_OS_COLLECTOR_OTHER;
    }
    const char *flag = *(const char *const *)static_field(flags);
    for (uint64_t left = *(const size_t *)static_field(count); left > 0; left--, flag += bytes) {
        int found = collector_of(name_at(flag, field_offset(name)));
        if (found != SLUICE_OS_COLLECTOR_OTHER && **(const char *const *)(flag + field_offset(value)) != 0) {
            return found;
        }
    }
    return SLUICE_OS_COLLECTOR_OTHER;
}
