package org.sluice.jni.os;

import org.sluice.jni.Errno;

/**
 * Stands in where the native library is not available, so that callers have one way to learn that a call is missing:
 * the same {@code -ENOSYS} that an old kernel gives. The identity calls return it too, and no caller may take it for an
 * id.
 */
final class AbsentOs implements OsCalls {

    @Override
    public long processVmReadv(int pid, long localAddress, long remoteAddress, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public long readIntoArray(int pid, Object array, long offset, long remoteAddress, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public long arrayAddress(Object array) {
        return -Errno.ENOSYS;
    }

    @Override
    public long countCollections(long address) {
        return -Errno.ENOSYS;
    }

    @Override
    public int endCounting(long counting) {
        return -Errno.ENOSYS;
    }

    @Override
    public int collector() {
        return -Errno.ENOSYS;
    }

    @Override
    public int futexWait(long address, int expected, long timeoutNanos) {
        return -Errno.ENOSYS;
    }

    @Override
    public int futexWake(long address, int count) {
        return -Errno.ENOSYS;
    }

    @Override
    public int posixFallocate(int fd, long offset, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public long mmapShared(int fd, long offset, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public long mmapReadOnly(int fd, long offset, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public int lostPages(long address) {
        return -Errno.ENOSYS;
    }

    @Override
    public int mmapZeros(long address, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public long lostCount() {
        return -Errno.ENOSYS;
    }

    @Override
    public int munmap(long address, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public int openExclusive(byte[] path, int mode) {
        return -Errno.ENOSYS;
    }

    @Override
    public int openUnnamed(byte[] directory, int mode) {
        return -Errno.ENOSYS;
    }

    @Override
    public int openOf(int pid, int fd) {
        return -Errno.ENOSYS;
    }

    @Override
    public int openExisting(byte[] path) {
        return -Errno.ENOSYS;
    }

    @Override
    public int fstat(int fd, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int ftruncate(int fd, long bytes) {
        return -Errno.ENOSYS;
    }

    @Override
    public int unlink(byte[] path) {
        return -Errno.ENOSYS;
    }

    @Override
    public int statvfs(byte[] path, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int close(int fd) {
        return -Errno.ENOSYS;
    }

    @Override
    public int pidfdOpen(int pid) {
        return -Errno.ENOSYS;
    }

    @Override
    public int pidfdHasExited(int pidfd) {
        return -Errno.ENOSYS;
    }

    @Override
    public int prctlSetPtracer(int pid) {
        return -Errno.ENOSYS;
    }

    @Override
    public int setPdeathsig(int signal) {
        return -Errno.ENOSYS;
    }

    @Override
    public long getuid() {
        return -Errno.ENOSYS;
    }

    @Override
    public long geteuid() {
        return -Errno.ENOSYS;
    }

    @Override
    public int getpid() {
        return -Errno.ENOSYS;
    }

    @Override
    public int gettid() {
        return -Errno.ENOSYS;
    }

    @Override
    public int findSocket(byte[] ends) {
        return -Errno.ENOSYS;
    }

    @Override
    public long tcpRetransmits(int fd, byte[] ends) {
        return -Errno.ENOSYS;
    }

    @Override
    public int schedSetaffinity(int tid, long[] mask) {
        return -Errno.ENOSYS;
    }

    @Override
    public int schedGetaffinity(int tid, long[] mask) {
        return -Errno.ENOSYS;
    }

    @Override
    public int schedYield() {
        return -Errno.ENOSYS;
    }

    @Override
    public int schedGetcpu() {
        return -Errno.ENOSYS;
    }

    @Override
    public int membarrier(int command) {
        return -Errno.ENOSYS;
    }
}
