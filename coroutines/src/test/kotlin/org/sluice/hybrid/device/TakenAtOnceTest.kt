package org.sluice.hybrid.device

import com.sun.management.ThreadMXBean
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.sluice.coroutines.TakeCall
import org.sluice.device.Message
import org.sluice.hybrid.request.Waiting
import java.lang.management.ManagementFactory
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED

/**
 * Calls that take a message have all that they need for it before they look: nobody else would have it where memory ran
 * out in between.
 */
internal class TakenAtOnceTest {
    private val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean

    @Test
    fun fromTheMatchToTheCallersHandsNothingIsAllocated() =
        DeviceJob.open(1, mapOf("sluice.peer.check.ms" to "60000")).use { job ->
            job.run({ device ->
                val continuation =
                    Continuation<Message>(EmptyCoroutineContext) { throw AssertionError("it need not suspend") }
                val into = ByteArray(1)
                var least = Long.MAX_VALUE
                repeat(2000) {
                    device.send(byteArrayOf(7), 0, 1)
                    val call = TakeCall(device as Waiting, continuation, 0, 1, 0, false, null)
                    val before = threads.currentThreadAllocatedBytes
                    val message = call.run()
                    least = minOf(least, threads.currentThreadAllocatedBytes - before)
                    check(message !== COROUTINE_SUSPENDED)
                    assertEquals(1, (message as Message).recv(into).bytes())
                }
                assertEquals(0, least, "bytes of the cheapest")
            })
        }
}
