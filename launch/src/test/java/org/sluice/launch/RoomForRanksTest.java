package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
final class RoomForRanksTest {
    private static final ControlGroup NONE = new ControlGroup(Path.of("/nonexistent"), List.of());

    private final RoomForRanks room = new RoomForRanks(8192, NONE, Long.MAX_VALUE, 2);

    @Test
    void whatFitsMayStart() {
        room.check(239, 239);
        room.check(4056, 1);
        new RoomForRanks(1, NONE, 1, 1).check(4, 4);
    }

    @Test
    void whatDoesNotIsRefusedWithWhatDoes() {
        assertEquals(
                "-n 240: 240 ranks in 240 JVMs take 8208 MB or more, and this machine has 8192 MB; allowed are 239"
                        + " ranks as a JVM each, or 4056 as threads of one JVM (--jvms 1)",
                refusal(room, 240, 240));
        assertEquals(
                "-n 4057: 4057 ranks in one JVM take 8194 MB or more, and this machine has 8192 MB; allowed are 239"
                        + " ranks as a JVM each, or 4056 as threads of one JVM (--jvms 1)",
                refusal(room, 4057, 1));
    }

    @Test
    void aContainerHasLessThanItsMachine(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("memory.max"), "1073741824\n");
        RoomForRanks inContainer = new RoomForRanks(8192, new ControlGroup(root, List.of("0::/")), Long.MAX_VALUE, 2);
        inContainer.check(28, 28);
        assertEquals(
                "-n 70: 70 ranks in 70 JVMs take 2428 MB or more, and this process's control group allows 1024 MB ("
                        + root.resolve("memory.max")
                        + "); allowed are 28 ranks as a JVM each, or 472 as threads of one JVM (--jvms 1)",
                refusal(inContainer, 70, 70));
    }

    @Test
    void processesAreLimitedByUserAndByGroup(@TempDir Path root) throws IOException {
        assertEquals(
                "-n 10: 10 ranks in 10 JVMs take 230 processes and threads or more, and this user may have 100 more"
                        + " (ulimit -u); allowed are 4 ranks as a JVM each, or 60 as threads of one JVM (--jvms 1)",
                refusal(new RoomForRanks(8192, NONE, 100, 2), 10, 10));
        Files.writeString(root.resolve("pids.max"), "200");
        Files.writeString(root.resolve("pids.current"), "50");
        assertEquals(
                "-n 10: 10 ranks in 10 JVMs take 230 processes and threads or more, and this process's control group"
                        + " allows 150 more ("
                        + root.resolve("pids.max")
                        + "); allowed are 6 ranks as a JVM each, or 110 as threads of one JVM (--jvms 1)",
                refusal(new RoomForRanks(8192, new ControlGroup(root, List.of("0::/")), 1000, 2), 10, 10));
        assertEquals(
                7,
                UserTasks.limit(List.of(
                        "Max cpu time  unlimited unlimited seconds",
                        "Max processes             7       96364        processes")));
        assertEquals(
                Long.MAX_VALUE,
                UserTasks.limit(List.of("Max processes             unlimited       unlimited        processes")));
    }

    @Test
    void manyRanksOnFewCoresAreWarnedOf() {
        assertEquals("", room.warning(64));
        assertEquals(
                "-n 600: 600 ranks on 2 cores take turns, and starting them takes long: a rank waits in Device.open"
                        + " for the last one; fewer JVMs (--jvms) start sooner",
                room.warning(600));
    }

    private static String refusal(RoomForRanks room, int ranks, int jvms) {
        return assertThrows(IllegalArgumentException.class, () -> room.check(ranks, jvms))
                .getMessage();
    }
}
