package org.sluice.hybrid.device

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.sluice.device.Device
import org.sluice.device.tier.MoreWithAll
import org.sluice.ib.IbChannel
import java.lang.management.ManagementFactory
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.TimeUnit

private val FAST = Pace(receivers = 24, senders = 8, cancelsPerSecond = 800, pauseMs = 4, longest = 100_000)

/**
 * Calls that are cancelled at random moments, hundreds a second: whenever all are over nothing is left of any, neither
 * in the device nor of its memory.
 */
@Timeout(400)
@Tag("once")
internal class CoroutineLeakTest {
    private companion object {
        const val LEAST_PER_SECOND = 500
    }

    @ParameterizedTest
    @ValueSource(strings = ["shm"])
    @MoreWithAll("threads")
    fun nothingIsLeftOfCancelledCalls(channel: String) = LeakCheck(channel, FAST, LEAST_PER_SECOND).run(5)

    @ParameterizedTest
    @ValueSource(strings = ["threads", "shm"])
    @Tag("long")
    fun nothingIsLeftAfterMinutes(channel: String) = LeakCheck(channel, FAST, LEAST_PER_SECOND).run(180)
}

/** The same over verbs, where memory is registered; an emulated processor takes its time. */
@Tag("all")
@Tag("verbs")
@Timeout(400)
internal class CoroutineLeakRxeTest {
    private companion object {
        /** How fast an emulated processor is depends on what else the host does. */
        const val LEAST_PER_SECOND = 0
        val SLOW = Pace(receivers = 12, senders = 4, cancelsPerSecond = 60, pauseMs = 40, longest = 100_000)
    }

    @Test
    fun nothingIsLeftOfCancelledCalls() = LeakCheck("ib", SLOW, LEAST_PER_SECOND).run(6)

    @Test
    @Tag("long")
    fun nothingIsLeftAfterMinutes() = LeakCheck("ib", FAST, LEAST_PER_SECOND).run(180)
}

/**
 * Rounds of cancelled calls, after each of which nothing may be in flight, and as much memory in use as before the
 * first.
 */
private class LeakCheck(private val channel: String, private val pace: Pace, private val leastPerSecond: Int) {
    private companion object {
        const val ROUND_MS = 1500L
        const val PATIENCE_S = 10L

        /** Receives' buffers are a hundredth of this. */
        const val HEAP_SLACK = 10L shl 20
        const val SETTLED_AFTER = 2
        const val EXTENTS = "; "
    }

    private val seed = ThreadLocalRandom.current().nextLong()

    fun run(seconds: Long) {
        println("CoroutineLeakTest over $channel, $seconds s: seed $seed")
        try {
            DeviceJob.open(2, mapOf("sluice.channels" to channel)).use { job ->
                check(job, TimeUnit.SECONDS.toNanos(seconds))
            }
        } catch (e: Throwable) {
            throw AssertionError("seed $seed over $channel: ${e.message}", e)
        }
    }

    private fun check(job: DeviceJob, nanos: Long) {
        val calls = CancelledCalls(job, seed, pace)
        val memory = List(2) { memory(job.device(it)) }
        val begin = System.nanoTime()
        var heap = 0L
        var sent = 0
        var rounds = 0
        while (System.nanoTime() - begin < nanos) {
            calls.round(ROUND_MS)
            rounds++
            sent += calls.messages.check()
            for (rank in 0..1) {
                assertNothingInFlight(job.device(rank), rounds)
                assertEquals(memory[rank], memory(job.device(rank)), "memory of rank $rank after round $rounds")
            }
            val used = usedHeap()
            if (rounds <= SETTLED_AFTER) {
                heap = used
            }
            assertTrue(
                used < heap + HEAP_SLACK,
                "$used bytes of heap after round $rounds, $heap after round $SETTLED_AFTER",
            )
        }
        val perSecond = calls.cancelled() / ((System.nanoTime() - begin) / 1e9)
        println(
            "CoroutineLeakTest over $channel: $sent messages, ${calls.cancelled()} calls cancelled, " +
                "$perSecond a second, ${calls.messages.undelivered} of them had a message",
        )
        assertTrue(perSecond >= leastPerSecond, "only $perSecond calls a second were cancelled")
    }

    /** What a peer still has to say of what is over may be on its way. */
    private fun assertNothingInFlight(device: Device, round: Int) {
        val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S * DeviceJob.PATIENCE)
        while (inFlight(device) != NOTHING && System.nanoTime() < deadline) {
            device.progress()
            Thread.sleep(1)
        }
        assertEquals(NOTHING, inFlight(device)) { "after round $round: $device" }
    }

    private fun inFlight(device: Device): String {
        val parts = (device as HybridDevice).parts
        val exchange = parts.exchange()
        var text = "not looked at"
        parts.engine().inspect({
            val waiting = exchange.inspection().waiting() - exchange.inspection().posted()
            text =
                inFlight(
                    exchange.inspection().posted(),
                    exchange.inspection().unexpected(),
                    waiting,
                    exchange.inspection().leases(),
                    parts.routes().sumOf { it.inspection().sends() },
                )
        }, TimeUnit.SECONDS.toNanos(1))
        return text
    }

    /** Without the extents that the adapter knows: one is registered when it is first needed, and kept. */
    private fun memory(device: Device): String {
        val parts = (device as HybridDevice).parts
        return parts.allocator().toString() +
            parts.channels().filterIsInstance<IbChannel>().joinToString {
                ", ${it.registrations().toString().substringBefore(EXTENTS)}"
            }
    }

    private fun usedHeap(): Long {
        System.gc()
        return ManagementFactory.getMemoryMXBean().heapMemoryUsage.used
    }
}

private val NOTHING = inFlight(0, 0, 0, 0, 0)

private fun inFlight(posted: Int, unexpected: Int, waiting: Int, leases: Int, sends: Int) =
    "$posted receives posted, $unexpected messages unexpected, $waiting probes or matched messages, " +
        "$leases leases open, $sends sends"
