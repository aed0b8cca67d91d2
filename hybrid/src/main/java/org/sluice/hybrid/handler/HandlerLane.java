package org.sluice.hybrid.handler;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.sluice.device.Handler;
import org.sluice.device.HandlerException;
import org.sluice.device.memory.Memory;
import org.sluice.hybrid.receive.StoredMessage;
import org.sluice.hybrid.request.Failure;

/**
 * The messages of one rank for handlers, in order, and the one whose turn it is.
 *
 * <p>States of that message: none; due (in the queue of {@link HandlerMessages}); running. Those that are
 * {@link #fetching} come before those that are {@link #waiting}. <i>Thread</i>: under the progress lock, but for
 * {@link #handle}, {@link #task} and {@link #refused}, which are for who has the lane. <i>Proof</i>:
 * {@code HandlerCases}, {@code ShortHandlerCases}.
 */
final class HandlerLane {
    /** What {@link #copyShort} takes. */
    static final int SHORT_BYTES = 64;

    static final long SHORT_OFFSET = Memory.arrayOffset(new byte[0]);

    final int source;
    /** Behind the one whose turn it is. */
    final ArrayDeque<StoredMessage> waiting = new ArrayDeque<>();
    /** Before these: on their way, or come, into memory of this device. */
    final ArrayDeque<HandlerFetch> fetching = new ArrayDeque<>();
    /** Of these and of {@link #fetch}. */
    long fetchedBytes;

    final HandlerMessage view;
    private final HandlerTasks tasks;
    /** None has been needed, or the last one was refused. */
    private HandlerTask task;

    /** The message whose turn it is has these; 0 and null where there is none. */
    boolean isBusy;

    int id;
    long bytes;
    Handler handler;
    Executor executor;
    /** It lies in {@link #shortBytes}, and so neither in {@link #message} nor in {@link #fetch}. */
    boolean isShort;

    final byte[] shortBytes = new byte[SHORT_BYTES];
    /** It lies in memory that goes back when it was handled; else null. */
    StoredMessage message;
    /** Where a message came that could not be read in place. */
    HandlerFetch fetch;
    /** Its handler threw, or could not be called. */
    boolean hasFailed;
    /** Why its handler can't be called, and what that came from; null where it can. */
    String what;

    Throwable problem;
    /**
     * The thread that an executor had go on with this lane while it was in the middle of it, as it runs tasks at once;
     * null: none had to.
     */
    Thread nestedIn;

    HandlerLane(HandlerTasks tasks, int source) {
        this.tasks = tasks;
        this.source = source;
        this.view = new HandlerMessage(() -> tasks.keep(this));
    }

    /** The next message has its turn. */
    void hasTurn(int newId, long newBytes, HandlerRegistrations.Registration registration) {
        isBusy = true;
        id = newId;
        bytes = newBytes;
        if (handler != registration.handler()) {
            handler = registration.handler();
        }
        if (executor != registration.executor()) {
            executor = registration.executor();
        }
        hasFailed = false;
    }

    /** Told where the handler would be called, as whom it is told is the program's. */
    private void cannot(String newWhat, Throwable newProblem) {
        what = newWhat;
        problem = newProblem;
    }

    /** The message whose turn it is was fetched, or could not be. */
    void tell(HandlerFetch over) {
        Failure failure = over.completion.failure();
        if (over.problem != null) {
            cannot("found no memory", over.problem);
        } else if (failure != null) {
            cannot("could not be called", failure.toException(null));
        } else {
            view.begin(source, over.id, over.bytes, over.memory, over.memory.address(), false);
        }
    }

    /** A message that comes now has its turn at once, if its id is registered. */
    boolean isFree() {
        return !isBusy && waiting.isEmpty() && fetching.isEmpty();
    }

    /** The message whose turn it is comes from there. */
    void copyShort(long address, int length) {
        if (length == Long.BYTES) {
            Memory.putLong(shortBytes, SHORT_OFFSET, Memory.getLong(address));
        } else {
            Memory.copy(null, address, shortBytes, SHORT_OFFSET, length);
        }
    }

    /** Calls the handler; not under the lock. Throws nothing. */
    void handle() {
        try {
            handler.handle(source, view);
        } catch (Throwable e) {
            tell("threw", e);
        }
    }

    /** Throws nothing. */
    void tell(String what, Throwable cause) {
        hasFailed = true;
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler()
                    .uncaughtException(thread, new HandlerException(tasks.rank, id, source, bytes, what, cause));
        } catch (Throwable e) {
            // Whoever was to be told has failed: there is nobody else, and the next message waits.
            return;
        }
    }

    /** For the executor. */
    HandlerTask task() {
        if (task == null) {
            task = new HandlerTask(tasks, this);
        }
        return task;
    }

    /** The one before is in some queue, perhaps. */
    void refused() {
        task = null;
    }
}
