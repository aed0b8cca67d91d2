package org.sluice.hybrid.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluice.device.tier.MoreWithAll;

/**
 * Somebody writes random bytes into a segment in use, or cuts it short: no JVM crashes and none hangs; whoever can't go
 * on says that the peer is corrupt, or dead once the other has given up. What messages carry isn't looked at where
 * bytes are written over, as no checksum guards them; of a segment that was cut no zeros come.
 */
@Tag("once")
@Timeout(60)
final class ScribbleProcessTest {
    private static final long PATIENCE_MS = 20_000;
    private static final long SCRIBBLING_MS = 1500;
    private static final long END_MS = 8000;
    private static final int HEADER_BYTES = 128;
    private static final int RINGS_AT = 8192;

    @RegisterExtension
    final RankJvms ranks = new RankJvms();

    @ParameterizedTest
    @CsvSource({"rings, 4", "all, 1", "cut to nothing, 1", "cut the arena, 4"})
    @MoreWithAll({"header, 1", "rings, 1", "all, 4", "cut to nothing, 4", "cut the arena, 1"})
    void aSpoiledSegmentCrashesAndHangsNobody(String how, int compilerLevel) throws Exception {
        long seed = System.nanoTime();
        ranks.flag("-XX:TieredStopAtLevel=" + compilerLevel)
                .startAll(
                        2,
                        ExchangingRanks.class,
                        how.startsWith("cut") ? new String[] {"cut", "7"} : new String[] {"scribbled"});
        ranks.rank(0).await("going", PATIENCE_MS);
        try (FileChannel segment = openSegment(ranks.rank(1))) {
            spoil(segment, how, new Random(seed));
        }
        if (!how.startsWith("cut") && ranks.rank(0).isAlive()) {
            // The bytes did not matter: then they can end. What was cut is missed by itself.
            tellEnd();
        }
        for (int rank = 0; rank < 2; rank++) {
            int status = ranks.rank(rank).exit(END_MS);
            String output = ranks.rank(rank).output();
            System.out.println(how + ", level " + compilerLevel + ", seed " + seed + ": rank " + rank + " ended with "
                    + status + " "
                    + output.lines()
                            .filter(line -> line.startsWith("failed") || line.startsWith("ended"))
                            .toList());
            assertFalse(output.contains("InternalError"), "seed " + seed + "\n" + output);
            assertTrue(
                    status == 0 || status == ExchangingRanks.FAILED_STATUS,
                    "status " + status + ", seed " + seed + "\n" + output);
            if (status == ExchangingRanks.FAILED_STATUS) {
                assertTrue(
                        output.contains("failed PEER_CORRUPT")
                                || output.contains("failed PEER_DEAD")
                                || output.contains("failed PEER_CLOSED")
                                || output.contains("failed DEVICE_FAILED"),
                        "seed " + seed + "\n" + output);
            }
        }
        String outputs = ranks.rank(0).output() + "\n" + ranks.rank(1).output();
        assertFalse(
                how.startsWith("cut")
                        && (outputs.contains("ended well") || !outputs.contains("segment of rank 1 was cut short")),
                "a segment that is gone was not noticed\n" + outputs);
    }

    private void tellEnd() {
        try {
            ranks.rank(0).tell("end");
        } catch (java.io.UncheckedIOException e) {
            // It has just ended by itself.
            return;
        }
    }

    /** The file has no name any more; the owner's descriptor leads to it. */
    private FileChannel openSegment(RankJvm rank) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(rank.pid()), "fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (Files.isSymbolicLink(descriptor) && isOwnSegment(descriptor)) {
                    return FileChannel.open(descriptor, StandardOpenOption.READ, StandardOpenOption.WRITE);
                }
            }
        }
        throw new AssertionError("rank " + rank.pid() + " has no segment open below " + ranks.segments());
    }

    /** The header says whose segment it is: rank 1's. */
    private boolean isOwnSegment(Path descriptor) throws IOException {
        if (!Files.readSymbolicLink(descriptor)
                .toString()
                .startsWith(ranks.segments().toString())) {
            return false;
        }
        ByteBuffer rank = ByteBuffer.allocate(Integer.BYTES).order(java.nio.ByteOrder.nativeOrder());
        try (FileChannel file = FileChannel.open(descriptor, StandardOpenOption.READ)) {
            file.read(rank, 24);
        }
        return rank.getInt(0) == 1;
    }

    private void spoil(FileChannel segment, String how, Random random) throws Exception {
        long size = segment.size();
        if (how.startsWith("cut")) {
            segment.truncate(how.equals("cut to nothing") ? 0 : size - (4 << 20));
            return;
        }
        long begin = how.equals("rings") ? RINGS_AT : 0;
        long end = how.equals("header") ? HEADER_BYTES : size;
        long stop = System.nanoTime() + SCRIBBLING_MS * 1_000_000;
        byte[] bytes = new byte[64];
        while (System.nanoTime() < stop
                && List.of(0, 1).stream().allMatch(rank -> ranks.rank(rank).isAlive())) {
            random.nextBytes(bytes);
            int length = 1 + random.nextInt(bytes.length);
            segment.write(
                    ByteBuffer.wrap(bytes, 0, length), begin + (long) (random.nextDouble() * (end - begin - length)));
        }
    }
}
