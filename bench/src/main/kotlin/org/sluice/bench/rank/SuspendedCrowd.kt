package org.sluice.bench.rank

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.sluice.coroutines.receive
import org.sluice.device.Device
import org.sluice.device.Status
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger

/**
 * Coroutines of two threads, each suspended in a receive of a tag of its own. At the end each gets its message, and all
 * complete.
 *
 * *Owns*: the two threads.
 */
internal class SuspendedCrowd(private val device: Device, private val peer: Int, private val count: Int) :
    Crowd,
    AutoCloseable {
    private companion object {
        const val THREADS = 2
        const val END_MS = 50_000L
    }

    private val threads = Executors.newFixedThreadPool(THREADS) { task ->
        Thread(task, "bench-crowd").apply {
            isDaemon = true
        }
    }
    private val dispatcher = threads.asCoroutineDispatcher()
    private val completed = AtomicInteger()
    private val status = Status()
    private var crowd: Job = Job()

    /**
     * Each runs up to its receive here, so that all are suspended when this returns, and goes on in the two threads.
     */
    override fun gather() {
        completed.set(0)
        crowd = Job()
        val scope = CoroutineScope(dispatcher + crowd)
        repeat(count) { number ->
            scope.launch(start = CoroutineStart.UNDISPATCHED) {
                device.receive(null, peer, CrowdExchange.FIRST_TAG + number)
                completed.incrementAndGet()
            }
        }
    }

    /** Those that are still suspended after a failure are withdrawn. */
    override fun disperse() {
        try {
            complete()
        } finally {
            runBlocking { crowd.cancelAndJoin() }
        }
    }

    private fun complete() {
        val early = completed.get()
        // The other rank's messages must not come before this one has counted.
        device.send(null, 0, 0, peer, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT)
        device.recv(null, 0, 0, peer, DeviceExchange.ANSWER_TAG, Device.DEFAULT_CONTEXT, status)
        check(early == 0) { "only ${count - early} of $count receives were still suspended at the end" }
        val sends =
            Array(count) { number ->
                device.isend(null, 0, 0, peer, CrowdExchange.FIRST_TAG + number, Device.DEFAULT_CONTEXT)
            }
        sends.forEach { it.waitFor(status) }
        runBlocking {
            withTimeoutOrNull(END_MS) { crowd.children.forEach { it.join() } }
        }
        check(completed.get() == count) { "only ${completed.get()} of $count suspended receives completed" }
    }

    /** How many have had their message. */
    fun completed(): Int = completed.get()

    override fun close() {
        threads.shutdown()
    }
}
