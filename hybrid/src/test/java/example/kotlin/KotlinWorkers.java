package example.kotlin;

import java.util.function.Supplier;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.Dispatchers;

/** Has something done by a thread that all coroutines of the JVM share. */
public final class KotlinWorkers {
    private KotlinWorkers() {}

    public static String onDefault(Supplier<String> call) throws InterruptedException {
        return BuildersKt.runBlocking(Dispatchers.getDefault(), (scope, continuation) -> call.get());
    }
}
