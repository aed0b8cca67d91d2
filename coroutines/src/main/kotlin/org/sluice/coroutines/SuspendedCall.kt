package org.sluice.coroutines

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.handleCoroutineException
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.device.Status
import org.sluice.hybrid.request.AsyncCalls
import org.sluice.hybrid.request.AsyncDevice
import org.sluice.hybrid.request.Callback
import org.sluice.hybrid.request.Completion
import org.sluice.hybrid.request.Waiting
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.intercepted
import kotlin.coroutines.jvm.internal.CoroutineStackFrame

/** What the device offers to those who don't block. */
internal fun Device.waiting(): AsyncDevice = this as? AsyncDevice
    ?: throw IllegalArgumentException(
        "$this is no device of Device.open, and only such a one can be waited for without a thread",
    )

/** The device of a suspended call, and of a message that one took: a call keeps no second reference to it. */
internal fun Waiting.async(): AsyncCalls = (this as AsyncDevice).async()

/**
 * One suspended call. It is the completion that the device ends, what is called back then, and what the job tells of
 * its cancelling: one object, as every message pays for it (docs/project/adr/0041-suspended-calls.md).
 *
 * *Thread*: [run] by the coroutine; [invoke] by whoever cancels; [ended] by whoever leaves the device, once. *Owns*:
 * the coroutine's continuation, which is resumed once, and not before the device has let go of the buffer. *Proof*:
 * `CoroutineCases`, `StormCases`.
 */
@OptIn(InternalCoroutinesApi::class)
internal abstract class SuspendedCall<R>(waiting: Waiting, private var continuation: Continuation<R>?) :
    Completion(waiting, false),
    Callback,
    (Throwable?) -> Unit {

    /** Written before [begin], and read by [ended], which the device's lock puts behind that. */
    private var cancelling: DisposableHandle? = null

    /** The coroutine is to end: a message that comes nevertheless goes to [undelivered]. */
    @Volatile
    private var isCancelled = false

    /** What this waits for, itself as a rule. */
    protected open val awaited: Completion get() = this

    /** @return true where it is over without waiting */
    protected abstract fun now(): Boolean

    /** Has this called back at the end. @return true where it is over: then nobody calls */
    protected abstract fun begin(): Boolean

    /** What the call returns, or throws; once it is over. */
    protected abstract fun value(): R

    /**
     * A message was matched, and the coroutine can't have it. On whichever thread tells of the end, or where the
     * coroutine would have gone on.
     */
    protected open fun undelivered() = Unit

    /** Whether the coroutine gets what was matched although it is cancelled. */
    protected open val keepsMatched: Boolean get() = false

    /** False for what goes on although its coroutine is cancelled. */
    protected open val isCancellable: Boolean get() = true

    /**
     * Whether a coroutine that is cancelled as it goes on, after the end, is told apart from one that has what the call
     * returns.
     */
    protected open val looksAgain: Boolean get() = isCancellable && !keepsMatched

    /**
     * Whether what it waits for is on its way already: a coroutine that is cancelled before the call ends that too, and
     * doesn't leave it behind.
     */
    protected open val hasBegun: Boolean get() = false

    /** @return the value, or that the coroutine is suspended */
    fun run(): Any? {
        val job = if (isCancellable) continuation!!.context[Job] else null
        if (!hasBegun) {
            job?.ensureActive()
        }
        if (now()) {
            continuation = null
            return value()
        }
        cancelling = job?.invokeOnCompletion(onCancelling = true, invokeImmediately = true, handler = this)
        val isOver = try {
            begin()
        } catch (e: Throwable) {
            cancelling?.dispose()
            throw e
        }
        if (isOver) {
            cancelling?.dispose()
            if (isCancelled && !hasMessage()) {
                throw job!!.getCancellationException()
            }
            continuation = null
            return value()
        }
        // Who cancelled before it had begun found nothing to withdraw. From here on the coroutine may have gone on, on
        // another thread.
        if (isCancelled) {
            awaited.cancel()
        }
        return COROUTINE_SUSPENDED
    }

    /**
     * The job is cancelled: withdraws what nothing has matched, a send by asking the peer. What is matched ends by
     * itself.
     */
    final override fun invoke(cause: Throwable?) {
        isCancelled = true
        awaited.cancel()
    }

    /** Nothing was resumed yet, and nothing has tried to. */
    final override fun isWaiting() = continuation != null

    final override fun ended(completion: Completion) {
        if (!isWaiting()) {
            // It shares a completion with one that has to be told again.
            return
        }
        cancelling?.dispose()
        if (isCancelled && !(keepsMatched && hasMessage())) {
            val context = continuation!!.context
            if (hasMessage()) {
                tell(context) { undelivered() }
            }
            resume(Result.failure(context[Job]!!.getCancellationException()))
        } else {
            resume(runCatching { value() })
        }
    }

    /** Once. The program may keep what it gets, and with it this object: what led here is not to be kept. */
    private fun resume(result: Result<R>) {
        val resumed = continuation ?: return
        val dispatcher = resumed.context[ContinuationInterceptor] as? CoroutineDispatcher
        val isArriving = dispatcher != null &&
            result.isSuccess &&
            looksAgain &&
            dispatcher.isDispatchNeeded(resumed.context)
        // Until here nothing is in a queue, and one whose stack has ended leaves this to another.
        val way = if (isArriving) dispatcher.interceptContinuation(Arrival(resumed)) else resumed.intercepted()
        letGo()
        try {
            way.resumeWith(result)
        } catch (e: Throwable) {
            // What a coroutine throws ends in its job: this is its dispatcher's, which must not throw.
            handleCoroutineException(resumed.context, e)
        }
        if (!isArriving) {
            forget()
        }
    }

    private fun letGo() {
        continuation = null
        cancelling = null
    }

    /**
     * Where the coroutine goes on, some time after the end: one that was cancelled meanwhile, by a timeout for one,
     * drops what its call returns, and nobody would hear of the message. A frame, as kotlinx looks through those for
     * what `withContext` has set for the thread.
     */
    private inner class Arrival(private val resumed: Continuation<R>) :
        Continuation<R>,
        CoroutineStackFrame {
        override val context get() = resumed.context
        override val callerFrame get() = resumed as? CoroutineStackFrame

        override fun getStackTraceElement(): StackTraceElement? = null

        override fun resumeWith(result: Result<R>) {
            val last = try {
                val job = context[Job]
                if (job == null || job.isActive) result else gone(context, job.getCancellationException())
            } catch (e: Throwable) {
                Result.failure(e)
            }
            forget()
            resumed.resumeWith(last)
        }
    }

    /** The coroutine can't have what the call returned. */
    private fun gone(context: CoroutineContext, reason: CancellationException): Result<R> {
        if (hasMessage()) {
            tell(context) { undelivered() }
        }
        return Result.failure(reason)
    }

    /** Lets go of what only a call on its way needs. */
    protected open fun forget() = Unit

    /** The bytes of a message have come, all or some, or have no place: it is consumed. */
    fun hasMessage() = when (awaited.code()) {
        ErrorCode.NONE, ErrorCode.TRUNCATED, ErrorCode.ELEMENT_MISMATCH, ErrorCode.BUFFER_LOST -> true
        else -> false
    }

    final override fun failed(cause: Throwable) {
        resume(Result.failure(cause))
    }
}

/** A message was matched for a coroutine that is gone: tells of it, or counts it where nobody is to be told. */
internal inline fun <T> Waiting.undelivered(noinline onUndelivered: ((T) -> Unit)?, message: () -> T) {
    if (onUndelivered == null) {
        async().dropped()
    } else {
        onUndelivered(message())
    }
}

/** Runs what a program wants to be told, whose own failure is not the caller's. */
@OptIn(InternalCoroutinesApi::class)
internal inline fun tell(context: CoroutineContext, listener: () -> Unit) {
    try {
        listener()
    } catch (e: Throwable) {
        handleCoroutineException(context, e)
    }
}

internal class SendCall(
    waiting: Waiting,
    continuation: Continuation<Unit>,
    private val buffer: Any?,
    private val dest: Int,
    private val tag: Int,
    private val contextId: Int,
    private val isSynchronous: Boolean,
    private var onSent: (() -> Unit)?,
) : SuspendedCall<Unit>(waiting, continuation) {
    // Device.sendSuspending looked before this was made.
    override fun now() = false

    override fun begin() = device().async().send(this, buffer, dest, tag, contextId, isSynchronous)

    override fun value() {
        failure()?.let { throw it.toException(null) }
    }

    override fun undelivered() {
        // What a send has lost is not sent.
        if (failure() == null) {
            onSent?.invoke()
        }
    }

    override fun forget() {
        onSent = null
    }
}

/** Is what was received itself, so that a message pays for one object. */
internal class ReceiveCall<B>(
    waiting: Waiting,
    continuation: Continuation<Received<B>>,
    override val buffer: B,
    private val source: Int,
    private val tag: Int,
    private val contextId: Int,
    private var onUndelivered: ((Received<B>) -> Unit)?,
) : SuspendedCall<Received<B>>(waiting, continuation),
    Received<B> {
    private var received: Status? = null

    override val status: Status get() = received ?: envelope().also { received = it }

    override fun now() = device().async().receiveNow(this, buffer, source, tag, contextId)

    override fun begin() = device().async().receive(this, buffer, source, tag, contextId)

    override fun value(): Received<B> {
        failure()?.let { throw it.toException(status) }
        return this
    }

    override fun undelivered() = device().undelivered(onUndelivered) { this }

    override fun forget() {
        onUndelivered = null
    }

    override fun toString() = "Received[$status]"
}

/** Waits for any request of a device. */
internal class AwaitCall(
    override val awaited: Completion,
    waiting: Waiting,
    continuation: Continuation<Status>,
    private val onUndelivered: ((Status) -> Unit)?,
) : SuspendedCall<Status>(waiting, continuation) {
    /** Of what it got: nobody else hears of that. */
    private var isDropped = false

    override val hasBegun get() = true

    // The program has the request, which tells the rest, and its buffer.
    override val looksAgain get() = false

    override fun now() = awaited.isReached()

    override fun begin() = !device().async().callBack(awaited, this)

    override fun value(): Status {
        // Afterwards it counts as heard of.
        isDropped = awaited.isDroppedBy(this)
        return awaited.result()
    }

    override fun undelivered() {
        if (onUndelivered != null) {
            awaited.heard()
            onUndelivered(awaited.envelope())
        } else if (isDropped || awaited.isDroppedBy(this)) {
            device().async().dropped()
        }
    }
}

/** The end of a completion as it was, well or badly. */
internal fun Completion.envelope() = Status().also(::fill)

internal fun Completion.result() = Status().also { result(it) }
