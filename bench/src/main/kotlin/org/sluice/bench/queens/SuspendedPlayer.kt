package org.sluice.bench.queens

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.sluice.coroutines.receive
import org.sluice.coroutines.sendSuspending
import org.sluice.device.Device

/**
 * The same by coroutines: one receives tasks and puts them on the stack, one works, and each send is one of its own,
 * which rarely suspends. Credit and the end come to coroutines of theirs.
 *
 * *Thread*: the rank's; what receives goes on on the device's. *Lends*: the device from the caller.
 */
internal class SuspendedPlayer(private val device: Device) : Player {
    private companion object {
        const val TASK = 1
        const val CREDIT = 2
        const val DONE = 3
    }

    private val tasks = TaskStack()
    private lateinit var problem: QueensProblem

    override fun begin(problem: QueensProblem) {
        this.problem = problem
    }

    override fun play(): RankShare = runBlocking {
        val solution = Solution(CoroutineScope(coroutineContext + Dispatchers.Unconfined))
        solution.play()
    }

    override fun close() = Unit

    private inner class Solution(private val scope: CoroutineScope) {
        private val worker =
            Worker(problem, device.rank(), device.size(), tasks) { rank, task ->
                val message = task.longs.copyOf()
                start { device.sendSuspending(message, rank, TASK) }
            }

        /** Something has changed that whoever waits should look at. */
        private val changed = Channel<Unit>(Channel.CONFLATED)

        @Volatile
        private var isDone = false
        private var credit = 0L

        private fun start(body: suspend CoroutineScope.() -> Unit) =
            scope.launch(start = CoroutineStart.UNDISPATCHED, block = body)

        suspend fun play(): RankShare {
            val begin = System.nanoTime()
            val receivers = listOf(
                start { takeTasks() },
                start {
                    if (device.rank() ==
                        0
                    ) {
                        takeCredit()
                    } else {
                        awaitEnd()
                    }
                },
            )
            val task = Task()
            var idleNs = 0L
            if (device.rank() == 0) {
                task.begin(problem.queens())
                tasks.push(task)
            }
            while (!isDone) {
                if (tasks.pop(task)) {
                    worker.run(task)
                } else {
                    giveBack()
                    val before = System.nanoTime()
                    if (!isDone) {
                        changed.receive()
                    }
                    idleNs += System.nanoTime() - before
                }
            }
            val wholeNs = System.nanoTime() - begin
            if (device.rank() == 0) {
                for (rank in 1 until device.size()) device.sendSuspending(null, rank, DONE)
            }
            receivers.forEach { it.cancelAndJoin() }
            return worker.share(idleNs, wholeNs)
        }

        private suspend fun takeTasks() {
            val task = Task()
            while (true) {
                device.receive(task.longs, Device.ANY_SOURCE, TASK)
                if (problem.verify()) {
                    task.check(problem.queens())
                }
                tasks.push(task)
                changed.trySend(Unit)
            }
        }

        private suspend fun takeCredit() {
            val returned = LongArray(1)
            while (true) {
                device.receive(returned, Device.ANY_SOURCE, CREDIT)
                add(returned[0])
            }
        }

        private suspend fun awaitEnd() {
            device.receive(null, 0, DONE)
            isDone = true
            changed.trySend(Unit)
        }

        private suspend fun giveBack() {
            val taken = worker.takeCredit()
            if (taken > 0) {
                if (device.rank() == 0) add(taken) else device.sendSuspending(longArrayOf(taken), 0, CREDIT)
            }
        }

        @Synchronized
        private fun add(more: Long) {
            credit += more
            if (credit == Task.ALL_CREDIT) {
                isDone = true
                changed.trySend(Unit)
            }
        }
    }
}
