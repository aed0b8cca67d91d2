package org.sluice.jni.verbs;

/** The real calls: each goes straight down to {@link Verbs}, and the JIT inlines the step. */
final class NativeVerbs implements VerbsCalls {

    @Override
    public int deviceNames(byte[] out) {
        return Verbs.deviceNames(out);
    }

    @Override
    public long openDevice(byte[] name) {
        return Verbs.openDevice(name);
    }

    @Override
    public int closeDevice(long context) {
        return Verbs.closeDevice(context);
    }

    @Override
    public int queryDevice(long context, long[] out) {
        return Verbs.queryDevice(context, out);
    }

    @Override
    public int queryPort(long context, int port, long[] out) {
        return Verbs.queryPort(context, port, out);
    }

    @Override
    public int queryGid(long context, int port, int index, long[] out) {
        return Verbs.queryGid(context, port, index, out);
    }

    @Override
    public int queryPkey(long context, int port, int index) {
        return Verbs.queryPkey(context, port, index);
    }

    @Override
    public int deviceName(long context, byte[] out) {
        return Verbs.deviceName(context, out);
    }

    @Override
    public long allocateProtectionDomain(long context) {
        return Verbs.allocateProtectionDomain(context);
    }

    @Override
    public int deallocateProtectionDomain(long domain) {
        return Verbs.deallocateProtectionDomain(domain);
    }

    @Override
    public long createCompletionChannel(long context) {
        return Verbs.createCompletionChannel(context);
    }

    @Override
    public int destroyCompletionChannel(long channel) {
        return Verbs.destroyCompletionChannel(channel);
    }

    @Override
    public int completionChannelFd(long channel) {
        return Verbs.completionChannelFd(channel);
    }

    @Override
    public long createCompletionQueue(long context, int entries, long channel) {
        return Verbs.createCompletionQueue(context, entries, channel);
    }

    @Override
    public int destroyCompletionQueue(long queue) {
        return Verbs.destroyCompletionQueue(queue);
    }

    @Override
    public int requestNotify(long queue) {
        return Verbs.requestNotify(queue);
    }

    @Override
    public int drainCompletionEvents(long channel) {
        return Verbs.drainCompletionEvents(channel);
    }

    @Override
    public int poll(long queue, int count, long address) {
        return Verbs.poll(queue, count, address);
    }

    @Override
    public long createSharedReceiveQueue(long domain, int maxWr, int maxSge) {
        return Verbs.createSharedReceiveQueue(domain, maxWr, maxSge);
    }

    @Override
    public int setLimit(long sharedReceiveQueue, int limit) {
        return Verbs.setLimit(sharedReceiveQueue, limit);
    }

    @Override
    public int destroySharedReceiveQueue(long queue) {
        return Verbs.destroySharedReceiveQueue(queue);
    }

    @Override
    public int postReceive(long sharedReceiveQueue, long workRequest, long badAddress) {
        return Verbs.postReceive(sharedReceiveQueue, workRequest, badAddress);
    }

    @Override
    public int postSend(long queuePair, long workRequest, long badAddress) {
        return Verbs.postSend(queuePair, workRequest, badAddress);
    }

    @Override
    public int registerMemory(long domain, long address, long bytes, int access, long[] out) {
        return Verbs.registerMemory(domain, address, bytes, access, out);
    }

    @Override
    public int deregisterMemory(long region) {
        return Verbs.deregisterMemory(region);
    }

    @Override
    public long createEventChannel() {
        return Verbs.createEventChannel();
    }

    @Override
    public int destroyEventChannel(long channel) {
        return Verbs.destroyEventChannel(channel);
    }

    @Override
    public int eventChannelFd(long channel) {
        return Verbs.eventChannelFd(channel);
    }

    @Override
    public long createId(long eventChannel) {
        return Verbs.createId(eventChannel);
    }

    @Override
    public int destroyId(long id) {
        return Verbs.destroyId(id);
    }

    @Override
    public int bind(long id, byte[] address, int port) {
        return Verbs.bind(id, address, port);
    }

    @Override
    public int listen(long id, int backlog) {
        return Verbs.listen(id, backlog);
    }

    @Override
    public int localPort(long id) {
        return Verbs.localPort(id);
    }

    @Override
    public long cmContext(long id) {
        return Verbs.cmContext(id);
    }

    @Override
    public int cmPort(long id) {
        return Verbs.cmPort(id);
    }

    @Override
    public int cmGid(long id, long[] out) {
        return Verbs.cmGid(id, out);
    }

    @Override
    public int resolveAddress(long id, byte[] source, byte[] destination, int port, int timeoutMs) {
        return Verbs.resolveAddress(id, source, destination, port, timeoutMs);
    }

    @Override
    public int resolveRoute(long id, int timeoutMs) {
        return Verbs.resolveRoute(id, timeoutMs);
    }

    @Override
    public int copyRoute(long from, long to, int mtuBytes, int serviceLevel) {
        return Verbs.copyRoute(from, to, mtuBytes, serviceLevel);
    }

    @Override
    public int setTypeOfService(long id, int value) {
        return Verbs.setTypeOfService(id, value);
    }

    @Override
    public int setAckTimeout(long id, int value) {
        return Verbs.setAckTimeout(id, value);
    }

    @Override
    public long createQueuePair(
            long id, long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, long[] limits) {
        return Verbs.createQueuePair(id, domain, sendQueue, receiveQueue, sharedReceiveQueue, limits);
    }

    @Override
    public int destroyQueuePair(long id) {
        return Verbs.destroyQueuePair(id);
    }

    @Override
    public int failQueuePair(long queuePair) {
        return Verbs.failQueuePair(queuePair);
    }

    @Override
    public int queryQueuePair(long queuePair, long[] out) {
        return Verbs.queryQueuePair(queuePair, out);
    }

    @Override
    public int connect(long id, long[] parameters, byte[] privateData) {
        return Verbs.connect(id, parameters, privateData);
    }

    @Override
    public int accept(long id, long[] parameters, byte[] privateData) {
        return Verbs.accept(id, parameters, privateData);
    }

    @Override
    public int reject(long id, byte[] privateData) {
        return Verbs.reject(id, privateData);
    }

    @Override
    public int tellEstablished(long id) {
        return Verbs.tellEstablished(id);
    }

    @Override
    public int disconnect(long id) {
        return Verbs.disconnect(id);
    }

    @Override
    public int connectionEvent(long eventChannel, long address) {
        return Verbs.connectionEvent(eventChannel, address);
    }

    @Override
    public int asyncFd(long context) {
        return Verbs.asyncFd(context);
    }

    @Override
    public int asyncEvent(long context, long[] out) {
        return Verbs.asyncEvent(context, out);
    }

    @Override
    public int createBell() {
        return Verbs.createBell();
    }

    @Override
    public int ring(int bell) {
        return Verbs.ring(bell);
    }

    @Override
    public int hush(int bell) {
        return Verbs.hush(bell);
    }

    @Override
    public int closeBell(int bell) {
        return Verbs.closeBell(bell);
    }

    @Override
    public int waitReady(int[] descriptors, int timeoutMs) {
        return Verbs.waitReady(descriptors, timeoutMs);
    }

    @Override
    public long lockedMemoryLimit() {
        return Verbs.lockedMemoryLimit();
    }
}
