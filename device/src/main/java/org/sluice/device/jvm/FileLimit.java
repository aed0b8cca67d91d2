package org.sluice.device.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * What to say where this process may open no more files, of which each socket is one. The limit is read before, as that
 * takes a file too.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code FileLimitTest}, {@code FewFilesProcessTest}.
 */
public final class FileLimit {
    /** Of EMFILE and of ENFILE, in the kernel's words, behind their first letter, which is not always a capital. */
    private static final String REACHED = "oo many open files";

    private static final String OF_MACHINE = " in system";
    private static final String LIMIT = "\nMax open files ";
    /** Each rank comes here as it opens: no regular expressions, whose classes take longer than all else. */
    private static final String WORDS = words();

    private FileLimit() {}

    /** While a file can still be opened. */
    public static void read() {
        // This class is initialized by now.
    }

    private static String words() {
        String limit = "";
        try {
            String all = Files.readString(Path.of("/proc/self/limits"));
            int at = all.indexOf(LIMIT);
            limit = at < 0 ? "" : all.substring(at + LIMIT.length()).strip().split(" ", 2)[0];
        } catch (IOException e) {
            // Then without the number.
        }
        return "this process has all the files and sockets open that it may" + (limit.isEmpty() ? "" : ", " + limit)
                + " (ulimit -n): raise that before ranks are started, or have the program close some";
    }

    /** Whether a call has failed as no more files can be opened. */
    public static boolean isReached(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains(REACHED);
    }

    /** What is wrong, and what to do. */
    public static String words(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains(REACHED + OF_MACHINE)
                ? "this machine has all the files open that it may (fs.file-max): raise that"
                : WORDS;
    }

    /**
     * What to throw where something can't be opened: NO_MEMORY where there are too many files.
     *
     * @param what failed
     */
    public static RuntimeException failure(String what, IOException cause) {
        return isReached(cause)
                ? new SluiceException(ErrorCode.NO_MEMORY, -1, what + ": " + words(cause), cause)
                : new UncheckedIOException(what + ": " + cause.getMessage(), cause);
    }
}
