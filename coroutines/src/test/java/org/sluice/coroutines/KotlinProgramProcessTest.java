package org.sluice.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluice.hybrid.process.RankJvms;

/** A Kotlin program in two processes. */
@Timeout(60)
final class KotlinProgramProcessTest {
    private static final long PATIENCE_MS = 20_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @Test
    void aKotlinProgramNeedsNoCeremony() throws Exception {
        ranks.job(2);
        for (int rank = 0; rank < 2; rank++) {
            ranks.start(rank, "example.kotlin.KotlinRanksKt");
        }
        assertEquals("6.0", ranks.rank(0).await("sum", PATIENCE_MS));
        ranks.allEndWell(PATIENCE_MS);
    }
}
