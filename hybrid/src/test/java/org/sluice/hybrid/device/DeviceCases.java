package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.function.Executable;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/**
 * What the cases of the conformance suite have in common: they open a job under the options of the suite that runs
 * them.
 */
interface DeviceCases {
    /** Sizes on both sides of every protocol's limits. */
    int[] SIZES = {0, 1, 8, 1000, 4096, 5000, 70_000, 1 << 20};
    /** A message that goes by rendezvous everywhere. */
    int LARGE = 600_000;

    /** The options under which the suite runs. */
    Map<String, String> options();

    /** Where its ranks live; null: all in this JVM. */
    default TwoNodes nodes() {
        return null;
    }

    /** Where they say they live; null: where they do. */
    default Whereabouts whereabouts() {
        return null;
    }

    /** For what is random, and the same wherever the ranks live. */
    default long seed() {
        return nodes() == null ? ThreadLocalRandom.current().nextLong() : nodes().seed();
    }

    /** How many messages a case sends for which more only means longer; a channel may be slow where it is tested. */
    default int many(int count) {
        return count;
    }

    /** Whether a receiver can read a sender's {@code MessageBuffer} where it lies; else a lease is of a copy. */
    default boolean readsInPlace() {
        return true;
    }

    /**
     * Length up to which a message that came before its receive stays where it came, so that a lease reads it there;
     * -1: none does.
     */
    default int keepsUpTo() {
        return -1;
    }

    /**
     * Whether many messages leave their sender although the receiver's program makes no call; else only as many as the
     * credit that a peer has from the start.
     */
    default boolean takesManyUnattended() {
        return hasRoomForEager();
    }

    /** False in suites that give eager messages no room on purpose. */
    default boolean hasRoomForEager() {
        return !options().containsKey("sluice.eager.limit.bytes") && !options().containsKey("sluice.eager.share.bytes");
    }

    /** So that direct buffers of all sizes that no packet has room for are read by the kernel, where it can. */
    default String[] byKernel() {
        return "off".equals(options().get("sluice.os")) ? new String[0] : new String[] {"sluice.shm.cma", "on"};
    }

    default DeviceJob open(int size, String... more) {
        Map<String, String> all = new HashMap<>(options());
        all.putIfAbsent("sluice.close.timeout.ms", "5000");
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return DeviceJob.open(size, all, nodes(), whereabouts());
    }

    /** Bytes that differ from place to place and from message to message. */
    static byte[] pattern(long seed, int bytes) {
        byte[] out = new byte[bytes];
        long state = seed * 0x9E3779B97F4A7C15L + 1;
        for (int i = 0; i < bytes; i++) {
            if ((i & 7) == 0) {
                state ^= state << 13;
                state ^= state >>> 7;
                state ^= state << 17;
            }
            out[i] = (byte) (state >>> (8 * (i & 7)));
        }
        return out;
    }

    static SluiceException assertFails(ErrorCode code, Executable call) {
        SluiceException failure = assertThrows(SluiceException.class, call);
        assertEquals(code, failure.code(), failure::toString);
        return failure;
    }
}
