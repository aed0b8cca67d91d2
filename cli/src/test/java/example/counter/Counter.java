package example.counter;

import java.util.concurrent.atomic.AtomicInteger;

/** A program with static state, in a package of its own: what is Sluice's is loaded once for all ranks. */
public final class Counter {
    private static final AtomicInteger CALLS = new AtomicInteger();

    private Counter() {}

    public static void main(String[] args) {
        System.out.println("call " + CALLS.incrementAndGet());
    }
}
