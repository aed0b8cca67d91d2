package org.sluice.hybrid.protocol;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.sluice.device.Handler;
import org.sluice.device.HandlerException;
import org.sluice.device.buffer.MessageMemory;
import org.sluice.hybrid.request.Completion;

/**
 * The messages of one rank for handlers, in order, and the one whose turn it is; also the task that an executor runs.
 *
 * <p>States of that message: none; being fetched ({@link #fetched}, into {@link #memory}); due (in the queue of {@link HandlerMessages}); running. <i>Thread</i>:
 * under the progress lock, but for {@link #handle} and {@link #run}. <i>Proof</i>: {@code HandlerCases}.
 */
final class HandlerLane implements Runnable {
    final int source;
    /** Behind the one whose turn it is. */
    final ArrayDeque<StoredMessage> waiting = new ArrayDeque<>();
    final HandlerMessage view = new HandlerMessage();
    private final HandlerTasks tasks;

    /** The message whose turn it is has these; 0 and null where there is none. */
    boolean isBusy;
    int id;
    long bytes;
    Handler handler;
    Executor executor;
    /** It lies in memory that goes back when it was handled; null where it is in {@link #memory}. */
    StoredMessage message;
    /** Where a message came that could not be read in place. */
    MessageMemory memory;
    /** While it is on its way there. */
    Completion fetched;
    /** Its handler threw, or could not be called. */
    boolean hasFailed;
    /** Why its handler can't be called, and what that came from; null where it can. */
    String what;
    Throwable problem;
    /** The thread that an executor had go on with this lane while it was in the middle of it, as it runs tasks at once; null: none had to. */
    Thread nestedIn;
    /** What the handler threw may be of a page that an earlier round touched, as in a callback: then it ends the device. */
    InternalError fault;

    HandlerLane(HandlerTasks tasks, int source) {
        this.tasks = tasks;
        this.source = source;
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
        fault = cause instanceof InternalError ? (InternalError) cause : null;
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, new HandlerException(id, source, bytes, what, cause));
        } catch (Throwable e) {
            // Whoever was to be told has failed: there is nobody else, and the next message waits.
            return;
        }
    }

    /** For the executor: handles this message, and those behind it that are for the same one. */
    @Override
    public void run() {
        tasks.run(this);
    }
}
