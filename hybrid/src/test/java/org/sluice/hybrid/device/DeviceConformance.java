package org.sluice.hybrid.device;

/**
 * What every device does, whatever carries its messages and whoever makes its progress. The cases stand in the
 * interfaces; a subclass says under which options they run.
 */
abstract class DeviceConformance
        implements CommonCases,
                FloodCases,
                StormCases,
                PersistentRouteCases,
                HandlerCases,
                HandlerFailureCases,
                KeptMessageCases,
                BroadcastCases,
                ShortHandlerCases {}
