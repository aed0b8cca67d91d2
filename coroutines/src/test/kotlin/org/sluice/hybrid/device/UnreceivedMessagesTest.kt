package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.leases
import org.sluice.coroutines.messages
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.coroutines.take
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.device.Message
import org.sluice.device.Request
import org.sluice.device.SluiceException
import java.nio.ByteBuffer
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicReference

/**
 * Messages that were taken and can't be received: each is consumed, so that its sender goes on, or can still be
 * received by who has it.
 */
internal class UnreceivedMessagesTest {
    private val size = DeviceCases.LARGE

    /**
     * An array of another process, as its channel takes it to be, has to be copied for a lease; and there is no memory
     * for message buffers.
     */
    private fun withoutMemory(receive: suspend (Device) -> Unit) = DeviceJob.open(
        2,
        mapOf(
            "sluice.channels" to "shm",
            "sluice.shm.arena.limit.bytes" to "0",
        ),
    ).use { job ->
        job.suspending({ device ->
            val sent = device.isend(DeviceCases.pattern(1, size), 1, 1)
            assertNotNull(
                sent.waitFor(20L * DeviceJob.PATIENCE, TimeUnit.SECONDS),
                "its message was taken, and its sender waits for ever",
            )
            device.send(ByteArray(3), 1, 2)
        }, { device ->
            receive(device)
            assertEquals(3, device.recv(ByteArray(3), 0, 2).bytes(), "the device goes on")
        })
    }

    private suspend fun assertNoMemory(call: suspend () -> Unit) {
        val thrown = try {
            call()
            fail("there was memory")
        } catch (e: SluiceException) {
            e
        }
        assertEquals(ErrorCode.NO_MEMORY, thrown.code(), thrown::toString)
    }

    @Test
    fun aMessageForWhichThereIsNoMemoryIsConsumed() = withoutMemory { assertNoMemory { it.recvInPlace(0, 1) } }

    @Test
    fun aMessageForWhichThereIsNoMemoryIsConsumedByACoroutine() = withoutMemory {
        assertNoMemory { it.receiveInPlace(0, 1) }
    }

    @Test
    fun aMessageForWhichThereIsNoMemoryEndsItsFlow() = withoutMemory { device ->
        assertNoMemory { device.leases(0, 1).collect { fail("there was memory") } }
    }

    private suspend fun assertStillThere(message: Message) {
        assertNoMemory { message.recvInPlace() }
        assertNoMemory { message.receiveInPlace() }
        assertArrayEquals(DeviceCases.pattern(1, size), message.receive(ByteArray(size)).buffer)
    }

    @Test
    fun aMessageInTheProgramsHandCanStillBeReceived() {
        withoutMemory { assertStillThere(it.mprobe(0, 1)) }
        withoutMemory { assertStillThere(it.take(0, 1)) }
    }

    private fun assertGone(device: Device, sent: Request) {
        assertNotNull(
            sent.waitFor(20L * DeviceJob.PATIENCE, TimeUnit.SECONDS),
            "its message was taken, and its sender waits for ever",
        )
        assertTrue("0 posted, 0 unexpected" in device.toString(), device::toString)
    }

    private inline fun <reified E : Throwable> assertFlowFails(crossinline buffer: (Device) -> Any?) =
        DeviceJob.open(1, mapOf()).use { job ->
            job.suspending({ device ->
                val sent = device.issend(DeviceCases.pattern(1, size), 0, 1)
                val thrown = runCatching {
                    device.messages(0, 1) { buffer(device) }.collect { fail("it was received") }
                }.exceptionOrNull()
                assertTrue(thrown is E) { "$thrown" }
                assertGone(device, sent)
            })
        }

    @Test
    fun aFlowWhoseBufferCanNotBeReceivedIntoConsumesTheMessage() {
        assertFlowFails<IllegalStateException> { device -> device.allocate(size.toLong()).also { it.close() } }
        assertFlowFails<IllegalArgumentException> { ByteBuffer.allocate(size).asReadOnlyBuffer() }
        assertFlowFails<IllegalArgumentException> { "no buffer" }
        assertFlowFails<IllegalArgumentException> { BytesOfFields.make() }
        assertFlowFails<NoSuchElementException> { throw NoSuchElementException("thrown by this test") }
    }

    /**
     * Of a message that came for a coroutine that was gone: matched under the lock, and cancelled before anybody is
     * told.
     */
    private fun assertGoesWhereItsListenerThrows(call: suspend (Device, () -> Unit) -> Unit) =
        DeviceJob.open(2, mapOf()).use { job ->
            val waiting = Flag.local()
            job.suspending({ device ->
                assertTrue(waiting.await(20))
                assertGone(device, device.issend(DeviceCases.pattern(1, size), 1, 1))
            }, { device ->
                val thrown = IllegalStateException("thrown by this test")
                val handled = AtomicReference<Throwable>()
                val gone =
                    launch(CoroutineExceptionHandler { _, cause -> handled.set(cause) }, CoroutineStart.UNDISPATCHED) {
                        call(device) { throw thrown }
                        fail("its coroutine was cancelled")
                    }
                val parts = (device as HybridDevice).parts
                parts.engine().lock()
                try {
                    waiting.raise()
                    while ("1 probes" in device.toString()) {
                        parts.exchange().work()
                    }
                    gone.cancel()
                } finally {
                    parts.engine().unlock()
                }
                gone.join()
                assertTrue(gone.isCancelled)
                assertSame(thrown, handled.get())
                assertEquals(0, parts.exchange().inspection().leases(), "leases that are open")
            })
        }

    @Test
    fun whatItsListenerThrowsAtIsConsumed() {
        assertGoesWhereItsListenerThrows { device, throwing -> device.take(0, 1) { throwing() } }
        assertGoesWhereItsListenerThrows { device, throwing -> device.receiveInPlace(0, 1) { throwing() } }
    }
}
