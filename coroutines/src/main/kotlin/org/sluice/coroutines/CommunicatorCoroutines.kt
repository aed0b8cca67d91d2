/**
 * The messages of a communicator, in calls that suspend. What cancelling them does stands in
 * docs/reference/coroutines.md, and is what it is for those of a device.
 */
@file:JvmName("CommunicatorCoroutines")

package org.sluice.coroutines

import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import org.sluice.device.Lease
import org.sluice.device.Message
import org.sluice.device.SluiceException
import org.sluice.device.Status
import org.sluice.mpi.CollectiveSpace
import org.sluice.mpi.Data
import org.sluice.mpi.MessageSpace
import org.sluice.mpi.Packing
import kotlin.coroutines.coroutineContext

/**
 * Sends, and suspends until the buffer may be written again, as [Device.sendSuspending][sendSuspending] of the device.
 *
 * *Cancelling*: as there. *Thread*: any; resumes on the coroutine's dispatcher.
 *
 * @param buffer a buffer, or a [Data]
 * @param dest a rank of the communicator, or PROC_NULL
 * @param onSent told where the call throws as cancelled although the message was sent
 * @throws SluiceException as the communicator's `send` does
 */
suspend fun CollectiveSpace.sendSuspending(buffer: Any?, dest: Int, tag: Int, onSent: (() -> Unit)? = null): Unit =
    suspended { BegunWork(isend(buffer, dest, tag), it, onSent) }

/** As [sendSuspending], until a receive has matched and the buffer may be written again. */
suspend fun CollectiveSpace.ssendSuspending(buffer: Any?, dest: Int, tag: Int, onSent: (() -> Unit)? = null): Unit =
    suspended { BegunWork(issend(buffer, dest, tag), it, onSent) }

/**
 * Suspends until a message has been received into the buffer.
 *
 * *Cancelling*: as of a device's receive: nothing is lost, as [onUndelivered] is told of a message that was matched.
 * *Thread*: any; resumes on the coroutine's dispatcher; [onUndelivered] must not block.
 *
 * @param buffer a buffer, or a [Data]; the communicator's until the call is over
 * @param source a rank of the communicator, ANY_SOURCE or PROC_NULL
 * @throws SluiceException as the communicator's `recv` does
 */
suspend fun <B> CollectiveSpace.receive(
    buffer: B,
    source: Int,
    tag: Int,
    onUndelivered: ((Received<B>) -> Unit)? = null,
): Received<B> = suspended { BegunReceive(irecv(buffer, source, tag), it, buffer, onUndelivered) }

/**
 * Sends one message and receives another, and suspends until both are over; neither waits for the other.
 *
 * *Cancelling*: both, each as by itself; [onUndelivered] has what was received. Where one of them fails the other is
 * cancelled.
 */
suspend fun <B> CollectiveSpace.sendRecvSuspending(
    out: Any?,
    dest: Int,
    sendTag: Int,
    into: B,
    source: Int,
    receiveTag: Int,
    onUndelivered: ((Received<B>) -> Unit)? = null,
): Received<B> {
    var received: Received<B>? = null
    try {
        return coroutineScope {
            val receiving = async(start = CoroutineStart.UNDISPATCHED) {
                receive(into, source, receiveTag, onUndelivered).also { received = it }
            }
            sendSuspending(out, dest, sendTag)
            receiving.await()
        }
    } catch (e: Throwable) {
        received?.let { message ->
            tell(coroutineContext) { device().waiting().undelivered(onUndelivered) { message } }
        }
        throw e
    }
}

/** As [sendRecvSuspending]: what is received takes the place of what was sent, of which a copy goes. */
suspend fun <B> CollectiveSpace.sendRecvReplaceSuspending(
    buffer: B,
    dest: Int,
    sendTag: Int,
    source: Int,
    receiveTag: Int,
    onUndelivered: ((Received<B>) -> Unit)? = null,
): Received<B> {
    val copy = ByteArray(Math.toIntExact(Packing.size(buffer)))
    Packing.pack(buffer, copy, 0)
    return sendRecvSuspending(copy, dest, sendTag, buffer, source, receiveTag, onUndelivered)
}

/**
 * Suspends until a message is there that a receive with these arguments would take; where several coroutines ask use
 * [take].
 *
 * *Cancelling*: at once.
 */
suspend fun CollectiveSpace.probeSuspending(source: Int, tag: Int): Status =
    suspended { BegunProbe(arrival(source, tag), it) }

/**
 * Suspends until a message is there and takes it out of the queue, to be received once: by [Message.receive],
 * [Message.receiveInPlace] or its own calls. Of several coroutines that wait any may be the first.
 *
 * *Cancelling*: nothing is taken.
 */
suspend fun CollectiveSpace.take(source: Int, tag: Int): Message {
    require(source != MessageSpace.PROC_NULL) { "rank PROC_NULL has no message that could be taken: give a rank" }
    coroutineContext.ensureActive()
    while (true) {
        improbe(source, tag)?.let { return it }
        probeSuspending(source, tag)
    }
}

/**
 * Suspends until a message is there and takes it where it lies. The lease is to be closed: `use {}`.
 *
 * *Cancelling*: before a message is there nothing is taken; afterwards the lease goes to [onUndelivered], or is closed
 * where there is none, or where it throws.
 */
suspend fun CollectiveSpace.receiveInPlace(source: Int, tag: Int, onUndelivered: ((Lease) -> Unit)? = null): Lease =
    take(source, tag).orDropped { it.receiveInPlace(onUndelivered) }

/** The messages of a source and tag, one after the other, each read where it lies, as [Device.leases][leases]. */
fun CollectiveSpace.leases(source: Int, tag: Int, onUndelivered: ((Lease) -> Unit)? = null): Flow<Lease> {
    val tellAndClose = onUndelivered?.let { told -> { lease: Lease -> lease.use(told) } }
    return MessageFlow { collector -> receiveInPlace(source, tag, tellAndClose).use { collector.emit(it) } }
}

/** As [leases], with each message received into a buffer that [buffer] chooses, as [Device.messages][messages]. */
fun <B> CollectiveSpace.messages(
    source: Int,
    tag: Int,
    onUndelivered: ((Received<B>) -> Unit)? = null,
    buffer: (Status) -> B,
): Flow<Received<B>> = MessageFlow { collector ->
    collector.emit(take(source, tag).orDropped { it.receive(buffer(it.status()), onUndelivered) })
}
