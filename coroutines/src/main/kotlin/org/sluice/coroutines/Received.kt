package org.sluice.coroutines

import org.sluice.device.Status

/**
 * A message that was received: the buffer that has it, and who sent it with which tag and length.
 *
 * *Thread*: as its buffer.
 */
interface Received<out B> {
    val buffer: B

    /** The same at each call, as long as one thread asks. */
    val status: Status

    operator fun component1() = buffer

    operator fun component2() = status
}

internal class ReceivedMessage<out B>(override val buffer: B, override val status: Status) : Received<B> {
    override fun toString() = "Received[$status]"
}
