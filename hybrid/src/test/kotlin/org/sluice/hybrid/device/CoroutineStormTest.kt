package org.sluice.hybrid.device

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlin.random.Random
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.sluice.device.Device
import org.sluice.device.Lease
import org.sluice.device.Message
import org.sluice.hybrid.coroutines.Received
import org.sluice.hybrid.coroutines.messages
import org.sluice.hybrid.coroutines.receive
import org.sluice.hybrid.coroutines.receiveInPlace
import org.sluice.hybrid.coroutines.select
import org.sluice.hybrid.coroutines.sendSuspending
import org.sluice.hybrid.coroutines.ssendSuspending
import org.sluice.hybrid.coroutines.take

/** Coroutines that are cancelled at random moments of every call: each message comes once, and nothing of the calls is left. */
internal class CoroutineStormTest {
    private companion object {
        /** Fewer where the processor is emulated. */
        val MESSAGES = 2_000 / DeviceJob.PATIENCE
        const val WORKERS = 8
        const val TAGS = 3
        const val LONGEST = 70_000
    }

    private class Enough : RuntimeException()

    /** Every message by its number, which stands in its first bytes. */
    private class Arrivals {
        val counts = AtomicIntegerArray(MESSAGES)
        val total = AtomicInteger()
        val undelivered = AtomicInteger()
        val pending = ConcurrentLinkedQueue<() -> Unit>()

        fun note(number: Int) {
            counts.incrementAndGet(number)
            total.incrementAndGet()
        }

        fun note(received: Received<IntArray>) = note(received.buffer[0])

        fun undelivered(received: Received<Any?>) {
            undelivered.incrementAndGet()
            note((received.buffer as IntArray)[0])
        }

        fun undelivered(lease: Lease) = lease.use {
            undelivered.incrementAndGet()
            note(it.getInt(0))
        }

        /** Where nothing may block. */
        fun undelivered(message: Message) {
            undelivered.incrementAndGet()
            val into = buffer()
            val request = message.irecv(into, 0, Device.WHOLE)
            pending += {
                request.waitFor()
                note(into[0])
            }
        }

        fun buffer() = IntArray(LONGEST / Int.SIZE_BYTES)
    }

    @Test
    fun betweenThreads() = storm("threads")

    @Test
    fun overSharedMemory() = storm("shm")

    @Test
    @Tag("verbs")
    fun overVerbs() = storm("ib")

    private fun storm(channel: String) {
        val seed = ThreadLocalRandom.current().nextLong()
        println("CoroutineStormTest over $channel: seed $seed")
        try {
            DeviceJob.open(2, mapOf("sluice.channels" to channel)).use { job -> storm(job, seed) }
        } catch (e: Throwable) {
            throw AssertionError("seed $seed over $channel", e)
        }
    }

    private fun storm(job: DeviceJob, seed: Long) {
        val arrivals = Arrivals()
        job.run({ device -> runBlocking(Dispatchers.Default) { sendAll(device, Random(seed)) } }, { device ->
            runBlocking(Dispatchers.Default) {
                withTimeout(20_000L * DeviceJob.PATIENCE) { List(WORKERS) { launch { work(device, Random(seed + 1 + it), arrivals) } } .forEach { it.join() } }
            }
            arrivals.pending.forEach { it() }
        })
        assertEquals(List(MESSAGES) { 1 }, List(MESSAGES) { arrivals.counts[it] }, "how often each message came")
        for (rank in 0..1) {
            val state = job.device(rank).toString()
            assertTrue("0 posted, 0 unexpected, 0 probes], RendezvousReceiver[0 pulled, 0 streamed" in state, state)
            assertTrue("RendezvousSender[0 written]" in state && "[1-9][0-9]* started".toRegex() !in state, state)
        }
    }

    /** What was withdrawn, by its sender's account, is sent again and not cancelled then: each number comes once. */
    private suspend fun sendAll(device: Device, random: Random) = coroutineScope {
        for (number in 0 until MESSAGES) {
            val body = IntArray(if (random.nextInt(20) == 0) LONGEST / Int.SIZE_BYTES else 1 + random.nextInt(300))
            body[0] = number
            val tag = random.nextInt(TAGS)
            val synchronous = random.nextInt(10) == 0
            val isSent = AtomicBoolean()
            val send = launch(start = CoroutineStart.UNDISPATCHED) {
                if (synchronous) {
                    device.ssendSuspending(body, 1, tag) { isSent.set(true) }
                } else {
                    device.sendSuspending(body, 1, tag) { isSent.set(true) }
                }
                isSent.set(true)
            }
            if (cancelSomehow(send, random)) {
                launch {
                    send.join()
                    if (!isSent.get()) {
                        device.sendSuspending(body, 1, tag)
                    }
                }
            }
        }
    }

    private suspend fun work(device: Device, random: Random, arrivals: Arrivals) = coroutineScope {
        while (arrivals.total.get() + arrivals.pending.size < MESSAGES) {
            val call = launch { call(device, random, arrivals) }
            // What waits for a message that another has already would wait for ever.
            if (!cancelSomehow(call, random)) {
                delay(random.nextLong(3))
                call.cancel()
            }
            call.join()
        }
    }

    private suspend fun call(device: Device, random: Random, arrivals: Arrivals) {
        val source = if (random.nextBoolean()) 0 else Device.ANY_SOURCE
        val tag = if (random.nextInt(4) == 0) Device.ANY_TAG else random.nextInt(TAGS)
        when (random.nextInt(5)) {
            0 -> arrivals.note(device.take(source, tag, onUndelivered = arrivals::undelivered).receive(arrivals.buffer(), arrivals::undelivered))
            1 -> device.receiveInPlace(source, tag, onUndelivered = arrivals::undelivered).use { arrivals.note(it.getInt(0)) }
            2 -> try {
                // Not first(), which looks itself whether it was cancelled, and drops what it has.
                device.messages(source, tag, onUndelivered = arrivals::undelivered) { arrivals.buffer() }.collect {
                    arrivals.note(it)
                    throw Enough()
                }
            } catch (e: Enough) {
                return
            }
            3 -> device.select<Unit>(arrivals::undelivered) {
                receive(arrivals.buffer(), source, tag) { arrivals.note(it) }
                receive(arrivals.buffer(), 0, (tag + 1).mod(TAGS)) { arrivals.note(it) }
            }
            else -> arrivals.note(device.receive(arrivals.buffer(), source, tag, onUndelivered = arrivals::undelivered))
        }
    }

    /** @return whether it did */
    private suspend fun cancelSomehow(job: Job, random: Random): Boolean {
        when (random.nextInt(6)) {
            0 -> job.cancel()
            1 -> {
                yield()
                job.cancel()
            }
            2 -> {
                repeat(random.nextInt(2000)) { Thread.onSpinWait() }
                job.cancel()
            }
            3 -> withContext(Dispatchers.Unconfined) { job.cancel() }
            else -> return false
        }
        return true
    }
}
