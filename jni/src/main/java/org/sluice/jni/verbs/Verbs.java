package org.sluice.jni.verbs;

import org.sluice.jni.NativeLibrary;

/**
 * The Java mirror of {@code libsluice_verbs.so}, which is loaded once, when this class is first used;
 * {@code -Dsluice.verbs=off} or {@code SLUICE_VERBS=off} keeps it out. It needs libibverbs and librdmacm on this
 * system, and is not loaded where they are missing or lay their structures out in another way than {@link VerbsLayout}.
 * What each call does and returns stands in {@link VerbsCalls}, and rooms above hold one of those: a native method
 * here, called where {@link #available()} is false, is an UnsatisfiedLinkError.
 *
 * <p>Thread: any.
 *
 * <p>Fails: never while loading; {@link #unavailableReason()} says what went wrong.
 *
 * <p>Proof: {@code VerbsAvailabilityTest}.
 */
public final class Verbs {

    private static final NativeLibrary LIBRARY = load();

    private Verbs() {}

    private static NativeLibrary load() {
        NativeLibrary library = NativeLibrary.load("verbs");
        if (!library.loaded()) {
            return library;
        }
        int[] found = new int[LayoutCheck.NUMBERS];
        return library.unless(LayoutCheck.difference(found, layout(found)));
    }

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
    public static VerbsCalls calls() {
        return available() ? new NativeVerbs() : new AbsentVerbs();
    }

    /** Calls that all return {@code -ENOSYS}: for a device that is to go without the library. */
    public static VerbsCalls none() {
        return new AbsentVerbs();
    }

    /** Writes the numbers that {@link LayoutCheck} compares, and returns how many there are. */
    static native int layout(int[] out);

    public static native int deviceNames(byte[] out);

    public static native long openDevice(byte[] name);

    public static native int closeDevice(long context);

    public static native int queryDevice(long context, long[] out);

    public static native int queryPort(long context, int port, long[] out);

    public static native int queryGid(long context, int port, int index, long[] out);

    public static native int queryPkey(long context, int port, int index);

    public static native int deviceName(long context, byte[] out);

    public static native long allocateProtectionDomain(long context);

    public static native int deallocateProtectionDomain(long domain);

    public static native long createCompletionChannel(long context);

    public static native int destroyCompletionChannel(long channel);

    public static native int completionChannelFd(long channel);

    public static native long createCompletionQueue(long context, int entries, long channel);

    public static native int destroyCompletionQueue(long queue);

    public static native int requestNotify(long queue);

    public static native int drainCompletionEvents(long channel);

    public static native int poll(long queue, int count, long address);

    public static native long createSharedReceiveQueue(long domain, int maxWr, int maxSge);

    public static native int setLimit(long sharedReceiveQueue, int limit);

    public static native int destroySharedReceiveQueue(long queue);

    public static native int postReceive(long sharedReceiveQueue, long workRequest, long badAddress);

    public static native int postSend(long queuePair, long workRequest, long badAddress);

    public static native int registerMemory(long domain, long address, long bytes, int access, long[] out);

    public static native int deregisterMemory(long region);

    public static native long createEventChannel();

    public static native int destroyEventChannel(long channel);

    public static native int eventChannelFd(long channel);

    public static native long createId(long eventChannel);

    public static native int destroyId(long id);

    public static native int bind(long id, byte[] address, int port);

    public static native int listen(long id, int backlog);

    public static native int localPort(long id);

    public static native long cmContext(long id);

    public static native int cmPort(long id);

    public static native int cmGid(long id, long[] out);

    public static native int resolveAddress(long id, byte[] source, byte[] destination, int port, int timeoutMs);

    public static native int resolveRoute(long id, int timeoutMs);

    public static native int copyRoute(long from, long to, int mtuBytes, int serviceLevel);

    public static native int setTypeOfService(long id, int value);

    public static native int setAckTimeout(long id, int value);

    public static native long createQueuePair(
            long id, long domain, long sendQueue, long receiveQueue, long sharedReceiveQueue, long[] limits);

    public static native int destroyQueuePair(long id);

    public static native int failQueuePair(long queuePair);

    public static native int queryQueuePair(long queuePair, long[] out);

    public static native int connect(long id, long[] parameters, byte[] privateData);

    public static native int accept(long id, long[] parameters, byte[] privateData);

    public static native int reject(long id, byte[] privateData);

    public static native int tellEstablished(long id);

    public static native int disconnect(long id);

    public static native int connectionEvent(long eventChannel, long address);

    public static native int asyncFd(long context);

    public static native int asyncEvent(long context, long[] out);

    public static native int createBell();

    public static native int ring(int bell);

    public static native int hush(int bell);

    public static native int closeBell(int bell);

    public static native int waitReady(int[] descriptors, int timeoutMs);

    public static native long lockedMemoryLimit();
}
