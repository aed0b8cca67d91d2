package org.sluice.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class RoomForRanksTest {
    private final RoomForRanks room = new RoomForRanks(8192);

    @Test
    void whatFitsMayStart() {
        room.check(240, 240);
        room.check(4080, 1);
        new RoomForRanks(1).check(64, 64);
    }

    @Test
    void whatDoesNotIsRefusedWithWhatDoes() {
        assertEquals("-n 241: 241 ranks in 241 JVMs take 8194 MB or more, and this machine has 8192 MB; allowed are 240 ranks as a JVM each, "
                + "or 4080 as threads of one JVM (--jvms 1)", refusal(241, 241));
        assertEquals("-n 4081: 4081 ranks in one JVM take 8194 MB or more, and this machine has 8192 MB; allowed are 240 ranks as a JVM each, "
                + "or 4080 as threads of one JVM (--jvms 1)", refusal(4081, 1));
    }

    private String refusal(int ranks, int jvms) {
        return assertThrows(IllegalArgumentException.class, () -> room.check(ranks, jvms)).getMessage();
    }
}
