package example.hello

import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking
import org.sluice.coroutines.receive
import org.sluice.coroutines.sendSuspending
import org.sluice.device.Device
import org.sluice.device.Device.ANY_SOURCE

/** The example of docs/reference/coroutines.md; a test compares the two and runs this as two ranks. */
fun main() = runBlocking {
    // page begin
    Device.open().use { device ->
        coroutineScope {
            if (device.rank() == 0) {
                val sum = async { device.receive(DoubleArray(1), source = 1, tag = 8) }
                device.sendSuspending(doubleArrayOf(1.0, 2.0, 3.0), dest = 1, tag = 7)
                check(sum.await().buffer[0] == 6.0)
            } else {
                val (data, status) = device.receive(DoubleArray(3), source = ANY_SOURCE, tag = 7)
                println("${status.count()} doubles from rank ${status.source()}")
                device.sendSuspending(doubleArrayOf(data.sum()), dest = status.source(), tag = 8)
            }
        }
    }
    // page end
}
