package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.Received
import org.sluice.coroutines.await
import org.sluice.coroutines.leases
import org.sluice.coroutines.receive
import org.sluice.coroutines.sendSuspending
import org.sluice.coroutines.ssendSuspending
import org.sluice.device.Device
import org.sluice.device.Lease
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** What is matched when its coroutine is cancelled: it ends first, and is told of. */
internal class CoroutineCancelTest {
    private val size = 4 shl 20

    /**
     * The sender's array is streamed, for which it has to make progress: as long as it makes none the receive is
     * matched and not over.
     */
    @Test
    fun aMatchedReceiveCompletesAndThenThrows() = DeviceJob.open(2, mapOf("sluice.channels" to "shm")).use { job ->
        val matched = Flag.local()
        val cancelled = Flag.local()
        job.run({ device ->
            val request = device.isend(DeviceCases.pattern(5, size), 1, 1)
            device.send(null, 1, 2)
            assertTrue(matched.await(20))
            assertTrue(cancelled.await(20))
            request.waitFor()
        }, { device ->
            runBlocking {
                device.receive(null, 0, 2)
                val undelivered = AtomicReference<Received<ByteArray>>()
                val call =
                    async(start = CoroutineStart.UNDISPATCHED) {
                        device.receive(ByteArray(size), 0, 1) { undelivered.set(it) }
                    }
                assertTrue("RendezvousReceiver[0 pulled, 1 streamed" in device.toString(), device::toString)
                matched.raise()
                call.cancel()
                delay(30)
                assertFalse(call.isCompleted, "the device may still write to the buffer")
                cancelled.raise()
                call.join()
                assertTrue(call.isCancelled)
                assertArrayEquals(DeviceCases.pattern(5, size), undelivered.get().buffer)
                assertEquals(size.toLong(), undelivered.get().status.bytes())
                assertTrue("0 posted, 0 unexpected" in device.toString(), device::toString)
            }
        })
    }

    @Test
    fun aSendThatIsNotMatchedIsWithdrawn() = DeviceJob.open(2, mapOf()).use { job ->
        job.run({ device ->
            runBlocking {
                for (send in listOf<suspend () -> Unit>(
                    {
                        device.sendSuspending(ByteArray(size), 1, 1)
                    },
                    { device.ssendSuspending(ByteArray(1), 1, 2) },
                    { device.isend(ByteArray(size), 1, 3).await() },
                )) {
                    val call = launch(start = CoroutineStart.UNDISPATCHED) { send() }
                    call.cancel()
                    call.join()
                    assertTrue(call.isCancelled)
                }
                assertEquals(3, device.counters()["sends.withdrawn"])
                device.send(null, 1, 0)
            }
        }, { device ->
            device.recv(null, 0, 0)
            assertNull(device.iprobe(0, Device.ANY_TAG))
        })
    }

    /** The peer takes the message, and computes: the bytes are read when it receives. */
    @Test
    fun aSendThatIsMatchedHoldsItsCoroutineUntilItIsReceived() = DeviceJob.open(2, mapOf()).use { job ->
        job.run({ device ->
            runBlocking {
                for (send in listOf<suspend () -> Unit>({
                    device.sendSuspending(ByteArray(size), 1, 1)
                }, { device.ssendSuspending(ByteArray(1), 1, 2) })) {
                    val call = launch(start = CoroutineStart.UNDISPATCHED) { send() }
                    device.receive(null, 1, 9)
                    call.cancel()
                    delay(20)
                    assertFalse(call.isCompleted, "its buffer may still be read")
                    device.send(null, 1, 0)
                    call.join()
                    assertTrue(call.isCancelled)
                }
                assertEquals(0, device.counters()["sends.withdrawn"])
            }
        }, { device ->
            for (tag in 1..2) {
                val taken = device.mprobe(0, tag)
                device.send(null, 0, 9)
                device.recv(null, 0, 0)
                taken.recv(ByteArray(size))
            }
        })
    }

    /** Somebody who is told of the same end before it cancels it. */
    @Test
    fun whatEndedBeforeItsCoroutineHeardOfTheCancellingIsUndelivered() = DeviceJob.open(1, mapOf()).use { job ->
        job.suspending({ device ->
            val undelivered = ArrayList<Int>()
            lateinit var call: Job
            val request = device.irecv(ByteArray(1), 0, 1)
            request.toFuture().thenRun { call.cancel() }
            call = launch(start = CoroutineStart.UNDISPATCHED) { request.await { undelivered += it.tag() } }
            device.send(byteArrayOf(8), 0, 1)
            call.join()
            assertTrue(call.isCancelled)
            assertEquals(listOf(1), undelivered)
        })
    }

    @Test
    fun whatIsThrownByWhoIsToldOfAMessageGoesToTheCoroutinesHandler() = DeviceJob.open(1, mapOf()).use { job ->
        val thrown = IllegalStateException("thrown by this test")
        val handled = AtomicReference<Throwable>()
        job.suspending({ device ->
            lateinit var call: Job
            val request = device.irecv(ByteArray(1), 0, 1)
            request.toFuture().thenRun { call.cancel() }
            call =
                launch(
                    CoroutineExceptionHandler { _, cause ->
                        handled.set(cause)
                    },
                    CoroutineStart.UNDISPATCHED,
                ) { request.await { throw thrown } }
            device.send(byteArrayOf(8), 0, 1)
            call.join()
            assertTrue(call.isCancelled)
            assertSame(thrown, handled.get())
        })
    }

    /**
     * The flow has taken its message, and the collector's coroutine, which the test lets go on, is cancelled meanwhile.
     */
    private fun cancelACollector(handler: CoroutineContext, onUndelivered: ((Lease) -> Unit)?) =
        DeviceJob.open(1, mapOf()).use { job ->
            job.suspending({ device ->
                val queue = Channel<Runnable>(Channel.UNLIMITED)
                val dispatcher = object : CoroutineDispatcher() {
                    override fun dispatch(context: CoroutineContext, block: Runnable) {
                        queue.trySend(block)
                    }
                }
                val call = launch(dispatcher + handler, CoroutineStart.UNDISPATCHED) {
                    device.leases(0, 1, onUndelivered = onUndelivered).collect { fail("its collector is gone") }
                }
                val sent =
                    launch(start = CoroutineStart.UNDISPATCHED) {
                        device.sendSuspending(DeviceCases.pattern(4, DeviceCases.LARGE), 0, 1)
                    }
                val resume = queue.receive()
                call.cancel()
                resume.run()
                while (!call.isCompleted) {
                    queue.receive().run()
                }
                assertTrue(call.isCancelled)
                sent.join()
                assertEquals(
                    0,
                    (device as HybridDevice).parts.exchange().inspection().leases(),
                    "leases that are open",
                )
                assertTrue("0 posted, 0 unexpected" in device.toString(), device::toString)
            })
        }

    @Test
    fun aLeaseThatIsTakenForACollectorThatWasCancelledIsReportedAndClosed() {
        val told = ArrayList<ByteArray>()
        val leases = ArrayList<Lease>()
        cancelACollector(EmptyCoroutineContext) { lease ->
            told += ByteArray(DeviceCases.LARGE).also { lease.buffer().get(it) }
            leases += lease
        }
        assertEquals(1, told.size)
        assertArrayEquals(DeviceCases.pattern(4, DeviceCases.LARGE), told[0])
        assertThrows(IllegalStateException::class.java) { leases[0].buffer() }
    }

    @Test
    fun itIsClosedWhereNobodyWantsToBeTold() = cancelACollector(EmptyCoroutineContext, null)

    @Test
    fun itIsClosedWhereWhoIsToldThrows() {
        val thrown = IllegalStateException("thrown by this test")
        val handled = AtomicReference<Throwable>()
        cancelACollector(CoroutineExceptionHandler { _, cause -> handled.set(cause) }) { throw thrown }
        assertSame(thrown, handled.get())
    }
}
