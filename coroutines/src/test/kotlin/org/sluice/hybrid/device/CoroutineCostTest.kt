package org.sluice.hybrid.device

import com.sun.management.ThreadMXBean
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.sluice.coroutines.receive
import org.sluice.coroutines.sendSuspending
import org.sluice.device.Device
import java.lang.management.ManagementFactory
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

/** What suspended calls allocate, and that very many of them wait at once. */
@Tag("once")
internal class CoroutineCostTest {
    private companion object {
        const val WAITING = 100_000
        const val BYTES_PER_WAITING = 1024
        const val BYTES_PER_MESSAGE = 200
        val THREADS = ManagementFactory.getThreadMXBean() as ThreadMXBean

        /** By all of these threads, none of which ends meanwhile. */
        fun allocated(threads: LongArray): Long = THREADS.getThreadAllocatedBytes(threads).sum()

        /** Those of the devices and of the tests' ranks, and who runs coroutines. */
        fun threads(): LongArray = THREADS.getThreadInfo(THREADS.allThreadIds).filterNotNull()
            .filter {
                it.threadName.startsWith("sluice") ||
                    it.threadName.startsWith("rank-body") ||
                    it.threadName.startsWith("two")
            }
            .map { it.threadId }.toLongArray()
    }

    @Test
    fun aHundredThousandReceivesWaitOnTwoThreads() = DeviceJob.open(2, mapOf()).use { job ->
        val two = Executors.newFixedThreadPool(2) { task -> Thread(task, "two") }
        repeat(2) { two.submit { Thread.sleep(1) } }
        val posted = Flag.local()
        try {
            job.run({ device ->
                runBlocking { receiveAll(device, two.asCoroutineDispatcher(), posted) }
            }, { device ->
                assertTrue(posted.await(20))
                val body = intArrayOf(0)
                // From the last to the first, which looks at none of those that were posted before.
                for (number in WAITING - 1 downTo 0) {
                    body[0] = number
                    device.send(body, 0, number)
                }
            })
        } finally {
            two.shutdown()
        }
    }

    private suspend fun receiveAll(device: Device, dispatcher: CoroutineDispatcher, posted: Flag) {
        val waiting = AtomicInteger()
        val received = AtomicInteger()
        coroutineScope {
            val threads = threads()
            val before = allocated(threads)
            repeat(WAITING) { number ->
                launch(dispatcher) {
                    waiting.incrementAndGet()
                    if (device.receive(IntArray(1), 1, number).buffer[0] == number) {
                        received.incrementAndGet()
                    }
                }
            }
            // A look at the device allocates, too.
            while (waiting.get() < WAITING || "$WAITING posted" !in device.toString()) {
                delay(50)
            }
            val each = (allocated(threads) - before).toDouble() / WAITING
            assertTrue(each <= BYTES_PER_WAITING, "each takes $each bytes")
            posted.raise()
        }
        assertEquals(WAITING, received.get())
    }

    /**
     * Where a thread of the device spins for them: each sleep and each wake-up allocates too, some 50 bytes, whoever
     * waits.
     */
    @Test
    fun aMessageAllocatesLittle() {
        val options = mapOf(
            "sluice.progress.threads" to "1",
            "sluice.peer.check.ms" to "60000",
            "sluice.wait.yield.us" to "1000000",
        )
        DeviceJob.open(2, options).use { job ->
            val least = DoubleArray(1) { Double.MAX_VALUE }
            val body: suspend CoroutineScope.(
                Device,
            ) -> Unit = { device -> withContext(Dispatchers.Unconfined) { answer(device, least) } }
            job.suspending(body, body)
            assertTrue(least[0] > 0 && least[0] <= BYTES_PER_MESSAGE, "a message allocates ${least[0]} bytes")
        }
    }

    /**
     * Rank 0 looks at all threads now and then; the fewest of several rounds count, as others may see a compilation.
     */
    private suspend fun answer(device: Device, least: DoubleArray) {
        val other = 1 - device.rank()
        val buffer = ByteArray(8)
        val steps = 1_000
        val threads = threads()
        repeat(12) {
            val before = if (device.rank() == 0) allocated(threads) else 0
            repeat(steps) {
                if (device.rank() == 0) {
                    device.sendSuspending(buffer, other, 1)
                    device.receive(buffer, other, 2)
                } else {
                    device.receive(buffer, other, 1)
                    device.sendSuspending(buffer, other, 2)
                }
            }
            if (device.rank() == 0) {
                least[0] = minOf(least[0], (allocated(threads) - before).toDouble() / (2 * steps))
            }
        }
    }
}
