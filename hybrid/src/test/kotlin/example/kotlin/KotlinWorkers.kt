package example.kotlin

import java.util.function.Supplier
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Has something done by a thread that all coroutines of the JVM share. */
object KotlinWorkers {
    @JvmStatic
    fun onDefault(call: Supplier<String>): String = runBlocking {
        withContext(Dispatchers.Default) { call.get() }
    }
}
