package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.sluice.coroutines.await
import org.sluice.coroutines.leases
import org.sluice.coroutines.messages
import org.sluice.coroutines.probeSuspending
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.coroutines.select
import org.sluice.coroutines.take
import org.sluice.device.Device
import org.sluice.device.Message
import org.sluice.device.Request
import org.sluice.device.counter.Counter
import org.sluice.hybrid.request.AsyncDevice
import org.sluice.hybrid.request.Callback
import org.sluice.hybrid.request.Completion
import java.util.concurrent.TimeUnit

private const val MANY = 100_000

/** Messages that came for a coroutine that was gone: each is told of, or counted once. */
internal class CoroutineDroppedTest {
    /** A kind of call, by name. */
    private class Call(val name: String, val run: suspend (Device) -> Unit)

    private fun dropped(device: Device) = device.counters()[Counter.UNDELIVERED_DROPPED.key()]

    /** Under the device's lock a message is matched and nobody is told; then these are cancelled. */
    private fun matchAndCancel(device: Device, jobs: List<Job>) {
        val parts = (device as HybridDevice).parts
        parts.engine().lock()
        try {
            device.send(byteArrayOf(8), 0, 1)
            parts.exchange().work()
            assertTrue("0 posted, 0 unexpected, 0 probes" in device.toString(), device::toString)
            jobs.forEach { it.cancel() }
        } finally {
            parts.engine().unlock()
        }
    }

    private suspend fun CoroutineScope.cancelMatched(device: Device, call: Call) {
        val waiting = launch(start = CoroutineStart.UNDISPATCHED) {
            call.run(device)
            fail("${call.name} went on")
        }
        matchAndCancel(device, listOf(waiting))
        waiting.join()
        assertTrue(waiting.isCancelled, call.name)
        assertTrue("0 posted, 0 unexpected, 0 probes" in device.toString()) { "${call.name}: $device" }
        assertEquals(0, (device as HybridDevice).parts.exchange().inspection().leases()) {
            "leases that are open after ${call.name}"
        }
    }

    /** Once unwatched and once where each wait is logged, which puts a wait in its coroutine's place. */
    private fun withDevice(body: suspend CoroutineScope.(Device) -> Unit) {
        for (options in listOf(mapOf(), mapOf("sluice.dump.stuck.ms" to "600000"))) {
            DeviceJob.open(1, options).use { job -> job.suspending(body) }
        }
    }

    @Test
    fun whatNobodyIsToldOfIsCountedOnce() = withDevice { device ->
        val calls = listOf(
            Call("receive") { it.receive(ByteArray(1), 0, 1) },
            Call("a receive that is too short") { it.receive(null, 0, 1) },
            Call("select") {
                it.select<Unit> {
                    receive(ByteArray(1), 0, 2) { fail("nobody sent it") }
                    receive(ByteArray(1), 0, 1) { fail("its coroutine is gone") }
                }
            },
            Call("take") { it.take(0, 1) },
            Call("receiveInPlace") { it.receiveInPlace(0, 1) },
            Call("leases") { it.leases(0, 1).collect { fail("its collector is gone") } },
            Call("await") { it.irecv(ByteArray(1), 0, 1).await() },
        )
        calls.forEachIndexed { number, call ->
            cancelMatched(device, call)
            assertEquals(number + 1L, dropped(device)) { "after ${call.name}" }
        }
    }

    /** It is the collector's coroutine that finds itself cancelled, with the message in its hand. */
    @Test
    fun whatATakenMessageBringsIsCountedOnce() = withDevice { device ->
        val ways = listOf<Pair<String, suspend (Message) -> Unit>>(
            "receive" to { it.receive(ByteArray(1)) },
            "a receive that is too short" to { it.receive(ByteArray(0)) },
            "receiveInPlace" to { it.receiveInPlace() },
        )
        ways.forEachIndexed { number, (name, way) ->
            device.send(byteArrayOf(8), 0, 1)
            launch(start = CoroutineStart.UNDISPATCHED) {
                val message = device.take(0, 1)
                this.cancel()
                way(message)
                fail("$name went on")
            }.join()
            assertEquals(number + 1L, dropped(device)) { "after $name" }
            assertEquals(0, (device as HybridDevice).parts.exchange().inspection().leases()) {
                "leases that are open after $name"
            }
        }
    }

    @Test
    fun whatAFlowReceivesIsCountedOnce() = withDevice { device ->
        val collecting = launch(start = CoroutineStart.UNDISPATCHED) {
            device.messages(0, 1) { ByteArray(1) }.collect { fail("its collector is gone") }
        }
        matchAndCancel(device, listOf(collecting))
        collecting.join()
        assertEquals(1, dropped(device))
    }

    @Test
    fun whatSomebodyIsToldOfIsNotCounted() = withDevice { device ->
        var told = 0
        val calls = listOf(
            Call("receive") { it.receive(ByteArray(1), 0, 1) { told++ } },
            Call("select") {
                it.select<Unit>({ told++ }) { receive(ByteArray(1), 0, 1) { fail("its coroutine is gone") } }
            },
            Call("take") {
                it.take(0, 1) { message ->
                    message.irecv(ByteArray(1), 0, 1)
                    told++
                }
            },
            Call("receiveInPlace") {
                it.receiveInPlace(0, 1) { lease ->
                    lease.close()
                    told++
                }
            },
            Call("leases") { it.leases(0, 1, onUndelivered = { told++ }).collect { fail("its collector is gone") } },
            Call("messages") {
                it.messages(0, 1, onUndelivered = { told++ }) { ByteArray(1) }.collect { fail("its collector is gone") }
            },
            Call("await") { it.irecv(ByteArray(1), 0, 1).await { told++ } },
        )
        calls.forEachIndexed { number, call ->
            cancelMatched(device, call)
            assertEquals(number + 1, told) { "after ${call.name}" }
            assertEquals(0, dropped(device)) { "after ${call.name}" }
        }
    }

    private suspend fun CoroutineScope.waitFor(device: Device, vararg waits: suspend (Request) -> Unit) {
        val request = device.irecv(ByteArray(1), 0, 1)
        val all = waits.map { wait -> launch(start = CoroutineStart.UNDISPATCHED) { wait(request) } }
        matchAndCancel(device, all)
        all.forEach { it.join() }
        assertTrue(all.all { it.isCancelled }, "these were cancelled")
    }

    @Test
    fun aRequestForWhichSeveralWaitIsCountedOnce() = withDevice { device ->
        waitFor(device, { it.await() }, { it.await() }, { it.await() })
        assertEquals(1, dropped(device))
    }

    /** It hears nothing of the message any more. */
    @Test
    fun aFutureThatTheProgramHasEndedIsNobody() = withDevice { device ->
        for (futureFirst in listOf(true, false)) {
            val request = device.irecv(ByteArray(1), 0, 1)
            val first = if (futureFirst) request.toFuture() else null
            val gone = launch(start = CoroutineStart.UNDISPATCHED) { request.await() }
            (first ?: request.toFuture()).cancel(true)
            matchAndCancel(device, listOf(gone))
            gone.join()
        }
        assertEquals(2, dropped(device))
    }

    /** As many as would need a deep stack if each were told by the one before. */
    @Test
    fun manyWaitForOneRequest() = withDevice { device ->
        val request = device.irecv(ByteArray(1), 0, 1)
        val all = List(MANY) { async(start = CoroutineStart.UNDISPATCHED) { request.await() } }
        device.send(byteArrayOf(8), 0, 1)
        assertEquals(MANY.toLong(), all.sumOf { it.await().bytes() })
    }

    @Test
    fun aRequestOfWhichSomebodyHearsIsNotCounted() = withDevice { device ->
        var told = 0
        waitFor(device, { it.await() }, { request -> request.await { told++ } })
        waitFor(device, { request -> request.await { told++ } }, { it.await() })
        assertEquals(2, told)
        for (livesFirst in listOf(true, false)) {
            val request = device.irecv(ByteArray(1), 0, 1)
            val lives = if (livesFirst) async(start = CoroutineStart.UNDISPATCHED) { request.await() } else null
            val gone = launch(start = CoroutineStart.UNDISPATCHED) { request.await() }
            val livesLast = lives ?: async(start = CoroutineStart.UNDISPATCHED) { request.await() }
            matchAndCancel(device, listOf(gone))
            gone.join()
            assertTrue(gone.isCancelled)
            assertEquals(1, livesLast.await().bytes())
        }
        for (futureFirst in listOf(true, false)) {
            val request = device.irecv(ByteArray(1), 0, 1)
            val first = if (futureFirst) request.toFuture() else null
            val gone = launch(start = CoroutineStart.UNDISPATCHED) { request.await() }
            val future = first ?: request.toFuture()
            matchAndCancel(device, listOf(gone))
            gone.join()
            assertEquals(1, future.get(20, TimeUnit.SECONDS).bytes())
        }
        assertEquals(0, dropped(device))
    }

    /** Who is told first cancels the coroutine. */
    private class Canceller(private val job: () -> Job) : Callback {
        override fun ended(completion: Completion) = job().cancel()

        override fun failed(cause: Throwable) = fail(cause)
    }

    @Test
    fun whatBringsNoMessageIsNotCounted() = withDevice { device ->
        val sent = device.issend(byteArrayOf(8), 0, 2)
        lateinit var awaiting: Job
        (device as AsyncDevice).async().callBack(sent as Completion, Canceller { awaiting })
        awaiting = launch(start = CoroutineStart.UNDISPATCHED) { sent.await() }
        device.recv(ByteArray(1), 0, 2)
        awaiting.join()
        assertTrue(awaiting.isCancelled, "the send's coroutine")
        launch(start = CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(1), 0, 1) }.apply { cancel() }.join()
        launch(start = CoroutineStart.UNDISPATCHED) {
            device.irecv(ByteArray(1), 0, 1).await()
        }.apply { cancel() }.join()
        val probing = launch(start = CoroutineStart.UNDISPATCHED) { device.probeSuspending(0, 1) }
        val parts = (device as HybridDevice).parts
        parts.engine().lock()
        try {
            device.send(byteArrayOf(8), 0, 1)
            parts.exchange().work()
            probing.cancel()
        } finally {
            parts.engine().unlock()
        }
        probing.join()
        assertTrue(probing.isCancelled, "the probe's coroutine")
        assertEquals(1, device.recv(ByteArray(1), 0, 1).bytes(), "it is still there")
        assertEquals(0, dropped(device))
    }
}
