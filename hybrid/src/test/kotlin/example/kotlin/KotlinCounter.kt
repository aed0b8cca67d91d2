package example.kotlin

import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/** A program's static state as Kotlin has it. */
object KotlinCounter {
    private var started = 0

    @JvmStatic
    fun next(): Int = runBlocking {
        yield()
        started++
    }
}
