package org.sluice.hybrid.device

import org.junit.jupiter.api.Tag

/**
 * Coroutines of two ranks over verbs, beside two more that the second of them reaches over shared memory and as a
 * thread.
 */
@Tag("verbs")
@Tag("all")
internal class CoroutineAllChannelsRxeTest :
    AllChannels(),
    CoroutineCases {
    override fun open(size: Int, vararg more: String): DeviceJob = super<AllChannels>.open(
        if (size ==
            2
        ) {
            4
        } else {
            size
        },
        *more,
    )
}
