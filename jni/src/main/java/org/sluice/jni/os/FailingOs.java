package org.sluice.jni.os;

import java.util.List;
import org.sluice.jni.Errno;
import org.sluice.jni.NthFailure;

/**
 * Hands every call on, except that the n-th returns a chosen errno: the seam by which tests show that each failure of
 * each call is survived. Run once with {@link #neverFailing} to learn how many calls there are, then once for every n.
 *
 * <p>Thread: any; the count is over all threads, so a test that needs a certain call to fail drives it from one thread.
 *
 * <p>Owns: the count; not the calls below.
 *
 * <p>Fails: a chosen call is not made, with exceptions that would leak in the test itself: {@code close},
 * {@code munmap} and {@code endCounting} are made and then reported as failed, which is also how Linux's close fails.
 * Calls that cannot fail ({@code getuid} and the like) are neither counted nor failed.
 *
 * <p>Proof: {@code FailingOsTest}.
 */
public final class FailingOs implements OsCalls {

    private static final List<String> FALLIBLE = List.of(
            "processVmReadv",
            "readIntoArray",
            "arrayAddress",
            "countCollections",
            "endCounting",
            "futexWait",
            "futexWake",
            "posixFallocate",
            "mmapShared",
            "mmapReadOnly",
            "lostPages",
            "mmapZeros",
            "munmap",
            "openExclusive",
            "openUnnamed",
            "openOf",
            "openExisting",
            "fstat",
            "ftruncate",
            "unlink",
            "statvfs",
            "close",
            "pidfdOpen",
            "pidfdHasExited",
            "prctlSetPtracer",
            "setPdeathsig",
            "findSocket",
            "tcpRetransmits",
            "schedSetaffinity",
            "schedGetaffinity",
            "schedGetcpu",
            "schedYield",
            "membarrier");

    private final OsCalls calls;
    private final NthFailure failure;
    private final int errno;

    private FailingOs(OsCalls calls, NthFailure failure) {
        this.calls = calls;
        this.failure = failure;
        this.errno = failure.errno();
    }

    /** Only counts. */
    public static FailingOs neverFailing(OsCalls calls) {
        return new FailingOs(calls, NthFailure.never());
    }

    /** Fails the {@code failingCall}-th call (from 1) with {@code errno}, for instance {@link Errno#ENOSPC}. */
    public static FailingOs failing(OsCalls calls, long failingCall, int errno) {
        return failing(calls, null, failingCall, errno);
    }

    /** Counts and fails calls of one method only, named as in {@link OsCalls}. */
    public static FailingOs failing(OsCalls calls, String method, long failingCall, int errno) {
        return new FailingOs(calls, NthFailure.of(FALLIBLE, method, failingCall, errno, "ENOSPC"));
    }

    /** Calls so far that counted. */
    public long callCount() {
        return failure.callCount();
    }

    private boolean fails(String name) {
        return failure.fails(name);
    }

    @Override
    public long processVmReadv(int pid, long localAddress, long remoteAddress, long bytes) {
        return fails("processVmReadv") ? -errno : calls.processVmReadv(pid, localAddress, remoteAddress, bytes);
    }

    @Override
    public long readIntoArray(int pid, Object array, long offset, long remoteAddress, long bytes) {
        return fails("readIntoArray") ? -errno : calls.readIntoArray(pid, array, offset, remoteAddress, bytes);
    }

    @Override
    public long arrayAddress(Object array) {
        return fails("arrayAddress") ? -errno : calls.arrayAddress(array);
    }

    @Override
    public long countCollections(long address) {
        return fails("countCollections") ? -errno : calls.countCollections(address);
    }

    @Override
    public int endCounting(long counting) {
        int result = calls.endCounting(counting);
        return fails("endCounting") ? -errno : result;
    }

    @Override
    public int collector() {
        return calls.collector();
    }

    @Override
    public int futexWait(long address, int expected, long timeoutNanos) {
        return fails("futexWait") ? -errno : calls.futexWait(address, expected, timeoutNanos);
    }

    @Override
    public int futexWake(long address, int count) {
        return fails("futexWake") ? -errno : calls.futexWake(address, count);
    }

    @Override
    public int posixFallocate(int fd, long offset, long bytes) {
        return fails("posixFallocate") ? -errno : calls.posixFallocate(fd, offset, bytes);
    }

    @Override
    public long mmapShared(int fd, long offset, long bytes) {
        return fails("mmapShared") ? -errno : calls.mmapShared(fd, offset, bytes);
    }

    @Override
    public long mmapReadOnly(int fd, long offset, long bytes) {
        return fails("mmapReadOnly") ? -errno : calls.mmapReadOnly(fd, offset, bytes);
    }

    @Override
    public int lostPages(long address) {
        return fails("lostPages") ? -errno : calls.lostPages(address);
    }

    @Override
    public int mmapZeros(long address, long bytes) {
        return fails("mmapZeros") ? -errno : calls.mmapZeros(address, bytes);
    }

    @Override
    public long lostCount() {
        return calls.lostCount();
    }

    @Override
    public int munmap(long address, long bytes) {
        int result = calls.munmap(address, bytes);
        return fails("munmap") ? -errno : result;
    }

    @Override
    public int openExclusive(byte[] path, int mode) {
        return fails("openExclusive") ? -errno : calls.openExclusive(path, mode);
    }

    @Override
    public int openUnnamed(byte[] directory, int mode) {
        return fails("openUnnamed") ? -errno : calls.openUnnamed(directory, mode);
    }

    @Override
    public int openOf(int pid, int fd) {
        return fails("openOf") ? -errno : calls.openOf(pid, fd);
    }

    @Override
    public int openExisting(byte[] path) {
        return fails("openExisting") ? -errno : calls.openExisting(path);
    }

    @Override
    public int fstat(int fd, long[] out) {
        return fails("fstat") ? -errno : calls.fstat(fd, out);
    }

    @Override
    public int ftruncate(int fd, long bytes) {
        return fails("ftruncate") ? -errno : calls.ftruncate(fd, bytes);
    }

    @Override
    public int unlink(byte[] path) {
        return fails("unlink") ? -errno : calls.unlink(path);
    }

    @Override
    public int statvfs(byte[] path, long[] out) {
        return fails("statvfs") ? -errno : calls.statvfs(path, out);
    }

    @Override
    public int close(int fd) {
        int result = calls.close(fd);
        return fails("close") ? -errno : result;
    }

    @Override
    public int pidfdOpen(int pid) {
        return fails("pidfdOpen") ? -errno : calls.pidfdOpen(pid);
    }

    @Override
    public int pidfdHasExited(int pidfd) {
        return fails("pidfdHasExited") ? -errno : calls.pidfdHasExited(pidfd);
    }

    @Override
    public int prctlSetPtracer(int pid) {
        return fails("prctlSetPtracer") ? -errno : calls.prctlSetPtracer(pid);
    }

    @Override
    public int setPdeathsig(int signal) {
        return fails("setPdeathsig") ? -errno : calls.setPdeathsig(signal);
    }

    @Override
    public long getuid() {
        return calls.getuid();
    }

    @Override
    public long geteuid() {
        return calls.geteuid();
    }

    @Override
    public int getpid() {
        return calls.getpid();
    }

    @Override
    public int gettid() {
        return calls.gettid();
    }

    @Override
    public int findSocket(byte[] ends) {
        return fails("findSocket") ? -errno : calls.findSocket(ends);
    }

    @Override
    public long tcpRetransmits(int fd, byte[] ends) {
        return fails("tcpRetransmits") ? -errno : calls.tcpRetransmits(fd, ends);
    }

    @Override
    public int schedSetaffinity(int tid, long[] mask) {
        return fails("schedSetaffinity") ? -errno : calls.schedSetaffinity(tid, mask);
    }

    @Override
    public int schedGetaffinity(int tid, long[] mask) {
        return fails("schedGetaffinity") ? -errno : calls.schedGetaffinity(tid, mask);
    }

    @Override
    public int schedYield() {
        return fails("schedYield") ? -errno : calls.schedYield();
    }

    @Override
    public int schedGetcpu() {
        return fails("schedGetcpu") ? -errno : calls.schedGetcpu();
    }

    @Override
    public int membarrier(int command) {
        return fails("membarrier") ? -errno : calls.membarrier(command);
    }
}
