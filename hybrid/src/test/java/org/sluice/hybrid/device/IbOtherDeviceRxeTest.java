package org.sluice.hybrid.device;

import org.junit.jupiter.api.Tag;

/** The rest of the suite over verbs within one JVM. */
@Tag("verbs")
@Tag("all")
final class IbOtherDeviceRxeTest
        implements VerbsCases,
                BufferCases,
                LeaseCases,
                ArgumentCases,
                CloseCases,
                CallbackCases,
                FailedDeviceCases,
                FloodCases,
                StormCases,
                PersistentRouteCases,
                HandlerFailureCases,
                ShortHandlerCases {
    @Override
    public int many(int count) {
        return count / IbDeviceRxeTest.SLOWER;
    }
}
