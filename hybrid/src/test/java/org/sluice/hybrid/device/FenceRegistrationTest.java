package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.jni.Errno;
import org.sluice.jni.os.OsCalls;

@Timeout(60)
final class FenceRegistrationTest {
    private static final long LONG_MS = 60_000;
    private final CountDownLatch answers = new CountDownLatch(1);
    private final CountDownLatch ownBegan = new CountDownLatch(1);

    /** A kernel that takes its time to register a process for the fences of others, and then says this. */
    private OsCalls kernel(int answer) {
        return (OsCalls) Proxy.newProxyInstance(
                OsCalls.class.getClassLoader(), new Class<?>[] {OsCalls.class}, (proxy, method, arguments) -> {
                    assertEquals("membarrier", method.getName());
                    if ((int) arguments[0] == OsCalls.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) {
                        ownBegan.countDown();
                        return 0;
                    }
                    assertEquals(OsCalls.MEMBARRIER_REGISTER_GLOBAL_EXPEDITED, arguments[0]);
                    answers.await();
                    return answer;
                });
    }

    @AfterEach
    void letGo() {
        answers.countDown();
    }

    @Test
    void whoOpensWaitsForTheKernelAndNotForTheOwnFence() throws InterruptedException {
        FenceRegistration registration = new FenceRegistration(kernel(0));
        registration.begin();
        SluiceException early = assertThrows(SluiceException.class, () -> registration.await(1));
        assertEquals(ErrorCode.TIMEOUT, early.code());
        assertTrue(early.getMessage().contains("sluice.os=off"), early.getMessage());
        assertEquals(1, ownBegan.getCount(), "the fences of others come first");
        answers.countDown();
        registration.await(LONG_MS);
        ownBegan.await();
    }

    @Test
    void aRefusalFailsTheOpening() {
        FenceRegistration registration = new FenceRegistration(kernel(-Errno.EPERM));
        registration.begin();
        answers.countDown();
        SluiceException refused = assertThrows(SluiceException.class, () -> registration.await(LONG_MS));
        assertEquals(ErrorCode.OPEN_FAILED, refused.code());
        assertTrue(
                refused.getMessage().contains("EPERM") && refused.getMessage().contains("sluice.os=off"),
                refused.getMessage());
    }

    @Test
    void anInterruptedOpeningEnds() {
        FenceRegistration registration = new FenceRegistration(kernel(0));
        registration.begin();
        Thread.currentThread().interrupt();
        SluiceException interrupted = assertThrows(SluiceException.class, () -> registration.await(LONG_MS));
        assertEquals(ErrorCode.OPEN_FAILED, interrupted.code());
        assertTrue(Thread.interrupted(), "it stays interrupted");
    }
}
