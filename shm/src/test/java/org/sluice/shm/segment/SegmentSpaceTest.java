package org.sluice.shm.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.os.FailingOs;
import org.sluice.jni.os.OsCalls;

/**
 * A shared memory that is too small: an error with the sizes, before anything is written, and nothing is left behind.
 */
final class SegmentSpaceTest {
    @TempDir
    Path directory;

    private boolean mounted;

    private void mount(String size) throws Exception {
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", directory.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(mount.getInputStream().readAllBytes());
        assumeTrue(mount.waitFor() == 0, "a small memory file system can't be mounted here: " + output);
        mounted = true;
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertEquals(
                    0,
                    new ProcessBuilder("umount", "-l", directory.toString())
                            .start()
                            .waitFor());
        }
    }

    private Options here(String... more) {
        String[] all = java.util.Arrays.copyOf(more, more.length + 4);
        all[more.length] = "sluice.shm.dir";
        all[more.length + 1] = directory.toString();
        all[more.length + 2] = "sluice.shm.ring.bytes";
        all[more.length + 3] = "256k";
        return Segments.options(all);
    }

    private SegmentChannel create(Options options, OsCalls os) {
        return SegmentChannel.create("job", 0, 2, new int[] {1}, options, os);
    }

    private void refusedFor(String... words) {
        for (OsCalls os : new OsCalls[] {Segments.os(), Segments.noOs()}) {
            SluiceException refusal = assertThrows(SluiceException.class, () -> create(here(), os));
            assertEquals(ErrorCode.NO_MEMORY, refusal.code());
            for (String word : words) {
                assertTrue(refusal.getMessage().contains(word), refusal.getMessage());
            }
            assertArrayEquals(new String[0], directory.toFile().list());
        }
    }

    @Test
    void aFileSystemThatIsTooSmall() throws Exception {
        mount("128k");
        refusedFor("needs 311296 bytes", "131072 are free", "sluice.shm.ring.bytes", directory.toString());
    }

    @Test
    void anArenaThatDoesNotFit() throws Exception {
        mount("1m");
        try (SegmentChannel channel = create(here("sluice.shm.arena.step.bytes", "64k"), Segments.os())) {
            long address = channel.allocate(100_000);
            SluiceException refusal = assertThrows(SluiceException.class, () -> channel.allocate(10 << 20));
            assertEquals(ErrorCode.NO_MEMORY, refusal.code());
            assertTrue(refusal.getMessage().contains("needs 10485760 bytes"), refusal.getMessage());
            assertTrue(
                    refusal.getMessage().endsWith("or set sluice.shm.dir; or close message buffers"),
                    refusal.getMessage());
            channel.free(address);
        }
    }

    @Test
    void spaceThatSomebodyElseTookMeanwhile() {
        OsCalls full = FailingOs.failing(Segments.os(), "posixFallocate", 1, Errno.ENOSPC);
        SluiceException refusal = assertThrows(SluiceException.class, () -> create(here(), full));
        assertEquals(ErrorCode.NO_MEMORY, refusal.code());
        assertTrue(refusal.getMessage().contains("ENOSPC"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("needs 311296 bytes"), refusal.getMessage());
        assertArrayEquals(new String[0], directory.toFile().list());
    }

    @Test
    void anArenaWhoseSpaceSomebodyElseTookMeanwhile() {
        try (SegmentChannel channel =
                create(here(), FailingOs.failing(Segments.os(), "posixFallocate", 2, Errno.ENOSPC))) {
            assertEquals(
                    ErrorCode.NO_MEMORY,
                    assertThrows(SluiceException.class, () -> channel.allocate(100))
                            .code());
            assertTrue(channel.allocate(100) != 0, "the next attempt finds space");
        }
    }

    @Test
    void everyNativeCallMayFailWhileOpening() throws IOException {
        FailingOs counting = FailingOs.neverFailing(Segments.os());
        openAndSend(counting);
        assertTrue(counting.callCount() > 2, "calls " + counting.callCount());
        for (long call = 1; call <= counting.callCount(); call++) {
            try {
                openAndSend(FailingOs.failing(Segments.os(), call, Errno.ENOMEM));
            } catch (SluiceException e) {
                assertTrue(e.code() == ErrorCode.NO_MEMORY || e.code() == ErrorCode.OPEN_FAILED, call + ": " + e);
            }
            assertArrayEquals(new String[0], directory.toFile().list(), "left over after call " + call + " failed");
        }
    }

    private void openAndSend(OsCalls os) {
        SegmentChannel[] channels = new SegmentChannel[2];
        try {
            for (int rank = 0; rank < 2; rank++) {
                channels[rank] = SegmentChannel.create("job", rank, 2, new int[] {1 - rank}, here(), os);
            }
            Segments.connect(channels);
            Segments.ranks(channels)[0].send(1, 3, new byte[3]);
            assertEquals(3, Segments.ranks(channels)[1].receive().tag());
        } finally {
            for (SegmentChannel channel : channels) {
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }
}
