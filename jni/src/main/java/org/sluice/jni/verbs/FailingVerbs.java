package org.sluice.jni.verbs;

import java.util.List;
import org.sluice.jni.Errno;
import org.sluice.jni.NthFailure;

/**
 * Hands every call on, except that the n-th returns a chosen errno: the seam by which tests show that each failure of
 * each call is survived. Run once with {@link #neverFailing} to learn how many calls there are, then once for every n.
 *
 * <p>Thread: any; the count is over all threads, so a test that needs a certain call to fail drives it from one thread
 * or chooses a method.
 *
 * <p>Owns: the count; not the calls below.
 *
 * <p>Fails: a chosen call is not made, except those that give something back (close, deallocate, deregister, destroy):
 * they are made and then reported as failed, because the test itself would leak otherwise. A post that fails names its
 * first request as the bad one. Calls that only read what an object holds ({@code localPort} and the like) are neither
 * counted nor failed.
 *
 * <p>Proof: {@code FailingVerbsTest}.
 */
public final class FailingVerbs implements VerbsCalls {

    /** A post to it is refused with all of its requests, and says so at the caller's address. */
    private static final long NO_QUEUE = 0;

    private static final List<String> FALLIBLE = List.of(
            "deviceNames",
            "openDevice",
            "closeDevice",
            "queryDevice",
            "queryPort",
            "queryGid",
            "queryPkey",
            "deviceName",
            "allocateProtectionDomain",
            "deallocateProtectionDomain",
            "createCompletionChannel",
            "destroyCompletionChannel",
            "createCompletionQueue",
            "destroyCompletionQueue",
            "requestNotify",
            "drainCompletionEvents",
            "poll",
            "createSharedReceiveQueue",
            "setLimit",
            "destroySharedReceiveQueue",
            "postReceive",
            "postSend",
            "registerMemory",
            "deregisterMemory",
            "createEventChannel",
            "destroyEventChannel",
            "createId",
            "destroyId",
            "bind",
            "listen",
            "resolveAddress",
            "resolveRoute",
            "copyRoute",
            "setTypeOfService",
            "setAckTimeout",
            "createQueuePair",
            "destroyQueuePair",
            "failQueuePair",
            "queryQueuePair",
            "connect",
            "accept",
            "reject",
            "tellEstablished",
            "disconnect",
            "connectionEvent",
            "asyncFd",
            "asyncEvent",
            "createBell",
            "ring",
            "hush",
            "closeBell",
            "waitReady");

    private final VerbsCalls calls;
    private final NthFailure failure;
    private final int errno;

    private FailingVerbs(VerbsCalls calls, NthFailure failure) {
        this.calls = calls;
        this.failure = failure;
        this.errno = failure.errno();
    }

    /** Only counts. */
    public static FailingVerbs neverFailing(VerbsCalls calls) {
        return new FailingVerbs(calls, NthFailure.never());
    }

    /** Fails the {@code failingCall}-th call (from 1) with {@code errno}, for instance {@link Errno#ENOMEM}. */
    public static FailingVerbs failing(VerbsCalls calls, long failingCall, int errno) {
        return failing(calls, null, failingCall, errno);
    }

    /** Counts and fails calls of one method only, named as in {@link VerbsCalls}. */
    public static FailingVerbs failing(VerbsCalls calls, String method, long failingCall, int errno) {
        return new FailingVerbs(calls, NthFailure.of(FALLIBLE, method, failingCall, errno, "ENOMEM"));
    }

    /** Calls so far that counted. */
    public long callCount() {
        return failure.callCount();
    }

    private boolean fails(String name) {
        return failure.fails(name);
    }

    @Override
    public int deviceNames(byte[] out) {
        return fails("deviceNames") ? -errno : calls.deviceNames(out);
    }

    @Override
    public long openDevice(byte[] name) {
        return fails("openDevice") ? -errno : calls.openDevice(name);
    }

    @Override
    public int closeDevice(long context) {
        int result = calls.closeDevice(context);
        return fails("closeDevice") ? -errno : result;
    }

    @Override
    public int queryDevice(long context, long[] out) {
        return fails("queryDevice") ? -errno : calls.queryDevice(context, out);
    }

    @Override
    public int queryPort(long context, int port, long[] out) {
        return fails("queryPort") ? -errno : calls.queryPort(context, port, out);
    }

    @Override
    public int queryGid(long context, int port, int index, long[] out) {
        return fails("queryGid") ? -errno : calls.queryGid(context, port, index, out);
    }

    @Override
    public int queryPkey(long context, int port, int index) {
        return fails("queryPkey") ? -errno : calls.queryPkey(context, port, index);
    }

    @Override
    public int deviceName(long context, byte[] out) {
        return fails("deviceName") ? -errno : calls.deviceName(context, out);
    }

    @Override
    public long allocateProtectionDomain(long context) {
        return fails("allocateProtectionDomain") ? -errno : calls.allocateProtectionDomain(context);
    }

    @Override
    public int deallocateProtectionDomain(long domain) {
        int result = calls.deallocateProtectionDomain(domain);
        return fails("deallocateProtectionDomain") ? -errno : result;
    }

    @Override
    public long createCompletionChannel(long context) {
        return fails("createCompletionChannel") ? -errno : calls.createCompletionChannel(context);
    }

    @Override
    public int destroyCompletionChannel(long channel) {
        int result = calls.destroyCompletionChannel(channel);
        return fails("destroyCompletionChannel") ? -errno : result;
    }

    @Override
    public int completionChannelFd(long channel) {
        return calls.completionChannelFd(channel);
    }

    @Override
    public long createCompletionQueue(long context, int entries, long channel) {
        return fails("createCompletionQueue") ? -errno : calls.createCompletionQueue(context, entries, channel);
    }

    @Override
    public int destroyCompletionQueue(long queue) {
        int result = calls.destroyCompletionQueue(queue);
        return fails("destroyCompletionQueue") ? -errno : result;
    }

    @Override
    public int requestNotify(long queue) {
        return fails("requestNotify") ? -errno : calls.requestNotify(queue);
    }

    @Override
    public int drainCompletionEvents(long channel) {
        return fails("drainCompletionEvents") ? -errno : calls.drainCompletionEvents(channel);
    }

    @Override
    public int poll(long queue, int count, long address) {
        return fails("poll") ? -errno : calls.poll(queue, count, address);
    }

    @Override
    public long createSharedReceiveQueue(long domain, int maxWr, int maxSge) {
        return fails("createSharedReceiveQueue") ? -errno : calls.createSharedReceiveQueue(domain, maxWr, maxSge);
    }

    @Override
    public int setLimit(long sharedReceiveQueue, int limit) {
        return fails("setLimit") ? -errno : calls.setLimit(sharedReceiveQueue, limit);
    }

    @Override
    public int destroySharedReceiveQueue(long queue) {
        int result = calls.destroySharedReceiveQueue(queue);
        return fails("destroySharedReceiveQueue") ? -errno : result;
    }

    @Override
    public int postReceive(long sharedReceiveQueue, long workRequest, long badAddress) {
        boolean fails = fails("postReceive");
        int result = calls.postReceive(fails ? NO_QUEUE : sharedReceiveQueue, workRequest, badAddress);
        return fails ? -errno : result;
    }

    @Override
    public int postSend(long queuePair, long workRequest, long badAddress) {
        boolean fails = fails("postSend");
        int result = calls.postSend(fails ? NO_QUEUE : queuePair, workRequest, badAddress);
        return fails ? -errno : result;
    }

    @Override
    public int registerMemory(long domain, long address, long bytes, int access, long[] out) {
        return fails("registerMemory") ? -errno : calls.registerMemory(domain, address, bytes, access, out);
    }

    @Override
    public int deregisterMemory(long region) {
        int result = calls.deregisterMemory(region);
        return fails("deregisterMemory") ? -errno : result;
    }

    @Override
    public long createEventChannel() {
        return fails("createEventChannel") ? -errno : calls.createEventChannel();
    }

    @Override
    public int destroyEventChannel(long channel) {
        int result = calls.destroyEventChannel(channel);
        return fails("destroyEventChannel") ? -errno : result;
    }

    @Override
    public int eventChannelFd(long channel) {
        return calls.eventChannelFd(channel);
    }

    @Override
    public long createId(long eventChannel) {
        return fails("createId") ? -errno : calls.createId(eventChannel);
    }

    @Override
    public int destroyId(long id) {
        int result = calls.destroyId(id);
        return fails("destroyId") ? -errno : result;
    }

    @Override
    public int bind(long id, byte[] address, int port) {
        return fails("bind") ? -errno : calls.bind(id, address, port);
    }

    @Override
    public int listen(long id, int backlog) {
        return fails("listen") ? -errno : calls.listen(id, backlog);
    }

    @Override
    public int localPort(long id) {
        return calls.localPort(id);
    }

    @Override
    public long cmContext(long id) {
        return calls.cmContext(id);
    }

    @Override
    public int cmPort(long id) {
        return calls.cmPort(id);
    }

    @Override
    public int cmGid(long id, long[] out) {
        return calls.cmGid(id, out);
    }

    @Override
    public int resolveAddress(long id, byte[] source, byte[] destination, int port, int timeoutMs) {
        return fails("resolveAddress") ? -errno : calls.resolveAddress(id, source, destination, port, timeoutMs);
    }

    @Override
    public int resolveRoute(long id, int timeoutMs) {
        return fails("resolveRoute") ? -errno : calls.resolveRoute(id, timeoutMs);
    }

    @Override
    public int copyRoute(long from, long to, int mtuBytes, int serviceLevel) {
        return fails("copyRoute") ? -errno : calls.copyRoute(from, to, mtuBytes, serviceLevel);
    }

    @Override
    public int setTypeOfService(long id, int value) {
        return fails("setTypeOfService") ? -errno : calls.setTypeOfService(id, value);
    }

    @Override
    public int setAckTimeout(long id, int value) {
        return fails("setAckTimeout") ? -errno : calls.setAckTimeout(id, value);
    }

    @Override
    public long createQueuePair(
            long id, long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, long[] limits) {
        return fails("createQueuePair")
                ? -errno
                : calls.createQueuePair(id, domain, sendQueue, receiveQueue, sharedReceiveQueue, limits);
    }

    @Override
    public int destroyQueuePair(long id) {
        int result = calls.destroyQueuePair(id);
        return fails("destroyQueuePair") ? -errno : result;
    }

    @Override
    public int failQueuePair(long queuePair) {
        return fails("failQueuePair") ? -errno : calls.failQueuePair(queuePair);
    }

    @Override
    public int queryQueuePair(long queuePair, long[] out) {
        return fails("queryQueuePair") ? -errno : calls.queryQueuePair(queuePair, out);
    }

    @Override
    public int connect(long id, long[] parameters, byte[] privateData) {
        return fails("connect") ? -errno : calls.connect(id, parameters, privateData);
    }

    @Override
    public int accept(long id, long[] parameters, byte[] privateData) {
        return fails("accept") ? -errno : calls.accept(id, parameters, privateData);
    }

    @Override
    public int reject(long id, byte[] privateData) {
        return fails("reject") ? -errno : calls.reject(id, privateData);
    }

    @Override
    public int tellEstablished(long id) {
        return fails("tellEstablished") ? -errno : calls.tellEstablished(id);
    }

    @Override
    public int disconnect(long id) {
        return fails("disconnect") ? -errno : calls.disconnect(id);
    }

    @Override
    public int connectionEvent(long eventChannel, long address) {
        return fails("connectionEvent") ? -errno : calls.connectionEvent(eventChannel, address);
    }

    @Override
    public int asyncFd(long context) {
        return fails("asyncFd") ? -errno : calls.asyncFd(context);
    }

    @Override
    public int asyncEvent(long context, long[] out) {
        return fails("asyncEvent") ? -errno : calls.asyncEvent(context, out);
    }

    @Override
    public int createBell() {
        return fails("createBell") ? -errno : calls.createBell();
    }

    @Override
    public int ring(int bell) {
        return fails("ring") ? -errno : calls.ring(bell);
    }

    @Override
    public int hush(int bell) {
        return fails("hush") ? -errno : calls.hush(bell);
    }

    @Override
    public int closeBell(int bell) {
        int result = calls.closeBell(bell);
        return fails("closeBell") ? -errno : result;
    }

    @Override
    public int waitReady(int[] descriptors, int timeoutMs) {
        return fails("waitReady") ? -errno : calls.waitReady(descriptors, timeoutMs);
    }

    @Override
    public long lockedMemoryLimit() {
        return calls.lockedMemoryLimit();
    }
}
