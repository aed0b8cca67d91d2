package org.sluice.hybrid.device;

/**
 * Of the suite over verbs what a wire, or another way to write to it, could change: what moves messages. The rest is
 * {@link IbOtherDeviceRxeTest}'s.
 */
interface WireCases
        extends VerbsCases,
                SendCases,
                RequestCases,
                ProbeCases,
                CancelledSendCases,
                RouteTransferCases,
                HandlerCases,
                KeptMessageCases {}
