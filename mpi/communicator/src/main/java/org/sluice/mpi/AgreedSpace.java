package org.sluice.mpi;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.sluice.device.SluiceException;
import org.sluice.mpi.schedule.Ranks;

/**
 * How communicators of any kind begin and end: all their ranks agree on a number, and give it back.
 *
 * <p><i>Thread</i>: one after the other, as all collectives.
 */
public abstract class AgreedSpace extends CollectiveSpace {
    /** Of what all ranks create together. */
    private static final long NO_TAG = 1L << 31;

    private final AtomicInteger duplications = new AtomicInteger();

    AgreedSpace(Spaces spaces, int[] members, int number, String name) {
        super(spaces.layer(), spaces, members, number, name);
    }

    /** As {@link CollectiveSpace#CollectiveSpace(Spaces, Ranks, Call, int, String)}. */
    AgreedSpace(Spaces spaces, Ranks ranks, Call own, int number, String name) {
        super(spaces, ranks, own, number, name);
    }

    /**
     * A number that no rank uses. All ranks call it.
     *
     * @param alike what all have to have given alike
     * @param isWilling whether this rank can; where one can't, all throw
     */
    final int newNumber(long alike, boolean isWilling) {
        return newNumber(alike, isWilling, this::offer);
    }

    final int newNumber(long alike, boolean isWilling, Spaces.Exchange exchange) {
        return spaces.agree((long) number << Integer.SIZE | NO_TAG, alike, isWilling, exchange);
    }

    final int newNumber() {
        return newNumber(0, true);
    }

    /** The root's for all; what goes wrong is thrown. */
    final void tell(Object buffer, int root) {
        Call call = take();
        call.broadcast(buffer, root);
        call.makes();
        onItsWay(call);
        runSchedule(call);
    }

    /**
     * What all ranks have in common of what they offer. By messages, as {@link #tell}: whoever makes tiers agrees, too,
     * and would wait for the agreement that it is in.
     */
    final void offer(long[] offered, long[] agreed) {
        Call call = take();
        call.agree(offered, agreed, Reduction.BITWISE_AND);
        begin(call);
        runSchedule(call);
    }

    /** Runs what makes a communicator of this one, and gives that the error handler. */
    final <C extends AgreedSpace> C made(Supplier<C> making) {
        C made = null;
        try {
            made = making.get();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw e;
        } catch (RuntimeException e) {
            callErrorHandler(e);
        }
        if (made != null) {
            made.setErrorHandler(errorHandler());
        }
        return made;
    }

    /** A duplicate, which is made with its number; with copies of the attributes. */
    final <C extends AgreedSpace> C duplicateAs(IntFunction<C> make) {
        return made(() -> {
            Attributes copies = new Attributes();
            int created = agreeWith(copies);
            C duplicate = make.apply(created);
            duplicate.takeAttributes(copies);
            return duplicate;
        });
    }

    /** As {@link #duplicateAs}, and waits for nobody. */
    final <C extends AgreedSpace> DuplicateRequest<C> startDuplicate(IntFunction<C> make) {
        int turn = duplications.getAndIncrement() & Integer.MAX_VALUE;
        long agreement = (long) number << Integer.SIZE | NO_TAG | turn + 1L;
        DuplicateRequest<C> started = new DuplicateRequest<>(this, agreement, turn, make);
        started.begin();
        return started;
    }

    /** Copy callbacks go first: one that fails must not leave the others with a communicator that lacks a rank. */
    private int agreeWith(Attributes copies) {
        RuntimeException failed = null;
        try {
            copyAttributes(copies);
        } catch (RuntimeException e) {
            failed = e;
        }
        try {
            return newNumber(0, failed == null);
        } catch (RuntimeException e) {
            RuntimeException thrown = failed == null ? e : failed;
            RuntimeException alsoFailed = copies.deleteAll(this);
            if (alsoFailed != null && alsoFailed != thrown) {
                thrown.addSuppressed(alsoFailed);
            }
            throw thrown;
        }
    }

    /**
     * Ends everything on this communicator, at all ranks: collectives and messages that wait, and all that begin later,
     * fail with REVOKED. Any rank calls it, and waits for nobody. What is left are {@link #free}, and
     * {@link Communicator#shrink} and {@link Communicator#agree}.
     */
    public final void revoke() {
        refuseFreed();
        revokeHere();
    }

    /** Whether a rank has revoked it, as far as this one has heard. */
    public final boolean isRevoked() {
        return isRevoked;
    }

    /**
     * Gives the message space back. All ranks call it. Attributes are deleted first, the last set first; if a callback
     * throws, this rank throws that when the communicator is freed. Waits for collectives that were started. Messages
     * and receives that are on their way end as they would have; until then no other communicator gets the space.
     */
    public void free() {
        if (number <= Spaces.SELF) {
            throw new IllegalStateException("the communicator " + name + " can't be freed: it ends with its device");
        }
        if (isFreed) {
            throw new IllegalStateException("the communicator " + name + " was freed before");
        }
        RuntimeException failed = null;
        try {
            deleteAttributes();
        } catch (RuntimeException e) {
            failed = e;
        }
        try {
            awaitStarted();
            if (breakdown() == null) {
                // By messages: who has sent its own reads no cells any more.
                Call call = take();
                call.barrier();
                onItsWay(call);
                runSchedule(call);
                closeCells();
            }
            isFreed = true;
            spaces.end(this, breakdown() == null);
        } catch (SluiceException | MismatchedCallException e) {
            callErrorHandler(e);
        }
        if (failed != null) {
            throw failed;
        }
    }
}
