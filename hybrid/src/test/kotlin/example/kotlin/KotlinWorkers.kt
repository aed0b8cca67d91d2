package example.kotlin

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import java.util.function.Supplier

/** Has something done by a thread that all coroutines of the JVM share. */
object KotlinWorkers {
    @JvmStatic
    fun onDefault(call: Supplier<String>): String = runBlocking {
        withContext(Dispatchers.Default) { call.get() }
    }
}
