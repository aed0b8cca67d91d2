package org.sluice.mpi;

import java.util.function.IntFunction;
import org.sluice.device.Request;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.LayerPromise;

/**
 * A duplicate of a communicator that its ranks are about to make (MPI_Comm_idup). Attributes are copied when it begins.
 *
 * <p><i>Thread</i>: any.
 */
public final class DuplicateRequest<C extends AgreedSpace> {
    /** Of further exchanges, in a context of their own: ranks come to them between any other collectives. */
    private static final int CONTEXT = 2 + CollectiveSpace.SLOTS;

    private final AgreedSpace parent;
    private final int turn;
    private final IntFunction<C> make;
    private final Attributes copies = new Attributes();
    private final Spaces.Numbering numbering;
    private final LayerPromise promise;
    private RuntimeException copyFailure;
    /** Of the duplicate; written before the promise ends. */
    private int created;

    private C made;

    /** @param turn which of the communicator's it is */
    DuplicateRequest(AgreedSpace parent, long agreement, int turn, IntFunction<C> make) {
        this.parent = parent;
        this.turn = turn;
        this.make = make;
        this.promise = parent.layer.promise();
        parent.refuseFreed();
        try {
            parent.copyAttributes(copies);
        } catch (RuntimeException e) {
            copyFailure = e;
        }
        numbering = parent.spaces.new Numbering(agreement, 0, copyFailure == null);
    }

    /** For waits and tests: over when the duplicate can be used. */
    public Request request() {
        return promise;
    }

    /**
     * The duplicate; always the same object. Waits until it can be used.
     *
     * @throws SluiceException if it wasn't made, as of a collective that doesn't wait
     */
    public synchronized C communicator() {
        promise.waitFor();
        if (made == null) {
            made = make.apply(created);
            made.takeAttributes(copies);
            made.setErrorHandler(parent.errorHandler());
        }
        return made;
    }

    void begin() {
        if (parent.callers() == 1) {
            beginAlone();
            return;
        }
        numbering.offer();
        try {
            parent.startThen(
                    call -> call.agree(numbering.offered, numbering.agreed, Reduction.BITWISE_AND), this::next);
        } catch (RuntimeException e) {
            numbering.leave();
            deleteCopies(e);
            throw e;
        }
    }

    /**
     * Whose exchanges are over at once, so that nothing would come of them for as long as another one is on its way.
     */
    private void beginAlone() {
        try {
            created = parent.newNumber(0, copyFailure == null);
        } catch (RuntimeException e) {
            end(e);
            return;
        }
        end(null);
    }

    /** After an exchange. */
    private void next(Throwable failure) {
        if (failure != null) {
            numbering.leave();
            end(failure);
            return;
        }
        try {
            int found = numbering.take();
            if (found < 0) {
                exchange();
                return;
            }
            created = found;
        } catch (RuntimeException e) {
            end(e);
            return;
        }
        end(null);
    }

    private void exchange() {
        numbering.offer();
        Call call = parent.anotherCall();
        call.agree(numbering.offered, numbering.agreed, Reduction.BITWISE_AND);
        call.schedule();
        call.execution().envelopeOfTag(parent.context + CONTEXT, turn);
        call.execution().begin(() -> exchanged(call));
    }

    private void exchanged(Call call) {
        Throwable failure = call.execution().failure();
        if (failure == null) {
            call.deliver();
        }
        next(failure == null ? null : parent.failed(call, failure));
    }

    private void end(Throwable failure) {
        Throwable told = failure;
        if (failure != null) {
            told = copyFailure == null ? failure : copyFailure;
            deleteCopies(told);
        }
        Started.end(promise, parent.rank(), told);
    }

    private void deleteCopies(Throwable told) {
        RuntimeException alsoFailed = copies.deleteAll(parent);
        if (alsoFailed != null && alsoFailed != told) {
            told.addSuppressed(alsoFailed);
        }
    }
}
