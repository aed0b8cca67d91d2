package org.sluice.hybrid.device

import org.junit.jupiter.api.Assertions.assertTrue
import org.sluice.coroutines.Received
import org.sluice.device.Device
import org.sluice.device.Lease
import org.sluice.device.Message
import org.sluice.device.MessageBuffer
import org.sluice.device.Status
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicIntegerArray

/**
 * What became of each message of a round, by its number, which stands in its first bytes: one that was sent, by the
 * account of its send, came once, and one that was withdrawn not at all. *Thread*: any.
 */
internal class CountedMessages(private val longest: Int) {
    private companion object {
        const val MOST = 1 shl 16
    }

    private val next = AtomicInteger()
    private val sent = AtomicIntegerArray(MOST)
    private val came = AtomicIntegerArray(MOST)
    private val pending = ConcurrentLinkedQueue<() -> Unit>()
    val undelivered = AtomicInteger()

    /** The number of a new one; null where there are as many as are counted. */
    fun begin(): Int? = next.get().takeIf { it < MOST - 100 }?.let { next.getAndIncrement() }

    fun sent(number: Int) {
        sent.incrementAndGet(number)
    }

    fun came(number: Int) {
        came.incrementAndGet(number)
    }

    fun came(received: Received<Any?>) = came(numberIn(received.buffer))

    fun undelivered(received: Received<Any?>) {
        undelivered.incrementAndGet()
        came(received)
    }

    fun undelivered(into: IntArray, status: Status) {
        undelivered.incrementAndGet()
        assertTrue(status.bytes() >= Int.SIZE_BYTES, status::toString)
        came(into[0])
    }

    fun undelivered(lease: Lease) = lease.use {
        undelivered.incrementAndGet()
        came(it.getInt(0))
    }

    /** Where nothing may block. */
    fun undelivered(message: Message) {
        undelivered.incrementAndGet()
        val into = IntArray(longest / Int.SIZE_BYTES)
        val request = message.irecv(into, 0, Device.WHOLE)
        pending += {
            request.waitFor()
            came(into[0])
        }
    }

    private fun numberIn(buffer: Any?) = when (buffer) {
        is IntArray -> buffer[0]
        is MessageBuffer -> buffer.getInt(0)
        else -> (buffer as ByteBuffer).order(ByteOrder.nativeOrder()).getInt(0)
    }

    /** Receives what nobody did, once all sends are over. */
    fun drain(device: Device) {
        val into = IntArray(longest / Int.SIZE_BYTES)
        while (true) {
            val message = device.improbe(Device.ANY_SOURCE, Device.ANY_TAG) ?: break
            message.recv(into)
            came(into[0])
        }
        generateSequence(pending::poll).forEach { it() }
    }

    /** @return how many there were */
    fun check(): Int {
        val count = next.get()
        for (number in 0 until count) {
            val times = sent.get(number)
            assertTrue(times <= 1 && came.get(number) == times) {
                "message $number of $count was sent $times times and came ${came.get(number)} times"
            }
            sent.set(number, 0)
            came.set(number, 0)
        }
        next.set(0)
        return count
    }
}
