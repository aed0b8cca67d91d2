package org.sluice.mpi;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sluice.mpi.algorithm.Collective;
import org.sluice.mpi.cell.FasterForm;
import org.sluice.mpi.cell.InMemory;

/**
 * What two ranks send each other in cells in many pieces, or as messages if that is faster: many cells, which are made
 * with the first call that could use them, and what was found out about the two ways.
 *
 * <p><i>Thread</i>: one of each rank. <i>Proof</i>: {@code LongBlocksTest}, {@code FasterFormTest}.
 */
final class LongBlocks {
    private final Supplier<InMemory> making;
    private final Consumer<long[]> agreement;
    /** By collective and size class; null where none was called yet. */
    private final FasterForm[] forms = new FasterForm[Collective.values().length * FasterForm.CLASSES];

    private final long[] least = new long[2];
    private final FasterForm.Warmth warmth = new FasterForm.Warmth();

    private boolean isTried;
    /** Null where there is no room for it. */
    private InMemory many;
    /** Of the call that goes on; null where nothing is to be found out. */
    private FasterForm form;

    /**
     * All ranks make these alike.
     *
     * @param making makes the many cells, together with the other rank; null where there is no room for them
     * @param agreement puts the least of both ranks' numbers in place of each
     */
    LongBlocks(Supplier<InMemory> making, Consumer<long[]> agreement) {
        this.making = making;
        this.agreement = agreement;
    }

    /**
     * Makes the many cells, together with the other rank, if nobody has asked before.
     *
     * @return whether there are some
     */
    boolean make() {
        if (!isTried) {
            isTried = true;
            many = making.get();
        }
        return many != null;
    }

    /**
     * What does a call, the same at both ranks, which agree on it by messages now and then. {@link #end} is called
     * behind it.
     *
     * @param bytes of one rank's block
     * @param mayBeMessages or cells are to do it
     * @return null if it goes as messages
     */
    InMemory begin(Collective collective, long bytes, boolean mayBeMessages) {
        if (!mayBeMessages) {
            return many;
        }
        form = formOf(collective, FasterForm.sizeClass(bytes));
        if (form.isToAgree()) {
            form.least(least);
            agreement.accept(least);
            form.choose(least);
        }
        return form.begin(bytes) ? many : null;
    }

    private FasterForm formOf(Collective collective, int sizeClass) {
        int which = collective.ordinal() * FasterForm.CLASSES + sizeClass;
        if (forms[which] == null) {
            forms[which] = new FasterForm(System::nanoTime, warmth, sizeClass);
        }
        return forms[which];
    }

    /** The call that was begun last is over. */
    void end() {
        if (form != null) {
            form.end();
            form = null;
        }
    }

    void forget() {
        if (many != null) {
            many.forget();
        }
    }
}
