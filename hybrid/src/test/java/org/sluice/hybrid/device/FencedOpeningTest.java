package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.launch.Job;
import org.sluice.launch.JobServer;

/** Nobody may send through a segment to a rank that the sender's fences might not reach. */
@Timeout(120)
final class FencedOpeningTest {
    @TempDir
    Path folder;

    private static OsCalls refusing() {
        return (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(),
                new Class<?>[] {OsCalls.class},
                (proxy, method, arguments) -> -Errno.ENOMEM);
    }

    private static Device open(Map<String, String> given, int rank, FenceRegistration registration) {
        Options options = Options.of(given);
        Job job = Job.find(options, rank);
        try {
            registration.begin();
            return new DeviceOpening(
                            job,
                            options,
                            new NativeSupport(Os.available(), Os.calls(), registration),
                            UnaryOperator.identity())
                    .open();
        } catch (RuntimeException e) {
            job.bootstrap().close();
            throw e;
        }
    }

    @Test
    void aRankThatCouldNotRegisterFailsBeforeAnybodyOpens() throws Exception {
        try (JobServer server = JobServer.start(2)) {
            Map<String, String> options = new HashMap<>(server.options(0, 2));
            options.put("sluice.channels", "shm");
            options.put("sluice.shm.dir", folder.toString());
            FutureTask<Device> good = new FutureTask<>(() -> open(options, 0, new FenceRegistration(Os.calls())));
            Thread other = new Thread(good, "rank-0");
            other.setDaemon(true);
            other.start();
            SluiceException refused =
                    assertThrows(SluiceException.class, () -> open(options, 1, new FenceRegistration(refusing())));
            assertEquals(ErrorCode.OPEN_FAILED, refused.code());
            assertTrue(refused.getMessage().contains("ENOMEM"), refused.getMessage());
            Throwable without =
                    assertThrows(ExecutionException.class, good::get).getCause();
            assertEquals(ErrorCode.OPEN_FAILED, ((SluiceException) without).code(), without.toString());
        }
        assertArrayEquals(new String[0], folder.toFile().list());
    }
}
