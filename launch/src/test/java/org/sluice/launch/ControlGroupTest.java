package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over folders that look like the kernel's. */
@Tag("once")
final class ControlGroupTest {
    @TempDir
    private Path root;

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void theTightestOfTheGroupAndThoseAboveItCounts() throws IOException {
        file("job/step/memory.max", "max\n");
        file("job/memory.max", "1048576\n");
        file("memory.max", "2097152\n");
        file("job/step/memory.events", "low 0\noom 4\noom_kill 3\noom_group_kill 1\n");
        file("job/pids.max", "max\n");
        file("pids.max", "100\n");
        file("pids.current", "30\n");
        ControlGroup group = new ControlGroup(root, List.of("0::/job/step"));
        assertEquals(new ControlGroup.Limit(1048576, root.resolve("job/memory.max")), group.memory());
        assertEquals(new ControlGroup.Limit(70, root.resolve("pids.max")), group.tasksLeft());
        assertEquals(3, group.memoryKills());
    }

    @Test
    void theOlderVersionHasAFolderForEachController() throws IOException {
        file("memory/docker/memory.limit_in_bytes", "4096\n");
        file("memory/docker/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
        file("memory/memory.limit_in_bytes", "9223372036854771712\n");
        file("pids/pids.max", "5\n");
        file("pids/pids.current", "9\n");
        ControlGroup group = new ControlGroup(root, List.of("12:pids:/docker", "4:cpu,memory:/docker", "0::/"));
        assertEquals(new ControlGroup.Limit(4096, root.resolve("memory/docker/memory.limit_in_bytes")), group.memory());
        assertEquals(0, group.tasksLeft().amount());
        assertEquals(2, group.memoryKills());
    }

    @Test
    void aPathOfTheHostIsTheContainersRoot() throws IOException {
        file("memory.max", "4096\n");
        assertEquals(
                4096,
                new ControlGroup(root, List.of("0::/system.slice/docker-1.scope"))
                        .memory()
                        .amount());
        assertEquals(
                4096,
                new ControlGroup(root, List.of("0::/../../other")).memory().amount());
    }

    @Test
    void whatCannotBeReadLimitsNothing() {
        for (List<String> groups : List.of(List.of("0::/"), List.<String>of(), List.of("nonsense"))) {
            ControlGroup group = new ControlGroup(root, groups);
            assertFalse(group.memory().isThere());
            assertFalse(group.tasksLeft().isThere());
            assertEquals(0, group.memoryKills());
        }
    }
}
