package org.sluice.jni.verbs;

import org.sluice.jni.Errno;

/**
 * Stands in where the native library is not available, so that callers have one way to learn that a call is missing.
 */
final class AbsentVerbs implements VerbsCalls {

    @Override
    public int deviceNames(byte[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public long openDevice(byte[] name) {
        return -Errno.ENOSYS;
    }

    @Override
    public int closeDevice(long context) {
        return -Errno.ENOSYS;
    }

    @Override
    public int queryDevice(long context, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int queryPort(long context, int port, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int queryGid(long context, int port, int index, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int queryPkey(long context, int port, int index) {
        return -Errno.ENOSYS;
    }

    @Override
    public int deviceName(long context, byte[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public long allocateProtectionDomain(long context) {
        return -Errno.ENOSYS;
    }

    @Override
    public int deallocateProtectionDomain(long domain) {
        return -Errno.ENOSYS;
    }

    @Override
    public long createCompletionChannel(long context) {
        return -Errno.ENOSYS;
    }

    @Override
    public int destroyCompletionChannel(long channel) {
        return -Errno.ENOSYS;
    }

    @Override
    public int completionChannelFd(long channel) {
        return -Errno.ENOSYS;
    }

    @Override
    public long createCompletionQueue(long context, int entries, long channel) {
        return -Errno.ENOSYS;
    }

    @Override
    public int destroyCompletionQueue(long queue) {
        return -Errno.ENOSYS;
    }

    @Override
    public int requestNotify(long queue) {
        return -Errno.ENOSYS;
    }

    @Override
    public int drainCompletionEvents(long channel) {
        return -Errno.ENOSYS;
    }

    @Override
    public int poll(long queue, int count, long address) {
        return -Errno.ENOSYS;
    }

    @Override
    public long createSharedReceiveQueue(long domain, int maxWr, int maxSge) {
        return -Errno.ENOSYS;
    }

    @Override
    public int setLimit(long sharedReceiveQueue, int limit) {
        return -Errno.ENOSYS;
    }

    @Override
    public int destroySharedReceiveQueue(long queue) {
        return -Errno.ENOSYS;
    }

    @Override
    public int postReceive(long sharedReceiveQueue, long workRequest, long badAddress) {
        return -Errno.ENOSYS;
    }

    @Override
    public int postSend(long queuePair, long workRequest, long badAddress) {
        return -Errno.ENOSYS;
    }

    @Override
    public int registerMemory(long domain, long address, long bytes, int access, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int deregisterMemory(long region) {
        return -Errno.ENOSYS;
    }

    @Override
    public long createEventChannel() {
        return -Errno.ENOSYS;
    }

    @Override
    public int destroyEventChannel(long channel) {
        return -Errno.ENOSYS;
    }

    @Override
    public int eventChannelFd(long channel) {
        return -Errno.ENOSYS;
    }

    @Override
    public long createId(long eventChannel) {
        return -Errno.ENOSYS;
    }

    @Override
    public int destroyId(long id) {
        return -Errno.ENOSYS;
    }

    @Override
    public int bind(long id, byte[] address, int port) {
        return -Errno.ENOSYS;
    }

    @Override
    public int listen(long id, int backlog) {
        return -Errno.ENOSYS;
    }

    @Override
    public int localPort(long id) {
        return -Errno.ENOSYS;
    }

    @Override
    public long cmContext(long id) {
        return -Errno.ENOSYS;
    }

    @Override
    public int cmPort(long id) {
        return -Errno.ENOSYS;
    }

    @Override
    public int cmGid(long id, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int resolveAddress(long id, byte[] source, byte[] destination, int port, int timeoutMs) {
        return -Errno.ENOSYS;
    }

    @Override
    public int resolveRoute(long id, int timeoutMs) {
        return -Errno.ENOSYS;
    }

    @Override
    public int copyRoute(long from, long to, int mtuBytes, int serviceLevel) {
        return -Errno.ENOSYS;
    }

    @Override
    public int setTypeOfService(long id, int value) {
        return -Errno.ENOSYS;
    }

    @Override
    public int setAckTimeout(long id, int value) {
        return -Errno.ENOSYS;
    }

    @Override
    public long createQueuePair(
            long id, long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, long[] limits) {
        return -Errno.ENOSYS;
    }

    @Override
    public int destroyQueuePair(long id) {
        return -Errno.ENOSYS;
    }

    @Override
    public int failQueuePair(long queuePair) {
        return -Errno.ENOSYS;
    }

    @Override
    public int queryQueuePair(long queuePair, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int connect(long id, long[] parameters, byte[] privateData) {
        return -Errno.ENOSYS;
    }

    @Override
    public int accept(long id, long[] parameters, byte[] privateData) {
        return -Errno.ENOSYS;
    }

    @Override
    public int reject(long id, byte[] privateData) {
        return -Errno.ENOSYS;
    }

    @Override
    public int tellEstablished(long id) {
        return -Errno.ENOSYS;
    }

    @Override
    public int disconnect(long id) {
        return -Errno.ENOSYS;
    }

    @Override
    public int connectionEvent(long eventChannel, long address) {
        return -Errno.ENOSYS;
    }

    @Override
    public int asyncFd(long context) {
        return -Errno.ENOSYS;
    }

    @Override
    public int asyncEvent(long context, long[] out) {
        return -Errno.ENOSYS;
    }

    @Override
    public int createBell() {
        return -Errno.ENOSYS;
    }

    @Override
    public int ring(int bell) {
        return -Errno.ENOSYS;
    }

    @Override
    public int hush(int bell) {
        return -Errno.ENOSYS;
    }

    @Override
    public int closeBell(int bell) {
        return -Errno.ENOSYS;
    }

    @Override
    public int waitReady(int[] descriptors, int timeoutMs) {
        return -Errno.ENOSYS;
    }

    @Override
    public long lockedMemoryLimit() {
        return -Errno.ENOSYS;
    }
}
