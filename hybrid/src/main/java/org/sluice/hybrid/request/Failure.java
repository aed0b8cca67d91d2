package org.sluice.hybrid.request;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.Status;

/** Why an operation failed, kept until somebody asks: the exception is made on the thread that gets it, so its trace is of use. */
public record Failure(ErrorCode code, int peer, String message, Throwable cause) {
    public Failure(ErrorCode code, int peer, String message) {
        this(code, peer, message, null);
    }

    /** Of everything: something was thrown that no peer and no program is at fault for. */
    public static Failure ofDevice(Throwable cause) {
        return new Failure(ErrorCode.DEVICE_FAILED, -1, "this device stopped because of " + cause + "; please report this with the stack trace", cause);
    }

    public SluiceException toException(Status status) {
        return new SluiceException(code, peer, message, status, cause);
    }
}
