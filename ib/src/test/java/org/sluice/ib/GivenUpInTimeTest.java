package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/**
 * What says how long a silent peer is waited for reaches the adapters of both ends; {@code BadWireRxeTest} in hybrid
 * has them give up.
 */
final class GivenUpInTimeTest {
    private final List<String> told = new CopyOnWriteArrayList<>();

    private VerbsCalls noting(SimulatedVerbs simulated) {
        return (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, (proxy, called, arguments) -> {
                    switch (called.getName()) {
                        case "setAckTimeout" -> told.add("time-out " + arguments[1]);
                        case "connect", "accept" ->
                            told.add(called.getName() + ", repeats "
                                    + ((long[]) arguments[1])[VerbsCalls.CONNECT_RETRY_COUNT]);
                        default -> {}
                    }
                    try {
                        return called.invoke(simulated, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void bothEndsAreToldWhatTheOptionsSay() {
        TestRank[] ranks = VerbsRanks.joined(
                2,
                VerbsRanks.options(Map.of("sluice.ib.ack.timeout", "11", "sluice.ib.retry.count", "3")),
                noting(new SimulatedVerbs()));
        for (String each : List.of("time-out 11", "connect, repeats 3", "accept, repeats 3")) {
            assertEquals(each.startsWith("time-out") ? 2 : 1, Collections.frequency(told, each), each + " of " + told);
        }
        assertEquals(4, told.size(), told.toString());
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }
}
