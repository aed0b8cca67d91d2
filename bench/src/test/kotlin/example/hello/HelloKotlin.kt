package example.hello

import org.sluice.device.Device
import org.sluice.device.Device.ANY_SOURCE

/** The README's example; a test compares the two and runs this as two ranks. */
fun main() {
    // README begin
    Device.open().use { device ->
        val data = doubleArrayOf(1.0, 2.0, 3.0)
        if (device.rank() == 0) {
            device.send(data, 1, 7)
        } else {
            val status = device.recv(data, ANY_SOURCE, 7)
            println("${status.count()} doubles from rank ${status.source()}")
        }
    }
    // README end
}
