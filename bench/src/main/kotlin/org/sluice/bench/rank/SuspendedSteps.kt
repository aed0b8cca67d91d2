package org.sluice.bench.rank

import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.sluice.bench.hop.Cores
import org.sluice.bench.plan.Benchmark
import org.sluice.bench.plan.BufferKind
import org.sluice.bench.plan.Step
import org.sluice.coroutines.Received
import org.sluice.coroutines.receive
import org.sluice.coroutines.sendSuspending
import org.sluice.device.Device
import java.nio.ByteBuffer

/**
 * Steps of a rank that is a coroutine: its sends and receives suspend, and it goes on undispatched. Messages of a
 * window come and go one after the other, as with blocking calls; where everybody sends at once, what receives is a
 * coroutine of its own.
 *
 * *Thread*: the rank's, which is parked from the first suspension on: then the coroutine runs on the device's progress
 * thread. *Owns*: the device, the buffers and the crowd that is suspended during each step, if there is one. *Proof*:
 * `ApiStepsTest`.
 */
internal class SuspendedSteps(
    private val device: Device,
    private val kind: BufferKind,
    private val crowd: SuspendedCrowd?,
) : Steps {
    constructor(device: Device, kind: BufferKind) : this(device, kind, null)

    private companion object {
        const val DATA_TAG = 7
        const val ANSWER_TAG = 8
        const val NO_CORE = -1
    }

    private val content = Content()
    private val rank = device.rank()
    private val ranks = device.size()
    private var outgoing = arrayOf<Place>()
    private var incoming = arrayOf<Place>()
    private var size = 0
    private var core = NO_CORE
    private var pinned: Thread? = null

    /** Where one message lies: suspending calls send and receive whole buffers. */
    private class Place(kind: BufferKind, size: Int, device: Device) : AutoCloseable {
        private val payload = if (size == 0) null else Payload.exactly(kind, size, device::allocate)
        val buffer: Any? = payload?.handle
        val bytes: ByteBuffer = payload?.bytes ?: ByteBuffer.allocate(0)

        override fun close() {
            payload?.close()
        }
    }

    override fun pinned(core: Int) {
        this.core = core
        pinned = Thread.currentThread()
    }

    override fun run(step: Step): LongArray {
        prepare(step)
        val part = part(step)
        crowd?.gather()
        val samples = runBlocking(Dispatchers.Unconfined) { if (rank == 0) time(part, step) else follow(part, step) }
        crowd?.disperse()
        return samples
    }

    private fun prepare(step: Step) {
        if (step.size() != size || step.slots() != outgoing.size) {
            closePlaces()
            size = step.size()
            outgoing = Array(step.slots()) { Place(kind, size, device) }
            incoming = Array(step.slots()) { Place(kind, size, device) }
        }
    }

    private fun closePlaces() {
        (outgoing + incoming).forEach(Place::close)
        outgoing = arrayOf()
        incoming = arrayOf()
    }

    override fun close() {
        closePlaces()
        device.close()
        crowd?.close()
    }

    private suspend fun time(part: Part, step: Step): LongArray {
        val samples = LongArray(step.batches())
        var iteration = 0
        repeat(step.leadIn()) {
            stayOnCore()
            part.once(iteration++)
        }
        var start = content.now(step)
        for (batch in samples.indices) {
            repeat(step.batch()) {
                stayOnCore()
                part.once(iteration++)
            }
            val end = content.now(step)
            samples[batch] = end - start
            start = end
        }
        return samples
    }

    private suspend fun follow(part: Part, step: Step): LongArray {
        repeat(step.iterations()) { iteration ->
            stayOnCore()
            part.once(iteration)
        }
        return StepRunner.NOTHING
    }

    /** A thread of the device that has taken over was started before the rank's was pinned. */
    private fun stayOnCore() {
        val here = Thread.currentThread()
        if (here !== pinned && core != NO_CORE) {
            Cores.pinCaller(core)
            pinned = here
        }
    }

    private fun part(step: Step): Part = when {
        step.benchmark().pingPong() -> if (rank == 0) Ping(step) else Pong(step)
        step.benchmark() == Benchmark.BIBANDWIDTH -> BothWays(step)
        step.benchmark() == Benchmark.NEIGHBOR -> Ring(step)
        step.benchmark().windowed() -> if (rank == 0) WindowSender(step) else WindowReceiver(step)
        else -> throw IllegalArgumentException(
            "${step.benchmark().label()} has no coroutines; latency, bandwidth, bibandwidth, rate, " +
                "neighbor and crowd-posted have",
        )
    }

    /** One rank's part in an iteration. */
    private abstract inner class Part(val step: Step) {
        private val isPlain = step.leavesBuffersAlone()

        abstract suspend fun once(iteration: Int)

        /** What the message of this slot is sent from. */
        fun filled(iteration: Int, slot: Int): Any? {
            val place = outgoing[slot]
            if (!isPlain) {
                content.fill(step, place.bytes, 0, iteration, slot, rank)
            }
            return place.buffer
        }

        fun arrived(received: Received<*>) = DeviceExchange.checkLength(received.status, size)

        /** @param slot it lies in here @param sentSlot its sender's */
        fun check(iteration: Int, slot: Int, source: Int, sentSlot: Int = slot) {
            if (!isPlain) {
                content.look(step, incoming[slot].bytes, 0, iteration, sentSlot, source)
            }
        }

        fun slot(message: Int) = if (isPlain) 0 else message
    }

    private inner class Ping(step: Step) : Part(step) {
        override suspend fun once(iteration: Int) {
            device.sendSuspending(filled(iteration, 0), 1, DATA_TAG)
            arrived(device.receive(incoming[0].buffer, 1, DATA_TAG))
            check(iteration, 0, 1)
        }
    }

    private inner class Pong(step: Step) : Part(step) {
        override suspend fun once(iteration: Int) {
            arrived(device.receive(incoming[0].buffer, 0, DATA_TAG))
            check(iteration, 0, 0)
            device.sendSuspending(filled(iteration, 0), 0, DATA_TAG)
        }
    }

    private inner class WindowSender(step: Step) : Part(step) {
        override suspend fun once(iteration: Int) {
            for (i in 0 until step.window()) {
                device.sendSuspending(filled(iteration, slot(i)), 1, DATA_TAG)
            }
            device.receive(null, 1, ANSWER_TAG)
        }
    }

    private inner class WindowReceiver(step: Step) : Part(step) {
        override suspend fun once(iteration: Int) {
            for (i in 0 until step.window()) {
                arrived(device.receive(incoming[slot(i)].buffer, 0, DATA_TAG))
            }
            for (slot in incoming.indices) {
                check(iteration, slot, 0)
            }
            device.sendSuspending(null, 0, ANSWER_TAG)
        }
    }

    private inner class BothWays(step: Step) : Part(step) {
        private val other = 1 - rank

        override suspend fun once(iteration: Int) {
            coroutineScope {
                launch(start = CoroutineStart.UNDISPATCHED) {
                    for (i in 0 until step.window()) {
                        arrived(device.receive(incoming[slot(i)].buffer, other, DATA_TAG))
                    }
                }
                for (i in 0 until step.window()) {
                    device.sendSuspending(filled(iteration, slot(i)), other, DATA_TAG)
                }
            }
            for (slot in incoming.indices) {
                check(iteration, slot, other)
            }
            // The two answers keep either side from running ahead into the next window.
            if (rank == 0) {
                device.sendSuspending(null, other, ANSWER_TAG)
                device.receive(null, other, ANSWER_TAG)
            } else {
                device.receive(null, other, ANSWER_TAG)
                device.sendSuspending(null, other, ANSWER_TAG)
            }
        }
    }

    /** Slots and order as in [StepRunner]'s. */
    private inner class Ring(step: Step) : Part(step) {
        private val left = (rank + ranks - 1) % ranks
        private val right = (rank + 1) % ranks

        override suspend fun once(iteration: Int) {
            coroutineScope {
                launch(start = CoroutineStart.UNDISPATCHED) {
                    arrived(device.receive(incoming[0].buffer, left, DATA_TAG))
                }
                launch(start = CoroutineStart.UNDISPATCHED) {
                    arrived(device.receive(incoming[1].buffer, right, DATA_TAG))
                }
                device.sendSuspending(filled(iteration, 1), right, DATA_TAG)
                device.sendSuspending(filled(iteration, 0), left, DATA_TAG)
            }
            check(iteration, 0, left, 1)
            check(iteration, 1, right, 0)
        }
    }
}
