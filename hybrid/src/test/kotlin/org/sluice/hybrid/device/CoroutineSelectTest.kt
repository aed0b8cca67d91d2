package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.Dispatchers
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.hybrid.coroutines.receive
import org.sluice.hybrid.coroutines.select
import org.sluice.hybrid.coroutines.sendSuspending

/** Of several receives exactly one takes a message. */
internal open class CoroutineSelectTest {
    protected open val channels = listOf("threads", "shm")

    private fun job(size: Int, body: (DeviceJob) -> Unit) {
        for (channel in channels) {
            DeviceJob.open(size, mapOf("sluice.channels" to channel)).use(body)
        }
    }

    private fun alone(body: suspend CoroutineScope.(Device) -> Unit) = job(1) { it.suspending(body) }

    @Test
    fun theOneThatIsMatchedHasItAndTheOthersAreWithdrawn() = job(2) { job ->
        job.suspending({ device ->
            val buffers = List(3) { byteArrayOf(0) }
            val choice = async(start = CoroutineStart.UNDISPATCHED) {
                device.select<String> {
                    receive(buffers[0], 1, 1) { "one" }
                    receive(buffers[1], Device.ANY_SOURCE, 2) { (data, status) -> "two, ${data[0]} of ${status.source()}" }
                    receive(buffers[2], 1, Device.ANY_TAG) { "any" }
                }
            }
            assertTrue("3 posted" in device.toString(), device::toString)
            device.sendSuspending(null, 1, 0)
            assertEquals("two, 42 of 1", choice.await())
            assertTrue("0 posted" in device.toString(), device::toString)
            assertEquals(43, device.receive(byteArrayOf(0), 1, 2).buffer[0], "the next message is the next receive's")
            assertEquals(listOf<Byte>(0, 42, 0), buffers.map { it[0] })
        }, { device ->
            device.receive(null, 0, 0)
            device.sendSuspending(byteArrayOf(42), 0, 2)
            device.sendSuspending(byteArrayOf(43), 0, 2)
        })
    }

    /** One that comes by rendezvous is withdrawn by nobody once it is matched, also while it is on its way. */
    @Test
    fun aLongMessageEndsTheChoiceToo() = job(2) { job ->
        val sizes = listOf(70_000, 1 shl 20)
        job.suspending({ device ->
            for (size in sizes) {
                val into = ByteArray(size)
                val choice = async(start = CoroutineStart.UNDISPATCHED) {
                    device.select<Int> {
                        receive(ByteArray(1), 1, 9) { fail("nobody sent it") }
                        receive(into, 1, 1) { it.status.bytes().toInt() }
                    }
                }
                device.sendSuspending(null, 1, 0)
                assertEquals(size, choice.await())
                assertArrayEquals(DeviceCases.pattern(1, size), into)
            }
        }, { device ->
            for (size in sizes) {
                device.receive(null, 0, 0)
                device.sendSuspending(DeviceCases.pattern(1, size), 0, 1)
            }
        })
    }

    @Test
    fun ofMessagesThatAreThereTheFirstReceiveHasOne() = alone { device ->
        device.sendSuspending(byteArrayOf(1), 0, 1)
        device.sendSuspending(byteArrayOf(2), 0, 2)
        device.probe(0, 2)
        assertEquals(2, device.select<Int> {
            receive(ByteArray(1), 0, 2) { it.buffer[0].toInt() }
            receive(ByteArray(1), 0, 1) { fail("one is enough") }
        })
        assertEquals(1, device.receive(ByteArray(1), 0, Device.ANY_TAG).buffer[0])
        assertTrue("0 posted, 0 unexpected" in device.toString(), device::toString)
    }

    @Test
    fun cancellingWithdrawsAll() = alone { device ->
        launch(start = CoroutineStart.UNDISPATCHED) {
            device.select<Unit>({ fail("nothing was matched") }) {
                receive(ByteArray(1), 0, 1) { }
                receive(ByteArray(1), 0, 2) { }
            }
        }.cancelAndJoin()
        assertTrue("0 posted" in device.toString(), device::toString)
    }

    @Test
    fun closingEndsItOnce() = alone { device ->
        launch(start = CoroutineStart.UNDISPATCHED) {
            assertFailsWith(ErrorCode.DEVICE_CLOSED) {
                device.select<Unit> {
                    receive(ByteArray(1), 0, 1) { }
                    receive(ByteArray(1), 0, 2) { }
                }
            }
        }
        withContext(Dispatchers.IO) { device.close() }
    }

    @Test
    fun whatOneReceiveCanNotBeMeansThatNoneIsPosted() = alone { device ->
        for (choice in listOf<suspend () -> Unit>(
            { device.select<Unit> { } },
            { device.select<Unit> { receive(ByteArray(1), 0, 1) { }; receive("text", 0, 2) { } } },
            { device.select<Unit> { receive(ByteArray(1), 0, 1) { }; receive(ByteArray(1), 3, 2) { } } },
        )) {
            try {
                choice()
                fail("it was accepted")
            } catch (e: IllegalArgumentException) {
                assertTrue("0 posted" in device.toString(), device::toString)
            }
        }
        assertNull(device.iprobe(0, 1))
    }

    /** A receive that was withdrawn is used again at once: cancelling the choice then must not reach it. */
    @Test
    fun operationsThatWereWithdrawnBelongToOthers() = alone { device ->
        val choice = async(start = CoroutineStart.UNDISPATCHED) {
            device.select<Int> {
                receive(ByteArray(1), 0, 1) { 1 }
                receive(ByteArray(1), 0, 2) { 2 }
            }
        }
        device.sendSuspending(byteArrayOf(0), 0, 2)
        device.probeUntilGone(0, 2)
        val others = List(2) { number -> async(start = CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(1), 0, 3 + number) } }
        choice.cancel()
        delay(1)
        assertFalse(others.any { it.isCompleted })
        device.sendSuspending(byteArrayOf(3), 0, 3)
        device.sendSuspending(byteArrayOf(4), 0, 4)
        assertEquals(listOf<Byte>(3, 4), others.map { it.await().buffer[0] })
    }

    private fun Device.probeUntilGone(source: Int, tag: Int) {
        while ("0 posted" !in toString()) {
            iprobe(source, tag)
        }
    }
}
