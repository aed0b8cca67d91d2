/* Of the JVM's heap, so not free of JNI as os_calls.h; results as there. */
#ifndef SLUICE_OS_ARRAYS_H
#define SLUICE_OS_ARRAYS_H

#include "os_calls.h"

#include <jni.h>
#include <jvmti.h>

/* The most that is read in one critical section: even cold and between far cores a tenth of a millisecond. */
#define SLUICE_OS_SECTION_BYTES (256 << 10)

enum sluice_os_collector {
    SLUICE_OS_COLLECTOR_OTHER,
    SLUICE_OS_COLLECTOR_G1,
    SLUICE_OS_COLLECTOR_PARALLEL,
    SLUICE_OS_COLLECTOR_SERIAL
};

int64_t sluice_os_array_address(JNIEnv *env, jarray array);
int64_t sluice_os_read_into_array(JNIEnv *env, int32_t pid, jarray array, int64_t offset, int64_t remote,
                                  int64_t bytes);
int64_t sluice_os_count_collections(JNIEnv *env, int64_t address);
int32_t sluice_os_end_counting(int64_t counting);
int32_t sluice_os_collector(void);

#endif
