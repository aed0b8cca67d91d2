package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.sluice.coroutines.Received
import org.sluice.coroutines.messages
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.coroutines.select
import org.sluice.coroutines.take
import org.sluice.device.Device
import org.sluice.device.Lease
import org.sluice.device.Message
import org.sluice.hybrid.device.SuspendedForms.Arrival
import java.util.Random
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * A storm's receives by coroutines, each of which is cancelled or times out unless it ends before: one by one, so that
 * their order can be checked. *Thread*: one.
 */
internal class CancelledReceives(private val device: Device) : SuspendedForms.Receives {
    private companion object {
        const val WAYS = 5
        const val LONGEST_TIMEOUT_MS = 3
        const val LONGEST_SPIN = 2000
    }

    private class Enough : RuntimeException()

    private val arrived = ConcurrentLinkedQueue<Arrival>()
    private val pending = ConcurrentLinkedQueue<() -> Unit>()

    /**
     * Receives a message like this one, if one comes in time.
     * @return it, whether the call returned it or passed it on as undelivered; null: nothing was matched
     */
    override fun one(wanted: StormPlan.Planned, random: Random): Arrival? {
        val source = if (random.nextBoolean()) wanted.from() else Device.ANY_SOURCE
        val tag = if (random.nextInt(4) == 0) Device.ANY_TAG else random.nextInt(StormPlan.TAGS)
        val way = random.nextInt(WAYS)
        val start = if (random.nextBoolean()) CoroutineStart.UNDISPATCHED else CoroutineStart.DEFAULT
        val timeoutMs = 1 + random.nextInt(LONGEST_TIMEOUT_MS)
        runBlocking {
            val call =
                launch(Dispatchers.Default, start) {
                    withTimeoutOrNull(timeoutMs.toLong()) { receive(way, source, tag, wanted.contextId()) }
                }
            if (random.nextBoolean()) {
                repeat(random.nextInt(LONGEST_SPIN)) { Thread.onSpinWait() }
                call.cancel()
            }
            call.join()
        }
        generateSequence(pending::poll).forEach { it() }
        assertTrue(arrived.size <= 1) { "one call had ${arrived.size} messages" }
        return arrived.poll()
    }

    private suspend fun receive(way: Int, source: Int, tag: Int, contextId: Int) {
        when (way) {
            0 -> received(device.take(source, tag, contextId, ::taken).receive(buffer(), ::received))
            1 -> leased(device.receiveInPlace(source, tag, contextId, ::leased))
            2 -> try {
                // Not first(), which looks itself whether it was cancelled, and drops what it has.
                device.messages(source, tag, contextId, ::received) { buffer() }.collect {
                    received(it)
                    throw Enough()
                }
            } catch (e: Enough) {
                return
            }
            3 -> device.select<Unit>(::received) {
                receive(buffer(), source, tag, contextId) { received(it) }
                receive(buffer(), Device.ANY_SOURCE, (tag + 1).mod(StormPlan.TAGS), contextId) { received(it) }
            }
            else -> received(device.receive(buffer(), source, tag, contextId, ::received))
        }
    }

    private fun received(message: Received<Any?>) {
        arrived += Arrival(message.status, message.buffer as ByteArray)
    }

    private fun leased(lease: Lease) = lease.use {
        val body = ByteArray(it.bytes().toInt())
        it.buffer().get(body)
        arrived += Arrival(it.status(), body)
    }

    /** Where nothing may block. */
    private fun taken(message: Message) {
        val into = buffer()
        val request = message.irecv(into, 0, Device.WHOLE)
        pending += { arrived += Arrival(request.waitFor(), into) }
    }

    private fun buffer() = ByteArray(StormPlan.LONGEST)
}
