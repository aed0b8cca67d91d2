package org.sluice.jni.os;

/** The real calls: each goes straight down to {@link Os}, and the JIT inlines the step. */
final class NativeOs implements OsCalls {

    @Override
    public long processVmReadv(int pid, long localAddress, long remoteAddress, long bytes) {
        return Os.processVmReadv(pid, localAddress, remoteAddress, bytes);
    }

    @Override
    public long readIntoArray(int pid, Object array, long offset, long remoteAddress, long bytes) {
        return Os.readIntoArray(pid, array, offset, remoteAddress, bytes);
    }

    @Override
    public long arrayAddress(Object array) {
        return Os.arrayAddress(array);
    }

    @Override
    public long countCollections(long address) {
        return Os.countCollections(address);
    }

    @Override
    public int endCounting(long counting) {
        return Os.endCounting(counting);
    }

    @Override
    public int collector() {
        return Os.collector();
    }

    @Override
    public int futexWait(long address, int expected, long timeoutNanos) {
        return Os.futexWait(address, expected, timeoutNanos);
    }

    @Override
    public int futexWake(long address, int count) {
        return Os.futexWake(address, count);
    }

    @Override
    public int posixFallocate(int fd, long offset, long bytes) {
        return Os.posixFallocate(fd, offset, bytes);
    }

    @Override
    public long mmapShared(int fd, long offset, long bytes) {
        return Os.mmapShared(fd, offset, bytes);
    }

    @Override
    public long mmapReadOnly(int fd, long offset, long bytes) {
        return Os.mmapReadOnly(fd, offset, bytes);
    }

    @Override
    public int lostPages(long address) {
        return Os.lostPages(address);
    }

    @Override
    public int mmapZeros(long address, long bytes) {
        return Os.mmapZeros(address, bytes);
    }

    @Override
    public long lostCount() {
        return Os.lostCount();
    }

    @Override
    public int munmap(long address, long bytes) {
        return Os.munmap(address, bytes);
    }

    @Override
    public int openExclusive(byte[] path, int mode) {
        return Os.openExclusive(path, mode);
    }

    @Override
    public int openUnnamed(byte[] directory, int mode) {
        return Os.openUnnamed(directory, mode);
    }

    @Override
    public int openOf(int pid, int fd) {
        return Os.openOf(pid, fd);
    }

    @Override
    public int openExisting(byte[] path) {
        return Os.openExisting(path);
    }

    @Override
    public int fstat(int fd, long[] out) {
        return Os.fstat(fd, out);
    }

    @Override
    public int ftruncate(int fd, long bytes) {
        return Os.ftruncate(fd, bytes);
    }

    @Override
    public int unlink(byte[] path) {
        return Os.unlink(path);
    }

    @Override
    public int statvfs(byte[] path, long[] out) {
        return Os.statvfs(path, out);
    }

    @Override
    public int close(int fd) {
        return Os.close(fd);
    }

    @Override
    public int pidfdOpen(int pid) {
        return Os.pidfdOpen(pid);
    }

    @Override
    public int pidfdHasExited(int pidfd) {
        return Os.pidfdHasExited(pidfd);
    }

    @Override
    public int prctlSetPtracer(int pid) {
        return Os.prctlSetPtracer(pid);
    }

    @Override
    public int setPdeathsig(int signal) {
        return Os.setPdeathsig(signal);
    }

    @Override
    public long getuid() {
        return Os.getuid();
    }

    @Override
    public long geteuid() {
        return Os.geteuid();
    }

    @Override
    public int getpid() {
        return Os.getpid();
    }

    @Override
    public int gettid() {
        return Os.gettid();
    }

    @Override
    public int findSocket(byte[] ends) {
        return Os.findSocket(ends);
    }

    @Override
    public long tcpRetransmits(int fd, byte[] ends) {
        return Os.tcpRetransmits(fd, ends);
    }

    @Override
    public int schedSetaffinity(int tid, long[] mask) {
        return Os.schedSetaffinity(tid, mask);
    }

    @Override
    public int schedGetaffinity(int tid, long[] mask) {
        return Os.schedGetaffinity(tid, mask);
    }

    @Override
    public int schedGetcpu() {
        return Os.schedGetcpu();
    }

    @Override
    public int schedYield() {
        return Os.schedYield();
    }

    @Override
    public int membarrier(int command) {
        return Os.membarrier(command);
    }
}
