package org.sluice.ib.adapter;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.jni.Errno;

/** Makes errors of verbs calls: the library's own name of the call, errno and its text. */
public final class VerbsFailure {
    private static final String DEVICES = ". Its files are in /dev/infiniband: rdma_cm and uverbs* there have to be open for reading and writing to"
            + " this user; rdma-core's udev rules do that, or an administrator by chmod a+rw, or by making the user a member of the files' group."
            + " A container needs them as devices (docker run --device=/dev/infiniband)";

    private VerbsFailure() {
    }

    /** The result itself, or OPEN_FAILED when it is below zero. */
    public static long check(String call, long result) {
        if (result < 0) {
            throw new SluiceException(ErrorCode.OPEN_FAILED, -1, "the ib channel can't open: " + describe(call, result)
                    + (result == -Errno.EACCES || result == -Errno.EPERM ? DEVICES : ""), null);
        }
        return result;
    }

    public static String describe(String call, long result) {
        return Errno.describe(call, result);
    }
}
