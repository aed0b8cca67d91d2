package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.mpi.algorithm.Choice;
import org.sluice.mpi.algorithm.Collective;

/**
 * A rank dies at a step of each algorithm: all others hear of it, whose it was, and go on without it. The steps are
 * drawn; {@link CollectiveDeathProcessTest} kills at any moment.
 */
@Tag("once")
@Timeout(300)
final class StepDeathProcessTest {
    /** A second is promised, to ranks that have a core. */
    private static final long NOTICE_MS = 5000;

    private static final long PATIENCE_MS = 120_000;
    /** Of ranks: no power of two. */
    private static final int NO_POWER = 3;
    /** Of so many deaths one has another in the shrink that follows. */
    private static final int ONE_IN = 8;

    private static final Choice TABLE = Choice.of(Options.of(Map.of(), Map.of(), Map.of()));

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    /** A collective and an algorithm that can do it. */
    private record Way(Collective collective, String algorithm) {
        private boolean isFor(int size) {
            return !Choice.isKnown(collective, algorithm) || Choice.fits(collective, algorithm, size);
        }
    }

    /** All that is known: what the table has, and what options can choose. */
    private static Set<Way> messages() {
        Set<Way> ways = new LinkedHashSet<>();
        for (Collective collective : Collective.values()) {
            for (Choice.Row row : TABLE.rows(collective)) {
                ways.add(new Way(collective, row.name()));
            }
            for (Option option : Choice.options()) {
                if (Choice.collectives(option).contains(collective)) {
                    option.words().forEach(word -> ways.add(new Way(collective, word)));
                }
            }
        }
        ways.removeIf(way -> !Choice.isKnown(way.collective, way.algorithm));
        return ways;
    }

    /** Whatever the table does in cells, or in tiers. */
    private static Set<Way> near(String name) {
        Set<Way> ways = new LinkedHashSet<>();
        for (Collective collective : Collective.values()) {
            if (TABLE.rows(collective).stream().anyMatch(row -> row.name().equals(name))) {
                ways.add(new Way(collective, name));
            }
        }
        return ways;
    }

    @Test
    void allOthersHearOfIt() throws Exception {
        haveDeathsOfEach(1, 8, 20);
    }

    @Tag("long")
    @Test
    void allOthersHearOfItWhereRanksAreThreadsAndLookSeldom() throws Exception {
        haveDeathsOfEach(2, 10, 0);
    }

    /**
     * Every algorithm once.
     *
     * @param jvmRanks of each JVM: one, so that there are cells, or two, so that there are tiers
     * @param size of a job at its beginning
     * @param checkMs how often ranks look at each other; 0 for as often as without the option
     */
    private void haveDeathsOfEach(int jvmRanks, int size, int checkMs) throws Exception {
        Set<Way> ways = messages();
        ways.addAll(near(jvmRanks == 1 ? Choice.CELLS : Choice.TIERS));
        haveDeaths(jvmRanks, size, checkMs, ways);
    }

    @Test
    void allOthersHearOfItInTiers() throws Exception {
        haveDeaths(2, 8, 20, near(Choice.TIERS));
    }

    private void haveDeaths(int jvmRanks, int size, int checkMs, Set<Way> of) throws Exception {
        long seed = Long.getLong("sluice.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Way> ways = new ArrayList<>(of);
        Collections.shuffle(ways, random);
        if (checkMs > 0) {
            ranks.option(Option.PEER_CHECK_MS, checkMs);
        }
        long latest = 0;
        while (!ways.isEmpty()) {
            latest = Math.max(latest, latestMs(jvmRanks, size, ways, random));
        }
        System.out.println("noticed within " + latest + " ms");
    }

    /** Takes ways until two JVMs are left, or none. */
    private long latestMs(int jvmRanks, int size, List<Way> ways, Random random) throws Exception {
        List<Integer> living = new ArrayList<>();
        IntStream.range(0, size).forEach(living::add);
        List<Death> deaths = new ArrayList<>();
        List<List<Integer>> mourners = new ArrayList<>();
        while (living.size() > 2 * jvmRanks && !ways.isEmpty()) {
            Way way = taken(ways, living.size());
            int victim = living.get(random.nextInt(living.size()));
            living.removeIf(rank -> rank / jvmRanks == victim / jvmRanks);
            mourners.add(List.copyOf(living));
            boolean isSecond = jvmRanks == 1 && living.size() > 2 && random.nextInt(ONE_IN) == 0;
            int second = isSecond ? living.remove(random.nextInt(living.size())) : Death.NOBODY;
            deaths.add(Death.drawn(way.collective, way.algorithm, victim, second, random));
        }
        ranks.jvmRanks(jvmRanks)
                .startAll(
                        size,
                        StepDeathRanks.class,
                        deaths.stream().map(Death::told).toArray(String[]::new));
        long latest = 0;
        for (int i = 0; i < deaths.size(); i++) {
            latest = Math.max(latest, latestMs(i, deaths.get(i), mourners.get(i)));
        }
        for (int rank : living) {
            assertEquals(0, ranks.rank(rank).exit(PATIENCE_MS), ranks.rank(rank)::output);
        }
        return latest;
    }

    /** Some algorithms are for a power of two of ranks. */
    private static Way taken(List<Way> ways, int size) {
        for (Way way : ways) {
            if (!way.isFor(NO_POWER) && way.isFor(size)) {
                ways.remove(way);
                return way;
            }
        }
        for (Way way : ways) {
            if (way.isFor(size)) {
                ways.remove(way);
                return way;
            }
        }
        throw new AssertionError("none of " + ways + " is for " + size + " ranks");
    }

    private long latestMs(int number, Death death, List<Integer> mourners) throws InterruptedException {
        String call = ": " + number + " " + death.collective();
        String died = ranks.rank(death.victim()).await("rank " + death.victim() + call + " of", PATIENCE_MS);
        long killed = System.nanoTime();
        ranks.rank(death.victim()).kill();
        if (death.second() != Death.NOBODY) {
            // Before others are asked: what one of them sent to it is given back when it answers, or is dead.
            String words = "rank " + death.second() + call + " second";
            System.out.println(words + " " + ranks.rank(death.second()).await(words, PATIENCE_MS) + " of its shrink");
            ranks.rank(death.second()).kill();
        }
        long latest = 0;
        int over = 0;
        for (int rank : mourners) {
            String failure = ranks.rank(rank).await("rank " + rank + call + " failed PEER_DEAD", PATIENCE_MS);
            latest = Math.max(latest, Long.parseLong(failure.split(" ")[2]) - killed);
            over += ranks.rank(rank).output().contains("rank " + rank + call + " is over") ? 1 : 0;
        }
        latest = TimeUnit.NANOSECONDS.toMillis(latest);
        System.out.println(death + ": rank " + death.victim() + " of " + died + "; it went well at " + over
                + ", noticed within " + latest + " ms");
        assertTrue(latest <= NOTICE_MS, latest + " ms");
        return latest;
    }
}
