package org.sluice.mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.Layer;
import org.sluice.device.layer.LayerActivity;
import org.sluice.device.layer.LayerNotice;
import org.sluice.device.layer.LayerWatcher;
import org.sluice.mpi.cell.ThreadCells;

/**
 * Which message spaces of a device are in use by communicators of this rank: each has a number, that all its members
 * have agreed on.
 *
 * <p><i>Thread</i>: any.
 */
final class Spaces implements LayerWatcher {
    static final int WORLD = 0;
    static final int SELF = 1;
    /** Contexts of the device for each communicator. */
    static final int CONTEXTS = 16;
    /** Of those, from the second on, in which collectives and the making of communicators send. */
    static final int COLLECTIVE_CONTEXTS = 10;
    /** Of those, in which members agree although others have died. */
    static final int AGREEMENT = 1 + COLLECTIVE_CONTEXTS;
    /** Numbers that are looked at together; those of a thousand communicators fit. */
    static final int WINDOW_WORDS = 16;

    private static final int WINDOW = WINDOW_WORDS * Long.SIZE;
    /** What is told beside the window: whether it has any, whether this rank can, and what all have alike, twice. */
    private static final int HAS_OFFERED = WINDOW_WORDS;

    static final int IS_WILLING = HAS_OFFERED + 1;
    private static final int ALIKE = IS_WILLING + 1;
    private static final int WORDS = ALIKE + 2;
    /** Of each word: numbers that are offered before it is known whether all members have come. */
    private static final long FIRST_OFFER = 0x5555_5555_5555_5555L;

    private static final int HIGHEST = Layer.HIGHEST_CONTEXT / CONTEXTS - WINDOW;

    private final Layer layer;
    private final BitSet taken = new BitSet();
    /** Of communicators that were freed while messages were on their way in them. */
    private final BitSet left = new BitSet();
    /** Agreements of threads of this rank to which all members have come, and that have not ended. */
    private final TreeSet<Long> waiting = new TreeSet<>();
    /** One of them has offered. */
    private boolean isOffering;
    /** One to which members may be yet to come has offered, of other numbers: those who wait don't wait for them. */
    private boolean isOfferingFirst;

    private final Map<Integer, ThreadCells> threadCells = new HashMap<>();
    private Communicator world;
    private Communicator self;
    private volatile Naming naming = Naming.OWN;

    /** By number: who is told of deaths and of what others say. */
    private final Map<Integer, CollectiveSpace> open = new ConcurrentHashMap<>();
    /** Told before this rank has made it. */
    private final Map<Integer, Early> early = new ConcurrentHashMap<>();

    /** No program makes so many communicators at once. */
    private static final int MOST_EARLY = 1 << 16;

    private record Early(int peer, LayerNotice notice) {}

    private Spaces(Layer layer) {
        this.layer = layer;
        taken.set(WORLD, SELF + 1);
        layer.watch(this);
    }

    /** It is used from here on. */
    void begin(CollectiveSpace space) {
        open.put(space.number, space);
        Early told = early.remove(space.number);
        if (told != null) {
            space.noticed(told.peer, told.notice, layer::end);
        }
        for (int member = 0; member < space.callers(); member++) {
            int peer = space.inDevice(member);
            SluiceException lost = peer == layer.device().rank() ? null : layer.lost(peer);
            if (lost != null && Agreement.isOfPeer(lost.code()) && lost.code() != ErrorCode.PEER_CLOSED) {
                space.died(peer, lost.code(), lost.getMessage(), layer::end);
            }
        }
    }

    /** @param isUsedAgain whether its number may be: where messages may be on their way it is not */
    void end(CollectiveSpace space, boolean isUsedAgain) {
        open.remove(space.number);
        if (isUsedAgain) {
            giveBack(space.number);
        }
    }

    @Override
    public List<LayerActivity> activities() {
        List<LayerActivity> all = new ArrayList<>();
        for (CollectiveSpace each : open.values()) {
            if (each.callers() > 1) {
                each.describe(all);
            }
        }
        return all;
    }

    @Override
    public void looks(Telling telling) {
        for (CollectiveSpace each : open.values()) {
            each.looks(telling);
        }
    }

    @Override
    public void died(int peer, ErrorCode code, String message, Ending ending) {
        for (CollectiveSpace each : open.values()) {
            each.died(peer, code, message, ending);
        }
    }

    @Override
    public void noticed(int peer, LayerNotice notice, Ending ending) {
        if (notice.first() < 0 || notice.first() > HIGHEST) {
            return;
        }
        int number = (int) notice.first();
        if (notice.second() == Turns.QUESTION) {
            CollectiveSpace asked = open.get(number);
            if (asked != null) {
                asked.asked(peer, notice, ending);
            }
            return;
        }
        if (early.size() >= MOST_EARLY) {
            return;
        }
        early.put(number, new Early(peer, notice));
        CollectiveSpace space = open.get(number);
        if (space != null && early.remove(number) != null) {
            space.noticed(peer, notice, ending);
        }
    }

    /** How members tell each other what they offer: what comes out is the bits that all have set. */
    @FunctionalInterface
    interface Exchange {
        void run(long[] offered, long[] agreed);
    }

    Layer layer() {
        return layer;
    }

    /** Of all messages about calls on communicators of this rank. */
    Naming naming() {
        return naming;
    }

    void name(Naming newNaming) {
        naming = newNaming;
    }

    static Spaces of(Layer layer) {
        return layer.kept(Spaces.class, new Function<>() {
            @Override
            public Spaces apply(Layer made) {
                return new Spaces(made);
            }
        });
    }

    synchronized Communicator world() {
        if (world == null) {
            int[] all = new int[layer.device().size()];
            for (int i = 0; i < all.length; i++) {
                all[i] = i;
            }
            world = new Communicator(layer, this, all, WORLD, "world");
        }
        return world;
    }

    synchronized Communicator self() {
        if (self == null) {
            self = new Communicator(layer, this, new int[] {layer.device().rank()}, SELF, "self");
        }
        return self;
    }

    /**
     * A number that no member uses: one exchange, and others where a thread of some rank is at it, too.
     *
     * @param agreement which it is: the same at all members, and another than those that are on their way there
     * @param alike what all members have to have given alike
     * @param isWilling whether this rank can; where one can't, all throw
     */
    int agree(long agreement, long alike, boolean isWilling, Exchange exchange) {
        Numbering numbering = new Numbering(agreement, alike, isWilling);
        while (true) {
            numbering.offer();
            try {
                exchange.run(numbering.offered, numbering.agreed);
            } catch (Throwable e) {
                numbering.leave();
                throw e;
            }
            int found = numbering.take();
            if (found >= 0) {
                return found;
            }
            // One that nobody waits for may be before it, and a rank alone has no messages to see to that.
            layer.iprobe(layer.device().rank(), 0, SELF * CONTEXTS);
        }
    }

    /** An agreement of members on a number, exchange by exchange. <i>Thread</i>: one after the other. */
    final class Numbering {
        private final long agreement;
        private final long[] words = new long[WINDOW_WORDS];
        private boolean isFirst = true;
        private boolean hasOffered;
        private int window;
        /** What this rank tells, and what all have in common: for each exchange. */
        final long[] offered = new long[WORDS];

        final long[] agreed = new long[WORDS];

        /** As {@link Spaces#agree} takes them. */
        Numbering(long agreement, long alike, boolean isWilling) {
            this.agreement = agreement;
            offered[IS_WILLING] = isWilling ? 1 : 0;
            offered[ALIKE] = alike;
            offered[ALIKE + 1] = ~alike;
        }

        /** Before each exchange. */
        void offer() {
            hasOffered = Spaces.this.offer(words, window, agreement, isFirst);
            System.arraycopy(words, 0, offered, 0, words.length);
            offered[HAS_OFFERED] = hasOffered ? 1 : 0;
        }

        /**
         * After an exchange.
         *
         * @return the number, or -1 if there has to be another exchange
         */
        int take() {
            try {
                check(offered, agreed);
            } catch (RuntimeException e) {
                leave();
                throw e;
            }
            System.arraycopy(agreed, 0, words, 0, words.length);
            int found = Spaces.this.take(words, window, agreement, isFirst, hasOffered);
            // All have offered what they have, and have nothing in common.
            window += isFirst ? 0 : (int) agreed[HAS_OFFERED];
            isFirst = false;
            return found;
        }

        /** The exchange has failed. */
        void leave() {
            Spaces.this.leave(agreement, isFirst, hasOffered);
        }
    }

    private static void check(long[] offered, long[] agreed) {
        if (agreed[IS_WILLING] < 0) {
            throw new IllegalStateException("no communicator was made: its leader has lost the other group");
        }
        if (agreed[IS_WILLING] == 0) {
            throw new IllegalStateException("no communicator was made: an attribute's copy callback has failed on "
                    + (offered[IS_WILLING] == 0 ? "this rank" : "another rank"));
        }
        if (agreed[ALIKE] != offered[ALIKE] || agreed[ALIKE + 1] != offered[ALIKE + 1]) {
            throw new IllegalArgumentException(
                    "no communicator was made: the ranks that are to be in it gave" + " different groups");
        }
    }

    /**
     * Offers free numbers of a window; none while another thread of this rank is at it, so that two don't take the
     * same.
     *
     * @param words gets a bit for each that is free
     * @param agreement which it is, the same at all members: the lowest of those that wait goes first, so that two
     *     don't wait for each other for ever
     * @param isFirst whether it is the first offer, and members may be yet to come: who waits for them is in nobody's
     *     way
     * @return whether it offers
     */
    synchronized boolean offer(long[] words, int window, long agreement, boolean isFirst) {
        Arrays.fill(words, 0);
        if (!isFirst) {
            waiting.add(agreement);
        }
        if (isFirst ? isOfferingFirst : isOffering || waiting.first() != agreement) {
            return false;
        }
        int first = window * WINDOW;
        if (first > HIGHEST) {
            throw new IllegalStateException("there are " + first + " communicators: free some");
        }
        for (int i = taken.nextClearBit(first); i < first + WINDOW; i = taken.nextClearBit(i + 1)) {
            words[(i - first) / Long.SIZE] |= 1L << (i - first);
        }
        for (int i = 0; i < words.length; i++) {
            words[i] &= isFirst ? FIRST_OFFER : ~FIRST_OFFER;
        }
        isOfferingFirst |= isFirst;
        isOffering |= !isFirst;
        return true;
    }

    private void endOffer(boolean isFirst) {
        isOfferingFirst &= !isFirst;
        isOffering &= isFirst;
    }

    /**
     * Takes the lowest number that all have offered.
     *
     * @return -1 where there is none
     */
    synchronized int take(long[] words, int window, long agreement, boolean isFirst, boolean hasOffered) {
        if (hasOffered) {
            endOffer(isFirst);
        }
        for (int i = 0; i < words.length; i++) {
            if (words[i] != 0) {
                int number = window * WINDOW + i * Long.SIZE + Long.numberOfTrailingZeros(words[i]);
                waiting.remove(agreement);
                taken.set(number);
                return number;
            }
        }
        return -1;
    }

    /** It failed. */
    synchronized void leave(long agreement, boolean isFirst, boolean hasOffered) {
        if (hasOffered) {
            endOffer(isFirst);
        }
        waiting.remove(agreement);
    }

    /** This rank's cells of a communicator whose ranks are threads of this JVM, for those. */
    synchronized ThreadCells threadCells(int number) {
        return threadCells.get(number);
    }

    synchronized ThreadCells newThreadCells(int number) {
        ThreadCells cells = new ThreadCells();
        threadCells.put(number, cells);
        return cells;
    }

    /** No communicator of this rank has it any more. */
    synchronized void giveBack(int number) {
        threadCells.remove(number);
        left.set(number);
        for (int i = left.nextSetBit(0); i >= 0; i = left.nextSetBit(i + 1)) {
            // A receive that waits, or a message that nobody has received, isn't to meet those of another one.
            if (layer.isIdle(i * CONTEXTS)) {
                left.clear(i);
                taken.clear(i);
            }
        }
    }
}
