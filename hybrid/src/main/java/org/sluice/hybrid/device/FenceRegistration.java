package org.sluice.hybrid.device;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FenceEverywhere;
import org.sluice.jni.os.OsCalls;

/**
 * Registers this process for process-wide fences, beside the opening, which it would make longer by a tenth.
 *
 * <p>The ranks say beforehand that they will have it, so that an opening fails where the kernel has such fences and
 * then refuses one. <i>Thread</i>: one opens, one of its own registers. <i>Proof</i>: {@code FenceRegistrationTest}.
 */
final class FenceRegistration implements Runnable {
    private final OsCalls calls;
    private final CountDownLatch registered = new CountDownLatch(1);
    private volatile int result = -Errno.EAGAIN;

    FenceRegistration(OsCalls calls) {
        this.calls = calls;
    }

    void begin() {
        Thread thread = new Thread(this, "sluice-register");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            run();
        }
    }

    @Override
    public void run() {
        try {
            result = FenceEverywhere.register(calls);
        } finally {
            registered.countDown();
        }
        // Whoever fences within this process before this is done fences slowly; nobody waits for it.
        FenceEverywhere.registerOwn(calls);
    }

    /** From here on, other ranks' fences reach this process: to be called before they may send. */
    void await(long timeoutMs) {
        try {
            if (!registered.await(timeoutMs, TimeUnit.MILLISECONDS)) {
                throw new SluiceException(
                        ErrorCode.TIMEOUT,
                        "the kernel did not register this process for process-wide fences within " + timeoutMs
                                + " ms; open with sluice.os=off on all ranks to do without them");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SluiceException(ErrorCode.OPEN_FAILED, "the thread was interrupted while it opened the device");
        }
        if (result != 0) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    Errno.describe("membarrier", result)
                            + ", although the kernel has process-wide fences; open with sluice.os=off on all ranks to"
                            + " do without them");
        }
    }
}
