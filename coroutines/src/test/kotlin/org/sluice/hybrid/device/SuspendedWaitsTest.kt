package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.sluice.coroutines.await
import org.sluice.coroutines.probeSuspending
import org.sluice.coroutines.receive
import org.sluice.coroutines.select
import org.sluice.coroutines.ssendSuspending
import org.sluice.coroutines.take
import org.sluice.device.Device
import org.sluice.device.ErrorCode
import org.sluice.device.Request
import org.sluice.device.SluiceException
import org.sluice.device.Status
import org.sluice.device.jvm.JvmRanks
import org.sluice.hybrid.observe.DeviceState
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

private const val MANY = 100_000
private const val LISTED = 50
private const val PATIENCE_S = 20L

/** Without anything being written within the time of a test. */
private val WATCHED = mapOf(
    "sluice.channels" to "shm",
    "sluice.dump.stuck.ms" to "600000",
    "sluice.close.timeout.ms" to "500",
)

/**
 * Calls that are suspended, and requests that somebody has a future of, are in a watched device's log of waits as long
 * as they wait.
 */
internal class SuspendedWaitsTest {
    enum class End { MESSAGE, CANCEL, FAILURE, CLOSE }

    private class Waits(
        val jobs: List<Job>,
        val requests: List<Request>,
        val futures: List<CompletableFuture<Status>>,
    ) {
        val size get() = jobs.size + futures.size
    }

    private fun <T> look(device: Device, look: (HybridDevice) -> T): T {
        var seen: T? = null
        val hybrid = device as HybridDevice
        assertTrue(
            hybrid.parts.engine().inspect({
                seen = look(hybrid)
            }, TimeUnit.SECONDS.toNanos(PATIENCE_S)),
            "nobody lets go of the lock",
        )
        return seen!!
    }

    private fun pending(device: Device) = look(device) { it.parts.engine().waits().pending() }

    private fun state(device: Device): DeviceState = JvmRanks.ofThisJvm().open().filterIsInstance<Inside>().map {
        it.state(LISTED)
    }
        .first { it.id() == device.id().uuid().toString() }

    /** A wait of each kind, for what only rank 0 could send or receive. */
    private fun CoroutineScope.begin(device: Device): Waits {
        val requests = listOf(device.irecv(ByteArray(8), 0, 6), device.irecv(ByteArray(8), 0, 7))
        val calls = listOf<suspend () -> Any?>(
            { device.receive(ByteArray(8), 0, 1) },
            { device.ssendSuspending(ByteArray(8), 0, 2) },
            { device.probeSuspending(0, 3) },
            { device.take(0, 4).irecv(ByteArray(8), 0, 8).await() },
            { device.select<Int> { for (tag in listOf(5, 50)) receive(ByteArray(8), 0, tag) { tag } } },
            { requests[0].await() },
            { requests[0].await() },
        )
        val jobs = calls.map { call ->
            launch(Dispatchers.Unconfined, CoroutineStart.UNDISPATCHED) {
                try {
                    call()
                } catch (e: SluiceException) {
                    // By the end that the test has chosen.
                    return@launch
                }
            }
        }
        return Waits(jobs, requests, requests.map { it.toFuture() })
    }

    @ParameterizedTest
    @EnumSource
    fun nothingIsLeftInTheLog(end: End) = DeviceJob.open(2, WATCHED).use { job ->
        val begun = job.flag()
        val over = AtomicBoolean()
        job.run({ device ->
            assertTrue(begun.await(PATIENCE_S))
            if (end == End.MESSAGE) {
                for (tag in listOf(1, 3, 4, 5, 6, 7)) {
                    device.send(ByteArray(8), 1, tag)
                }
                device.recv(ByteArray(8), 1, 2)
            }
            // A send that is cancelled needs its receiver's answer.
            while (!over.get()) {
                device.progress()
            }
        }, { device ->
            try {
                runBlocking {
                    val waits = begin(device)
                    assertEquals(waits.size, pending(device)) { "$device" }
                    begun.raise()
                    when (end) {
                        End.MESSAGE -> waits.futures.forEach { it.join() }
                        End.CANCEL -> {
                            waits.jobs.forEach { it.cancelAndJoin() }
                            waits.requests.forEach { it.cancel() }
                        }
                        End.FAILURE -> fail(device)
                        // Nobody takes what it has sent.
                        End.CLOSE -> assertFailsWith(ErrorCode.TIMEOUT) { device.close() }
                    }
                    waits.jobs.joinAll()
                    waits.futures.forEach { it.handle { _, _ -> true }.get(PATIENCE_S, TimeUnit.SECONDS) }
                    assertEquals(0, pending(device)) { "$device" }
                }
            } finally {
                over.set(true)
            }
        })
    }

    private fun fail(device: Device) {
        val parts = (device as HybridDevice).parts
        parts.engine().lock()
        parts.exchange().fail(IllegalStateException("by this test"))
        parts.engine().unlock()
    }

    @Test
    fun whoWaitsIsNamedAndSinceWhenWhereSomebodyWatches() {
        for (options in listOf(WATCHED, WATCHED - "sluice.dump.stuck.ms")) {
            DeviceJob.open(2, options).use { job ->
                val device = job.device(1)
                runBlocking {
                    val coroutine = async(start = CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(8), 0, 1) }
                    val request = device.irecv(ByteArray(8), 0, 2)
                    request.toFuture()
                    val both = async(start = CoroutineStart.UNDISPATCHED) { request.await() }
                    val dropped = device.irecv(ByteArray(8), 0, 3)
                    dropped.toFuture().cancel(true)
                    val texts = state(device).requests().map { it.text() }
                    val waited = if (options == WATCHED) "has waited for \\d+ ms" else "waits for it"
                    val receive = "receive from rank 0, tag %d, 8 bytes: no message has matched it"
                    val expected =
                        listOf(
                            "${receive.format(1)}; a coroutine $waited",
                            "${receive.format(2)}; a future $waited, a coroutine $waited",
                            receive.format(3),
                        )
                    assertTrue(
                        texts.size == 3 &&
                            texts.indices.all {
                                expected[it].toRegex().matches(texts[it])
                            },
                        "$texts are not $expected",
                    )
                    assertEquals(if (options == WATCHED) 4 else 0, pending(device))
                    coroutine.cancelAndJoin()
                    both.cancelAndJoin()
                    dropped.cancel()
                    assertEquals(0, pending(device))
                }
            }
        }
    }

    @Test
    fun aHundredThousandAreLoggedAndLeave() = DeviceJob.open(2, WATCHED).use { job ->
        val device = job.device(1)
        // What nobody waits for comes first, and fills the list.
        val unwaited = List(LISTED) { device.irecv(ByteArray(8), 0, MANY + it) }
        runBlocking(Dispatchers.Default) {
            val jobs =
                List(MANY) { number ->
                    launch(start = CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(8), 0, number) }
                }
            assertEquals(MANY, pending(device))
            val state = state(device)
            assertEquals(MANY + LISTED, state.waiting())
            assertEquals(2 * LISTED, state.requests().size)
            assertEquals(LISTED, state.requests().count { "; a coroutine has waited for " in it.text() })
            assertEquals(MANY, look(device) { it.parts.engine().waits().countNewLongerThan(-1) })
            assertEquals(0, look(device) { it.parts.engine().waits().countNewLongerThan(-1) })
            jobs.shuffled().forEach { it.cancel() }
            jobs.joinAll()
            assertEquals(0, pending(device))
        }
        unwaited.forEach { it.cancel() }
    }
}
