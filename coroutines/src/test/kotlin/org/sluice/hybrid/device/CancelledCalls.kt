package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.sluice.coroutines.await
import org.sluice.coroutines.messages
import org.sluice.coroutines.probeSuspending
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.coroutines.select
import org.sluice.coroutines.sendSuspending
import org.sluice.coroutines.ssendSuspending
import org.sluice.coroutines.take
import org.sluice.device.Device
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReferenceArray
import java.util.concurrent.locks.LockSupport
import kotlin.concurrent.thread
import kotlin.random.Random

/**
 * How many calls there are at once, how many are cancelled a second, what lies between two sends of a coroutine at
 * most, and the longest message.
 */
internal class Pace(
    val receivers: Int,
    val senders: Int,
    val cancelsPerSecond: Int,
    val pauseMs: Long,
    val longest: Int,
)

/**
 * Calls of every kind, of coroutines that send from rank 0 to rank 1 and of others that receive there, and a thread
 * that cancels them at random moments. *Owns*: the direct buffers, which are registered all the time; every other
 * buffer lives as long as its call.
 */
internal class CancelledCalls(private val job: DeviceJob, seed: Long, private val pace: Pace) {
    private companion object {
        const val TAGS = 3
        const val END_CONTEXT = 1
        const val TRIES = 8
        const val LONGEST_SPIN = 2000
        const val SHORT = 300
    }

    private class Enough : RuntimeException()

    private val random = Random(seed)
    private val calls = AtomicReferenceArray<Job>(pace.receivers + pace.senders)
    private val direct = List(calls.length()) { ByteBuffer.allocateDirect(pace.longest).order(ByteOrder.nativeOrder()) }
    private val cancelled = AtomicInteger()

    /** Whether no more messages are to be sent; and whether no more are to be received. */
    @Volatile
    private var sendsEnd = false

    @Volatile
    private var receivesEnd = false

    val messages = CountedMessages(pace.longest)

    init {
        direct.forEachIndexed { slot, buffer -> job.device(if (slot < pace.senders) 0 else 1).register(buffer) }
    }

    /** How many calls were cancelled before they were over. */
    fun cancelled() = cancelled.get()

    /** Lets calls begin, and cancels some, for so long; then ends all and receives what is left. */
    fun round(millis: Long) {
        sendsEnd = false
        receivesEnd = false
        val seeds = List(calls.length() + 1) { random.nextLong() }
        val canceller = thread(name = "canceller") { cancel(Random(seeds.last())) }
        job.run({ device ->
            runBlocking(Dispatchers.Default) {
                val senders = List(pace.senders) { slot ->
                    launch { repeatedly(slot, Random(seeds[slot]), { sendsEnd }) { send(device, slot, it) } }
                }
                delay(millis)
                sendsEnd = true
                senders.forEach { it.join() }
                device.sendSuspending(null, 1, 0, END_CONTEXT)
            }
        }, { device ->
            runBlocking(Dispatchers.Default) {
                val receivers = List(pace.receivers) { pace.senders + it }
                    .map { slot ->
                        launch { repeatedly(slot, Random(seeds[slot]), { receivesEnd }) { receive(device, slot, it) } }
                    }
                // All that was sent is here when this is, as it was sent last.
                device.receive(null, 0, 0, END_CONTEXT)
                receivesEnd = true
                while (receivers.any { it.isActive }) {
                    for (slot in pace.senders until calls.length()) {
                        calls.get(slot)?.cancel()
                    }
                    delay(1)
                }
                messages.drain(device)
            }
        })
        canceller.join()
    }

    private fun cancel(random: Random) {
        val begin = System.nanoTime()
        var count = 0
        while (!receivesEnd) {
            val due = (System.nanoTime() - begin) / (TimeUnit.SECONDS.toNanos(1) / pace.cancelsPerSecond)
            while (count < due && cancelOne(random)) {
                count++
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500))
        }
    }

    private fun cancelOne(random: Random): Boolean {
        repeat(TRIES) {
            val call = calls.get(random.nextInt(calls.length()))
            if (call != null && call.isActive) {
                repeat(random.nextInt(LONGEST_SPIN)) { Thread.onSpinWait() }
                call.cancel()
                return true
            }
        }
        return false
    }

    private suspend fun repeatedly(slot: Int, random: Random, isOver: () -> Boolean, call: suspend (Random) -> Unit) =
        coroutineScope {
            while (!isOver()) {
                val begun = begin(random, call)
                calls.set(slot, begun)
                begun.join()
                calls.set(slot, null)
                if (begun.isCancelled && !receivesEnd) {
                    cancelled.incrementAndGet()
                }
                if (slot < pace.senders) {
                    delay(random.nextLong(pace.pauseMs))
                }
            }
        }

    private fun CoroutineScope.begin(random: Random, call: suspend (Random) -> Unit): Job {
        val start = if (random.nextBoolean()) CoroutineStart.UNDISPATCHED else CoroutineStart.DEFAULT
        return launch(start = start) { call(random) }
    }

    private suspend fun send(device: Device, slot: Int, random: Random) {
        val number = messages.begin() ?: return
        val tag = random.nextInt(TAGS)
        val onSent = { messages.sent(number) }
        when (random.nextInt(12)) {
            0 -> device.sendSuspending(array(number, pace.longest / Int.SIZE_BYTES), 1, tag, onSent = onSent)
            1 -> device.allocate(Int.SIZE_BYTES * (1L + random.nextInt(pace.longest / Int.SIZE_BYTES))).use { buffer ->
                buffer.putInt(0, number)
                device.sendSuspending(buffer, 1, tag, onSent = onSent)
            }
            2 -> device.sendSuspending(direct[slot].clear().putInt(0, number), 1, tag, onSent = onSent)
            3, 4 -> device.ssendSuspending(array(number, 1 + random.nextInt(SHORT)), 1, tag, onSent = onSent)
            else -> device.sendSuspending(array(number, 1 + random.nextInt(SHORT)), 1, tag, onSent = onSent)
        }
        onSent()
    }

    private fun array(number: Int, length: Int) = IntArray(length).also { it[0] = number }

    private suspend fun receive(device: Device, slot: Int, random: Random) {
        val source = if (random.nextBoolean()) 0 else Device.ANY_SOURCE
        val tag = if (random.nextInt(4) == 0) Device.ANY_TAG else random.nextInt(TAGS)
        when (random.nextInt(9)) {
            0 -> {
                val message = device.take(source, tag, onUndelivered = messages::undelivered)
                messages.came(message.receive(buffer(), messages::undelivered))
            }
            1 -> device.receiveInPlace(source, tag, onUndelivered = messages::undelivered).use {
                messages.came(it.getInt(0))
            }
            2 -> flow(device, source, tag)
            3 -> device.select<Unit>(messages::undelivered) {
                receive(buffer(), source, tag) { messages.came(it) }
                receive(buffer(), 0, (tag + 1).mod(TAGS)) { messages.came(it) }
            }
            4 -> buffer().let { into ->
                device.irecv(into, source, tag).await { messages.undelivered(into, it) }
                messages.came(into[0])
            }
            5 -> device.probeSuspending(source, tag)
            6 -> device.allocate(pace.longest.toLong()).use { into ->
                messages.came(device.receive(into, source, tag, onUndelivered = messages::undelivered))
            }
            7 -> messages.came(device.receive(direct[slot].clear(), source, tag, onUndelivered = messages::undelivered))
            else -> messages.came(device.receive(buffer(), source, tag, onUndelivered = messages::undelivered))
        }
    }

    private suspend fun flow(device: Device, source: Int, tag: Int) {
        try {
            // Not first(), which looks itself whether it was cancelled, and drops what it has.
            device.messages(source, tag, onUndelivered = messages::undelivered) { buffer() }.collect {
                messages.came(it)
                throw Enough()
            }
        } catch (e: Enough) {
            return
        }
    }

    private fun buffer() = IntArray(pace.longest / Int.SIZE_BYTES)
}
