package org.sluice.coroutines

import kotlinx.coroutines.async
import kotlinx.coroutines.future.asDeferred
import kotlinx.coroutines.runBlocking
import org.sluice.device.Device
import org.sluice.hybrid.process.Say

/**
 * Program of `DumpProcessTest`: rank 1 waits for what rank 0 sends only when the test says so, in a coroutine and by a
 * future, and no thread of it is in a call.
 */
fun main() {
    Device.open().use { device ->
        if (device.rank() == 0) {
            Say.awaitTest("send")
            device.send(ByteArray(8), 1, 7)
            device.send(ByteArray(8), 1, 8)
        } else {
            val future = device.irecv(ByteArray(8), 0, 8).toFuture()
            runBlocking {
                val (_, status) = async { device.receive(ByteArray(8), 0, 7) }.also { Say.line("waiting") }.await()
                Say.check(status.bytes() == 8L && future.asDeferred().await().tag() == 8, "$status")
            }
        }
        Say.line("done")
    }
}
