package org.sluice.bench.breakdown;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.sluice.device.memory.Memory;
import org.sluice.ib.adapter.RegistrationTrial;
import org.sluice.jni.os.Os;

/**
 * A part that can be done again and again. <i>Thread</i>: one. <i>Fails</i>: IllegalStateException that says why it
 * can't be done on this machine.
 */
abstract class Work implements AutoCloseable {
    /** Read by nobody: what a loop finds out goes here, or a compiler would leave the loop out. */
    private volatile long sink;

    /** Does it so often, and says how long that took. */
    long nanosOf(int times) {
        long begin = System.nanoTime();
        long found = 0;
        for (int i = 0; i < times; i++) {
            found += once();
        }
        long took = System.nanoTime() - begin;
        sink = found;
        return took;
    }

    /** @return something that depends on it */
    abstract long once();

    @Override
    public void close() {
        // Most have nothing but memory.
    }

    static Work of(Part part, int size) {
        switch (part) {
            case CLOCK:
                return new Clock();
            case NATIVE_CALL:
                if (!Os.available()) {
                    throw new IllegalStateException("the native library is missing: " + Os.unavailableReason());
                }
                return new NativeCall();
            case LOCK:
                return new Lock();
            case ATOMIC_ADD:
                return new AtomicAdd();
            case WAKE_UP:
                return new WakeUp();
            case COPY:
                return new Copy(size);
            case COPY_OUT:
                return new CopyOut(size);
            default:
                return new Registering(size);
        }
    }

    private static final class Clock extends Work {
        @Override
        long once() {
            return System.nanoTime();
        }
    }

    private static final class NativeCall extends Work {
        @Override
        long once() {
            return Os.lostCount();
        }
    }

    private static final class Lock extends Work {
        private final ReentrantLock lock = new ReentrantLock();
        private long guarded;

        @Override
        long once() {
            lock.lock();
            try {
                return ++guarded;
            } finally {
                lock.unlock();
            }
        }
    }

    private static final class AtomicAdd extends Work {
        private final AtomicLong number = new AtomicLong();

        @Override
        long once() {
            return number.getAndIncrement();
        }
    }

    private static final class Copy extends Work {
        private final byte[] from;
        private final byte[] to;

        Copy(int size) {
            from = new byte[size];
            to = new byte[size];
        }

        @Override
        long once() {
            System.arraycopy(from, 0, to, 0, from.length);
            return to[to.length - 1];
        }
    }

    private static final class CopyOut extends Work {
        private final byte[] from;
        private final long to;

        CopyOut(int size) {
            from = new byte[size];
            to = Memory.allocate(size);
        }

        @Override
        long once() {
            Memory.copy(from, Memory.ARRAY_OFFSET, null, to, from.length);
            return Memory.getByte(to);
        }

        @Override
        public void close() {
            Memory.free(to);
        }
    }

    private static final class Registering extends Work {
        private final RegistrationTrial memory;

        Registering(int size) {
            memory = new RegistrationTrial(size);
        }

        @Override
        long once() {
            memory.once();
            return 0;
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
