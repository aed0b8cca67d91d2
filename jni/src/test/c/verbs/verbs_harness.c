/* Runs the verbs library over stand-ins, under ASan and UBSan, without a JVM and without an adapter: see jni/test.sh.
 */
#include "verbs_checks.h"

int main(void) {
    check_errors();
    check_devices();
    check_work();
    check_connections();
    check_events();
    check_waiting();
    check_verbs_shims();
    return checks_finish();
}
