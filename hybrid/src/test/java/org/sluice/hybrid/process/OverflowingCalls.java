package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.PersistentRoute;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/**
 * A program recurses until its stack is full, calls the device there, catches the error and lives on: other threads'
 * calls go on, or say why the device has ended. In no package that holds a lock: whoever is in one counts as inside a
 * call. Interpreted: compiled calls overflow before they have begun anything, as a rule.
 */
public final class OverflowingCalls {
    private static final long STACK_BYTES = 256 << 10;
    private static final long LIMIT_SECONDS = 60;
    /**
     * Frames of the recursion that are left again before the call: the fewer, the sooner it meets the end of the stack.
     */
    private static final int[] FRAMES_LEFT = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 21, 24, 30, 40, 50
    };

    /** Taking the lock needs more stack than what they do under it: they overflow before anything has begun. */
    private static final List<String> SHALLOW = List.of("probes", "receives");

    private interface Call {
        void run(Device device) throws SluiceException;
    }

    private int ended;

    private PersistentRoute route;

    /** What is called there, by a name. */
    private static Map<String, Call> calls(OverflowingCalls at) {
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("handlersSends", device -> device.handlers().syncSend(0, 5, new byte[8]));
        calls.put("sendsOnARoute", device -> at.route.isend(new byte[8]));
        calls.put("probes", device -> device.iprobe(0, 7));
        calls.put("sends", device -> device.isend(new byte[8], 0, 7));
        calls.put("longSends", device -> device.isend(new byte[20_000], 0, 7));
        calls.put("receives", device -> device.irecv(new byte[8], 0, 7));
        calls.put("futuresOfOthers", device -> {
            device.isend(new byte[8], 0, 12);
            device.iprobe(0, 99);
            device.iprobe(0, 99);
        });
        calls.put("futuresOfOthersForLongMessages", device -> {
            device.isend(new byte[20_000], 0, 12);
            device.iprobe(0, 99);
            device.iprobe(0, 99);
        });
        calls.put("waitingReceives", device -> {
            device.send(new byte[8], 0, 7);
            device.recv(new byte[8], 0, 7);
        });
        calls.put("completions", device -> {
            Request request = device.isend(new byte[20_000], 0, 7);
            request.test();
            device.recv(new byte[20_000], 0, 7);
            request.waitFor();
        });
        return calls;
    }

    /** @param args the name of the calls */
    public static void main(String[] args) throws Exception {
        OverflowingCalls at = new OverflowingCalls();
        at.atEachDepth(calls(at).get(args[0]));
        assertTrue(at.ended > 0 || SHALLOW.contains(args[0]), "no overflow was inside a call");
        System.out.println("ended well");
    }

    private void atEachDepth(Call call) throws Exception {
        for (int left : FRAMES_LEFT) {
            overflow(call, left);
        }
    }

    private void overflow(Call call, int left) throws Exception {
        CountDownLatch caught = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        List<Throwable> wrong = new ArrayList<>();
        Device device = Device.open(Map.of("sluice.close.timeout.ms", "1"));
        route = device.openRoute(0, 7, 64, 4);
        Thread waiting = thread(0, wrong, () -> receive(device));
        CompletableFuture<?> future = device.irecv(new byte[4], 0, 11).toFuture();
        // One of a message that the call may bring, or may be left with.
        CompletableFuture<?> inHand = device.irecv(new byte[20_000], 0, 12).toFuture();
        int endedBefore = ended;
        Thread recursing = thread(STACK_BYTES, wrong, () -> {
            recurse(device, call, left);
            caught.countDown();
            // Lives on, outside of any call.
            await(over);
        });
        waiting.start();
        recursing.start();
        boolean isBack = caught.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        Thread other = thread(0, wrong, () -> callAll(device));
        other.start();
        other.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        waiting.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        if (ended > endedBefore) {
            future.handle((status, failure) -> failure).get(10, TimeUnit.SECONDS);
            inHand.handle((status, failure) -> failure).get(10, TimeUnit.SECONDS);
        }
        Thread closing = thread(0, wrong, () -> close(device));
        closing.start();
        closing.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        String state = left + " frames before the end of the stack: " + stack(other) + stack(waiting) + stack(closing)
                + (isBack ? "" : stack(recursing));
        over.countDown();
        assertTrue(isBack && !other.isAlive() && !waiting.isAlive() && !closing.isAlive(), state);
        assertEquals(List.of(), wrong, state);
    }

    private static Thread thread(long stackBytes, List<Throwable> wrong, Runnable body) {
        Thread thread = new Thread(null, body, "overflow", stackBytes);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((which, thrown) -> {
            synchronized (wrong) {
                wrong.add(thrown);
            }
        });
        return thread;
    }

    private static String stack(Thread thread) {
        StringBuilder text = new StringBuilder(thread.isAlive() ? "\n  still here:" : "");
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("\n    ").append(frame);
        }
        return text.toString();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return how many frames are to be left before the call is made; less than 0: it was made */
    private static int recurse(Device device, Call call, int left) {
        int more;
        try {
            more = recurse(device, call, left);
        } catch (StackOverflowError e) {
            more = left;
        }
        if (more == 0) {
            try {
                call.run(device);
            } catch (StackOverflowError e) {
                return -1;
            } catch (SluiceException e) {
                // Where the call went on after another part of it had overflowed.
                return -1;
            }
        }
        return more - 1;
    }

    private static void receive(Device device) {
        try {
            device.recv(new byte[4], 0, 8);
        } catch (SluiceException e) {
            assertEquals(ErrorCode.DEVICE_FAILED, e.code(), e.getMessage());
        }
    }

    /** What the call has sent may have gone well, and nobody receives it. */
    private static void close(Device device) {
        try {
            device.close();
        } catch (SluiceException e) {
            assertEquals(ErrorCode.TIMEOUT, e.code(), e.getMessage());
        }
    }

    private void callAll(Device device) {
        try {
            device.iprobe(0, 9);
            device.isend(new byte[20_000], 0, 9);
            device.irecv(new byte[20_000], 0, 9).waitFor();
            device.send(new byte[4], 0, 9);
            device.recv(new byte[4], 0, 9);
            device.send(new byte[4], 0, 8);
        } catch (SluiceException e) {
            assertEquals(ErrorCode.DEVICE_FAILED, e.code(), e.getMessage());
            // The second where it was the unlocking that overflowed.
            assertTrue(
                    e.getMessage().contains("StackOverflowError")
                            || e.getMessage().contains("left a call of this device half-way"),
                    e.getMessage());
            ended++;
        }
    }
}
