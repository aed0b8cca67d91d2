package org.sluice.bench.hop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class HopStatesTest {
    private final Random random = new Random(7);

    private DoubleStream around(double hop, int count) {
        return random.doubles(count, hop * 0.92, hop * 1.08);
    }

    @Test
    void theThreeStatesOfAVirtualMachineAreFoundAndNamed() {
        HopStates states =
                new HopStates(DoubleStream.concat(around(22, 30), DoubleStream.concat(around(56, 100), around(265, 60)))
                        .toArray());
        assertEquals(HopState.SAME, states.of(22, 23));
        assertEquals(HopState.NEAR, states.of(55, 60));
        assertEquals(HopState.FAR, states.of(270, 260));
    }

    @Test
    void aRoundThatTheCoresMovedInIsMixed() {
        HopStates states = new HopStates(
                DoubleStream.concat(around(56, 100), around(265, 60)).toArray());
        assertEquals(HopState.MIXED, states.of(56, 265));
        assertEquals(HopState.MIXED, states.of(52, 70), "more than 1.3 times");
        assertEquals(HopState.NEAR, states.of(55, 59));
    }

    @Test
    void aHopBetweenTheClustersIsComparableWithNothing() {
        HopStates states = new HopStates(
                DoubleStream.concat(DoubleStream.of(140), DoubleStream.concat(around(56, 100), around(265, 60)))
                        .toArray());
        assertEquals(HopState.MIXED, states.of(140, 140));
    }

    @Test
    void ofTwoClustersWithOneNameTheLargerKeepsIt() {
        HopStates states = new HopStates(
                DoubleStream.concat(around(45, 100), around(110, 30)).toArray());
        assertEquals(HopState.NEAR, states.of(45, 45));
        assertEquals(HopState.MIXED, states.of(110, 110));
    }

    @Test
    void aMachineWithOneStateHasOne() {
        HopStates states = new HopStates(around(400, 50).toArray());
        assertEquals(HopState.FAR, states.of(395, 405));
    }

    @Test
    void withoutProbesAllRoundsAreAlike() {
        assertEquals(HopState.SAME, new HopStates(new double[] {0, 0}).of(0, 0));
    }
}
