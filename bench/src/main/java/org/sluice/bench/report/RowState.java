package org.sluice.bench.report;

import java.util.List;
import org.sluice.bench.hop.HopState;
import org.sluice.bench.hop.HopStates;

/**
 * Chooses the state whose rounds stand for a size: one for all contestants, so that what stands side by side can be
 * compared.
 *
 * <p>First comes the state with the most contestants that can be compared with the first one on rounds enough; among
 * such, near, since that is what machines other than virtual ones are; then the state with the most such rounds.
 */
final class RowState {
    private final List<List<Measurement>> contestants;
    private final HopStates states;

    /** @param contestants the rounds of each at one size; the others are compared with the first */
    RowState(List<List<Measurement>> contestants, HopStates states) {
        this.contestants = contestants;
        this.states = states;
    }

    /** {@link HopState#MIXED} where no round of anybody can be used. */
    HopState choose() {
        HopState best = HopState.MIXED;
        for (HopState state : HopState.values()) {
            if (state != HopState.MIXED && isBetter(state, best)) {
                best = state;
            }
        }
        return best;
    }

    private boolean isBetter(HopState state, HopState best) {
        if (best == HopState.MIXED) {
            return contestants.stream()
                    .anyMatch(
                            rounds -> !Comparison.inState(rounds, states, state).isEmpty());
        }
        long enough = enough(state);
        long enoughOfBest = enough(best);
        if (enough != enoughOfBest) {
            return enough > enoughOfBest;
        }
        if (enough > 0 && (state == HopState.NEAR || best == HopState.NEAR)) {
            return state == HopState.NEAR;
        }
        // Without one comparable round the first contestant's own decide, so that the row shows at least those.
        int more = Integer.compare(all(state), all(best));
        return more != 0 ? more > 0 : rounds(0, state) > rounds(0, best);
    }

    private long enough(HopState state) {
        long count = 0;
        for (int i = firstCounted(); i < contestants.size(); i++) {
            count += rounds(i, state) >= Comparison.ROUNDS_LEAST ? 1 : 0;
        }
        return count;
    }

    private int all(HopState state) {
        int sum = 0;
        for (int i = firstCounted(); i < contestants.size(); i++) {
            sum += rounds(i, state);
        }
        return sum;
    }

    /** The first counts only where it is alone. */
    private int firstCounted() {
        return contestants.size() > 1 ? 1 : 0;
    }

    /** In which the contestant can be compared with the first; of the first itself all. */
    private int rounds(int contestant, HopState state) {
        return contestant == 0
                ? Comparison.inState(contestants.get(0), states, state).size()
                : Comparison.of(contestants.get(0), contestants.get(contestant), states, state)
                        .rounds();
    }
}
