/**
 * The calls of a device that suspend. What cancelling them does stands in docs/reference/coroutines.md.
 */
@file:JvmName("DeviceCoroutines")

package org.sluice.coroutines

import kotlinx.coroutines.Job
import kotlinx.coroutines.ensureActive
import org.sluice.device.Device
import org.sluice.device.PersistentRoute
import org.sluice.device.Request
import org.sluice.device.SluiceException
import org.sluice.device.Status
import org.sluice.hybrid.request.Completion
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn

/**
 * Sends, and suspends until the buffer may be written again, as [Device.send]: a small message that finds room never
 * suspends. The whole buffer is sent.
 *
 * *Cancelling*: before the call nothing is sent. Afterwards the send is withdrawn if no receive has matched it, which
 * takes an answer of the peer where that has heard of it; a send that is matched, or whose bytes have gone, ends first,
 * and [onSent] is told. Then the call throws: the device has let go of the buffer. *Thread*: any; resumes on the
 * coroutine's dispatcher; [onSent] runs where a future's dependents do ([Request.toFuture]) or the coroutine would go
 * on, and must not block.
 *
 * @param buffer as [Device] describes buffers
 * @param dest a rank, 0 to size - 1
 * @param tag 0 or more
 * @param onSent told where the call throws as cancelled although the message was sent
 * @throws SluiceException as [Device.send] does
 */
suspend fun Device.sendSuspending(
    buffer: Any?,
    dest: Int,
    tag: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
    onSent: (() -> Unit)? = null,
): Unit = suspendCoroutineUninterceptedOrReturn { continuation ->
    val waiting = waiting()
    continuation.context[Job]?.ensureActive()
    if (waiting.async().sendNow(buffer, dest, tag, contextId)) {
        Unit
    } else {
        SendCall(waiting, continuation, buffer, dest, tag, contextId, false, onSent).run()
    }
}

/** As [sendSuspending], until a receive has matched and the buffer may be written again, as [Device.ssend]. */
suspend fun Device.ssendSuspending(
    buffer: Any?,
    dest: Int,
    tag: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
    onSent: (() -> Unit)? = null,
): Unit = suspendCoroutineUninterceptedOrReturn { continuation ->
    SendCall(waiting(), continuation, buffer, dest, tag, contextId, true, onSent).run()
}

/**
 * Suspends until a message has been received into the buffer, as [Device.recv].
 *
 * *Cancelling*: a receive that nothing has matched is withdrawn at once, and the buffer stays as it was. One that is
 * matched gets its message, of which [onUndelivered] is told before the call throws. Either way nothing touches the
 * buffer any more. *Thread*: any; resumes on the coroutine's dispatcher; [onUndelivered] runs where a future's
 * dependents do ([Request.toFuture]) or the coroutine would go on, and must not block.
 *
 * @param buffer as [Device] describes buffers; the device's until the call is over
 * @param source a rank, or [Device.ANY_SOURCE]
 * @param tag 0 or more, or [Device.ANY_TAG]
 * @throws SluiceException as [Device.recv] does; DEVICE_CLOSED where the device is closed meanwhile
 */
suspend fun <B> Device.receive(
    buffer: B,
    source: Int,
    tag: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
    onUndelivered: ((Received<B>) -> Unit)? = null,
): Received<B> = suspendCoroutineUninterceptedOrReturn { continuation ->
    ReceiveCall(waiting(), continuation, buffer, source, tag, contextId, onUndelivered).run()
}

/**
 * Suspends until a message is there that a receive with these arguments would take, as [Device.probe]; where several
 * coroutines ask use [take].
 *
 * *Cancelling*: at once.
 */
suspend fun Device.probeSuspending(source: Int, tag: Int, contextId: Int = Device.DEFAULT_CONTEXT): Status =
    suspendCoroutineUninterceptedOrReturn { continuation ->
        ProbeCall(waiting(), continuation, source, tag, contextId).run()
    }

/**
 * Suspends until the receiver has answered, as [Device.openRoute].
 *
 * *Cancelling*: at once; nothing is left open. *Thread*: any; resumes on the coroutine's dispatcher.
 *
 * @throws SluiceException as [Device.openRoute] does
 */
suspend fun Device.openRouteSuspending(
    dest: Int,
    tag: Int,
    maxBytes: Long,
    slots: Int,
    contextId: Int = Device.DEFAULT_CONTEXT,
): PersistentRoute = suspendCoroutineUninterceptedOrReturn { continuation ->
    val waiting = waiting()
    continuation.context[Job]?.ensureActive()
    waiting.async().requireThread()
    val answer = Completion.reusable(waiting)
    BegunRoute(answer, waiting.async().openRoute(answer, dest, tag, contextId, maxBytes, slots), continuation).run()
}

/**
 * Suspends until the request is over.
 *
 * *Cancelling* the coroutine, also before the call, cancels the request, for all who wait for it (they get CANCELLED):
 * a receive that nothing has matched is withdrawn at once, such a send when the peer has answered. Everything else ends
 * first; [onUndelivered] is told where it ended with a message, or well, and then the call throws. *Thread*: as
 * [receive].
 *
 * @throws SluiceException as [Request.waitFor] does; NO_MEMORY where there is no thread to wait for it: the request
 * goes on
 */
suspend fun Request.await(onUndelivered: ((Status) -> Unit)? = null): Status =
    suspendCoroutineUninterceptedOrReturn { continuation ->
        val completion = this as? Completion
            ?: throw IllegalArgumentException(
                "$this is no request of Sluice's, and only such a one can be waited for without a thread",
            )
        AwaitCall(completion, completion.device(), continuation, onUndelivered).run()
    }
