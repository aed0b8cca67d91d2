@file:JvmName("Select")

package org.sluice.coroutines

import org.sluice.device.Device
import org.sluice.hybrid.request.Alternative
import org.sluice.hybrid.request.AsyncCalls
import org.sluice.hybrid.request.Envelope
import org.sluice.hybrid.request.Waiting
import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn

/** The receives between which [Device.select] chooses. *Thread*: the one that builds them. */
class Receives<R> internal constructor() {
    internal val alternatives = ArrayList<Alternative>()
    internal val results = ArrayList<(Received<Any?>) -> R>()

    /**
     * @param buffer untouched where another receive has the message. Several receives of one select may name the same,
     * as one of them alone gets something
     * @param then makes the result of the select out of what was received
     */
    fun <B> receive(
        buffer: B,
        source: Int,
        tag: Int,
        contextId: Int = Device.DEFAULT_CONTEXT,
        then: (Received<B>) -> R,
    ) {
        alternatives += Alternative(buffer, Envelope(contextId, source, tag))
        results += { received -> then(ReceivedMessage(buffer, received.status)) }
    }
}

/**
 * Suspends until one of several receives has a message, and takes exactly that one: in the moment of its match the
 * others are withdrawn. Of messages that are there already the first receive that fits one has it.
 *
 *     val answer = device.select<String> {
 *         receive(numbers, source = 1, tag = 7) { (data, status) -> "${status.count()} numbers" }
 *         receive(ByteArray(80), source = ANY_SOURCE, tag = 9) { "a complaint of rank ${it.status.source()}" }
 *     }
 *
 * *Cancelling*: as [Device.receive]; [onUndelivered] is told what was received. *Thread*: as [Device.receive]; the
 * results are made in the coroutine. *Fails*: with the first reason for which one of the receives can get nothing any
 * more (its source has died), although another could.
 *
 * @throws IllegalArgumentException where there is no receive, or one that [Device.recv] refuses
 */
suspend fun <R> Device.select(onUndelivered: ((Received<Any?>) -> Unit)? = null, receives: Receives<R>.() -> Unit): R {
    val all = Receives<R>().apply(receives)
    val chosen = choose(all.alternatives, onUndelivered)
    return all.results[chosen.index](chosen.received)
}

private suspend fun Device.choose(alternatives: List<Alternative>, onUndelivered: ((Received<Any?>) -> Unit)?): Chosen =
    suspendCoroutineUninterceptedOrReturn { continuation ->
        SelectCall(waiting(), continuation, alternatives, onUndelivered).run()
    }

internal class Chosen(val index: Int, val received: Received<Any?>)

internal class SelectCall(
    waiting: Waiting,
    continuation: Continuation<Chosen>,
    private val alternatives: List<Alternative>,
    private val onUndelivered: ((Received<Any?>) -> Unit)?,
) : SuspendedCall<Chosen>(waiting, continuation),
    AsyncCalls.Chooser {
    /** Written under the device's lock before the end. */
    private var index = 0

    override fun chosen(index: Int) {
        this.index = index
    }

    // Several sources can't be looked at beside the queue.
    override fun now() = false

    override fun begin() = device().async().receiveAny(this, alternatives)

    override fun value() = Chosen(index, ReceivedMessage(alternatives[index].buffer, result()))

    override fun undelivered() = device().undelivered(onUndelivered) {
        ReceivedMessage(alternatives[index].buffer, envelope())
    }
}
