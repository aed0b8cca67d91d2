package org.sluice.hybrid.device;

/** The suite but for what floods and storms: what each transport runs, whichever else it runs. */
interface CommonCases
        extends SendCases,
                BufferCases,
                RequestCases,
                ProbeCases,
                LeaseCases,
                ArgumentCases,
                CloseCases,
                CallbackCases,
                CancelledSendCases,
                FailedDeviceCases {}
