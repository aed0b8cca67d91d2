package org.sluice.shm.segment;

import org.sluice.device.channel.WaitWord;
import org.sluice.jni.os.OsCalls;

/** Wakes everybody who sleeps on a word. <i>Thread</i>: any. */
public final class FutexWaker implements WaitWord.Waker {
    private final OsCalls os;

    public FutexWaker(OsCalls os) {
        this.os = os;
    }

    @Override
    public void wake(long futexAddress) {
        os.futexWake(futexAddress, Integer.MAX_VALUE);
    }
}
