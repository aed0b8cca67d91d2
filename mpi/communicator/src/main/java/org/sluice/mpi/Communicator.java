package org.sluice.mpi;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.sluice.device.Device;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.Layer;
import org.sluice.mpi.schedule.Ranks;

/**
 * Ranks of a job with a message space of their own (MPI 4.1, chapter 7): their messages are in {@link MessageSpace},
 * what all of them call together in {@link CollectiveSpace}, and what makes other communicators of this one is here.
 *
 * <p><i>Thread</i>: any; what all ranks call, one thread after the other.
 */
public class Communicator extends CollectiveSpace {
    /** Of messages that agree on a new communicator's number among some of the members. */
    private static final int CREATION = 1 + SLOTS;
    /** Of what all ranks create. */
    private static final long NO_TAG = 1L << 31;

    private final AtomicInteger agreements = new AtomicInteger();

    Communicator(Layer layer, Spaces spaces, int[] members, int number, String name) {
        super(layer, spaces, members, number, name);
    }

    /** All ranks of the device's job; always the same object. */
    public static Communicator world(Device device) {
        return Spaces.of(Layer.of(device)).world();
    }

    /** This rank alone; always the same object. */
    public static Communicator self(Device device) {
        return Spaces.of(Layer.of(device)).self();
    }

    /** Objects by Java's serialization: those of the caller's own jar, folder or module, and the JDK's values. */
    public ObjectSpace<Object> objects() {
        Class<?> program = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass();
        return ObjectSpace.of(this, program);
    }

    /** Objects by a codec of the program's. */
    public <T> ObjectSpace<T> objects(Codec<T> codec) {
        return new ObjectSpace<>(this, codec);
    }

    /** The ranks of the communicator, in their order. */
    public Group group() {
        int[] members = new int[size()];
        for (int i = 0; i < members.length; i++) {
            members[i] = ranks.inDevice(i);
        }
        return Group.ofDevice(members);
    }

    // --- other communicators -----------------------------------------------------------------------------------------

    /** The same ranks, with a message space of their own. All ranks call it. */
    public Communicator duplicate() {
        return new Communicator(layer, spaces, members(), agree(), name + ".duplicate");
    }

    private int[] members() {
        return group().members();
    }

    @Override
    Tiers makeTiers() {
        return Tiers.make(this);
    }

    /**
     * Those ranks that give the same colour, ordered by their keys, and by their ranks where those are equal. All ranks
     * call it.
     *
     * @param colour 0 or more, or negative for a rank that is in none
     * @return null for such a rank
     */
    public Communicator split(int colour, int key) {
        int[] all = new int[2 * size()];
        allGather(new int[] {colour, key}, all);
        return split(colour, all, ".split");
    }

    /** As {@link #split}, within another call of all ranks. */
    final Communicator splitByMessages(int colour, String suffix) {
        int[] all = new int[2 * size()];
        exchangeAll(new int[] {colour, 0}, all);
        return split(colour, all, suffix);
    }

    private Communicator split(int colour, int[] all, String suffix) {
        int created = agree();
        if (colour < 0) {
            spaces.giveBack(created);
            return null;
        }
        long[] order = new long[size()];
        int count = 0;
        for (int i = 0; i < size(); i++) {
            if (all[2 * i] == colour) {
                order[count++] = ((long) all[2 * i + 1] << 32) + i;
            }
        }
        Arrays.sort(order, 0, count);
        int[] chosen = new int[count];
        for (int i = 0; i < count; i++) {
            chosen[i] = ranks.inDevice((int) order[i]);
        }
        return new Communicator(layer, spaces, chosen, created, name + suffix);
    }

    /**
     * The ranks of a group, all of which are in this communicator. All ranks of this one call it, with the same group.
     *
     * @return null for a rank that isn't in the group
     */
    public Communicator create(Group group) {
        int[] chosen = checkedMembers(group);
        int created = agree();
        if (group.rankOf(layer.device().rank()) < 0) {
            spaces.giveBack(created);
            return null;
        }
        return new Communicator(layer, spaces, chosen, created, name + ".create");
    }

    private int[] checkedMembers(Group group) {
        int[] chosen = group.members();
        for (int member : chosen) {
            if (ranks.here(member) < 0) {
                throw new IllegalArgumentException("rank " + member + " of the job is in the group and not in " + this);
            }
        }
        return chosen;
    }

    /**
     * As {@link #create}, called by the ranks of the group alone.
     *
     * @param tag tells apart what threads of the same ranks create at once
     */
    public Communicator createGroup(Group group, int tag) {
        refuseFreed();
        int[] chosen = checkedMembers(group);
        Ranks members = new Ranks(chosen, layer.device().size());
        int own = members.here(layer.device().rank());
        if (own < 0) {
            throw new IllegalArgumentException(
                    "this rank isn't in the group " + group + ": only its members call this");
        }
        if (tag < 0) {
            throw new IllegalArgumentException("tag " + tag + ": 0 or more");
        }
        Call call = new Call(layer, members, own);
        int created = agree((long) number << Integer.SIZE | tag, (offered, agreed) -> {
            call.agree(offered, agreed, Reduction.BITWISE_AND);
            call.execution().envelopeOfTag(context + CREATION, tag);
            call.execution().run();
            call.deliver();
        });
        return new Communicator(layer, spaces, chosen, created, name + ".create");
    }

    private int agree() {
        return agree((long) number << Integer.SIZE | NO_TAG, (offered, agreed) -> {
            Call call = take();
            call.agree(offered, agreed, Reduction.BITWISE_AND);
            run(call);
        });
    }

    /** How members tell each other what they offer. */
    private interface Exchange {
        void run(long[] offered, long[] agreed);
    }

    /** A number that no member uses: one exchange, and others where a thread of some rank is at it, too. */
    private int agree(long agreement, Exchange exchange) {
        long[] words = new long[Spaces.WINDOW_WORDS];
        long[] offered = new long[words.length + 1];
        long[] agreed = new long[offered.length];
        int window = 0;
        for (boolean isFirst = true; ; isFirst = false) {
            boolean hasOffered = spaces.offer(words, window, agreement, isFirst);
            System.arraycopy(words, 0, offered, 0, words.length);
            offered[words.length] = hasOffered ? 1 : 0;
            try {
                exchange.run(offered, agreed);
            } catch (Throwable e) {
                spaces.leave(agreement, isFirst, hasOffered);
                throw e;
            }
            System.arraycopy(agreed, 0, words, 0, words.length);
            int found = spaces.take(words, window, agreement, isFirst, hasOffered);
            if (found >= 0) {
                return found;
            }
            // All have offered what they have, and have nothing in common.
            window += isFirst ? 0 : (int) agreed[words.length];
        }
    }

    /** Gives the message space back. All ranks call it, when nothing is on its way in it. */
    public void free() {
        if (number <= Spaces.SELF) {
            throw new IllegalStateException("the communicator " + name + " can't be freed: it ends with its device");
        }
        if (isFreed) {
            throw new IllegalStateException("the communicator " + name + " was freed before");
        }
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
    }

    // --- after a failure ---------------------------------------------------------------------------------------------

    /**
     * Ends everything on this communicator, at all ranks: collectives and messages that wait, and all that begin later,
     * fail with REVOKED. Any rank calls it, and waits for nobody. What is left are {@link #shrink}, {@link #agree} and
     * {@link #free}.
     */
    public void revoke() {
        refuseFreed();
        revokeHere();
    }

    /** Whether a rank has revoked it, as far as this one has heard. */
    public boolean isRevoked() {
        return isRevoked;
    }

    /** The ranks that this one knows to have died, as a group. */
    public Group failedRanks() {
        return Group.ofDevice(IntStream.range(0, size())
                .map(this::inDevice)
                .filter(peer -> peer != layer.device().rank() && hasDied(peer))
                .toArray());
    }

    private boolean hasDied(int peer) {
        SluiceException lost = layer.lost(peer);
        return lost != null && Agreement.isOfPeer(lost.code());
    }

    /**
     * The bitwise and of what all ranks give that live, the same at all of them, also where ranks die meanwhile, where
     * collectives are over, and where the communicator is revoked. All ranks that live call it.
     */
    public long agree(long flags) {
        refuseFreed();
        return new Agreement(layer, ranks, rank(), context + Spaces.AGREEMENT, nextAgreement(), new long[] {flags})
                .run()[0];
    }

    private int nextAgreement() {
        return agreements.getAndIncrement() & Integer.MAX_VALUE;
    }

    /**
     * A communicator of the ranks that live, in their order. All of those call it, also where collectives are over, and
     * where this one is revoked. Receives from any source no longer fail because of those that died before.
     */
    public Communicator shrink() {
        refuseFreed();
        int aliveWords = (size() + Long.SIZE - 1) / Long.SIZE;
        long[] alive = new long[aliveWords];
        int created = agree((long) number << Integer.SIZE | NO_TAG, (offered, agreed) -> {
            long[] words = Arrays.copyOf(offered, offered.length + aliveWords);
            for (int member = 0; member < size(); member++) {
                int peer = inDevice(member);
                if (peer == layer.device().rank() || !hasDied(peer)) {
                    words[offered.length + member / Long.SIZE] |= 1L << member;
                }
            }
            long[] all = new Agreement(layer, ranks, rank(), context + Spaces.AGREEMENT, nextAgreement(), words).run();
            System.arraycopy(all, 0, agreed, 0, agreed.length);
            System.arraycopy(all, agreed.length, alive, 0, aliveWords);
        });
        int[] living = IntStream.range(0, size())
                .filter(member -> (alive[member / Long.SIZE] >> member & 1) != 0)
                .map(this::inDevice)
                .toArray();
        for (int peer : failedRanks().members()) {
            layer.device().acknowledge(peer);
        }
        return new Communicator(layer, spaces, living, created, name + ".shrink");
    }

    @Override
    public String toString() {
        return "Communicator[" + name + ", rank " + rank + " of " + size() + "]";
    }
}
