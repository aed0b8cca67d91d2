/**
 * Messages whose length the receiver doesn't know: taken first, then received or read in place; one by one or as a
 * flow.
 */
@file:JvmName("Messages")

package org.sluice.coroutines

import kotlinx.coroutines.ExperimentalForInheritanceCoroutinesApi
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.isActive
import org.sluice.device.Device
import org.sluice.device.Lease
import org.sluice.device.Message
import org.sluice.device.SluiceException
import org.sluice.device.Status
import org.sluice.device.layer.WrappedMessage
import org.sluice.hybrid.receive.LayerMessage
import org.sluice.hybrid.receive.TakenMessage
import org.sluice.hybrid.request.Waiting
import kotlin.coroutines.Continuation
import kotlin.coroutines.coroutineContext
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn

/** Waits for a message to be there, and takes none. */
internal class ProbeCall(waiting: Waiting, continuation: Continuation<Status>, source: Int, tag: Int, contextId: Int) :
    SuspendedCall<Status>(waiting, continuation) {
    private val search = waiting.async().search(this, source, tag, contextId, false)

    override fun now() = search.now()

    override fun begin() = search.begin()

    override fun value() = result()
}

/**
 * Takes a message out of the queue.
 * @param keepsMatched the coroutine gets it although it is cancelled
 * @param onUndelivered who else gets it; null: it is dropped
 */
internal class TakeCall(
    waiting: Waiting,
    continuation: Continuation<Message>,
    source: Int,
    tag: Int,
    contextId: Int,
    override val keepsMatched: Boolean,
    private val onUndelivered: ((Message) -> Unit)?,
) : SuspendedCall<Message>(waiting, continuation) {
    private val search = waiting.async().search(this, source, tag, contextId, true)

    override fun now() = search.now()

    override fun begin() = search.begin()

    // Where that needed memory the message would be lost.
    override fun value(): Message {
        failure()?.let { throw it.toException(envelope()) }
        return search.message()
    }

    override fun undelivered() = search.message().orDropped { message ->
        device().undelivered(onUndelivered) { message }
        if (onUndelivered == null) {
            message.ofSluice().drop()
        }
    }
}

/**
 * Suspends until a message is there and takes it out of the queue, as [Device.mprobe]: it is to be received once, by
 * [receive], [receiveInPlace] or the message's own calls.
 *
 * *Cancelling*: nothing is taken; a message that was taken in the same moment goes to [onUndelivered], which has to
 * receive it (its sender may be waiting for that), or is dropped where there is none, or where it throws. *Thread*: as
 * [receive].
 */
suspend fun Device.take(
    source: Int,
    tag: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
    onUndelivered: ((Message) -> Unit)? = null,
): Message = suspendCoroutineUninterceptedOrReturn { continuation ->
    TakeCall(waiting(), continuation, source, tag, contextId, false, onUndelivered).run()
}

private suspend fun Device.takeMatched(source: Int, tag: Int, contextId: Int): Message =
    suspendCoroutineUninterceptedOrReturn { continuation ->
        TakeCall(waiting(), continuation, source, tag, contextId, true, null).run()
    }

private fun Message.ofLayer() = this as? LayerMessage ?: (this as? WrappedMessage)?.inner() as? LayerMessage

internal fun Message.ofSluice() = this as? TakenMessage
    ?: ofLayer()?.taken()
    ?: throw IllegalArgumentException("$this is no message that a device of Device.open has taken")

/** Receives a message that was taken. Goes on when its coroutine is cancelled. */
private class TakenReceiveCall(
    waiting: Waiting,
    continuation: Continuation<TakenReceiveCall>,
    private val message: TakenMessage,
    private val buffer: Any?,
    private val layers: LayerMessage?,
) : SuspendedCall<TakenReceiveCall>(waiting, continuation) {
    override fun fill(status: Status) {
        super.fill(status)
        layers?.rename(status, elementSize())
    }

    override val isCancellable get() = false
    override val keepsMatched get() = true

    // To begin is all that there is to do.
    override fun now() = false

    override fun begin() = device().async().receiveTaken(this, message, buffer)

    override fun value() = this
}

/**
 * Where this throws, before the message is on its way, it can still be received.
 * @return the call, which has ended, well or badly
 */
private suspend fun Message.receiveAll(buffer: Any?): TakenReceiveCall =
    suspendCoroutineUninterceptedOrReturn { continuation ->
        val taken = ofSluice()
        TakenReceiveCall(taken.device(), continuation, taken, buffer, ofLayer()).run()
    }

/**
 * Receives a message that nobody could receive afterwards: where that throws before it has begun, the message is
 * dropped, and its sender goes on.
 */
internal inline fun <T> Message.orDropped(receive: (Message) -> T): T {
    try {
        return receive(this)
    } catch (e: Throwable) {
        ofSluice().dropAfter(e)
        throw e
    }
}

/**
 * Receives a message that was taken, and suspends until it is in the buffer.
 *
 * *Cancelling*: the message is received nevertheless, [onUndelivered] is told, and the call throws. *Thread*: as
 * [Device.receive].
 *
 * @throws SluiceException NO_MEMORY where the device's thread, which is to receive it, can't be had: the message can
 * still be received
 */
suspend fun <B> Message.receive(buffer: B, onUndelivered: ((Received<B>) -> Unit)? = null): Received<B> {
    val message = ofSluice()
    val ended = receiveAll(buffer)
    if (ended.hasMessage()) {
        unlessCancelled(Unit) {
            message.device().undelivered(onUndelivered) { ReceivedMessage(buffer, ended.envelope()) }
        }
    }
    return ReceivedMessage(buffer, ended.result())
}

/**
 * Reads a message that was taken where it lies, or copied into memory of the device where it can't be had there; the
 * lease is to be closed: `use {}`.
 *
 * *Cancelling*: the lease goes to [onUndelivered], or is closed where there is none, or where it throws, and the call
 * throws. *Thread*: as [Device.receive].
 *
 * @throws SluiceException NO_MEMORY where it has to be copied and there is no memory for that, or no thread: the
 * message can still be received
 */
suspend fun Message.receiveInPlace(onUndelivered: ((Lease) -> Unit)? = null): Lease {
    val message = ofSluice()
    val lease = message.leaseInPlace() ?: arrived(message) ?: copied(message)
    return unlessCancelled(lease) {
        try {
            message.device().undelivered(onUndelivered) { lease }
        } catch (e: Throwable) {
            lease.close()
            throw e
        }
        if (onUndelivered == null) {
            lease.close()
        }
    }
}

/** Waits for a message that is being written to where it can be read. */
private class ArrivalCall(waiting: Waiting, continuation: Continuation<Unit>, private val message: TakenMessage) :
    SuspendedCall<Unit>(waiting, continuation) {
    override val isCancellable get() = false

    override fun now() = false

    override fun begin() = device().async().arrival(this, message)

    /** If it will never come, its receive says so. */
    override fun value() = Unit
}

private suspend fun arrived(message: TakenMessage): Lease? {
    suspendCoroutineUninterceptedOrReturn { continuation ->
        ArrivalCall(message.device(), continuation, message).run()
    }
    return message.leaseInPlace()
}

private suspend fun Message.copied(message: TakenMessage): Lease {
    val memory = message.copyPlace()
    try {
        return message.leaseOf(memory, receiveAll(memory).result())
    } catch (e: Throwable) {
        memory.close()
        throw e
    }
}

private suspend fun <T> unlessCancelled(value: T, undelivered: () -> Unit): T {
    val context = coroutineContext
    if (!context.isActive) {
        tell(context, undelivered)
        context.ensureActive()
    }
    return value
}

/**
 * Suspends until a message is there and takes it where it lies, as [Device.recvInPlace]. The lease is to be closed:
 * `use {}`.
 *
 * *Cancelling*: before a message is there nothing is taken; afterwards the lease goes to [onUndelivered], or is closed
 * where there is none, or where it throws.
 *
 * @throws SluiceException as [Device.recvInPlace] does; where it is NO_MEMORY the message is consumed
 */
suspend fun Device.receiveInPlace(
    source: Int,
    tag: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
    onUndelivered: ((Lease) -> Unit)? = null,
): Lease = takeMatched(source, tag, contextId).orDropped { it.receiveInPlace(onUndelivered) }

/**
 * The messages of a source and tag, one after the other, each read where it lies: its lease is open as long as the
 * collector is at it, and must not be kept, nor go through a buffer. Each collector takes messages from the time on
 * when it collects, and only one it asks for; several share them. The flow ends only by its collector, or by an
 * exception: that of the device when it is closed, or when the source is gone.
 *
 * @param onUndelivered is told of a message that was taken for a collector that was cancelled meanwhile; its lease is
 * open for as long as that takes
 */
fun Device.leases(
    source: Int,
    tag: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
    onUndelivered: ((Lease) -> Unit)? = null,
): Flow<Lease> {
    val tellAndClose = onUndelivered?.let { told -> { lease: Lease -> lease.use(told) } }
    return MessageFlow { collector -> receiveInPlace(source, tag, contextId, tellAndClose).use { collector.emit(it) } }
}

/**
 * As [leases], with each message received into a buffer that [buffer] chooses for what is known of it, and which is the
 * collector's.
 *
 * @param onUndelivered is told of a message that was received for a collector that was cancelled meanwhile
 * @param buffer where it throws, or what it returns can't be received into, the flow ends with that, and the message is
 * consumed
 */
fun <B> Device.messages(
    source: Int,
    tag: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
    onUndelivered: ((Received<B>) -> Unit)? = null,
    buffer: (Status) -> B,
): Flow<Received<B>> = MessageFlow { collector ->
    collector.emit(takeMatched(source, tag, contextId).orDropped { it.receive(buffer(it.status()), onUndelivered) })
}

/**
 * Hands one message after the other to its collector, in the collector's own coroutine. Not of `flow {}`, which looks
 * whether the coroutine is cancelled between the message that has come and the collector, who then would not get it,
 * nor anybody else.
 */
@OptIn(ExperimentalForInheritanceCoroutinesApi::class)
internal class MessageFlow<T>(private val next: suspend (FlowCollector<T>) -> Unit) : Flow<T> {
    override suspend fun collect(collector: FlowCollector<T>) {
        while (true) {
            next(collector)
        }
    }
}
