package org.sluice.mpi;

import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.layer.LayerNotice;
import org.sluice.mpi.algorithm.Collective;

/**
 * Why a communicator's collectives are over: the same at all its ranks, as whoever finds it tells the others.
 *
 * @param culprit the rank of the communicator whose fault it is
 * @param finder the rank that found it
 * @param own what the finder says of its call, as {@link Call#signature} does; 0 where it is in none
 * @param other what it heard of the culprit's
 * @param detail what the device says of it, where this rank knows
 */
record Breakdown(Kind kind, int culprit, int finder, int own, int other, String detail) {
    enum Kind {
        MISMATCH(ErrorCode.COLLECTIVE_FAILED),
        FAILED(ErrorCode.COLLECTIVE_FAILED),
        CLOSED(ErrorCode.PEER_CLOSED),
        DEAD(ErrorCode.PEER_DEAD),
        CORRUPT(ErrorCode.PEER_CORRUPT),
        REVOKED(ErrorCode.REVOKED);

        private final ErrorCode code;

        Kind(ErrorCode code) {
            this.code = code;
        }

        /** Null for none. */
        static Kind of(ErrorCode code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return null;
        }
    }

    ErrorCode code() {
        return kind.code;
    }

    LayerNotice notice(int number) {
        return new LayerNotice(number, kind.ordinal(), culprit, (long) own << Integer.SIZE | other & 0xFFFF_FFFFL, 0);
    }

    /**
     * What another member says.
     *
     * @param finder the rank that says so, -1 for one that is no member
     * @param size of the communicator
     * @return null where no Sluice says that
     */
    static Breakdown of(LayerNotice notice, int finder, int size) {
        Kind[] kinds = Kind.values();
        if (finder < 0
                || notice.second() < 0
                || notice.second() >= kinds.length
                || notice.third() < 0
                || notice.third() >= size) {
            return null;
        }
        return new Breakdown(
                kinds[(int) notice.second()],
                (int) notice.third(),
                finder,
                (int) (notice.fourth() >> Integer.SIZE),
                (int) notice.fourth(),
                null);
    }

    /** For one call: the trace is its own. */
    RuntimeException exception(CollectiveSpace space) {
        if (kind == Kind.MISMATCH) {
            // The culprit reads it the other way round.
            boolean isMine = culprit == space.place();
            return mismatch(
                    space,
                    isMine ? culprit : finder,
                    isMine ? other : own,
                    isMine ? finder : culprit,
                    isMine ? own : other);
        }
        return new SluiceException(code(), space.callersRank(culprit), text(space), null);
    }

    private static MismatchedCallException mismatch(
            CollectiveSpace space, int rank, int call, int otherRank, int otherCall) {
        Collective first = Call.collectiveOf(call);
        Collective second = Call.collectiveOf(otherCall);
        String others = space.nameOf(second, "something else");
        if (second == first && first == Collective.AGREEMENT) {
            others = "another of this kind, or the same with other arguments";
        } else if (second == first) {
            String before = first == Collective.FINISH ? "the same after a call" : "the same";
            String when = first == Collective.FINISH || space.checksAll() ? "" : ", now or in a call before";
            others = before + " with another root, count, type or reduction" + when;
        }
        return new MismatchedCallException(
                space.callersRank(otherRank),
                space.nameOf(rank) + " of " + space + " calls " + space.nameOf(first, "something else") + ", and "
                        + space.nameOf(otherRank) + " calls " + others
                        + ": all ranks make the same calls in the same order, with arguments that fit together"
                        + (space.checksAll() ? "" : "; -Dsluice.mpi.check=full tells which first"));
    }

    String text(CollectiveSpace space) {
        String who = space.nameOf(culprit) + " of " + space;
        String job = detail == null ? "" : " (" + detail + ")";
        switch (kind) {
            case MISMATCH:
                return exception(space).getMessage();
            case FAILED:
                return who + " has failed in " + space.nameOf(Call.collectiveOf(own), "a collective")
                        + ", so that nobody can complete it: its own exception says why";
            case CLOSED:
                return who + " has closed its device" + job + " before it took part in a collective";
            case REVOKED:
                return who + " has revoked the communicator";
            default:
                return who + " has died" + job + ": " + space.spaces.naming().afterDeath();
        }
    }
}
