package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.TestRank;
import org.sluice.device.counter.Counter;
import org.sluice.device.memory.Memory;
import org.sluice.ib.queue.WorkIds;
import org.sluice.ib.sim.SimulatedVerbs;
import org.sluice.jni.verbs.VerbsCalls;
import org.sluice.jni.verbs.VerbsLayout;

/** Sends are completed by few completions, over a library that is simulated and counts them. */
final class SelectiveSignallingTest {
    private static final int MESSAGES = 1000;

    private final SimulatedVerbs simulated = new SimulatedVerbs();
    private int sendsCompleted;

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        try {
            Object result = method.invoke(simulated, arguments);
            if (method.getName().equals("poll")) {
                for (int i = 0; i < (int) result; i++) {
                    long id = Memory.getLong(
                            (long) arguments[2] + (long) i * VerbsLayout.WC_BYTES + VerbsLayout.WC_WR_ID);
                    sendsCompleted += WorkIds.what(id) == WorkIds.SEND ? 1 : 0;
                }
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void aStreamOfEagerMessagesHasOneCompletionInEight() {
        VerbsCalls counting = (VerbsCalls) Proxy.newProxyInstance(
                VerbsCalls.class.getClassLoader(), new Class<?>[] {VerbsCalls.class}, this::call);
        TestRank[] ranks = {
            VerbsRanks.rank(0, 2, VerbsRanks.options(Map.of()), counting, null),
            VerbsRanks.rank(1, 2, VerbsRanks.options(Map.of()), simulated, null)
        };
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[0], ranks[1]);
        long requests = LandingRanks.sum(ranks[0], Counter.WORK_REQUESTS);
        sendsCompleted = 0;
        for (int i = 0; i < MESSAGES; i++) {
            ranks[0].send(1, i, new byte[8]);
            assertEquals(i, ranks[1].receive().tag());
            ranks[0].drive();
        }
        requests = LandingRanks.sum(ranks[0], Counter.WORK_REQUESTS) - requests;
        assertTrue(requests >= MESSAGES, requests + " work requests");
        assertTrue(
                sendsCompleted > 0 && sendsCompleted <= requests / 8,
                sendsCompleted + " completions of " + requests + " work requests");
        for (TestRank each : ranks) {
            assertEquals(List.of(), each.listener.failures);
            each.channel.close();
        }
    }
}
