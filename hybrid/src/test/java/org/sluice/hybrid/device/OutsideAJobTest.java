package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.sluice.device.Device;

/** A program that nobody started as a rank: rank 0 of 1. */
final class OutsideAJobTest {
    @Test
    void itsOnlyPeerIsItself() {
        try (Device device = Device.open()) {
            assertEquals(0, device.rank());
            assertEquals(1, device.size());
            device.send(new int[] {5}, 0, 7);
            assertEquals(1, device.recv(new int[1], Device.ANY_SOURCE, 7).count());
        }
    }

    @Test
    void whoeverMissesTheOtherRanksIsToldHowToStartThem() {
        try (Device device = Device.open()) {
            assertEquals(
                    "rank 1 is out of range; this job has rank 0 only: the program was started without ./sluice run -n"
                            + " N",
                    assertThrows(IllegalArgumentException.class, () -> device.send(new int[1], 1, 7))
                            .getMessage());
        }
    }
}
