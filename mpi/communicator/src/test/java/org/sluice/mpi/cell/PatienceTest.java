package org.sluice.mpi.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluice.device.Device;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.schedule.Ranks;

/** A layer that counts stands for a node with more ranks than cores, and for one with a core for each. */
final class PatienceTest {
    private static final int LOOKS = 3;
    private static final int WAITS = 40_000;

    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger yields = new AtomicInteger();

    private <T> T counting(Class<T> type, boolean spins) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "spins" -> spins;
                    case "device" -> counting(Device.class, spins);
                    case "progress" -> rounds.incrementAndGet() > 0;
                    case "yieldCore" -> {
                        yields.incrementAndGet();
                        yield null;
                    }
                    default -> throw new AssertionError("not expected: " + method);
                }));
    }

    /** Else what is on its way otherwise would stand still as long as a rank finds what it waits for soon. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shortWaitsMakeProgressToo(boolean spins) {
        Ranks ranks = new Ranks(new int[] {0, 1}, 2);
        Patience patience = new Patience(counting(Layer.class, spins), ranks, 1_000, 1, slot -> true, () -> false);
        for (int wait = 0; wait < WAITS; wait++) {
            patience.begin();
            for (int look = 0; look < LOOKS; look++) {
                patience.lose(1);
            }
        }
        assertEquals(spins ? 0 : LOOKS * WAITS, yields.get());
        assertTrue(rounds.get() >= LOOKS * WAITS / 1_100, rounds + " rounds");
        assertTrue(rounds.get() <= LOOKS * WAITS / 8, rounds + " rounds");
    }
}
