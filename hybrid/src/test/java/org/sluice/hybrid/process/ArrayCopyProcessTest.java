package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;

/** Arrays that peers read while collections move them. */
@Tag("all")
@Timeout(120)
final class ArrayCopyProcessTest {
    private static final long PATIENCE_MS = 60_000;
    private static final int LONG_S = 20;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    /** @param from the Java version from which on peers read arrays that are collected so */
    @ParameterizedTest
    @CsvSource({"G1, 17", "Parallel, 25", "Serial, 25", "Z, 1000"})
    void everyByteIsTheMessagesWhileArraysAreCollected(String collector, int from) throws Exception {
        collect(JavaHome.current(), collector, from, 0);
    }

    /** For minutes; those that the JDK has. */
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"G1, 17", "Parallel, 25", "Serial, 25", "Z, 1000", "Shenandoah, 1000"})
    void everyByteIsTheMessagesForLong(String collector, int from) throws Exception {
        List<JavaHome> homes = new ArrayList<>(List.of(JavaHome.current()));
        String second = System.getProperty("sluice.test.second.jdk", "");
        if (!second.isEmpty()) {
            homes.add(JavaHome.of(Path.of(second)));
        }
        int found = 0;
        for (JavaHome java : homes) {
            if (DisturbedJob.hasCollector(java, collector)) {
                found++;
                collect(java, collector, from, LONG_S);
            }
        }
        assumeTrue(found > 0, () -> "no JDK here has " + collector);
    }

    private void collect(JavaHome java, String collector, int from, int seconds) throws Exception {
        boolean isRead = java.feature() >= from;
        long patienceMs = PATIENCE_MS + TimeUnit.SECONDS.toMillis(seconds);
        ranks.java(java)
                .option(Option.SHM_CMA, "on")
                .flag("-XX:-UseSerialGC")
                .flag("-XX:+Use" + collector + "GC")
                .startAll(2, CollectingRanks.class, Boolean.toString(isRead), Integer.toString(seconds));
        ranks.rank(0).await("ended well", patienceMs);
        ranks.rank(1).await("ended well", patienceMs);
        ranks.allEndWell(patienceMs);
    }
}
