package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.await
import org.sluice.coroutines.leases
import org.sluice.coroutines.probeSuspending
import org.sluice.coroutines.receive
import org.sluice.coroutines.ssendSuspending
import org.sluice.device.Device
import org.sluice.device.counter.Counter
import org.sluice.hybrid.protocol.ExchangeInspection
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.CoroutineContext

/**
 * Coroutines whose dispatcher refuses them when their call has ended: each ends, and its message goes where it can be
 * had.
 */
internal class CoroutineRefusedTest {
    private val thrown = RejectedExecutionException("closed by this test")

    private inner class Refusing : CoroutineDispatcher() {
        override fun dispatch(context: CoroutineContext, block: Runnable) = throw thrown

        override fun toString() = "a dispatcher that refuses all"
    }

    private fun dropped(device: Device) = device.counters()[Counter.UNDELIVERED_DROPPED.key()]

    private suspend fun Job.ends(name: String, device: Device) =
        assertNotNull(withTimeoutOrNull(20_000L * DeviceJob.PATIENCE) { join() }) { "$name never ends: $device" }

    /** The message comes when the coroutine is suspended. */
    private suspend fun CoroutineScope.refuse(device: Device, call: GoneCall, told: () -> Unit) {
        val handled = AtomicReference<Throwable>()
        val cause = AtomicReference<Throwable>()
        val gone =
            launch(Refusing() + CoroutineExceptionHandler { _, e -> handled.set(e) }, CoroutineStart.UNDISPATCHED) {
                call.run(device, told)
                fail("${call.name} went on")
            }
        gone.invokeOnCompletion { cause.set(it) }
        device.send(byteArrayOf(8), 0, 1)
        gone.ends(call.name, device)
        assertTrue(gone.isCancelled) { call.name }
        assertSame(thrown, handled.get()) { call.name }
        assertTrue("a dispatcher that refuses all" in cause.get().toString()) { "${call.name}: ${cause.get()}" }
        assertTrue("0 posted, 0 unexpected, 0 probes" in device.toString()) { "${call.name}: $device" }
        assertEquals(0, ExchangeInspection.leases((device as HybridDevice).parts.exchange())) {
            "leases that are open after ${call.name}"
        }
    }

    private fun withDevice(body: suspend CoroutineScope.(Device) -> Unit) = DeviceJob.open(1, mapOf()).use { job ->
        job.suspending(body)
    }

    @Test
    fun theMessageGoesToWhoIsToBeTold() = withDevice { device ->
        val count = AtomicInteger()
        val calls = GoneCalls.TOLD + GoneCall("await") { it, told -> it.irecv(ByteArray(1), 0, 1).await { told() } }
        calls.forEachIndexed { number, call ->
            refuse(device, call) { count.incrementAndGet() }
            assertEquals(number + 1, count.get()) { "told after ${call.name}" }
            assertEquals(0, dropped(device)) { "after ${call.name}" }
        }
    }

    @Test
    fun whatNobodyIsToldOfIsCountedOnce() = withDevice { device ->
        val calls = GoneCalls.UNTOLD + GoneCall("await") { it, _ -> it.irecv(ByteArray(1), 0, 1).await() }
        calls.forEachIndexed { number, call ->
            refuse(device, call) { fail("nobody is to be told") }
            assertEquals(number + 1L, dropped(device)) { "after ${call.name}" }
        }
    }

    @Test
    fun aProbeTakesNothingAndASendIsToldOf() = withDevice { device ->
        val handler = CoroutineExceptionHandler { _, _ -> }
        val probing = launch(Refusing() + handler, CoroutineStart.UNDISPATCHED) { device.probeSuspending(0, 1) }
        device.send(byteArrayOf(8), 0, 1)
        probing.ends("probeSuspending", device)
        assertTrue(probing.isCancelled)
        assertEquals(1, device.recv(ByteArray(1), 0, 1).bytes(), "it is still there")
        val sent = AtomicInteger()
        val sending =
            launch(Refusing() + handler, CoroutineStart.UNDISPATCHED) {
                device.ssendSuspending(byteArrayOf(8), 0, 1) { sent.incrementAndGet() }
            }
        device.recv(ByteArray(1), 0, 1)
        sending.ends("ssendSuspending", device)
        assertTrue(sending.isCancelled)
        assertEquals(1, sent.get())
        assertEquals(0, dropped(device))
    }

    @Test
    fun aMessageThatWasTakenGoesToWhoIsToBeTold() = DeviceJob.open(2, mapOf("sluice.channels" to "shm")).use { job ->
        job.suspending({ device -> device.send(DeviceCases.pattern(1, DeviceCases.LARGE), 1, 1) }, { device ->
            val told = AtomicReference<ByteArray>()
            val message = device.mprobe(0, 1)
            val call = launch(Refusing() + CoroutineExceptionHandler { _, _ -> }, CoroutineStart.UNDISPATCHED) {
                message.receive(ByteArray(DeviceCases.LARGE)) { told.set(it.buffer) }
                fail("it went on")
            }
            call.ends("receive", device)
            assertTrue(call.isCancelled)
            assertArrayEquals(DeviceCases.pattern(1, DeviceCases.LARGE), told.get())
            assertEquals(0, dropped(device))
        })
    }

    /** As an executor does that can start no thread for what is in its queue, or whose factory of threads fails. */
    @Test
    fun oneThatMayStillGoOnIsNotResumedTwice() = withDevice { device ->
        listOf(
            OutOfMemoryError("unable to create native thread (by this test)"),
            StackOverflowError("by this test"),
            IllegalThreadStateException("by this test"),
        ).forEach { goesOnOnce(device, it) }
    }

    private suspend fun CoroutineScope.goesOnOnce(device: Device, noThread: Throwable) {
        val queue = LinkedBlockingQueue<Runnable>()
        val queueing = object : CoroutineDispatcher() {
            override fun dispatch(context: CoroutineContext, block: Runnable) {
                queue.add(block)
                throw noThread
            }
        }
        val handled = LinkedBlockingQueue<Throwable>()
        val got = AtomicInteger()
        val call =
            launch(queueing + CoroutineExceptionHandler { _, e -> handled.add(e) }, CoroutineStart.UNDISPATCHED) {
                got.addAndGet(device.receive(ByteArray(1), 0, 1) { fail("the coroutine has it") }.buffer[0].toInt())
            }
        device.send(byteArrayOf(8), 0, 1)
        assertSame(noThread, handled.poll(20L * DeviceJob.PATIENCE, TimeUnit.SECONDS))
        // Who tells of the end of that one is through with the other.
        val next = launch(Dispatchers.Unconfined, CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(1), 0, 2) }
        device.send(byteArrayOf(8), 0, 2)
        next.ends("the next receive", device)
        assertTrue(call.isActive) { "it is in a queue, and was ended too, after $noThread" }
        assertEquals(0, got.get()) { "after $noThread" }
        queue.remove().run()
        call.ends("receive", device)
        assertFalse(call.isCancelled) { "after $noThread" }
        assertEquals(8, got.get()) { "after $noThread" }
        assertEquals(0, queue.size) { "after $noThread" }
    }

    @Test
    fun aRefusalThatIsWrappedIsOne() = withDevice { device ->
        val wrapping = object : CoroutineDispatcher() {
            override fun dispatch(context: CoroutineContext, block: Runnable) =
                throw IllegalStateException("closed by this test", thrown)
        }
        val told = AtomicInteger()
        val gone = launch(wrapping + CoroutineExceptionHandler { _, _ -> }, CoroutineStart.UNDISPATCHED) {
            device.receive(ByteArray(1), 0, 1) { told.incrementAndGet() }
        }
        device.send(byteArrayOf(8), 0, 1)
        gone.ends("receive", device)
        assertTrue(gone.isCancelled)
        assertEquals(1, told.get())
    }

    /** What kotlinx does itself: the coroutine is cancelled, and goes on elsewhere. */
    @Test
    fun whereAnExecutorIsClosedTheMessageGoesToWhoIsToBeTold() = withDevice { device ->
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
        call.ends("receive", device)
        assertEquals(8, told.get())
        assertTrue(call.isCancelled)
        assertNull(handled.get())
    }
}
