package org.sluice.hybrid.device;

import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;

/** A send of a storm, which goes on while others begin. */
interface StormSend {
    void cancel();

    /**
     * Waits until it is over.
     *
     * @return false: it was withdrawn
     */
    boolean wasSent();

    static StormSend of(Request request) {
        return new StormSend() {
            @Override
            public void cancel() {
                request.cancel();
            }

            @Override
            public boolean wasSent() {
                try {
                    request.waitFor();
                    return true;
                } catch (SluiceException e) {
                    if (e.code() != ErrorCode.CANCELLED) {
                        throw e;
                    }
                    return false;
                }
            }
        };
    }
}
