package org.sluice.hybrid.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.sluice.device.ErrorCode;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * How an operation ended: pending, then done once and for all.
 *
 * <p><i>Thread</i>: {@link #succeed}, {@link #fail} and the waiters under the progress lock; the rest any. The result
 * fields are plain and published by the release store of {@code done}; readers pair with it by the acquire load in
 * {@link #isDone}. <i>Owns</i>: nothing; the operation behind it owns the buffer. <i>Proof</i>:
 * {@code CompletionStress}, {@code CompletionTest}.
 */
public class Completion implements Request, Goal {
    private static final VarHandle DONE;
    private static final Thread[] NOBODY = new Thread[0];
    /** Serves a blocking call: no program ever sees it. */
    private static final byte HIDDEN = 0;

    private static final byte VISIBLE = 1;
    /** A visible one that receives. */
    private static final byte RECEIVING = 2;

    static {
        try {
            DONE = MethodHandles.lookup().findVarHandle(Completion.class, "done", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Waiting waiting;
    /** One byte, with which a request still has a line to itself. */
    private final byte kind;
    /** The call that waited is gone, and told somebody else of the message. */
    private boolean heard;
    /** Somebody got the result. A hint for peek, so it needs no order. */
    private boolean consumed;

    private boolean done;
    private int source;
    private int tag;
    private int contextId;
    private int elementSize;
    private long bytes;
    private Failure failure;

    /** What is to be withdrawn by cancel: a posted receive, a probe, a send, or null. Under the progress lock. */
    private Object operation;
    /** Under the progress lock. */
    private Thread[] waiters = NOBODY;
    /** Set under the progress lock, and told outside it. */
    private Callback callback;
    /** The callback, or part of it, that the program knows. */
    private CompletableFuture<Status> future;

    public Completion(Waiting waiting) {
        this(waiting, true);
    }

    /** @param visible whether the program is to see it as a request */
    protected Completion(Waiting waiting, boolean visible) {
        this(waiting, visible ? VISIBLE : HIDDEN);
    }

    /** @param receives whether it is one of {@link #ofReceive}; else as {@link #Completion(Waiting)} */
    protected Completion(boolean receives, Waiting waiting) {
        this(waiting, receives ? RECEIVING : VISIBLE);
    }

    private Completion(Waiting waiting, byte kind) {
        this.waiting = waiting;
        this.kind = kind;
    }

    /** A request that receives. */
    public static Completion ofReceive(Waiting waiting) {
        return new Completion(waiting, RECEIVING);
    }

    /** One that blocking calls use again and again, see {@link #reset}. */
    public static Completion reusable(Waiting waiting) {
        return new Completion(waiting, false);
    }

    /** Whether this device made it, and so makes progress for it. */
    public boolean isOf(Waiting device) {
        return waiting == device;
    }

    /** The device that made it. */
    public final Waiting device() {
        return waiting;
    }

    /** True when Device.peek may return it: a program holds it and has not asked for the result. */
    public boolean isPeekable() {
        return kind != HIDDEN && !consumed;
    }

    /** For one that is kept for blocking calls: pending again. Nobody else may know it any more. */
    public void reset() {
        failure = null;
        operation = null;
        if (callback != null) {
            callback = null;
        }
        DONE.setOpaque(this, false);
    }

    /** How often it was begun again, where somebody who waits may not tell the one time from the other. */
    public int uses() {
        return 0;
    }

    public void operation(Object newOperation) {
        operation = newOperation;
    }

    public Object operation() {
        return operation;
    }

    @Override
    public boolean isReached() {
        return (boolean) DONE.getAcquire(this);
    }

    /**
     * Ends well.
     *
     * @return true when {@link #callback} is to be told, outside the lock
     */
    public boolean succeed(int newContextId, int newSource, int newTag, long newBytes, int newElementSize) {
        return end(newContextId, newSource, newTag, newBytes, newElementSize, null);
    }

    /**
     * Ends badly, with what arrived all the same.
     *
     * @return as {@link #succeed}
     */
    public boolean fail(
            Failure newFailure, int newContextId, int newSource, int newTag, long newBytes, int newElementSize) {
        return end(newContextId, newSource, newTag, newBytes, newElementSize, newFailure);
    }

    private boolean end(
            int newContextId, int newSource, int newTag, long newBytes, int newElementSize, Failure newFailure) {
        if (done) {
            throw new IllegalStateException("a request completed twice: " + newFailure);
        }
        contextId = newContextId;
        source = newSource;
        tag = newTag;
        bytes = newBytes;
        elementSize = newElementSize;
        failure = newFailure;
        if (newFailure != null) {
            newFailure.tell();
        }
        operation = null;
        DONE.setRelease(this, true);
        if (waiters.length != 0) {
            for (Thread waiter : waiters) {
                LockSupport.unpark(waiter);
            }
            waiters = NOBODY;
        }
        return callback != null;
    }

    @Override
    public void addWaiter(Thread thread) {
        if (!done) {
            int count = waiterCount();
            if (count == waiters.length) {
                waiters = Arrays.copyOf(waiters, count + 1);
            }
            waiters[count] = thread;
        }
    }

    /** Behind them in the array there is nobody. */
    private int waiterCount() {
        int count = waiters.length;
        while (count > 0 && waiters[count - 1] == null) {
            count--;
        }
        return count;
    }

    @Override
    public void removeWaiter(Thread thread) {
        int last = waiterCount() - 1;
        for (int i = 0; i <= last; i++) {
            if (waiters[i] == thread) {
                waiters[i] = waiters[last];
                waiters[last] = null;
                waiters = last == 0 ? NOBODY : waiters;
                return;
            }
        }
    }

    /** Threads that are parked until this is done; under the progress lock. */
    public Thread[] waiters() {
        return Arrays.copyOf(waiters, waiterCount());
    }

    /**
     * Adds one who is told of the end; under the progress lock.
     *
     * @return false when the request is done already
     */
    public boolean attach(Callback added) {
        if (!done) {
            if (callback instanceof SeveralCallbacks several) {
                several.add(added);
            } else {
                callback = callback == null ? added : new SeveralCallbacks(callback, added);
            }
        }
        return !done;
    }

    /** Who is to be told, or null; under the progress lock. */
    public Callback callback() {
        return callback;
    }

    /** Says who is called back and has been told, or is gone and has somebody to tell of the message. */
    public final void heard() {
        heard = true;
    }

    /**
     * Asks who is called back, is gone, and has nobody to tell: whether this is a receive of whose message nobody
     * hears. The last who is called back alone can say so; the others are told no.
     */
    public final boolean isDroppedBy(Callback asking) {
        return kind == RECEIVING && callback != null && callback.tellsLast(asking) && !heard && !consumed;
    }

    /** Looks at each who is to be told, who may be replaced; under the progress lock, and before any is told. */
    public void replaceCallbacks(UnaryOperator<Callback> by) {
        if (callback instanceof SeveralCallbacks several) {
            several.replaceAll(by);
        } else if (callback != null) {
            callback = by.apply(callback);
        }
    }

    public void fill(Status status) {
        status.set(source, tag, contextId, bytes, elementSize, failure == null ? ErrorCode.NONE : failure.code());
    }

    protected final int elementSize() {
        return elementSize;
    }

    /** Of a message that came, or went; once it is over. */
    public final int tag() {
        return tag;
    }

    /** As {@link #tag}. */
    public final long bytes() {
        return bytes;
    }

    public Failure failure() {
        return failure;
    }

    /** Fills in the status, then throws if this failed. */
    public void result(Status status) {
        consumed = true;
        fill(status);
        if (failure != null) {
            throw failure.toException(status);
        }
    }

    private Status result() {
        Status status = new Status();
        result(status);
        return status;
    }

    @Override
    public boolean isDone() {
        if (!isReached()) {
            waiting.progressFor(this);
        }
        return isReached();
    }

    @Override
    public Status test() {
        return isDone() ? result() : null;
    }

    @Override
    public Status waitFor() {
        waiting.await(this, Waiting.FOREVER);
        return result();
    }

    @Override
    public void waitFor(Status status) {
        waiting.await(this, Waiting.FOREVER);
        result(status);
    }

    @Override
    public Status waitFor(long timeout, TimeUnit unit) {
        return waiting.await(this, Waiting.deadline(unit.toNanos(timeout))) ? result() : null;
    }

    @Override
    public boolean cancel() {
        return !isReached() && waiting.cancel(this);
    }

    @Override
    public CompletableFuture<Status> toFuture() {
        return waiting.futureOf(this);
    }

    /** For {@link Waiting#futureOf}; under the progress lock. */
    public CompletableFuture<Status> future() {
        return future;
    }

    /**
     * As {@link #future()}. Whatever is thrown, nobody gets it.
     *
     * @param told who tells the future of the end, itself as a rule
     * @return false when the request is done already, which the future knows before
     */
    public boolean future(CompletableFuture<Status> newFuture, Callback told) {
        boolean isToBeTold = attach(told);
        future = newFuture;
        return isToBeTold;
    }

    @Override
    public ErrorCode error() {
        ErrorCode code = code();
        if (code != ErrorCode.NONE) {
            failure.hear();
        }
        return code;
    }

    /** As {@link #error}, for those who tell the program nothing: it has not heard of a failure by that. */
    public final ErrorCode code() {
        return !isReached() || failure == null ? ErrorCode.NONE : failure.code();
    }

    @Override
    public String toString() {
        if (!isReached()) {
            return "Request[in flight]";
        }
        Status status = new Status();
        fill(status);
        return "Request[" + status + "]";
    }
}
