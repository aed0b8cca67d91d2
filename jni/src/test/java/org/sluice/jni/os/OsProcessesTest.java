package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.sluice.jni.ChildJvm;
import org.sluice.jni.Errno;

final class OsProcessesTest {

    private static final int SIGKILL = 9;
    private static final long DEADLINE_NANOS = 60_000_000_000L;

    private final OsCalls os = Os.calls();

    private int pidfdOrSkip(int pid) {
        int pidfd = os.pidfdOpen(pid);
        Assumptions.assumeFalse(pidfd == -Errno.ENOSYS || pidfd == -Errno.EPERM, Errno.describe("pidfdOpen", pidfd));
        assertTrue(pidfd >= 0, Errno.describe("pidfdOpen", pidfd));
        return pidfd;
    }

    private void awaitExit(int pidfd) throws InterruptedException {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (os.pidfdHasExited(pidfd) == 0 && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        assertEquals(1, os.pidfdHasExited(pidfd));
    }

    @Test
    void aPidfdSeesTheEndOfAProcess() throws Exception {
        try (ChildJvm child = ChildJvm.start(PatternProcess.class)) {
            child.readLine();
            int pidfd = pidfdOrSkip(child.pid());
            assertEquals(0, os.pidfdHasExited(pidfd));
            child.kill();
            awaitExit(pidfd);
            child.waitFor();
            assertEquals(-Errno.ESRCH, os.pidfdOpen(child.pid()));
            assertEquals(0, os.close(pidfd));
            assertEquals(-Errno.EBADF, os.pidfdHasExited(pidfd));
        }
    }

    @Test
    void aChildDiesWithItsParent() throws Exception {
        String command = String.join(" ", ChildJvm.command(DiesWithParentProcess.class)) + " & wait";
        Process shell = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = shell.inputReader()) {
            int pidfd = pidfdOrSkip(Integer.parseInt(lines.readLine()));
            assertEquals(0, os.pidfdHasExited(pidfd));
            shell.destroyForcibly();
            awaitExit(pidfd);
            assertEquals(0, os.close(pidfd));
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void ptracerNeedsYama() {
        boolean yama = Files.exists(Path.of("/proc/sys/kernel/yama/ptrace_scope"));
        assertEquals(yama ? 0 : -Errno.EINVAL, os.prctlSetPtracer(OsCalls.PTRACER_ANY));
        assertEquals(yama ? 0 : -Errno.EINVAL, os.prctlSetPtracer(0));
        assertEquals(-Errno.EINVAL, os.prctlSetPtracer(-2));
    }

    @Test
    void identitiesAreThoseOfProc() throws Exception {
        assertEquals(ProcessHandle.current().pid(), os.getpid());
        assertEquals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"), (int) os.geteuid());
        assertTrue(Files.exists(Path.of("/proc/self/task/" + os.gettid())), "no task " + os.gettid());
        assertTrue(os.getuid() >= 0 && os.getuid() < 1L << 32, "uid " + os.getuid());
    }

    @Test
    void refusesNumbersThatNameNothing() {
        assertEquals(-Errno.EINVAL, os.pidfdOpen(0));
        assertEquals(-Errno.EINVAL, os.pidfdOpen(-1));
        assertEquals(-Errno.EBADF, os.pidfdHasExited(-1));
        assertEquals(-Errno.EINVAL, os.setPdeathsig(1000));
        assertEquals(-Errno.EINVAL, os.setPdeathsig(-SIGKILL));
        assertEquals(0, os.setPdeathsig(0));
    }
}
