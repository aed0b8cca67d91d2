package example.hello

import org.sluice.device.Device
import org.sluice.device.Device.ANY_SOURCE

/** Two ranks that greet each other: the least program, for tests that need one. */
fun main() {
    Device.open().use { device ->
        val data = doubleArrayOf(1.0, 2.0, 3.0)
        if (device.rank() == 0) {
            device.send(data, 1, 7)
        } else {
            val status = device.recv(data, ANY_SOURCE, 7)
            println("${status.count()} doubles from rank ${status.source()}")
        }
    }
}
