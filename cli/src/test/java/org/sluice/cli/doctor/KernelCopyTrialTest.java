package org.sluice.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** What is said where the kernel, or the second JVM, refuses. */
final class KernelCopyTrialTest {
    private static final String WITHOUT = "large direct buffers and arrays have one way less to try: "
            + "they go through shared memory in two overlapping copies, on some machines the faster way anyway";

    /** Answers as given, one after the other; a further read is a fault. */
    private static KernelCopyTrial.Reading answering(long... answers) {
        int[] next = {0};
        return () -> answers[next[0]++];
    }

    /** Its first call, that by which a process lets others in, returns {@code -errno}. */
    private static OsCalls refusing(int errno) {
        return FailingOs.failing(Os.none(), "prctlSetPtracer", 1, errno);
    }

    /** As a kernel with Yama: whoever asks lets others in. Keeps what was asked for last. */
    private static OsCalls withYama(int[] last) {
        return (OsCalls) java.lang.reflect.Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(), new Class<?>[] {OsCalls.class}, (proxy, method, args) -> {
                    assertEquals("prctlSetPtracer", method.getName());
                    last[0] = (Integer) args[0];
                    return 0;
                });
    }

    private static Finding oneWayLess(Finding finding) {
        assertEquals(Finding.Level.INFORMATION, finding.level(), finding.toString());
        assertEquals("kernel-assisted copy", finding.topic());
        assertTrue(finding.advice().endsWith(WITHOUT), finding.advice());
        return finding;
    }

    @Test
    void whatIsAllowedNeedsNobodyLetIn() {
        assertEquals(
                "allowed between processes of this user (tried)",
                new KernelCopyTrial(Os.none(), answering(Long.BYTES)).examine().text());
    }

    @Test
    void yamasRefusalIsToldFromOthersByLettingTheReaderIn() {
        int[] last = {7};
        Finding finding =
                oneWayLess(new KernelCopyTrial(withYama(last), answering(-Errno.EPERM, Long.BYTES)).examine());
        assertTrue(finding.text().startsWith("process_vm_readv: EPERM, operation not permitted"), finding.text());
        assertTrue(finding.text().endsWith("(tried)"), finding.text());
        assertTrue(
                finding.advice().contains("sluice.shm.cma=on")
                        && finding.advice().contains("ptrace_scope"),
                finding.advice());
        assertEquals(0, last[0], "nobody is let in any longer");
    }

    @Test
    void aRefusalThatStaysIsTheContainers() {
        for (OsCalls os : new OsCalls[] {withYama(new int[1]), refusing(Errno.EINVAL)}) {
            long[] answers = {-Errno.EPERM, -Errno.EPERM};
            Finding finding = oneWayLess(new KernelCopyTrial(os, answering(answers)).examine());
            assertTrue(finding.text().contains("EPERM"), finding.text());
            assertTrue(
                    finding.advice().startsWith("a container allows it with --cap-add=SYS_PTRACE"), finding.advice());
        }
    }

    @Test
    void aKernelWithoutTheCallIsNotToldToAllowIt() {
        for (int errno : new int[] {Errno.ENOSYS, Errno.ESRCH, Errno.EFAULT}) {
            Finding finding = oneWayLess(new KernelCopyTrial(withYama(new int[1]), answering(-errno)).examine());
            assertTrue(finding.text().startsWith("process_vm_readv: " + Errno.name(errno)), finding.text());
            assertEquals(WITHOUT, finding.advice());
        }
    }

    @Test
    void aSecondJvmThatFailsIsNoRefusal() {
        Finding dead = oneWayLess(new KernelCopyTrial(Os.none(), () -> {
                    throw new IOException("a second JVM ended with status 1 and no answer");
                })
                .examine());
        assertEquals("could not be tried: a second JVM ended with status 1 and no answer", dead.text());
        assertEquals(
                "could not be tried: For input string: \"?\"",
                oneWayLess(new KernelCopyTrial(Os.none(), () -> Long.parseLong("?")).examine())
                        .text());
    }

    @Test
    void anInterruptIsKept() {
        Finding finding = oneWayLess(new KernelCopyTrial(Os.none(), () -> {
                    throw new InterruptedException();
                })
                .examine());
        assertEquals("could not be tried: interrupted", finding.text());
        assertTrue(Thread.interrupted());
        assertFalse(Thread.interrupted());
    }
}
