package org.sluice.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What the kernel's control groups allow this process and those that it starts, be it in a container, a batch job or a
 * user's session. Reads version 2 and the older version 1; a group's limit is also that of all groups above it.
 *
 * <p>Thread: any.
 *
 * <p>Fails: never; what can't be read limits nothing.
 *
 * <p>Proof: {@code ControlGroupTest}, {@code MemoryKillProcessTest}.
 */
final class ControlGroup {
    static final long UNLIMITED = Long.MAX_VALUE;
    /** Version 1 has no word for it, and says a number close to 2^63. */
    private static final long PRACTICALLY_UNLIMITED = 1L << 60;

    /** A limit, and the file in which it stands. */
    record Limit(long amount, Path file) {
        boolean isThere() {
            return amount != UNLIMITED;
        }
    }

    private final List<Path> memory;
    private final List<Path> tasks;

    /**
     * @param root where control groups are mounted
     * @param ownGroups as /proc/self/cgroup has them: number:controllers:path, a line for each hierarchy
     */
    ControlGroup(Path root, List<String> ownGroups) {
        memory = folders(root, ownGroups, "memory");
        tasks = folders(root, ownGroups, "pids");
    }

    static ControlGroup ofThisProcess() {
        try {
            return new ControlGroup(Path.of("/sys/fs/cgroup"), Files.readAllLines(Path.of("/proc/self/cgroup")));
        } catch (IOException e) {
            return new ControlGroup(Path.of("/sys/fs/cgroup"), List.of());
        }
    }

    /** Of the group and those above it, the own one first. */
    private static List<Path> folders(Path root, List<String> ownGroups, String controller) {
        List<Path> found = List.of();
        for (String line : ownGroups) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && Arrays.asList(parts[1].split(",")).contains(controller)) {
                return upwards(root.resolve(controller), parts[2]);
            }
            if (parts.length == 3 && parts[1].isEmpty()) {
                found = upwards(root, parts[2]);
            }
        }
        return found;
    }

    private static List<Path> upwards(Path root, String path) {
        List<Path> folders = new ArrayList<>();
        Path own = Path.of(root + path).normalize();
        // In a container the path may be that of the host, while the container's own group is mounted as the root.
        for (Path at = Files.isDirectory(own) && own.startsWith(root) ? own : root;
                at.startsWith(root);
                at = at.getParent()) {
            folders.add(at);
        }
        return folders;
    }

    /** In bytes. */
    Limit memory() {
        return tightest(memory, List.of("memory.max", "memory.limit_in_bytes"), limit -> limit);
    }

    /** How many processes and threads may be added. */
    Limit tasksLeft() {
        return tightest(
                tasks,
                List.of("pids.max"),
                limit -> new Limit(
                        Math.max(0, limit.amount - number(limit.file.resolveSibling("pids.current"), 0)), limit.file));
    }

    private static Limit tightest(List<Path> folders, List<String> names, UnaryOperator<Limit> left) {
        Limit tightest = new Limit(UNLIMITED, null);
        for (Path folder : folders) {
            for (String name : names) {
                long amount = number(folder.resolve(name), UNLIMITED);
                Limit limit = amount >= PRACTICALLY_UNLIMITED
                        ? tightest
                        : left.apply(new Limit(amount, folder.resolve(name)));
                tightest = limit.amount < tightest.amount ? limit : tightest;
            }
        }
        return tightest;
    }

    /** How many processes of the group the kernel has ended for lack of memory so far. */
    long memoryKills() {
        return memory.isEmpty()
                ? 0
                : Math.max(
                        entry(memory.get(0).resolve("memory.events"), "oom_kill"),
                        entry(memory.get(0).resolve("memory.oom_control"), "oom_kill"));
    }

    /** The number behind a name, as in "oom_kill 3"; 0 if there is none. */
    static long entry(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name + " ")) {
                    return Long.parseLong(line.substring(name.length() + 1).trim());
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Another kernel, another version: nothing is known.
            return 0;
        }
        return 0;
    }

    /** "max" is no number, either. */
    private static long number(Path file, long otherwise) {
        try {
            return Long.parseLong(Files.readString(file).trim());
        } catch (IOException | NumberFormatException e) {
            return otherwise;
        }
    }
}
