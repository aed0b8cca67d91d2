package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.option.Option;
import org.sluice.launch.JavaHome;

/** JVMs that refuse {@code sun.misc.Unsafe}, as those to come do by default, and no package opened for Sluice. */
@Tag("conformance")
@Timeout(120)
final class DeniedUnsafeProcessTest {
    private static final int FIRST_THAT_DENIES = 24;
    private static final long PATIENCE_MS = 60_000;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @ParameterizedTest
    @CsvSource({
        "--sun-misc-unsafe-memory-access=deny, on",
        "--sun-misc-unsafe-memory-access=deny, off",
        "-Dsluice.unsafe=off, on"
    })
    void exchangeEveryKindOfBuffer(String refusal, String os) throws Exception {
        ranks.java(thatDenies())
                .flag(refusal)
                .flag("--enable-native-access=ALL-UNNAMED")
                .option(Option.OS, os)
                .startAll(2, DeniedUnsafeRanks.class);
        ranks.allEndWell(PATIENCE_MS);
        for (int rank = 0; rank < 2; rank++) {
            assertFalse(ranks.rank(rank).output().contains("WARNING"), ranks.rank(rank)::output);
        }
    }

    /** This one, or a newer that whoever runs the tests has found. */
    private static JavaHome thatDenies() {
        JavaHome ours = JavaHome.current();
        if (ours.feature() >= FIRST_THAT_DENIES) {
            return ours;
        }
        String second = System.getProperty("sluice.test.second.jdk", "");
        assumeTrue(
                !second.isEmpty(),
                "JVMs can deny sun.misc.Unsafe since JDK " + FIRST_THAT_DENIES + ", this is " + ours.feature()
                        + ", and no newer one was named");
        return JavaHome.of(Path.of(second));
    }
}
