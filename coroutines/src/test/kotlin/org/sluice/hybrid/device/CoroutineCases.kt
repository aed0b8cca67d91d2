package org.sluice.hybrid.device

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.await
import org.sluice.coroutines.leases
import org.sluice.coroutines.messages
import org.sluice.coroutines.openRouteSuspending
import org.sluice.coroutines.probeSuspending
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.coroutines.select
import org.sluice.coroutines.sendSuspending
import org.sluice.coroutines.ssendSuspending
import org.sluice.coroutines.take
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.device.SluiceException
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

/** Runs one body per rank, each in a coroutine of its thread. */
internal fun DeviceJob.suspending(vararg bodies: suspend CoroutineScope.(Device) -> Unit) =
    run(*bodies.map { body -> RankBody { device -> runBlocking { body(device) } } }.toTypedArray())

internal suspend fun assertFailsWith(code: ErrorCode, call: suspend () -> Unit): SluiceException {
    try {
        call()
    } catch (e: SluiceException) {
        assertEquals(code, e.code(), e.toString())
        return e
    }
    fail("it did not fail with $code")
}

/** What the calls that suspend do, over any channel. */
internal interface CoroutineCases : DeviceCases {
    @Test
    fun messagesOfAllSizesGoBothWays() = open(2).use { job ->
        for (dispatcher in listOf(null, Dispatchers.Default, Dispatchers.Unconfined)) {
            val exchange: suspend CoroutineScope.(Device) -> Unit = { device ->
                val other = 1 - device.rank()
                for (size in DeviceCases.SIZES) {
                    val answer = async { device.receive(ByteArray(size), other, size) }
                    device.sendSuspending(DeviceCases.pattern(other.toLong(), size), other, size)
                    val (data, status) = answer.await()
                    assertArrayEquals(DeviceCases.pattern(device.rank().toLong(), size), data)
                    assertEquals(other, status.source())
                    assertEquals(size, status.tag())
                    assertEquals(size.toLong(), status.bytes())
                }
            }
            job.suspending(
                *Array(2) {
                    { device ->
                        if (dispatcher ==
                            null
                        ) {
                            exchange(device)
                        } else {
                            withContext(dispatcher) { exchange(device) }
                        }
                    }
                },
            )
        }
    }

    @Test
    fun aSynchronousSendSuspendsUntilItIsMatched() = open(2).use { job ->
        job.suspending({ device ->
            val sent = async(start = CoroutineStart.UNDISPATCHED) { device.ssendSuspending(byteArrayOf(1), 1, 1) }
            delay(20)
            assertFalse(sent.isCompleted)
            device.sendSuspending(byteArrayOf(2), 1, 2)
            sent.await()
        }, { device ->
            device.receive(ByteArray(1), 0, 2)
            device.receive(ByteArray(1), 0, 1)
        })
    }

    @Test
    fun aRouteIsOpenedWithoutAThreadThatWaits() = open(2).use { job ->
        job.suspending({ device ->
            // Over before the receiver can have answered, or with its answer: nothing is left of it.
            val cancelled =
                launch(start = CoroutineStart.UNDISPATCHED) { device.openRouteSuspending(1, 1, 64, 2) }
            cancelled.cancelAndJoin()
            device.openRouteSuspending(1, 1, 64, 2).use { route ->
                assertEquals(RouteTransferCases.isWritten(device), route.isWritten)
                for (i in 0 until 10) {
                    route.send(intArrayOf(i))
                }
            }
        }, { device ->
            for (i in 0 until 10) {
                assertEquals(i, device.receive(IntArray(1), 0, 1).buffer[0])
            }
        })
    }

    @Test
    fun aReceiveThatNothingMatchedIsWithdrawnAtOnce() = open(2).use { job ->
        job.suspending({ device ->
            val buffer = byteArrayOf(7)
            val cancelled =
                launch(start = CoroutineStart.UNDISPATCHED) {
                    device.receive(buffer, 1, 1) { fail("nothing was matched") }
                }
            cancelled.cancelAndJoin()
            device.sendSuspending(byteArrayOf(0), 1, 2)
            assertEquals(9, device.receive(ByteArray(1), Device.ANY_SOURCE, 1).buffer[0])
            assertEquals(7, buffer[0], "the buffer of the one that was withdrawn")
            assertTrue("0 posted" in device.toString(), device::toString)
        }, { device ->
            device.receive(ByteArray(1), 0, 2)
            device.sendSuspending(byteArrayOf(9), 0, 1)
        })
    }

    @Test
    fun aTimeoutIsACancellation() = open(1).use { job ->
        job.suspending({ device ->
            assertNull(withTimeoutOrNull(20) { device.receive(ByteArray(1), 0, 1) })
            assertNull(withTimeoutOrNull(20) { device.probeSuspending(0, 1) })
            assertNull(withTimeoutOrNull(20) { device.take(0, 1) })
            device.sendSuspending(byteArrayOf(5), 0, 1)
            assertEquals(5, withTimeoutOrNull(20_000) { device.receive(ByteArray(1), 0, 1).buffer[0] })
            assertTrue("0 posted, 0 unexpected, 0 probes" in device.toString(), device::toString)
        })
    }

    @Test
    fun aCancelledCoroutineBeginsNothing() = open(1).use { job ->
        job.suspending({ device ->
            launch(start = CoroutineStart.UNDISPATCHED) {
                coroutineContext[kotlinx.coroutines.Job]!!.cancel()
                val calls =
                    listOf<suspend () -> Unit>(
                        {
                            device.sendSuspending(byteArrayOf(1), 0, 1)
                        },
                        { device.ssendSuspending(byteArrayOf(1), 0, 1) },
                        { device.receive(ByteArray(1), 0, 1) },
                        { device.take(0, 1) },
                    )
                for (call in calls) {
                    try {
                        call()
                        fail("it went on")
                    } catch (e: CancellationException) {
                        assertNull(device.iprobe(0, 1))
                    }
                }
            }.join()
        })
    }

    @Test
    fun whatGoesWrongIsThrownInTheCoroutine() = open(1).use { job ->
        job.suspending({ device ->
            val short =
                async(start = CoroutineStart.UNDISPATCHED) {
                    assertFailsWith(ErrorCode.TRUNCATED) { device.receive(ByteArray(1), 0, 1) }
                }
            device.sendSuspending(ByteArray(3), 0, 1)
            assertEquals(3, short.await().status().bytes())
            for (mistake in listOf<suspend () -> Unit>({
                device.sendSuspending("text", 0, 1)
            }, { device.receive(ByteArray(1), 1, 1) }, { device.take(0, -7) })) {
                try {
                    mistake()
                    fail("it was accepted")
                } catch (e: IllegalArgumentException) {
                    assertTrue("0 posted, 0 unexpected, 0 probes" in device.toString(), device::toString)
                }
            }
        })
    }

    @Test
    fun closingEndsEverythingWithTheReason() = open(2, "sluice.close.timeout.ms", "300").use { job ->
        job.suspending({ device ->
            // An emulated connection may take longer than the close below may.
            device.sendSuspending(null, 1, 100)
            coroutineScope {
                val all = (0 until 100).map { number ->
                    async(Dispatchers.Default, CoroutineStart.UNDISPATCHED) {
                        val failure = assertFailsWith(ErrorCode.DEVICE_CLOSED) { callNumber(number, device) }
                        assertTrue("closed" in failure.message!!, failure::toString)
                    }
                }
                withContext(Dispatchers.IO) {
                    val late = assertFailsWith(ErrorCode.TIMEOUT) { device.close() }
                    assertEquals(1, late.peer(), "whom the sends wait for")
                }
                all.awaitAll()
            }
        }, { device -> device.receive(null, 0, 100) })
    }

    /** Nobody at the other end does its part. */
    private suspend fun callNumber(number: Int, device: Device) {
        when (number % 8) {
            0 -> device.receive(ByteArray(1), 1, number)
            1 -> device.probeSuspending(1, number)
            2 -> device.leases(1, number).collect { fail("nobody sent it") }
            3 -> device.irecv(ByteArray(1), 1, number).await()
            4 -> device.ssendSuspending(ByteArray(1), 1, number)
            5 -> device.sendSuspending(ByteArray(DeviceCases.LARGE), 1, number)
            6 -> device.select<Unit> {
                receive(ByteArray(1), 1, number) { fail("nobody sent it") }
                receive(ByteArray(1), Device.ANY_SOURCE, number) { fail("nobody sent it") }
            }
            else -> if (number % 16 == 7) device.take(1, number) else device.receiveInPlace(1, number)
        }
    }

    @Test
    fun whatIsTakenIsReceivedByOne() = open(2).use { job ->
        job.suspending({ device ->
            for (size in DeviceCases.SIZES) {
                // A taken message holds up its sender, and the next is received before it.
                (3L..5L).map { seed ->
                    launch(start = CoroutineStart.UNDISPATCHED) {
                        device.sendSuspending(DeviceCases.pattern(seed, size), 1, 1)
                    }
                }
            }
        }, { device ->
            for (size in DeviceCases.SIZES) {
                assertEquals(size.toLong(), device.probeSuspending(0, 1).bytes())
                val message = device.take(0, 1)
                val next = device.receive(ByteArray(size), 0, 1)
                assertArrayEquals(DeviceCases.pattern(4, size), next.buffer)
                assertArrayEquals(
                    DeviceCases.pattern(3, size),
                    message.receive(ByteArray(message.status().bytes().toInt())).buffer,
                )
                device.receiveInPlace(0, 1).use { lease ->
                    val bytes = ByteArray(size)
                    lease.buffer().get(bytes)
                    assertArrayEquals(DeviceCases.pattern(5, size), bytes)
                }
            }
        })
    }

    @Test
    fun aFlowHasTheMessagesOfItsSourceAndTagInOrder() = open(2).use { job ->
        val count = 200
        job.suspending({ device ->
            for (i in 0 until 2 * count) {
                device.sendSuspending(intArrayOf(i), 1, i % 2)
            }
        }, { device ->
            val odd =
                async {
                    device.messages(0, 1) { status ->
                        IntArray(status.count(Int.SIZE_BYTES).toInt())
                    }.take(count).toList()
                }
            val even = ArrayList<Int>()
            device.leases(0, 0).take(count).collect { even += it.getInt(0) }
            assertEquals((0 until count).map { 2 * it }, even)
            assertEquals((0 until count).map { 2 * it + 1 }, odd.await().map { it.buffer[0] })
            assertNull(device.iprobe(Device.ANY_SOURCE, Device.ANY_TAG), "a flow takes what its collector asks for")
        })
    }

    @Test
    fun anyRequestIsAwaitedBySeveral() = open(1).use { job ->
        job.suspending({ device ->
            val request = device.irecv(ByteArray(3), 0, 1)
            val future = request.toFuture()
            val all = List(3) { async(start = CoroutineStart.UNDISPATCHED) { request.await().bytes() } }
            device.isend(ByteArray(3), 0, 1).await()
            assertEquals(listOf(3L, 3L, 3L), all.awaitAll())
            assertEquals(3, future.get(20, TimeUnit.SECONDS).bytes())
            assertSame(future, request.toFuture())
            assertEquals(3, request.await().bytes(), "it is over")
        })
    }

    @Test
    fun cancellingWhoAwaitsAReceiveWithdrawsIt() = open(1).use { job ->
        job.suspending({ device ->
            val request = device.irecv(ByteArray(1), 0, 1)
            launch(start = CoroutineStart.UNDISPATCHED) {
                request.await { fail("nothing was matched") }
            }.cancelAndJoin()
            assertEquals(ErrorCode.CANCELLED, request.error())
            assertFailsWith(ErrorCode.CANCELLED) { request.await() }
        })
    }

    /** Nobody else knows of the request, whose buffer the device would still write to. */
    @Test
    fun whoIsCancelledBeforeItAwaitsARequestWithdrawsItToo() = open(1).use { job ->
        job.suspending({ device ->
            val request = device.irecv(ByteArray(1), 0, 1)
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) {
                coroutineContext[kotlinx.coroutines.Job]!!.cancel()
                request.await { fail("nothing was matched") }
                fail("it went on")
            }
            waiting.join()
            assertEquals(ErrorCode.CANCELLED, request.error())
            assertTrue("0 posted" in device.toString(), device::toString)
        })
    }

    /**
     * Each coroutine that goes on begins the next wait where it is: undispatched ones must not pile up on the stack.
     */
    @Test
    fun manyUndispatchedOnesGoOnInside() = open(1).use { job ->
        val count = 5_000
        val received = AtomicInteger()
        job.suspending({ device ->
            val all = List(count) { number ->
                launch(Dispatchers.Unconfined) {
                    repeat(3) {
                        device.receive(ByteArray(1), 0, number)
                        received.incrementAndGet()
                    }
                }
            }
            repeat(3) {
                for (number in 0 until count) {
                    device.sendSuspending(byteArrayOf(1), 0, number)
                }
            }
            all.forEach { it.join() }
            assertEquals(3 * count, received.get())
        })
    }
}
