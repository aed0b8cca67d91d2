package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.receive
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicReference

/**
 * Coroutines whose dispatcher can't go on with them when their call has ended: each ends, and its message goes where it
 * can be had.
 */
internal class CoroutineRefusedTest {
    /** What kotlinx does itself: the coroutine is cancelled, and goes on elsewhere. */
    @Test
    fun whereAnExecutorIsClosedTheMessageGoesToWhoIsToBeTold() = DeviceJob.open(1, mapOf()).use { job ->
        job.suspending({ device ->
            val executor = Executors.newSingleThreadExecutor()
            val handled = AtomicReference<Throwable>()
            val told = AtomicReference<Byte>()
            val call =
                launch(
                    executor.asCoroutineDispatcher() + CoroutineExceptionHandler { _, e ->
                        handled.set(e)
                    },
                    CoroutineStart.UNDISPATCHED,
                ) {
                    device.receive(ByteArray(1), 0, 1) { told.set(it.buffer[0]) }
                    fail("it went on")
                }
            executor.shutdown()
            device.send(byteArrayOf(8), 0, 1)
            assertNotNull(withTimeoutOrNull(20_000L * DeviceJob.PATIENCE) { call.join() }) { "it never ends: $device" }
            assertEquals(8, told.get())
            assertTrue(call.isCancelled)
            assertNull(handled.get())
        })
    }
}
