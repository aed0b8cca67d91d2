package org.sluice.jni.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.jni.Errno;

final class FailingOsTest {

    private static final List<String> CANNOT_FAIL =
            List.of("collector", "getuid", "geteuid", "getpid", "gettid", "lostCount");

    @TempDir
    private Path directory;

    @Test
    void theNthCallFailsAndNoOther() {
        FailingOs os = FailingOs.failing(Os.calls(), 2, Errno.EIO);
        assertEquals(-Errno.EINVAL, os.membarrier(-1));
        assertEquals(-Errno.EIO, os.schedGetcpu());
        assertTrue(os.schedGetcpu() >= 0, "the third call failed too");
        assertEquals(3, os.callCount());
    }

    @Test
    void oneMethodCanBeChosen() {
        FailingOs os = FailingOs.failing(Os.calls(), "pidfdHasExited", 1, Errno.EBADF);
        assertTrue(os.schedGetcpu() >= 0, "another method failed");
        assertEquals(0, os.callCount());
        assertEquals(-Errno.EBADF, os.pidfdHasExited(0));
    }

    @Test
    void everyMethodThatCanFailDoesSo() throws Exception {
        for (Method method : OsCalls.class.getDeclaredMethods()) {
            FailingOs counted = FailingOs.failing(new AbsentOs(), 1, Errno.EDQUOT);
            Number result = (Number) method.invoke(counted, zeros(method));
            boolean fails = !CANNOT_FAIL.contains(method.getName());
            assertEquals(fails ? -Errno.EDQUOT : -Errno.ENOSYS, result.longValue(), method.getName());
            assertEquals(fails ? 1 : 0, counted.callCount(), method.getName());
            if (fails) {
                FailingOs named = FailingOs.failing(new AbsentOs(), method.getName(), 1, Errno.EDQUOT);
                Number again = (Number) method.invoke(named, zeros(method));
                assertEquals(-Errno.EDQUOT, again.longValue(), method.getName());
            }
        }
    }

    @Test
    void aFailedCloseHasClosed() {
        OsCalls real = Os.calls();
        int fd = real.openExclusive(NativePath.of(directory.resolve("file")), 0600);
        FailingOs os = FailingOs.failing(real, 1, Errno.EIO);
        assertEquals(-Errno.EIO, os.close(fd));
        assertEquals(-Errno.EBADF, real.close(fd));
    }

    @Test
    void countsASweepAsOftenAsItRuns() {
        FailingOs first = FailingOs.neverFailing(Os.calls());
        EveryCall.sweep(first, directory);
        FailingOs second = FailingOs.neverFailing(Os.calls());
        EveryCall.sweep(second, directory);
        assertEquals(first.callCount(), second.callCount());
        assertTrue(first.callCount() > 40, "calls: " + first.callCount());
    }

    @Test
    void refusesWhatCouldNeverFail() {
        OsCalls real = Os.calls();
        assertThrows(IllegalArgumentException.class, () -> FailingOs.failing(real, 0, Errno.EIO));
        assertThrows(IllegalArgumentException.class, () -> FailingOs.failing(real, 1, -Errno.EIO));
        String message = assertThrows(
                        IllegalArgumentException.class, () -> FailingOs.failing(real, "getpid", 1, Errno.EIO))
                .getMessage();
        assertTrue(message.startsWith("No call named getpid can fail; these can: [processVmReadv"), message);
    }

    private static Object[] zeros(Method method) {
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == int.class) {
                values[i] = 0;
            } else if (types[i] == long.class) {
                values[i] = 0L;
            }
        }
        return values;
    }
}
