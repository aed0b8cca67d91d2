package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.receive
import org.sluice.coroutines.select
import org.sluice.coroutines.sendSuspending
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import java.nio.ByteBuffer

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
                    receive(buffers[1], Device.ANY_SOURCE, 2) { (data, status) ->
                        "two, ${data[0]} of ${status.source()}"
                    }
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
        assertEquals(
            2,
            device.select<Int> {
                receive(ByteArray(1), 0, 2) { it.buffer[0].toInt() }
                receive(ByteArray(1), 0, 1) { fail("one is enough") }
            },
        )
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
            {
                device.select<Unit> {
                    receive(ByteArray(1), 0, 1) { }
                    receive("text", 0, 2) { }
                }
            },
            {
                device.select<Unit> {
                    receive(ByteArray(1), 0, 1) { }
                    receive(ByteArray(1), 3, 2) { }
                }
            },
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
        val others = List(2) { number ->
            async(start = CoroutineStart.UNDISPATCHED) {
                device.receive(
                    ByteArray(1),
                    0,
                    3 + number,
                )
            }
        }
        choice.cancel()
        delay(1)
        assertFalse(others.any { it.isCompleted })
        device.sendSuspending(byteArrayOf(3), 0, 3)
        device.sendSuspending(byteArrayOf(4), 0, 4)
        assertEquals(listOf<Byte>(3, 4), others.map { it.await().buffer[0] })
    }

    /** One receive under several patterns. @return what the coroutine got: the tag, and what is in the buffer */
    private suspend fun <B> Device.either(buffer: B, first: (B) -> Byte): Pair<Int, Byte> = select {
        receive(buffer, 1, 1) { 1 to first(it.buffer) }
        receive(buffer, Device.ANY_SOURCE, 2) { 2 to first(it.buffer) }
        receive(buffer, 1, 1) { fail("the first with these arguments has it") }
    }

    /**
     * Both messages are there, or the second comes in the moment of the first one's match; small, and by rendezvous.
     */
    @Test
    fun ofMessagesForOneBufferUnderSeveralPatternsOneIsTakenAndTheOtherWaits() = job(2) { job ->
        val sizes = listOf(1, 1000, DeviceCases.LARGE)
        job.suspending({ device ->
            for (size in sizes) {
                device.allocate(size.toLong()).close()
                val before = (device as HybridDevice).parts.allocator().toString()
                for (there in listOf(true, false)) {
                    val array = ByteArray(size)
                    val direct = ByteBuffer.allocateDirect(size)
                    device.allocate(size.toLong()).use { own ->
                        for (take in listOf<suspend () -> Pair<Int, Byte>>(
                            {
                                device.either(array) {
                                    it[0]
                                }.also { assertArrayEquals(ByteArray(size) { array[0] }, array) }
                            },
                            { device.either(direct) { it.get(0) } },
                            { device.either(own) { it.getByte(0) } },
                        )) {
                            val choice =
                                async(start = if (there) CoroutineStart.LAZY else CoroutineStart.UNDISPATCHED) {
                                    take()
                                }
                            device.sendSuspending(null, 1, 0)
                            if (there) {
                                device.probe(1, 1)
                                device.probe(1, 2)
                            }
                            val (tag, value) = choice.await()
                            assertEquals(10 * tag, value.toInt())
                            assertTrue("0 posted" in device.toString(), device::toString)
                            val rest = device.receive(ByteArray(size), 1, Device.ANY_TAG)
                            assertEquals(3 - tag, rest.status.tag(), "the other one")
                            assertArrayEquals(ByteArray(size) { (10 * (3 - tag)).toByte() }, rest.buffer)
                            assertTrue("0 posted, 0 unexpected" in device.toString(), device::toString)
                            device.sendSuspending(null, 1, 0)
                        }
                    }
                    assertEquals(before, device.parts.allocator().toString(), "nothing holds a buffer any more")
                }
            }
        }, { device ->
            for (size in sizes) {
                repeat(6) {
                    device.receive(null, 0, 0)
                    val both = listOf(2, 1).map { tag ->
                        launch(start = CoroutineStart.UNDISPATCHED) {
                            device.sendSuspending(
                                ByteArray(size) {
                                    (
                                        10 *
                                            tag
                                        ).toByte()
                                },
                                0,
                                tag,
                            )
                        }
                    }
                    both.forEach { it.join() }
                    device.receive(null, 0, 0)
                }
            }
        })
    }

    @Test
    fun cancellingAReceiveUnderSeveralPatternsWithdrawsAllAndLeavesItsBuffer() = alone { device ->
        val buffer = byteArrayOf(7)
        launch(start = CoroutineStart.UNDISPATCHED) {
            device.select<Unit>({ fail("nothing was matched") }) {
                receive(buffer, 0, 1) { }
                receive(buffer, Device.ANY_SOURCE, 2) { }
            }
        }.cancelAndJoin()
        assertTrue("0 posted" in device.toString(), device::toString)
        device.sendSuspending(byteArrayOf(1), 0, 1)
        device.sendSuspending(byteArrayOf(2), 0, 2)
        assertEquals(2, device.receive(ByteArray(1), 0, 2).buffer[0])
        assertEquals(1, device.receive(ByteArray(1), 0, 1).buffer[0])
        assertEquals(7, buffer[0])
    }

    /** One of those it waits for has closed; what another has sent is still there. */
    @Test
    fun theEndOfOneOfItsSourcesEndsAReceiveUnderSeveralPatterns() = job(3) { job ->
        job.suspending({ device ->
            val buffer = byteArrayOf(7)
            val choice = async(start = CoroutineStart.UNDISPATCHED) {
                assertFailsWith(ErrorCode.PEER_CLOSED) {
                    device.select<Unit>({ fail("nothing was matched") }) {
                        receive(buffer, 1, 1) { }
                        receive(buffer, 2, 1) { }
                    }
                }
            }
            device.sendSuspending(null, 1, 0)
            assertEquals(1, choice.await().peer())
            assertTrue("0 posted" in device.toString(), device::toString)
            device.sendSuspending(null, 2, 0)
            assertEquals(9, device.receive(ByteArray(1), 2, 1).buffer[0])
            assertEquals(7, buffer[0])
        }, { device ->
            device.receive(null, 0, 0)
            withContext(Dispatchers.IO) { device.close() }
        }, { device ->
            device.receive(null, 0, 0)
            device.sendSuspending(byteArrayOf(9), 0, 1)
        })
    }

    private fun Device.probeUntilGone(source: Int, tag: Int) {
        while ("0 posted" !in toString()) {
            iprobe(source, tag)
        }
    }
}
