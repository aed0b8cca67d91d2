package org.sluice.hybrid.process;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;

/** Arrays that peers read while collections move them. */
@Tag("all")
@Timeout(120)
final class ArrayCopyProcessTest {
    private static final long PATIENCE_MS = 60_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    /** @param from the Java version from which on peers read arrays that are collected so */
    @ParameterizedTest
    @CsvSource({"G1, 17", "Parallel, 25", "Serial, 25", "Z, 1000"})
    void everyByteIsTheMessagesWhileArraysAreCollected(String collector, int from) throws Exception {
        boolean isRead = Runtime.version().feature() >= from;
        ranks.option(Option.SHM_CMA, "on")
                .flag("-XX:-UseSerialGC")
                .flag("-XX:+Use" + collector + "GC")
                .startAll(2, CollectingRanks.class, Boolean.toString(isRead));
        ranks.rank(0).await("ended well", PATIENCE_MS);
        ranks.rank(1).await("ended well", PATIENCE_MS);
        ranks.allEndWell(PATIENCE_MS);
    }
}
