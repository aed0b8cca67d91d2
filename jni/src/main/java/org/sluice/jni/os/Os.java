package org.sluice.jni.os;

import org.sluice.jni.NativeLibrary;

/**
 * The Java mirror of {@code libsluice_os.so}, which is loaded once, when this class is first used;
 * {@code -Dsluice.os=off} or {@code SLUICE_OS=off} keeps it out. What each call does and returns stands in
 * {@link OsCalls}, and rooms above hold one of those: a native method here, called where {@link #available()} is false,
 * is an UnsatisfiedLinkError.
 *
 * <p>Thread: any.
 *
 * <p>Fails: never while loading; {@link #unavailableReason()} says what went wrong.
 *
 * <p>Proof: {@code OsAvailabilityTest}.
 */
public final class Os {

    private static final NativeLibrary LIBRARY = NativeLibrary.load("os");

    private Os() {}

    public static boolean available() {
        return LIBRARY.loaded();
    }

    /** Why the library is not there and what to do about it; empty when it is. */
    public static String unavailableReason() {
        return LIBRARY.reason();
    }

    /** The library with the cause of a failure, for the doctor and for an exception of the caller. */
    public static NativeLibrary library() {
        return LIBRARY;
    }

    /** The native calls, or, where the library is not available, calls that all return {@code -ENOSYS}. */
    public static OsCalls calls() {
        return available() ? new NativeOs() : new AbsentOs();
    }

    /** Calls that all return {@code -ENOSYS}: for a device that is to go without the library. */
    public static OsCalls none() {
        return new AbsentOs();
    }

    public static native long processVmReadv(int pid, long localAddress, long remoteAddress, long bytes);

    public static native long readIntoArray(int pid, Object array, long offset, long remoteAddress, long bytes);

    public static native long arrayAddress(Object array);

    public static native long countCollections(long address);

    public static native int endCounting(long counting);

    public static native int collector();

    public static native int futexWait(long address, int expected, long timeoutNanos);

    public static native int futexWake(long address, int count);

    public static native int posixFallocate(int fd, long offset, long bytes);

    public static native long mmapShared(int fd, long offset, long bytes);

    public static native long mmapReadOnly(int fd, long offset, long bytes);

    public static native int lostPages(long address);

    public static native int mmapZeros(long address, long bytes);

    public static native long lostCount();

    public static native int munmap(long address, long bytes);

    public static native int openExclusive(byte[] path, int mode);

    public static native int openUnnamed(byte[] directory, int mode);

    public static native int openOf(int pid, int fd);

    public static native int openExisting(byte[] path);

    public static native int fstat(int fd, long[] out);

    public static native int ftruncate(int fd, long bytes);

    public static native int unlink(byte[] path);

    public static native int statvfs(byte[] path, long[] out);

    public static native int close(int fd);

    public static native int pidfdOpen(int pid);

    public static native int pidfdHasExited(int pidfd);

    public static native int prctlSetPtracer(int pid);

    public static native int setPdeathsig(int signal);

    public static native long getuid();

    public static native long geteuid();

    public static native int getpid();

    public static native int gettid();

    public static native int findSocket(byte[] ends);

    public static native long tcpRetransmits(int fd, byte[] ends);

    public static native int schedSetaffinity(int tid, long[] mask);

    public static native int schedGetaffinity(int tid, long[] mask);

    public static native int schedGetcpu();

    /** See {@link OsCalls#schedYield}. */
    public static native int schedYield();

    public static native int membarrier(int command);
}
