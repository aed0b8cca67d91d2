package example.kotlin;

import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;

/** A program's static state, told by a coroutine as Kotlin compiles one. */
public final class KotlinCounter {
    private static int started;

    private KotlinCounter() {}

    public static int next() throws InterruptedException {
        return BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, continuation) -> started++);
    }
}
