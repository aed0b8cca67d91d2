package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineScope
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.sluice.coroutines.messages
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.hybrid.progress.ProgressEngine
import java.util.concurrent.ThreadFactory
import java.util.concurrent.TimeUnit

/**
 * Receives of taken messages that would suspend, where the system has no thread that could go on with them: nothing has
 * begun.
 */
internal class NoThreadTest {
    private val size = DeviceCases.LARGE

    /** From now on each start of the device's thread fails, as it does where the limit of processes is reached. */
    private fun refuseThreads(device: Device) {
        val threads = ProgressEngine::class.java.getDeclaredField("threads").apply {
            isAccessible = true
        }.get((device as HybridDevice).parts.engine())
        val refusing = ThreadFactory { throw OutOfMemoryError("unable to create native thread (by this test)") }
        threads.javaClass.getDeclaredField("factory").apply { isAccessible = true }.set(threads, refusing)
    }

    private fun withoutThread(receive: suspend CoroutineScope.(Device) -> Unit) = DeviceJob.open(
        2,
        mapOf(
            "sluice.channels" to "shm",
        ),
    ).use { job ->
        job.suspending({ device ->
            val sent = device.isend(DeviceCases.pattern(1, size), 1, 1)
            assertNotNull(
                sent.waitFor(20L * DeviceJob.PATIENCE, TimeUnit.SECONDS),
                "its message was taken, and its sender waits for ever",
            )
        }, { device ->
            refuseThreads(device)
            device.probe(0, 1)
            receive(device)
            assertTrue("0 pulled, 0 streamed" in device.toString(), device::toString)
            assertEquals("0 open message buffers, 0 bytes", (device as HybridDevice).parts.allocator().toString())
        })
    }

    @Test
    fun aTakenMessageCanStillBeReceived() = withoutThread { device ->
        val message = device.mprobe(0, 1)
        val buffer = ByteArray(size)
        assertFailsWith(ErrorCode.NO_MEMORY) { message.receive(buffer) }
        assertArrayEquals(ByteArray(size), buffer, "nothing came")
        assertFailsWith(ErrorCode.NO_MEMORY) { message.receiveInPlace() }
        message.recv(buffer)
        assertArrayEquals(DeviceCases.pattern(1, size), buffer)
    }

    @Test
    fun oneThatNobodyHasIsConsumed() {
        withoutThread { device -> assertFailsWith(ErrorCode.NO_MEMORY) { device.receiveInPlace(0, 1) } }
        withoutThread { device ->
            assertFailsWith(ErrorCode.NO_MEMORY) { device.messages(0, 1) { ByteArray(size) }.collect { } }
        }
    }
}
