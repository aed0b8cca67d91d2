package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether ranks can tell that they share a node, and what is said where they can't. */
final class NodeIdentityTest {
    @TempDir
    private Path folder;

    @Test
    void whereEverythingIsToldThereIsNoReason() {
        assertEquals("", NodeIdentity.unknownReason(folder));
        assertTrue(NodeIdentity.of(folder).startsWith("kernel "), NodeIdentity.of(folder));
    }

    @Test
    void aKernelThatDoesNotNameItsBootIsAReason() {
        String missing = folder.resolve("boot_id").toString();
        String reason = NodeIdentity.unknownReason(folder, missing);
        assertTrue(reason.contains("FileNotFoundException: " + missing), reason);
    }

    @Test
    void aFolderThatIsNotThereIsAReasonAndEachRankIsOnANodeOfItsOwn() {
        Path none = folder.resolve("none");
        assertTrue(NodeIdentity.unknownReason(none).contains("NoSuchFileException: " + none));
        String node = NodeIdentity.of(none);
        assertTrue(node.startsWith("unknown, since") && node.contains(none.toString()) && node.endsWith(" " + ProcessHandle.current().pid()), node);
    }
}
