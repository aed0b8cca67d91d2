/* Runs the os library under ASan and UBSan without a JVM: jni/test.sh builds and starts it. */
#include "checks.h"

int main(void) {
    check_memory();
    check_lost();
    check_futex();
    check_files();
    check_processes();
    check_processors();
    check_sockets();
    check_shims();
    return checks_finish();
}
