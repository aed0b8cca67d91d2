package org.sluice.coroutines

import jdk.jfr.consumer.RecordedEvent
import jdk.jfr.consumer.RecordingStream
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.runBlocking
import org.sluice.device.Device
import org.sluice.device.SluiceException
import org.sluice.hybrid.process.Say
import java.util.concurrent.CountDownLatch

/** Longer than the threshold of the events. */
private const val SLOW_MS = 50L

/** Longer than it takes until a rank looks at its peers once more. */
private const val LOOKED_MS = 700L

/**
 * Program of `FlightRecorderProcessTest`: rank 1 prints what its own recording has of requests that no thread waits
 * for.
 */
fun main() {
    Device.open().use { device ->
        if (device.rank() == 0) {
            Say.awaitTest("send")
            for (tag in 1..4) {
                device.send(ByteArray(8), 1, tag)
            }
            device.recv(ByteArray(16), 1, 5)
            Say.awaitTest("end")
        } else {
            runBlocking(Dispatchers.Default) { record(device) }
        }
    }
}

private suspend fun CoroutineScope.record(device: Device) {
    val before = async(start = CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(8), 0, 1) }
    val futureBefore = device.irecv(ByteArray(8), 0, 2).toFuture()
    RecordingStream().use { stream ->
        val noticed = CountDownLatch(1)
        stream.enable("org.sluice.Connect")
        stream.enable("org.sluice.SlowRequest")
        stream.onEvent("org.sluice.Connect") { noticed.countDown() }
        stream.onEvent("org.sluice.SlowRequest", ::tell)
        // The recorder is there, and the rank may look for it, before anything is to be recorded.
        Thread.sleep(LOOKED_MS)
        stream.startAsync()
        noticed.await()
        val receive = async(start = CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(8), 0, 3) }
        val future = device.irecv(ByteArray(8), 0, 4).toFuture()
        val send = async(start = CoroutineStart.UNDISPATCHED) { device.ssendSuspending(ByteArray(16), 0, 5) }
        val cancelled = async(start = CoroutineStart.UNDISPATCHED) { device.receive(ByteArray(8), 0, 6) }
        val closed = async(start = CoroutineStart.UNDISPATCHED) { untilClosed(device) }
        Thread.sleep(SLOW_MS)
        Say.line("begun")
        awaitAll(before, receive, send)
        futureBefore.join()
        future.join()
        cancelled.cancelAndJoin()
        device.close()
        closed.await()
        Say.awaitTest("end")
    }
}

private suspend fun untilClosed(device: Device) {
    try {
        device.receive(ByteArray(8), 0, 7)
    } catch (e: SluiceException) {
        Say.line("closed ${e.code()}")
    }
}

private fun tell(event: RecordedEvent) {
    val words = listOf("waiter", "request", "peer", "tag", "bytes", "outcome").joinToString(" ") {
        event.getValue<Any>(it).toString()
    }
    Say.line("slow $words" + if (event.duration.toMillis() >= SLOW_MS - 1) "" else " but ${event.duration}")
}
