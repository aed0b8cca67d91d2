package org.sluice.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.OsCalls;
import org.sluice.shm.ring.RingSize;
import org.sluice.shm.segment.SegmentName;

/** The folder of the segments: whether it can be used, and for how many ranks it is large enough. */
final class SharedMemory {
    static final String TOPIC = "shared memory";
    private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs", "hugetlbfs");
    private static final int[] RANKS = {2, 8, 64};
    /** A segment's header and directory, generously. */
    private static final long SEGMENT_HEAD_BYTES = 64 << 10;

    private static final String LARGER =
            "make it larger (mount -o remount,size=2g, or docker run --shm-size=2g), free space in it, "
                    + "or choose another memory file system with " + Option.SHM_DIR.property();

    /** Tells the type of the file system that a folder is on. */
    interface TypeLookup {
        String of(Path folder) throws IOException;
    }

    private final Path folder;
    private final Options options;
    private final TypeLookup types;
    private final OsCalls os;

    SharedMemory(Path folder, Options options) {
        this(
                folder,
                options,
                path -> Files.getFileStore(path).type(),
                options.text(Option.OS).equals("off") || !Os.available() ? Os.none() : Os.calls());
    }

    /** For tests, in which the look-up fails without a chroot, and the kernel knows no files without names. */
    SharedMemory(Path folder, Options options, TypeLookup types, OsCalls os) {
        this.os = os;
        this.folder = folder;
        this.options = options;
        this.types = types;
    }

    List<Finding> examine() {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            return List.of(Finding.unusable(
                    TOPIC,
                    folder + (Files.isDirectory(folder) ? " may not be written" : " is no folder"),
                    "mount a tmpfs there that this user may write, or set " + Option.SHM_DIR.property()));
        }
        List<Finding> findings = new ArrayList<>();
        // Asks the folder itself, as the device does: a FileStore is found by the mount table alone, and where / is no
        // mount point, as in some chroots, what lies directly in it is in no line of the table.
        long freeBytes = folder.toFile().getUsableSpace();
        findings.add(
                fileSystem(inMb(freeBytes) + " free of " + inMb(folder.toFile().getTotalSpace())));
        findings.add(names());
        try {
            for (int ranks : RANKS) {
                findings.add(room(ranks, freeBytes));
            }
        } catch (IllegalArgumentException e) {
            findings.add(Finding.unusable("options", e.getMessage(), "correct or remove it"));
        }
        return findings;
    }

    private Finding fileSystem(String space) {
        String type;
        try {
            type = types.of(folder);
        } catch (IOException e) {
            return Finding.ok(
                    TOPIC,
                    folder + ": " + space + "; the type of its file system could not be told (" + Finding.reason(e)
                            + "): on a disk messages would be slower");
        }
        String text = folder + " (" + type + "): " + space;
        return MEMORY_FILE_SYSTEMS.contains(type)
                ? Finding.ok(TOPIC, text)
                : Finding.slower(
                        TOPIC,
                        text + " is no memory file system",
                        "messages would go to a disk: set " + Option.SHM_DIR.property() + " to a tmpfs");
    }

    private Finding names() {
        try {
            String why = SegmentName.whyNeeded(folder, os);
            return Finding.ok(
                    TOPIC,
                    why == null
                            ? "segments have no names there, where all ranks of a node are started alike"
                            : "segments have names there while a job opens (" + why
                                    + "): what is killed whole then leaves files, for ./sluice doctor --clean");
        } catch (IOException e) {
            return Finding.unusable(
                    TOPIC,
                    "no file can be made in " + folder + " (" + e.getMessage() + ")",
                    "or choose another folder with " + Option.SHM_DIR.property());
        }
    }

    private Finding room(int ranks, long freeBytes) {
        long needed = neededBytes(ranks, options);
        if (freeBytes >= needed) {
            return Finding.ok(
                    TOPIC, "large enough for " + ranks + " ranks in JVMs of their own (" + inMb(needed) + ")");
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
