package org.sluice.hybrid.device

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.fail
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.sluice.coroutines.allGatherBlocksSuspending
import org.sluice.coroutines.allGatherSuspending
import org.sluice.coroutines.allReduceSuspending
import org.sluice.coroutines.allToAllBlocksSuspending
import org.sluice.coroutines.allToAllSuspending
import org.sluice.coroutines.barrierSuspending
import org.sluice.coroutines.broadcastSuspending
import org.sluice.coroutines.exclusiveScanSuspending
import org.sluice.coroutines.gatherBlocksSuspending
import org.sluice.coroutines.gatherSuspending
import org.sluice.coroutines.leases
import org.sluice.coroutines.messages
import org.sluice.coroutines.neighbourAllGatherBlocksSuspending
import org.sluice.coroutines.neighbourAllGatherSuspending
import org.sluice.coroutines.neighbourAllToAllBlocksSuspending
import org.sluice.coroutines.neighbourAllToAllSuspending
import org.sluice.coroutines.probeSuspending
import org.sluice.coroutines.receive
import org.sluice.coroutines.receiveInPlace
import org.sluice.coroutines.reduceScatterBlockSuspending
import org.sluice.coroutines.reduceScatterSuspending
import org.sluice.coroutines.reduceSuspending
import org.sluice.coroutines.scanSuspending
import org.sluice.coroutines.scatterBlocksSuspending
import org.sluice.coroutines.scatterSuspending
import org.sluice.coroutines.sendRecvReplaceSuspending
import org.sluice.coroutines.sendRecvSuspending
import org.sluice.coroutines.sendSuspending
import org.sluice.coroutines.ssendSuspending
import org.sluice.coroutines.take
import org.sluice.device.Device.ANY_SOURCE
import org.sluice.device.Device.ANY_TAG
import org.sluice.device.ErrorCode
import org.sluice.device.SluiceException
import org.sluice.hybrid.device.CommunicatorJob.Place
import org.sluice.mpi.Communicator
import org.sluice.mpi.Data
import org.sluice.mpi.Layout
import org.sluice.mpi.MessageSpace.PROC_NULL
import org.sluice.mpi.Reduction
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.random.Random

/** Messages and collectives of communicators that suspend, over threads and shared memory. */
internal class CommunicatorCoroutinesTest {
    private val large = 300_000

    private fun job(size: Int, place: Place, body: suspend (Communicator) -> Unit) =
        job(size, place, EmptyCoroutineContext, body)

    private fun job(size: Int, place: Place, context: CoroutineContext, body: suspend (Communicator) -> Unit) =
        CommunicatorJob(size, place).use { job -> job.run { world -> runBlocking(context) { body(world) } } }

    @ParameterizedTest
    @EnumSource(value = Place::class, names = ["THREADS", "SHM"])
    fun messagesOfAllKinds(place: Place) = job(3, place) { all ->
        // Ranks turned around, so that it shows whose they are.
        val world = all.split(0, -all.rank())
        val next = (world.rank() + 1) % 3
        val before = (world.rank() + 2) % 3
        for (bytes in listOf(8, large)) {
            val out = ByteArray(bytes) { (it + world.rank()).toByte() }
            val expected = ByteArray(bytes) { (it + before).toByte() }
            val (got, status) = world.sendRecvSuspending(out, next, 1, ByteArray(bytes), ANY_SOURCE, 1)
            assertEquals(before, status.source())
            assertArrayEquals(expected, got)
            val kept = out.clone()
            assertEquals(before, world.sendRecvReplaceSuspending(kept, next, 2, before, ANY_TAG).status.source())
            assertArrayEquals(expected, kept)
            receivesOfAllKinds(world, next, before, out, expected)
        }
        world.sendSuspending(ByteArray(1), PROC_NULL, 1)
        assertEquals(PROC_NULL, world.receive(ByteArray(1), PROC_NULL, 1).status.source())
        world.free()
    }

    private suspend fun receivesOfAllKinds(
        world: Communicator,
        next: Int,
        before: Int,
        out: ByteArray,
        expected: ByteArray,
    ) = coroutineScope {
        val sends = listOf(3, 4, 5, 6, 6, 7, 7, 8).map { tag ->
            async(start = CoroutineStart.UNDISPATCHED) {
                if (tag == 3) world.ssendSuspending(out, next, tag) else world.sendSuspending(out, next, tag)
            }
        }
        assertEquals(expected.size.toLong(), world.probeSuspending(before, 3).bytes())
        assertArrayEquals(expected, world.receive(ByteArray(expected.size), before, 3).buffer)
        val message = world.take(ANY_SOURCE, 4)
        assertEquals(before, message.status().source())
        val received = message.receive(ByteArray(expected.size))
        assertEquals(before, received.status.source())
        assertArrayEquals(expected, received.buffer)
        world.receiveInPlace(before, 5).use {
            assertEquals(expected.size.toLong(), it.status().bytes())
            assertEquals(before, it.status().source())
        }
        val flow = world.messages(before, 6) { ByteArray(it.bytes().toInt()) }.take(2).toList()
        flow.forEach { assertArrayEquals(expected, it.buffer) }
        val lengths = world.leases(before, 7).map { it.status().bytes() }.take(2).toList()
        assertEquals(List(2) { expected.size.toLong() }, lengths)
        assertArrayEquals(expected, world.receive(ByteArray(expected.size), before, 8).buffer)
        sends.awaitAll()
    }

    @ParameterizedTest
    @EnumSource(value = Place::class, names = ["THREADS", "SHM"])
    fun collectivesOfAllKinds(place: Place) = job(4, place) { world ->
        val n = world.size()
        val me = world.rank()
        repeat(3) { round ->
            val root = round % n
            world.barrierSuspending()
            val shared = if (me == root) intArrayOf(7, round) else IntArray(2)
            world.broadcastSuspending(shared, root)
            assertArrayEquals(intArrayOf(7, round), shared)
            val ranks = IntArray(n) { it }
            val all = IntArray(n)
            world.allGatherSuspending(intArrayOf(me), all)
            assertArrayEquals(ranks, all)
            val atRoot = IntArray(n)
            world.gatherSuspending(intArrayOf(me), atRoot, root)
            assertArrayEquals(if (me == root) ranks else IntArray(n), atRoot)
            val one = IntArray(1)
            world.scatterSuspending(ranks, one, root)
            assertEquals(me, one[0])
            world.allToAllSuspending(IntArray(n) { 10 * me + it }, all)
            assertArrayEquals(IntArray(n) { 10 * it + me }, all)
            blocks(world, root)
            reductions(world, root)
        }
    }

    /** A line: who is at an end has a neighbour on one side alone, and ranks have as many items as their number. */
    @ParameterizedTest
    @EnumSource(value = Place::class, names = ["THREADS", "SHM"])
    fun collectivesAmongNeighbours(place: Place) = job(4, place) { world ->
        val me = world.rank()
        val line = world.createCartesian(intArrayOf(4), booleanArrayOf(false), false)
        val left = me - 1
        val right = if (me == 3) -1 else me + 1
        val both = intArrayOf(-1, -1)
        line.neighbourAllGatherSuspending(intArrayOf(me), both)
        assertArrayEquals(intArrayOf(left, right), both)
        line.neighbourAllToAllSuspending(intArrayOf(10 + me, 20 + me), both)
        assertArrayEquals(intArrayOf(if (me == 0) -1 else 20 + left, if (me == 3) -1 else 10 + right), both)
        val counts = intArrayOf(left.coerceAtLeast(0), right.coerceAtLeast(0))
        val places = intArrayOf(0, counts[0])
        val expected = IntArray(counts.sum()) { if (it < counts[0]) left else right }
        val blocks = IntArray(expected.size)
        line.neighbourAllGatherBlocksSuspending(IntArray(me) { me }, Data.blocks(blocks, counts, places))
        assertArrayEquals(expected, blocks)
        blocks.fill(-1)
        line.neighbourAllToAllBlocksSuspending(
            Data.blocks(IntArray(2 * me) { me }, intArrayOf(me, me), intArrayOf(0, me)),
            Data.blocks(blocks, counts, places),
        )
        assertArrayEquals(expected, blocks)
        line.free()
    }

    private suspend fun blocks(world: Communicator, root: Int) {
        val n = world.size()
        val me = world.rank()
        val counts = IntArray(n) { it }
        val places = IntArray(n) { it * (it - 1) / 2 }
        val own = IntArray(me) { me }
        val whole = IntArray(n * (n - 1) / 2) { at -> places.indexOfLast { it <= at } }
        val got = IntArray(whole.size)
        world.allGatherBlocksSuspending(own, Data.blocks(got, counts, places))
        assertArrayEquals(whole, got)
        val atRoot = IntArray(whole.size)
        world.gatherBlocksSuspending(own, Data.blocks(atRoot, counts, places), root)
        assertArrayEquals(if (me == root) whole else IntArray(whole.size), atRoot)
        val part = IntArray(me)
        world.scatterBlocksSuspending(Data.blocks(whole, counts, places), part, root)
        assertArrayEquals(own, part)
        val ones = IntArray(n) { 1 }
        val steps = IntArray(n) { it }
        val column = IntArray(n)
        world.allToAllBlocksSuspending(
            Data.blocks(IntArray(n) { 10 * me + it }, ones, steps),
            Data.blocks(column, ones, steps),
        )
        assertArrayEquals(IntArray(n) { 10 * it + me }, column)
    }

    private suspend fun reductions(world: Communicator, root: Int) {
        val n = world.size()
        val me = world.rank()
        val sum = n * (n - 1) / 2
        val one = IntArray(1)
        world.allReduceSuspending(intArrayOf(me), one, Reduction.SUM)
        assertEquals(sum, one[0])
        one[0] = -1
        world.reduceSuspending(intArrayOf(me), one, Reduction.SUM, root)
        assertEquals(if (me == root) sum else -1, one[0])
        world.reduceScatterBlockSuspending(IntArray(n) { it }, one, Reduction.SUM)
        assertEquals(n * me, one[0])
        val counts = IntArray(n) { if (it == 0) n else 0 }
        val block = IntArray(counts[me])
        world.reduceScatterSuspending(IntArray(n) { 1 }, block, counts, Reduction.SUM)
        assertTrue(block.all { it == n })
        world.scanSuspending(intArrayOf(me), one, Reduction.SUM)
        assertEquals(me * (me + 1) / 2, one[0])
        one[0] = -1
        world.exclusiveScanSuspending(intArrayOf(me), one, Reduction.SUM)
        assertEquals(if (me == 0) -1 else me * (me - 1) / 2, one[0])
    }

    /** More than a communicator has places for, begun in the same order on all ranks, on few threads. */
    private fun manyInFlight(place: Place, dispatcher: CoroutineDispatcher?) =
        job(2, place, dispatcher ?: EmptyCoroutineContext) { world ->
            val spaces = List(6) { world.duplicate() }
            coroutineScope {
                spaces.forEachIndexed { number, space ->
                    launch {
                        val results = List(100) { LongArray(3) }
                        results.mapIndexed { turn, result ->
                            launch(start = CoroutineStart.UNDISPATCHED) {
                                val own = LongArray(3) { 1000L * turn + 10 * number + world.rank() }
                                space.allReduceSuspending(own, result, Reduction.SUM)
                            }
                        }.joinAll()
                        results.forEachIndexed { turn, result ->
                            assertArrayEquals(LongArray(3) { 2000L * turn + 20 * number + 1 }, result)
                        }
                    }
                }
            }
            spaces.forEach { it.free() }
        }

    @ParameterizedTest
    @EnumSource(value = Place::class, names = ["THREADS", "SHM"])
    fun hundredsInFlightInOneThread(place: Place) = manyInFlight(place, null)

    @ParameterizedTest
    @EnumSource(value = Place::class, names = ["THREADS", "SHM"])
    fun hundredsInFlightOnTheDefaultDispatcher(place: Place) = manyInFlight(place, Dispatchers.Default)

    @Test
    fun hundredsInFlightUndispatched() = manyInFlight(Place.THREADS, Dispatchers.Unconfined)

    /** The others count on this rank: its part is done, and its buffer is in use until then. */
    @ParameterizedTest
    @EnumSource(value = Place::class, names = ["THREADS", "SHM"])
    fun aCancelledCollectiveGoesOnToItsEnd(place: Place) {
        val isCancelled = AtomicBoolean()
        job(2, place) { world ->
            if (world.rank() == 1) {
                world.receive(ByteArray(1), 0, 1)
                assertTrue(isCancelled.get())
                val sum = IntArray(large)
                world.allReduceSuspending(IntArray(large) { it }, sum, Reduction.SUM)
                assertArrayEquals(IntArray(large) { 2 * it }, sum)
            } else {
                val sum = IntArray(large)
                val told = AtomicInteger()
                coroutineScope {
                    val call = launch(start = CoroutineStart.UNDISPATCHED) {
                        world.allReduceSuspending(IntArray(large) { it }, sum, Reduction.SUM) {
                            told.incrementAndGet()
                        }
                        fail("it has to throw")
                    }
                    call.cancel()
                    isCancelled.set(true)
                    delay(30)
                    assertFalse(call.isCompleted, "its buffer is in use")
                    assertEquals(0, told.get())
                    world.sendSuspending(ByteArray(1), 1, 1)
                    call.join()
                    assertTrue(call.isCancelled)
                }
                assertEquals(1, told.get())
                assertArrayEquals(IntArray(large) { 2 * it }, sum)
            }
            neverBegun(world)
        }
    }

    /** Who is cancelled before the call has not taken part, and the next one is the others' first. */
    private suspend fun neverBegun(world: Communicator) {
        if (world.rank() == 0) {
            coroutineScope {
                launch(start = CoroutineStart.UNDISPATCHED) {
                    coroutineContext.cancel()
                    world.barrierSuspending { fail("it was not begun") }
                }.join()
            }
        }
        val all = IntArray(2)
        world.allGatherSuspending(intArrayOf(world.rank()), all)
        assertArrayEquals(intArrayOf(0, 1), all)
    }

    @Test
    fun aCollectiveWhoseRanksDontComeIsEndedByRevoke() = job(2, Place.THREADS) { world ->
        val space = world.duplicate()
        if (world.rank() == 0) {
            coroutineScope {
                val call = async(start = CoroutineStart.UNDISPATCHED) { runCatching { space.barrierSuspending() } }
                space.revoke()
                val thrown = call.await().exceptionOrNull()
                assertEquals(ErrorCode.REVOKED, (thrown as SluiceException).code())
            }
        }
        world.barrierSuspending()
    }

    @Test
    fun cancelledMessagesAreLostNowhere() = job(2, Place.SHM) { world ->
        val strided = Data.of(IntArray(8), 0, 1, Layout.INT.vector(4, 1, 2))
        if (world.rank() == 0) {
            for (buffer in listOf(IntArray(4), strided)) {
                assertNull(withTimeoutOrNull(20) { world.receive(buffer, 1, 1) })
                assertNull(withTimeoutOrNull(20) { world.probeSuspending(1, 1) })
                assertNull(withTimeoutOrNull(20) { world.take(1, 1) })
                assertNull(withTimeoutOrNull(20) { world.ssendSuspending(buffer, 1, 5) })
                assertNull(withTimeoutOrNull(20) { world.sendRecvSuspending(buffer, 1, 5, buffer, 1, 1) })
            }
            world.barrierSuspending()
            takesTurns(world)
        } else {
            world.barrierSuspending()
            for (i in 0 until 2000) world.sendSuspending(intArrayOf(i), 0, 1)
        }
        world.barrierSuspending()
    }

    /** Every number comes once, although the receives are cancelled at random moments. */
    private suspend fun takesTurns(world: Communicator) {
        val seed = System.nanoTime()
        println("CommunicatorCoroutinesTest: seed $seed")
        val random = Random(seed)
        val got = ConcurrentLinkedQueue<Int>()
        while (got.size < 2000) {
            val buffer = IntArray(1)
            coroutineScope {
                val call = launch(Dispatchers.Default) {
                    val received = world.receive(buffer, 1, 1) { got.add(it.buffer[0]) }
                    got.add(received.buffer[0])
                }
                repeat(random.nextInt(200)) { Thread.onSpinWait() }
                if (random.nextBoolean()) call.cancel()
            }
        }
        assertEquals((0 until 2000).toList(), got.toList())
        assertNull(world.iprobe(1, 1))
    }

    @Test
    fun mistakesAreThrown() = job(1, Place.THREADS) { world ->
        for (wrong in listOf<suspend () -> Unit>(
            { world.sendSuspending(IntArray(1), 1, 1) },
            { world.sendSuspending(IntArray(1), 0, -1) },
            { world.receive(IntArray(1), 7, 1) },
            { world.take(PROC_NULL, 1) },
            { world.broadcastSuspending(IntArray(1), 1) },
            { world.allReduceSuspending(IntArray(1), IntArray(2), Reduction.SUM) },
        )) {
            assertThrows(IllegalArgumentException::class.java) { runBlocking { wrong() } }
        }
    }
}
