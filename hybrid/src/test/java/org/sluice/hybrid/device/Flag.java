package org.sluice.hybrid.device;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Something that one rank's body tells another's past the device, also where that runs in another guest. */
interface Flag {
    void raise();

    /** @return whether it was raised in that time */
    boolean await(long seconds) throws InterruptedException;

    /** Within one JVM. */
    static Flag local() {
        CountDownLatch latch = new CountDownLatch(1);
        return new Flag() {
            @Override
            public void raise() {
                latch.countDown();
            }

            @Override
            public boolean await(long seconds) throws InterruptedException {
                return latch.await(seconds, TimeUnit.SECONDS);
            }
        };
    }

    static Flag across(NodeLine line, String name) {
        return new Flag() {
            @Override
            public void raise() {
                line.raise(name);
            }

            @Override
            public boolean await(long seconds) throws InterruptedException {
                return line.flag(name).await(seconds, TimeUnit.SECONDS);
            }
        };
    }
}
