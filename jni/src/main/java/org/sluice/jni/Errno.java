package org.sluice.jni;

import java.util.Map;

/**
 * Linux's error numbers, which are the same on every machine that Sluice has libraries for: name, text, and what to
 * try. A number may have either sign, so that a native result can be passed as it came.
 */
public final class Errno {

    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int ESPIPE = 29;
    public static final int EROFS = 30;
    public static final int EPIPE = 32;
    public static final int ERANGE = 34;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ELOOP = 40;
    public static final int ENODATA = 61;
    public static final int EPROTO = 71;
    public static final int EOVERFLOW = 75;
    public static final int ENOPROTOOPT = 92;
    public static final int EOPNOTSUPP = 95;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETDOWN = 100;
    public static final int ENETUNREACH = 101;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int EISCONN = 106;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;
    public static final int EALREADY = 114;
    public static final int EINPROGRESS = 115;
    public static final int EREMOTEIO = 121;
    public static final int EDQUOT = 122;
    public static final int ECANCELED = 125;

    /** The kernel's own bound: a result below it is a value and not an error. */
    private static final int LARGEST = 4095;

    private record Entry(String name, String text, String advice) {}

    private static final Map<Integer, Entry> ENTRIES = Map.ofEntries(
            entry(
                    EPERM,
                    "EPERM",
                    "operation not permitted",
                    "a container's seccomp profile, missing capabilities or kernel.yama.ptrace_scope may forbid it"),
            entry(
                    ENOENT,
                    "ENOENT",
                    "no such file or directory",
                    "check the path, and that nobody removed it meanwhile"),
            entry(ESRCH, "ESRCH", "no such process", "the process has ended, or lives in another pid namespace"),
            entry(EINTR, "EINTR", "interrupted by a signal", "try again"),
            entry(EIO, "EIO", "input or output error", "look into the kernel's log (dmesg)"),
            entry(ENXIO, "ENXIO", "no such device or address", "check that the path is a regular file"),
            entry(
                    EBADF,
                    "EBADF",
                    "bad file descriptor",
                    "it was closed already, or never opened: a fault in the caller"),
            entry(ECHILD, "ECHILD", "no child process", ""),
            entry(EAGAIN, "EAGAIN", "resource temporarily unavailable", "try again"),
            entry(
                    ENOMEM,
                    "ENOMEM",
                    "out of memory",
                    "check free memory, the container's limit, vm.max_map_count and ulimit -v and -l"),
            entry(
                    EACCES,
                    "EACCES",
                    "permission denied",
                    "check who owns the file and its directories, and their modes"),
            entry(EFAULT, "EFAULT", "bad address", "the memory is not mapped: a fault in the caller or in the peer"),
            entry(EBUSY, "EBUSY", "device or resource busy", "something else uses it; find out what"),
            entry(EEXIST, "EEXIST", "file exists", "choose another name, or remove what a dead job left behind"),
            entry(ENODEV, "ENODEV", "no such device", "the file system cannot map files, or the driver is not loaded"),
            entry(ENOTDIR, "ENOTDIR", "not a directory", "check the path"),
            entry(EISDIR, "EISDIR", "is a directory", "give the path of a file"),
            entry(
                    EINVAL,
                    "EINVAL",
                    "invalid argument",
                    "an argument is out of range, or this kernel lacks the feature"),
            entry(ENFILE, "ENFILE", "too many open files in the system", "raise fs.file-max"),
            entry(EMFILE, "EMFILE", "too many open files in this process", "raise ulimit -n"),
            entry(EFBIG, "EFBIG", "file too large", "check ulimit -f and the file system's largest file"),
            entry(
                    ENOSPC,
                    "ENOSPC",
                    "no space left on device",
                    "free space on that file system or make it larger; for /dev/shm in a container: --shm-size"),
            entry(ESPIPE, "ESPIPE", "illegal seek", "it is a pipe or a socket, not a file"),
            entry(EROFS, "EROFS", "read-only file system", "choose a directory that can be written"),
            entry(EPIPE, "EPIPE", "broken pipe", "the other end is gone"),
            entry(ERANGE, "ERANGE", "result out of range", ""),
            entry(ENAMETOOLONG, "ENAMETOOLONG", "file name too long", "choose a shorter directory"),
            entry(
                    ENOSYS,
                    "ENOSYS",
                    "function not implemented",
                    "the kernel is too old, a sandbox hides the call, or Sluice's native library is not loaded"),
            entry(ELOOP, "ELOOP", "a symbolic link is in the way", "remove the link: Sluice does not follow one there"),
            entry(ENODATA, "ENODATA", "no data available", ""),
            entry(EPROTO, "EPROTO", "protocol error", ""),
            entry(EOVERFLOW, "EOVERFLOW", "value too large for its place", ""),
            entry(
                    ENOPROTOOPT,
                    "ENOPROTOOPT",
                    "protocol option not available",
                    "the kernel or the adapter lacks the option"),
            entry(
                    EOPNOTSUPP,
                    "EOPNOTSUPP",
                    "operation not supported",
                    "choose another file system, for instance tmpfs"),
            entry(
                    EAFNOSUPPORT,
                    "EAFNOSUPPORT",
                    "address family not supported",
                    "use an IPv4 address, or switch IPv6 on"),
            entry(EADDRINUSE, "EADDRINUSE", "address already in use", "choose another port, or wait for the old one"),
            entry(EADDRNOTAVAIL, "EADDRNOTAVAIL", "address not available", "check the interface's addresses"),
            entry(ENETDOWN, "ENETDOWN", "network is down", "check that the interface is up (ip link)"),
            entry(ENETUNREACH, "ENETUNREACH", "network is unreachable", "check routes and interfaces"),
            entry(ECONNABORTED, "ECONNABORTED", "connection aborted", ""),
            entry(
                    ECONNRESET,
                    "ECONNRESET",
                    "connection reset by the peer",
                    "look at the peer's output: it may have died"),
            entry(ENOBUFS, "ENOBUFS", "no buffer space available", ""),
            entry(EISCONN, "EISCONN", "already connected", "a fault in the caller"),
            entry(ENOTCONN, "ENOTCONN", "not connected", "the connection has ended, or was never made"),
            entry(ETIMEDOUT, "ETIMEDOUT", "timed out", ""),
            entry(ECONNREFUSED, "ECONNREFUSED", "connection refused", "check that the peer listens on that address"),
            entry(EHOSTUNREACH, "EHOSTUNREACH", "no route to host", "check routes and firewalls"),
            entry(EALREADY, "EALREADY", "operation already in progress", ""),
            entry(EINPROGRESS, "EINPROGRESS", "operation now in progress", ""),
            entry(
                    EREMOTEIO,
                    "EREMOTEIO",
                    "remote input or output error",
                    "look into the kernel's log of the peer (dmesg)"),
            entry(EDQUOT, "EDQUOT", "disk quota exceeded", "free space, or ask for a larger quota"),
            entry(ECANCELED, "ECANCELED", "operation cancelled", ""));

    private Errno() {}

    /** The name, for instance ENOSPC, or "errno 77" for a number that is not listed here. */
    public static String name(int errno) {
        return entryOf(errno).name();
    }

    public static String text(int errno) {
        return entryOf(errno).text();
    }

    /** What to try, as half a sentence; empty where there is nothing useful to say. */
    public static String advice(int errno) {
        return entryOf(errno).advice();
    }

    /**
     * A whole message, for instance "posixFallocate: ENOSPC, no space left on device; free space on that file system".
     *
     * @param call the failed call, by its method's name
     * @param result what it returned; one that is no -errno is said to be none
     * @return without memory for that, the call alone: callers have something to end, and may not throw
     */
    public static String describe(String call, long result) {
        if (result >= 0 || result < -LARGEST) {
            return noError(call, result);
        }
        int errno = (int) -result;
        try {
            String advice = advice(errno);
            return call + ": " + name(errno) + ", " + text(errno) + (advice.isEmpty() ? "" : "; " + advice);
        } catch (OutOfMemoryError e) {
            return call;
        }
    }

    private static String noError(String call, long result) {
        try {
            return call + ": no error (" + result + ")";
        } catch (OutOfMemoryError e) {
            return call;
        }
    }

    private static Entry entryOf(int errno) {
        int number = Math.abs(errno);
        Entry entry = ENTRIES.get(number);
        return entry != null ? entry : new Entry("errno " + number, "see errno(3)", "");
    }

    private static Map.Entry<Integer, Entry> entry(int number, String name, String text, String advice) {
        return Map.entry(number, new Entry(name, text, advice));
    }
}
