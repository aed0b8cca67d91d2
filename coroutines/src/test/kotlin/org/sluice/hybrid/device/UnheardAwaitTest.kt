package org.sluice.hybrid.device

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Job
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.sluice.coroutines.AwaitCall
import org.sluice.coroutines.waiting
import org.sluice.device.ErrorCode
import org.sluice.device.SluiceException
import org.sluice.device.Status
import org.sluice.hybrid.request.Completion
import org.sluice.hybrid.request.Failure
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext

/**
 * A send whose peer closes, as one who waits for it is told or, being cancelled, is not: a close says which failed
 * unheard.
 */
internal class UnheardAwaitTest {
    private fun isHeard(isCancelled: Boolean): Boolean = DeviceJob.open(1, mapOf()).use { job ->
        val failure = Failure(ErrorCode.PEER_CLOSED, 1, "rank 1 has closed its device")
        job.run(
            RankBody { device ->
                val request = Completion(device.waiting())
                val coroutine = Job()
                var got: Result<Status>? = null
                val continuation = Continuation<Status>(EmptyCoroutineContext + coroutine) { got = it }
                val call = AwaitCall(request, device.waiting(), continuation, null)
                if (isCancelled) {
                    coroutine.cancel()
                    call.invoke(null)
                }
                request.fail(failure, 0, 0, 1, 0, 1)
                call.ended(request)
                val thrown = got!!.exceptionOrNull()
                val expected = if (isCancelled) CancellationException::class.java else SluiceException::class.java
                assertInstanceOf(expected, thrown)
            },
        )
        failure.isHeard
    }

    @Test
    fun whoIsCancelledHearsOfNoFailure() =
        assertFalse(isHeard(true), "the coroutine got its cancelling, and nothing of the send")

    @Test
    fun whoWaitsHearsOfIt() = assertTrue(isHeard(false))
}
