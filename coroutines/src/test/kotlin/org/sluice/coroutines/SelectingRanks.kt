package org.sluice.coroutines

import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import org.sluice.device.Device
import org.sluice.device.SluiceException
import org.sluice.hybrid.process.Say

/**
 * Program of `SelectDeathProcessTest`: rank 0 waits for either of the others with one buffer, rank 1 is killed, rank 2
 * sends afterwards.
 */
fun main() {
    Device.open().use { device ->
        when (device.rank()) {
            0 -> runBlocking { choose(device) }
            1 -> {
                Say.line("ready")
                device.recv(null, 0, 9)
            }
            else -> {
                device.recv(null, 0, 9)
                device.send(byteArrayOf(9), 0, 1)
            }
        }
    }
}

private suspend fun choose(device: Device) = kotlinx.coroutines.coroutineScope {
    val buffer = byteArrayOf(7)
    val choice = async(start = CoroutineStart.UNDISPATCHED) {
        try {
            device.select<String> {
                receive(buffer, 1, 1) { "a message of 1" }
                receive(buffer, 2, 1) { "a message of 2" }
            }
        } catch (e: SluiceException) {
            "${e.code()} ${e.peer()}"
        }
    }
    Say.line("waiting")
    Say.line("select " + choice.await())
    Say.check("0 posted" in device.toString(), "$device")
    device.send(null, 2, 9)
    val (after, _) = device.receive(ByteArray(1), 2, 1)
    Say.check(buffer[0] == 7.toByte() && after[0] == 9.toByte(), "the buffers have ${buffer[0]} and ${after[0]}")
    device.acknowledge(1)
}
