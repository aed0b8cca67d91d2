package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sluice.hybrid.device.DeviceCases.pattern;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.launch.Job;
import org.sluice.launch.JobServer;

/** A system that no more lets a rank read its peer's arrays, from the middle of a message on. */
@Tag("once")
final class ForbiddenCopyTest {
    private static final int BYTES = 3 << 20;
    /** Messages, from then on: each is asked for anew. */
    private static final int REFUSALS = 4;
    /** Of the second message some pieces are read, then no more. */
    private static final int ALLOWED = BYTES / OsCalls.SECTION_BYTES + 5;

    private final AtomicInteger reads = new AtomicInteger();

    private OsCalls forbidding() {
        OsCalls calls = Os.calls();
        return (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(), new Class<?>[] {OsCalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("readIntoArray") && reads.incrementAndGet() > ALLOWED) {
                        return (long) -Errno.EPERM;
                    }
                    try {
                        return method.invoke(calls, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Device open(int rank, Map<String, String> given) {
        Options options = Options.of(given);
        Job job = Job.find(options, rank);
        try {
            NativeSupport natives = NativeSupport.of(options);
            return new DeviceOpening(
                            job,
                            options,
                            new NativeSupport(natives.available(), forbidding(), natives.registration()),
                            UnaryOperator.identity())
                    .open();
        } catch (RuntimeException e) {
            job.bootstrap().close();
            throw e;
        }
    }

    private Device[] openBoth(JobServer server) throws Exception {
        Map<String, String> given = new HashMap<>(server.options(0, 2));
        given.put(Option.CHANNELS.property(), "shm");
        given.put(Option.SHM_CMA.property(), "on");
        FutureTask<Device> first = new FutureTask<>(() -> open(0, given));
        new Thread(first, "rank-0").start();
        Device second = open(1, given);
        return new Device[] {first.get(), second};
    }

    @Test
    void theRestOfTheMessageIsStreamed() throws Exception {
        int collector = Os.calls().collector();
        assumeTrue(
                collector == OsCalls.COLLECTOR_G1,
                "arrays that this JVM collects are not read on each JDK: collector " + collector);
        try (JobServer server = JobServer.start(2)) {
            Device[] devices = openBoth(server);
            try (Device sender = devices[0];
                    Device receiver = devices[1]) {
                // More messages than two where a collection came between, after which one is streamed anyway.
                for (int i = 0; reads.get() < ALLOWED + REFUSALS; i++) {
                    byte[] message = pattern(i, BYTES);
                    byte[] into = new byte[BYTES];
                    Request received = receiver.irecv(into, 0, i);
                    Request sent = sender.isend(message, 1, i);
                    while (!(received.isDone() & sent.isDone())) {
                        receiver.progress();
                        sender.progress();
                    }
                    assertEquals(BYTES, received.waitFor().bytes());
                    sent.waitFor();
                    assertEquals(-1, Arrays.mismatch(message, into), "message " + i);
                }
                assertEquals(ALLOWED, receiver.counters().get("array.pieces"));
                assertTrue(sender.counters().get("streamed.chunks") > 0, "nothing was streamed");
                receiver.close();
                sender.close();
            }
        }
    }
}
