package org.sluice.hybrid.device;

import org.sluice.device.channel.WaitWord;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.hybrid.progress.Sleeper;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;

/** Sleeps on the wait word through futex where the native library is to be had. */
final class NativeSleeper {
    private NativeSleeper() {
    }

    static boolean isAvailable(Options options) {
        return !options.text(Option.OS).equals("off") && Os.available();
    }

    static Sleeper of(Options options) {
        if (!isAvailable(options)) {
            return Sleeper.napping();
        }
        OsCalls os = Os.calls();
        return (word, sequence, nanos) -> os.futexWait(word.futexAddress(), sequence, nanos);
    }

    /** What senders do to wake a rank; null where it looks by itself. */
    static WaitWord.Waker waker(Options options) {
        if (!isAvailable(options)) {
            return null;
        }
        OsCalls os = Os.calls();
        return address -> os.futexWake(address, Integer.MAX_VALUE);
    }
}
