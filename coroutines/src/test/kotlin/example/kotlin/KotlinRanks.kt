package example.kotlin

import org.sluice.device.Device

/** A Kotlin program of two ranks, as a user would write it: one asks, one answers. */
fun main() {
    Device.open().use { device ->
        val data = doubleArrayOf(1.0, 2.0, 3.0)
        if (device.rank() == 0) {
            device.send(data, 1, 7)
            val answer = DoubleArray(1)
            device.recv(answer, 1, 8)
            println("sum ${answer[0]}")
        } else {
            val status = device.recv(data, Device.ANY_SOURCE, 7)
            device.send(doubleArrayOf(data.take(status.count().toInt()).sum()), status.source(), 8)
        }
    }
}
