package org.sluice.ib.adapter;

import java.io.File;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.jni.Errno;

/** Makes errors of verbs calls: the library's own name of the call, errno and its text. */
public final class VerbsFailure {
    private static final File MANAGER = new File("/dev/infiniband/rdma_cm");

    private VerbsFailure() {}

    /** The result itself, or OPEN_FAILED when it is below zero. */
    public static long check(String call, long result) {
        if (result < 0) {
            throw new SluiceException(
                    ErrorCode.OPEN_FAILED,
                    -1,
                    "the ib channel can't open: " + describe(call, result) + files(result),
                    null);
        }
        return result;
    }

    /** Throws where the library didn't take something back. */
    public static void checkBack(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(describe(call, result));
        }
    }

    /** librdmacm says ENOENT of files that it may not open, too. */
    private static String files(long result) {
        if (result != -Errno.EACCES && result != -Errno.EPERM && result != -Errno.ENOENT && result != -Errno.ENODEV) {
            return "";
        }
        if (!MANAGER.exists()) {
            return ". There is no " + MANAGER
                    + ": load rdma_ucm (modprobe rdma_ucm); a container needs the folder's files as devices"
                    + " (docker run --device=/dev/infiniband)";
        }
        return (MANAGER.canRead() && MANAGER.canWrite()
                        ? ". This user may open " + MANAGER + "; look"
                        : ". This user may not open " + MANAGER + " for reading and writing; look also")
                + " at the uverbs files beside it. rdma-core's udev rules open all of them to everybody;"
                + " else an administrator does by chmod a+rw, or makes the user a member of their group";
    }

    public static String describe(String call, long result) {
        return Errno.describe(call, result);
    }
}
