package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.UUID;
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
    void ranksOfOneKernelThatShareNoMemoryAreToldWhatDiffers() {
        String own = "kernel 1-2, folder /dev/shm (device 22, inode 1), user 0";
        assertEquals("", NodeIdentity.apart(own, own));
        assertEquals("", NodeIdentity.apart(own, "kernel 3-4, folder /tmp (device 9, inode 8), user 1000"));
        assertEquals(
                "another user (0 here, 1000 there)",
                NodeIdentity.apart(own, "kernel 1-2, folder /dev/shm (device 22, inode 1), user 1000"));
        assertEquals(
                "another sluice.shm.dir (/dev/shm here, /mnt (a), b there)",
                NodeIdentity.apart(own, "kernel 1-2, folder /mnt (a), b (device 22, inode 1), user 0"));
        assertEquals(
                "another /dev/shm (device 22, inode 1 here, device 40, inode 1 there)",
                NodeIdentity.apart(own, "kernel 1-2, folder /dev/shm (device 40, inode 1), user 0"));
        assertEquals("its node is unknown, since", NodeIdentity.apart(own, "unknown, since"));
        assertEquals("this rank's node is unknown, since", NodeIdentity.apart("unknown, since", own));
    }

    @Test
    void containersOfOneMachineShareItsCores(@TempDir Path other) {
        String own = "kernel 1-2, folder /dev/shm (device 22, inode 1), user 0";
        assertTrue(NodeIdentity.isOneMachine(own, "kernel 1-2, folder /mnt (device 9, inode 8), user 1000"));
        assertFalse(NodeIdentity.isOneMachine(own, "kernel 1-23, folder /dev/shm (device 22, inode 1), user 0"));
        assertFalse(NodeIdentity.isOneMachine("unknown, since", "unknown, since"));
        assertTrue(NodeIdentity.isOneMachine(NodeIdentity.of(folder), NodeIdentity.of(other)));
        assertTrue(facts("0-3").sharesCores(facts("2-5")));
        assertFalse(facts("").sharesCores(facts("")), "a quota each");
        assertFalse(facts("").sharesCores(facts("0-3")));
        assertFalse(facts("0-3").sharesCores(facts("")));
    }

    private PeerFacts facts(String cores) {
        return new PeerFacts(
                UUID.randomUUID(), UUID.randomUUID(), NodeIdentity.of(folder), cores, true, "", "", "", "");
    }

    /** What is published and what is taken apart are one form. */
    @Test
    void anotherFolderOfThisMachineIsNamed(@TempDir Path other) {
        String reason = NodeIdentity.apart(NodeIdentity.of(folder), NodeIdentity.of(other));
        assertEquals("another sluice.shm.dir (" + folder + " here, " + other + " there)", reason);
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
        assertTrue(
                node.startsWith("unknown, since")
                        && node.contains(none.toString())
                        && node.contains("process " + ProcessHandle.current().pid()),
                node);
        assertNotEquals(node, NodeIdentity.of(none), "as in containers all may be process 1");
    }

    /** Root of a container is another user than root of the machine, or of another container. */
    @Test
    void aUserIsAlsoWhoHeIsOutsideOfHisContainer() {
        assertEquals("1000", NodeIdentity.user(1000, "         0          0 4294967295\n"));
        assertEquals("1000", NodeIdentity.user(1000, "      1000       1000          1\n"));
        String map = "         0       1000          1\n         1     100000      65536\n";
        assertEquals("0 (outside 1000)", NodeIdentity.user(0, map));
        assertEquals("1 (outside 100000)", NodeIdentity.user(1, map));
        assertEquals("65536 (outside 165535)", NodeIdentity.user(65_536, map));
        assertEquals("65537", NodeIdentity.user(65_537, map), "nobody's number");
        assertEquals("7", NodeIdentity.user(7, ""), "a kernel that has no such containers");
        assertEquals(
                "another user (0 here, 0 (outside 1000) there)",
                NodeIdentity.apart(
                        "kernel 1-2, folder /dev/shm (device 22, inode 1), user 0",
                        "kernel 1-2, folder /dev/shm (device 22, inode 1), user 0 (outside 1000)"));
    }
}
