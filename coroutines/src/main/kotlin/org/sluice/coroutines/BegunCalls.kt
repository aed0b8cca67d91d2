package org.sluice.coroutines

import kotlinx.coroutines.Job
import kotlinx.coroutines.ensureActive
import org.sluice.device.PersistentRoute
import org.sluice.device.Request
import org.sluice.device.Status
import org.sluice.hybrid.request.Completion
import org.sluice.mpi.CollectiveSpace
import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn

/**
 * Waits for a request that was begun for this coroutine alone: nobody else has it, so that who is cancelled before the
 * dispatcher lets it go on is told apart, as in a call of the device.
 */
internal abstract class BegunCall<R>(final override val awaited: Completion, continuation: Continuation<R>) :
    SuspendedCall<R>(awaited.device(), continuation) {
    final override val hasBegun get() = true

    final override fun now() = awaited.isReached()

    final override fun begin() = !device().async().callBack(awaited, this)
}

/** A send or a collective. */
internal class BegunWork(request: Request, continuation: Continuation<Unit>, private var onDone: (() -> Unit)?) :
    BegunCall<Unit>(request as Completion, continuation) {
    override fun value() {
        awaited.result()
    }

    override fun undelivered() {
        if (awaited.failure() == null) {
            onDone?.invoke()
        }
    }

    override fun forget() {
        onDone = null
    }
}

/** The answer that makes a route faster; who is cancelled has none. */
internal class BegunRoute(
    answer: Completion,
    private val route: PersistentRoute,
    continuation: Continuation<PersistentRoute>,
) : BegunCall<PersistentRoute>(answer, continuation) {
    override fun value(): PersistentRoute {
        awaited.result()
        return route
    }

    override fun undelivered() = route.close()
}

internal class BegunProbe(request: Request, continuation: Continuation<Status>) :
    BegunCall<Status>(request as Completion, continuation) {
    override fun value() = awaited.result()
}

internal class BegunReceive<B>(
    request: Request,
    continuation: Continuation<Received<B>>,
    private val buffer: B,
    private var onUndelivered: ((Received<B>) -> Unit)?,
) : BegunCall<Received<B>>(request as Completion, continuation) {
    override fun value(): Received<B> = ReceivedMessage(buffer, awaited.result())

    override fun undelivered() = device().undelivered(onUndelivered) { ReceivedMessage(buffer, awaited.envelope()) }

    override fun forget() {
        onUndelivered = null
    }
}

/** Begins something, unless the coroutine is cancelled, once there is a thread that can tell of its end. */
internal suspend inline fun <R> CollectiveSpace.suspended(crossinline begin: (Continuation<R>) -> BegunCall<R>): R =
    suspendCoroutineUninterceptedOrReturn { continuation ->
        val waiting = device().waiting()
        continuation.context[Job]?.ensureActive()
        waiting.async().requireThread()
        begin(continuation).run()
    }
