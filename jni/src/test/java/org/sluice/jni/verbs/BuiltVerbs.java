package org.sluice.jni.verbs;

import org.junit.jupiter.api.Assumptions;

/**
 * Skips a test where jni/build.sh has built without the headers of libibverbs, which it does only where there is no
 * apt-get.
 */
final class BuiltVerbs {

    private BuiltVerbs() {}

    static void assume() {
        Assumptions.assumeFalse(
                Verbs.unavailableReason().contains("in this jar"),
                "Sluice was built without the headers of libibverbs and librdmacm");
    }
}
