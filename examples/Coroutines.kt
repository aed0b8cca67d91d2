import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.takeWhile
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.sluice.coroutines.messages
import org.sluice.coroutines.receive
import org.sluice.coroutines.sendSuspending
import org.sluice.device.Device
import org.sluice.device.Device.ANY_SOURCE

const val QUESTION = 1
const val NEVER_SENT = 2
const val FIRST_ANSWER = 100

fun main() = runBlocking {
    Device.open().use { device ->
        if (device.rank() == 0) ask(device) else answer(device)
    }
}

/** A thousand coroutines, on one thread, each of which asks a rank for the square of its number. */
suspend fun ask(device: Device) = coroutineScope {
    val others = device.size() - 1
    check(others > 0) { "start at least two ranks" }
    val answers = (0 until 1000).map { i ->
        async {
            val tag = FIRST_ANSWER + i
            device.sendSuspending(longArrayOf(i.toLong(), tag.toLong()), 1 + i % others, QUESTION)
            device.receive(LongArray(1), 1 + i % others, tag).buffer[0]
        }
    }
    println("the squares add up to ${answers.awaitAll().sum()}")

    val late = withTimeoutOrNull(100) { device.receive(LongArray(1), ANY_SOURCE, NEVER_SENT) }
    println(if (late == null) "nothing came within 100 ms" else "that was not expected")

    for (rank in 1..others) device.sendSuspending(longArrayOf(-1, 0), rank, QUESTION)
}

/** Squares what comes, until it is less than 0. */
suspend fun answer(device: Device) {
    device.messages(0, QUESTION) { LongArray(2) }
        .takeWhile { question -> question.buffer[0] >= 0 }
        .collect { question ->
            val (number, tag) = question.buffer
            device.sendSuspending(longArrayOf(number * number), 0, tag.toInt())
        }
}
