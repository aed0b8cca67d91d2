package org.sluice.hybrid.device;

import org.sluice.device.channel.WaitWord;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.segment.FutexWaker;

/**
 * The native calls that one device may use, and how it sleeps and wakes with them; without them it looks at the wait word now and then.
 *
 * @param calls all of them return -ENOSYS where {@code available} is false
 */
record NativeSupport(boolean available, OsCalls calls) {
    static NativeSupport of(Options options) {
        boolean available = !options.text(Option.OS).equals("off") && Os.available();
        return new NativeSupport(available, available ? Os.calls() : Os.none());
    }

    Sleeper sleeper() {
        return available ? new FutexSleeper(calls) : Sleeper.napping();
    }

    /** What senders do to wake a rank; null where it looks by itself. */
    WaitWord.Waker waker() {
        return available ? new FutexWaker(calls) : null;
    }

    private record FutexSleeper(OsCalls calls) implements Sleeper {
        @Override
        public void sleep(WaitWord word, int sequence, long nanos) {
            calls.futexWait(word.futexAddress(), sequence, nanos);
        }
    }
}
