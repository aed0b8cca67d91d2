package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** Threads are really bound, by a thread that nobody misses, and a refusal is told. */
@Timeout(60)
final class PinningTest {
    private static long[] mask() {
        long[] mask = new long[OsCalls.MASK_WORDS];
        assertTrue(Os.calls().schedGetaffinity(0, mask) >= 0);
        return mask;
    }

    @Test
    void eachProcessorIsTriedAndTheCallerStaysFree() {
        assumeTrue(Os.available(), Os.unavailableReason());
        long[] before = mask();
        FailingOs counting = FailingOs.failing(Os.calls(), "schedSetaffinity", 1000, Errno.EPERM);
        Finding finding = new Pinning(counting).examine();
        assertEquals(Finding.ok("processors", "ranks may be pinned, one to each (tried)"), finding);
        // Not availableProcessors, which is fewer where a container has a quota of processor time.
        assertEquals(BitSet.valueOf(before).cardinality(), counting.callCount());
        assertArrayEquals(before, mask());
    }

    @Test
    void aRefusalIsTold() {
        assumeTrue(Os.available(), Os.unavailableReason());
        Finding finding = new Pinning(FailingOs.failing(Os.calls(), "schedSetaffinity", 1, Errno.EPERM)).examine();
        assertEquals(Finding.Level.SLOWER, finding.level());
        assertTrue(
                finding.text()
                        .matches("ranks can't be pinned: processor \\d+: sched_setaffinity: EPERM, .*\\(tried\\)"),
                finding.text());
        assertTrue(finding.advice().contains("--no-pin"), finding.advice());
    }

    @Test
    void aKernelWithoutTheCallIsTold() {
        Finding finding = new Pinning(Os.none()).examine();
        assertEquals(Finding.Level.SLOWER, finding.level());
        assertTrue(finding.text().startsWith("ranks can't be pinned: sched_getaffinity: ENOSYS"), finding.text());
    }

    /** As sandboxes do that only pretend. */
    @Test
    void aCallThatChangesNothingIsTold() {
        assumeTrue(Os.available(), Os.unavailableReason());
        assumeTrue(BitSet.valueOf(mask()).cardinality() > 1, "all processors are one");
        OsCalls pretending = (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(), new Class<?>[] {OsCalls.class}, (proxy, method, args) -> {
                    try {
                        return method.getName().equals("schedSetaffinity") ? 0 : method.invoke(Os.calls(), args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Finding finding = new Pinning(pretending).examine();
        assertTrue(
                finding.text().endsWith("sched_setaffinity was accepted and changed nothing (tried)"), finding.text());
    }
}
