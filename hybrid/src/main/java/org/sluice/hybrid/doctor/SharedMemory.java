package org.sluice.hybrid.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.shm.ring.RingSize;

/** The folder of the segments: whether it can be used, and for how many ranks it is large enough. */
final class SharedMemory {
    private static final String TOPIC = "shared memory";
    private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs", "hugetlbfs");
    private static final int[] RANKS = {2, 8, 64};
    /** A segment's header and directory, generously. */
    private static final long SEGMENT_HEAD_BYTES = 64 << 10;
    private static final String LARGER =
            "make it larger (mount -o remount,size=2g, or docker run --shm-size=2g), free space in it, "
            + "or choose another memory file system with " + Option.SHM_DIR.property();

    private final Path folder;
    private final Options options;

    SharedMemory(Path folder, Options options) {
        this.folder = folder;
        this.options = options;
    }

    List<Finding> examine() {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            return List.of(Finding.unusable(TOPIC, folder + (Files.isDirectory(folder) ? " may not be written"
                    : " is no folder"),
                    "mount a tmpfs there that this user may write, or set " + Option.SHM_DIR.property()));
        }
        List<Finding> findings = new ArrayList<>();
        try {
            FileStore store = Files.getFileStore(folder);
            String text = folder + " (" + store.type() + "): " + inMb(store.getUsableSpace()) + " free of "
                    + inMb(store.getTotalSpace());
            findings.add(MEMORY_FILE_SYSTEMS.contains(store.type()) ? Finding.ok(TOPIC, text)
                    : Finding.slower(TOPIC, text + " is no memory file system", "messages would go to a disk: set "
                            + Option.SHM_DIR.property() + " to a tmpfs"));
            for (int ranks : RANKS) {
                findings.add(room(ranks, store.getUsableSpace()));
            }
        } catch (IOException e) {
            findings.add(Finding.unusable(TOPIC, folder + " can't be looked at: " + e.getMessage(), "set "
                    + Option.SHM_DIR.property()));
        } catch (IllegalArgumentException e) {
            findings.add(Finding.unusable("options", e.getMessage(), "correct or remove it"));
        }
        return findings;
    }

    private Finding room(int ranks, long freeBytes) {
        long needed = neededBytes(ranks, options);
        if (freeBytes >= needed) {
            return Finding.ok(TOPIC, "large enough for " + ranks + " ranks in JVMs of their own (" + inMb(needed)
                    + ")");
        }
        String text = "too small for " + ranks + " ranks in JVMs of their own: " + inMb(needed) + " are needed, "
                + inMb(freeBytes)
                + " are free";
        return ranks == RANKS[0] ? Finding.unusable(TOPIC, text, LARGER) : Finding.slower(TOPIC, text, LARGER);
    }

    /** Rings for every ordered pair; the arena of message buffers comes on top when a program uses it. */
    static long neededBytes(int ranks, Options options) {
        long rings = (ranks - 1) * RingSize.choose(ranks - 1, options).bytes();
        return ranks * (rings + SEGMENT_HEAD_BYTES);
    }

    private static String inMb(long bytes) {
        return bytes < 10 << 20 ? String.format("%.1f MB", bytes / 1048576.0) : (bytes >> 20) + " MB";
    }
}
