import kotlinx.coroutines.runBlocking
import org.sluice.coroutines.receive
import org.sluice.coroutines.sendSuspending
import org.sluice.device.Device

fun main() = runBlocking {
    Device.open().use { device ->
        if (device.rank() == 0) {
            for (rank in 1 until device.size()) device.sendSuspending(doubleArrayOf(1.0, 2.0, 3.0), rank, tag = 7)
        } else {
            val (_, status) = device.receive(DoubleArray(3), Device.ANY_SOURCE, tag = 7)
            println("${status.count()} doubles from rank ${status.source()}")
        }
    }
}
