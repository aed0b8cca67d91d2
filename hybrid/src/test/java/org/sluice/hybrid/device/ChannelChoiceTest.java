package org.sluice.hybrid.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Options;

/** From the same facts both ends of a pair choose the same channel, the first of the preference that reaches. */
final class ChannelChoiceTest {
    private static final UUID JVM = new UUID(1, 1);
    private static final PeerFacts OWN = facts(JVM, "node a", "");
    private static final PeerFacts SAME_JVM = facts(JVM, "node a", "");
    private static final PeerFacts SAME_NODE = facts(new UUID(2, 2), "node a", "");
    private static final PeerFacts REMOTE = facts(new UUID(3, 3), "node b", "");
    private static final PeerFacts REMOTE_WITHOUT_VERBS = facts(new UUID(4, 4), "node c", "its device is gone");

    private static PeerFacts facts(UUID jvm, String node, String verbsReason) {
        return on("Ethernet, IPv4", jvm, node, verbsReason);
    }

    private static PeerFacts on(String link, UUID jvm, String node, String verbsReason) {
        return new PeerFacts(
                UUID.randomUUID(), jvm, node, "0", true, "1", verbsReason, verbsReason.isEmpty() ? link : "", "");
    }

    private static ChannelChoice choice(String channels) {
        return new ChannelChoice(Options.of(Map.of("sluice.channels", channels)));
    }

    /** What each end makes of the pair; both have to make the same of it. */
    private static String channel(String channels, PeerFacts one, PeerFacts other) {
        ChannelChoice choice = choice(channels);
        String there = choice.channel(1, ChannelChoice.locality(1, 0, one, other), one, other);
        assertEquals(there, choice.channel(0, ChannelChoice.locality(0, 1, other, one), other, one));
        return there;
    }

    @Test
    void byDefaultEachPeerIsReachedByTheFastest() {
        assertEquals("threads", channel("auto", OWN, SAME_JVM));
        assertEquals("shm", channel("auto", OWN, SAME_NODE));
        assertEquals("ib", channel("auto", OWN, REMOTE));
        assertEquals("tcp", channel("auto", OWN, REMOTE_WITHOUT_VERBS));
        assertEquals("tcp", channel("threads,shm,tcp", OWN, REMOTE));
    }

    /** A folder that isn't there is a mistake, which slow messages would hide; who names tcp has asked for it. */
    @Test
    void aRankWithoutAFolderForSegmentsIsNotReachedOverTcpByItself() {
        PeerFacts peer = facts(new UUID(9, 9), "unknown, since there is no such folder", "its device is gone");
        assertTrue(assertThrows(SluiceException.class, () -> channel("auto", OWN, peer))
                .getMessage()
                .contains("there is no such folder"));
        assertEquals("tcp", channel("threads,shm,tcp", OWN, peer));
    }

    @Test
    void theOrderIsThatOfTheOption() {
        assertEquals("shm", channel("shm,threads", OWN, SAME_JVM));
        assertEquals("ib", channel("ib,shm", OWN, SAME_NODE));
        assertEquals("shm", channel("threads,shm", OWN, SAME_NODE));
    }

    @Test
    void whoHasNoVerbsIsReachedByTheNextThatReaches() {
        PeerFacts near = facts(new UUID(5, 5), "node a", "its device is gone");
        assertEquals("shm", channel("ib,shm", OWN, near));
    }

    @Test
    void aPeerThatNothingReachesIsNamedWithTheReason() {
        SluiceException refusal =
                assertThrows(SluiceException.class, () -> channel("threads,shm,ib", OWN, REMOTE_WITHOUT_VERBS));
        assertEquals(ErrorCode.OPEN_FAILED, refusal.code());
        for (String part :
                new String[] {"no channel reaches rank 1", "node a", "node c", "rank 1 says that its device is gone"}) {
            assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
        }
        String without = assertThrows(SluiceException.class, () -> channel("threads,shm", OWN, REMOTE))
                .getMessage();
        assertTrue(without.contains("sluice.channels=auto for all ranks lets them talk over TCP"), without);
        assertTrue(assertThrows(SluiceException.class, () -> channel("threads", OWN, SAME_NODE))
                .getMessage()
                .contains("allows only threads"));
    }

    @Test
    void adaptersOfTwoKindsOrNetworksDoNotReachEachOther() {
        for (String link : new String[] {"InfiniBand, subnet fe80000000000000, IPv4", "Ethernet, IPv6"}) {
            PeerFacts peer = on(link, new UUID(7, 7), "node b", "");
            SluiceException refusal = assertThrows(SluiceException.class, () -> channel("shm,ib", OWN, peer));
            assertEquals(ErrorCode.OPEN_FAILED, refusal.code());
            assertTrue(refusal.getMessage().contains("no channel reaches rank 1"), refusal.getMessage());
            assertTrue(
                    refusal.getMessage()
                            .contains("this rank's adapter is on Ethernet, IPv4, that of rank 1 on " + link),
                    refusal.getMessage());
            assertEquals("tcp", channel("auto", OWN, peer));
            PeerFacts near = on(link, new UUID(8, 8), "node a", "");
            assertEquals("shm", channel("ib,shm", OWN, near));
            assertEquals("ib", channel("auto", peer, on(link, new UUID(9, 9), "node c", "")));
        }
    }

    @Test
    void whyThereIsNoSharedMemoryIsSaidOnlyWhereItWouldHaveBeenTheWay() {
        PeerFacts here = facts(JVM, "kernel 1, folder /dev/shm (device 2, inode 3), user 4", "");
        PeerFacts there = facts(new UUID(6, 6), "kernel 1, folder /dev/shm (device 5, inode 3), user 4", "");
        assertEquals("ib", channel("auto", here, there));
        assertTrue(choice("auto").noShm("ib", here, there).startsWith("another /dev/shm (device 2"));
        assertEquals("", choice("ib,shm").noShm("ib", here, there));
        assertEquals("", choice("ib").noShm("ib", here, there));
        assertEquals("", choice("auto").noShm("ib", OWN, OWN));
    }

    @Test
    void aRankReachesItselfWhateverIsPreferred() {
        assertEquals("threads", choice("ib").channel(0, ChannelChoice.locality(0, 0, OWN, OWN), OWN, OWN));
    }
}
