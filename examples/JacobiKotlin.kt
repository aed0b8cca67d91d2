import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.sluice.coroutines.allReduceSuspending
import org.sluice.coroutines.gatherBlocksSuspending
import org.sluice.coroutines.sendRecvSuspending
import org.sluice.device.Device
import org.sluice.mpi.Communicator
import org.sluice.mpi.Data
import org.sluice.mpi.MessageSpace.PROC_NULL
import org.sluice.mpi.Reduction
import java.util.Locale
import kotlin.math.sqrt

const val SIZE = 64 // inner rows and columns of the plate
const val WIDTH = SIZE + 2 // with the plate's edges
const val HOT = 100.0
const val TOLERANCE = 0.01
const val UP = 1
const val DOWN = 2

/** The temperature of a plate whose upper edge is hot, by Jacobi's iteration; each rank has a band of its rows. */
fun main() = runBlocking {
    Device.open().use { device ->
        val world = Communicator.world(device)
        val first = IntArray(world.size() + 1) { rank -> SIZE * rank / world.size() }
        val mine = first[world.rank() + 1] - first[world.rank()]
        var plate = DoubleArray((mine + 2) * WIDTH) // with the neighbours' rows above and below
        if (world.rank() == 0) plate.fill(HOT, 0, WIDTH)
        var next = plate.clone()
        val norm = DoubleArray(1)
        var steps = 0
        do {
            norm[0] = step(world, plate, next, mine)
            world.allReduceSuspending(Data.IN_PLACE, norm, Reduction.SUM)
            plate = next.also { next = plate }
            steps++
        } while (sqrt(norm[0]) > TOLERANCE)
        report(world, plate, first, steps)
    }
}

/** The rows inside of the band are computed while the neighbours' are on their way. */
suspend fun step(world: Communicator, plate: DoubleArray, next: DoubleArray, mine: Int): Double {
    var sum = 0.0
    coroutineScope {
        launch { exchange(world, plate, mine) }
        sum += relax(plate, next, 2..mine - 1)
    }
    return sum + relax(plate, next, setOf(1, mine))
}

/** Each rank's outermost rows go to its neighbours; at the edges there is nobody. */
suspend fun exchange(world: Communicator, plate: DoubleArray, mine: Int) = coroutineScope {
    val above = if (world.rank() == 0) PROC_NULL else world.rank() - 1
    val below = if (world.rank() == world.size() - 1) PROC_NULL else world.rank() + 1
    launch { world.sendRecvSuspending(row(plate, 1), above, UP, row(plate, mine + 1), below, UP) }
    launch { world.sendRecvSuspending(row(plate, mine), below, DOWN, row(plate, 0), above, DOWN) }
}

fun row(plate: DoubleArray, row: Int): Data = Data.of(plate, row.toLong() * WIDTH, WIDTH.toLong())

/** Each cell becomes the mean of its neighbours; what comes back is how much that was, squared and added up. */
fun relax(plate: DoubleArray, next: DoubleArray, rows: Iterable<Int>): Double {
    var sum = 0.0
    for (row in rows) {
        for (at in row * WIDTH + 1..row * WIDTH + SIZE) {
            next[at] = (plate[at - 1] + plate[at + 1] + plate[at - WIDTH] + plate[at + WIDTH]) / 4
            sum += (next[at] - plate[at]) * (next[at] - plate[at])
        }
    }
    return sum
}

/** Rank 0 gets all bands and prints some cells of the column in the middle. */
suspend fun report(world: Communicator, plate: DoubleArray, first: IntArray, steps: Int) {
    val counts = IntArray(world.size()) { rank -> (first[rank + 1] - first[rank]) * WIDTH }
    val places = IntArray(world.size()) { rank -> first[rank] * WIDTH }
    val whole = DoubleArray(if (world.rank() == 0) SIZE * WIDTH else 0)
    val all = if (world.rank() == 0) Data.blocks(whole, counts, places) else null
    world.gatherBlocksSuspending(Data.of(plate, WIDTH.toLong(), counts[world.rank()].toLong()), all, 0)
    if (world.rank() == 0) {
        println("$steps steps")
        for (row in 0 until SIZE step 16) {
            println(String.format(Locale.ROOT, "row %2d: %.6f", row, whole[row * WIDTH + WIDTH / 2]))
        }
    }
}
