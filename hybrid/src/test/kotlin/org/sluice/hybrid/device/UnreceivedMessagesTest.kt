package org.sluice.hybrid.device

import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.device.Message
import org.sluice.device.SluiceException
import org.sluice.hybrid.coroutines.leases
import org.sluice.hybrid.coroutines.receive
import org.sluice.hybrid.coroutines.receiveInPlace
import org.sluice.hybrid.coroutines.take

/** Messages that were taken and can't be received: each is consumed, so that its sender goes on, or can still be received by who has it. */
internal class UnreceivedMessagesTest {
    private val size = DeviceCases.LARGE

    /** An array of another process, as its channel takes it to be, has to be copied for a lease; and there is no memory for message buffers. */
    private fun withoutMemory(receive: suspend (Device) -> Unit) = DeviceJob.open(2, mapOf("sluice.channels" to "shm", "sluice.shm.arena.limit.bytes" to "0")).use { job ->
        job.suspending({ device ->
            val sent = device.isend(DeviceCases.pattern(1, size), 1, 1)
            assertNotNull(sent.waitFor(20L * DeviceJob.PATIENCE, TimeUnit.SECONDS), "its message was taken, and its sender waits for ever")
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
    fun aMessageForWhichThereIsNoMemoryIsConsumedByACoroutine() = withoutMemory { assertNoMemory { it.receiveInPlace(0, 1) } }

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
}
