package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
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
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.CoroutineContext

/**
 * A call has ended, and its coroutine is cancelled before its dispatcher lets it go on: nobody would hear of the
 * message.
 */
internal class CancelledBeforeItRanTest {
    /** Coroutines go on when the test has them do so. */
    private class Held : CoroutineDispatcher() {
        private val queue = LinkedBlockingQueue<Runnable>()

        override fun dispatch(context: CoroutineContext, block: Runnable) {
            queue.add(block)
        }

        fun next(): Runnable = queue.poll(20L * DeviceJob.PATIENCE, TimeUnit.SECONDS) ?: fail("nothing goes on")

        /** What is to go on next is cancelled before it does. */
        fun cancel(job: Job) {
            val goesOn = next()
            job.cancel()
            goesOn.run()
            runAll(job)
        }

        /** Until the job is over. */
        fun runAll(job: Job) {
            while (!job.isCompleted) {
                next().run()
            }
        }
    }

    private fun dropped(device: Device) = device.counters()[Counter.UNDELIVERED_DROPPED.key()]

    private fun withDevice(body: suspend CoroutineScope.(Device) -> Unit) = DeviceJob.open(1, mapOf()).use { job ->
        job.suspending(body)
    }

    /** @return how often it was told */
    private fun CoroutineScope.cancelBeforeItRuns(device: Device, call: GoneCall): Int {
        val held = Held()
        val told = AtomicInteger()
        val late = launch(held, CoroutineStart.UNDISPATCHED) {
            call.run(device) { told.incrementAndGet() }
            fail("${call.name} returned")
        }
        device.send(byteArrayOf(8), 0, 1)
        held.cancel(late)
        assertTrue("0 posted, 0 unexpected, 0 probes" in device.toString()) { "${call.name}: $device" }
        assertEquals(0, (device as HybridDevice).parts.exchange().inspection().leases()) {
            "leases that are open after ${call.name}"
        }
        return told.get()
    }

    @Test
    fun theMessageGoesToWhoIsToBeTold() = withDevice { device ->
        GoneCalls.TOLD.forEach {
            assertEquals(1, cancelBeforeItRuns(device, it)) { it.name }
            assertEquals(0, dropped(device)) { it.name }
        }
    }

    @Test
    fun whatNobodyIsToldOfIsCounted() = withDevice { device ->
        GoneCalls.UNTOLD.forEachIndexed { number, call ->
            cancelBeforeItRuns(device, call)
            assertEquals(number + 1L, dropped(device)) { call.name }
        }
    }

    @Test
    fun aSendIsToldOfAndAProbeHasTakenNothing() = withDevice { device ->
        val held = Held()
        val sent = AtomicInteger()
        val sending = launch(held, CoroutineStart.UNDISPATCHED) {
            device.ssendSuspending(byteArrayOf(8), 0, 1) { sent.incrementAndGet() }
            fail("it returned")
        }
        device.recv(ByteArray(1), 0, 1)
        held.cancel(sending)
        assertEquals(1, sent.get())
        val probing = launch(held, CoroutineStart.UNDISPATCHED) {
            device.probeSuspending(0, 1)
            fail("it returned")
        }
        device.send(byteArrayOf(8), 0, 1)
        held.cancel(probing)
        assertEquals(1, device.recv(ByteArray(1), 0, 1).bytes(), "it is still there")
        assertEquals(0, dropped(device))
    }

    @Test
    fun aTimeoutThatCameFirstLosesNoMessage() = withDevice { device ->
        val held = Held()
        val told = AtomicInteger()
        val limited = AtomicReference<Job>()
        val got = AtomicReference<Any>("nothing yet")
        val late = launch(held, CoroutineStart.UNDISPATCHED) {
            got.set(
                withTimeoutOrNull(1_000L * DeviceJob.PATIENCE) {
                    limited.set(coroutineContext.job)
                    device.receive(ByteArray(1), 0, 1) { told.incrementAndGet() }
                },
            )
        }
        device.send(byteArrayOf(8), 0, 1)
        val goesOn = held.next()
        limited.get().apply {
            withTimeoutOrNull(20_000L * DeviceJob.PATIENCE) { while (isActive) delay(10) }
                ?: fail("its time is never over")
        }
        goesOn.run()
        held.runAll(late)
        assertNull(got.get())
        assertEquals(1, told.get())
    }

    @Test
    fun whoCantBeCancelledHasTheMessage() = withDevice { device ->
        val held = Held()
        val got = AtomicInteger()
        val late = launch(held, CoroutineStart.UNDISPATCHED) {
            withContext(NonCancellable) {
                got.set(device.receive(ByteArray(1), 0, 1) { fail("the coroutine has it") }.buffer[0].toInt())
            }
        }
        device.send(byteArrayOf(8), 0, 1)
        held.cancel(late)
        assertEquals(8, got.get())
    }

    @Test
    fun aRequestStillTellsWhatBecameOfIt() = withDevice { device ->
        val held = Held()
        val got = AtomicInteger()
        val late =
            launch(held, CoroutineStart.UNDISPATCHED) {
                got.set(device.irecv(ByteArray(1), 0, 1).await { fail("the coroutine has it") }.bytes().toInt())
            }
        device.send(byteArrayOf(8), 0, 1)
        held.cancel(late)
        assertEquals(1, got.get())
    }

    /** What withContext has set for the thread is taken back at its end, also where the message came in between. */
    @Test
    fun whatIsSetForTheThreadIsTakenBack() = withDevice { device ->
        val held = Held()
        val local = ThreadLocal<String>()
        val inside = AtomicReference<String>()
        val after = AtomicReference<String>("not asked yet")
        val call = launch(held, CoroutineStart.UNDISPATCHED) {
            withContext(local.asContextElement("inside")) {
                device.receive(ByteArray(1), 0, 1)
                inside.set(local.get())
            }
            after.set(local.get())
        }
        device.send(byteArrayOf(8), 0, 1)
        held.runAll(call)
        assertEquals("inside", inside.get())
        assertNull(after.get())
        assertNull(local.get())
    }
}
