package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

/** To which rank a job's failure is put down. */
final class VerdictTest {
    private final RankEnds ends = new RankEnds();

    private String of(JvmEnd... ended) {
        Verdict verdict = new Verdict(List.of(ended), ends);
        JvmEnd cause = verdict.cause();
        return cause == null ? null : verdict.status(cause) + ": " + verdict.text(cause);
    }

    private static JvmEnd rank(int rank, int status) {
        return new JvmEnd(rank, 1, status);
    }

    private void blames(int rank, int peer, boolean certain) {
        ends.lastWord(rank, new Blame(peer, certain), false);
    }

    private void gone(int rank, boolean goodbye) {
        ends.opened(rank);
        ends.gone(rank, goodbye);
    }

    @Test
    void nobodyIsTheCauseOfASuccess() {
        gone(1, false);
        assertNull(of(rank(0, 0), rank(1, 0)), "a device that was left open has harmed nobody");
    }

    @Test
    void severalRanksWereEnded() {
        assertEquals("137: ranks 0 to 1 (one JVM) were ended by SIGKILL (status 137)", of(new JvmEnd(0, 2, 137)));
    }

    @Test
    void theFirstIsItWhereNobodySaysMore() {
        assertEquals("2: rank 1 exited with status 2", of(rank(1, 2), rank(0, 3)));
    }

    /** Its line stands before those of ranks that are the cause, but were gone later. */
    @Test
    void whoFailsOfAnothersEndSaysSoAtOnce() {
        Verdict verdict = new Verdict(List.of(rank(0, 1)), ends);
        assertEquals("rank 0 exited with status 1", verdict.textSoFar(rank(0, 1)));
        blames(0, 1, false);
        assertEquals("rank 0 exited with status 1", verdict.textSoFar(rank(0, 1)), "it may have failed by itself");
        blames(0, 1, true);
        assertEquals(
                "rank 0 exited with status 1, as rank 1 had closed its device or died", verdict.textSoFar(rank(0, 1)));
    }

    @Test
    void aVictimIsNotTheCauseHoweverLongTheChain() {
        blames(0, 1, true);
        blames(1, 2, true);
        assertEquals("137: rank 2 was ended by SIGKILL (status 137)", of(rank(0, 1), rank(1, 1), rank(2, 137)));
    }

    @Test
    void ofTwoThatBlameEachOtherItIsTheOneThatOnlySuppressedIt() {
        blames(0, 1, true);
        blames(1, 0, false);
        assertEquals("4: rank 1 exited with status 4", of(rank(0, 3), rank(1, 4)));
        blames(1, 0, true);
        assertEquals("3: rank 0 exited with status 3", of(rank(0, 3), rank(1, 4)), "else the first");
    }

    @Test
    void whoCouldNotOpenNamesTheRankThatItWasFor() {
        ends.opened(0);
        ends.couldNotOpen(0, "rank 1 ended without opening a device");
        ends.gone(0, true);
        assertEquals(
                "1: rank 0 exited with status 1, as rank 1 ended without opening a device", of(rank(1, 0), rank(0, 1)));
        gone(0, true);
        assertEquals("1: rank 0 exited with status 1", of(rank(0, 1)), "it has opened one since");
    }

    @Test
    void whoSaysWhatItFailedOfComesBeforeThoseThatCouldNotOpenOfThat() {
        ends.couldNotOpen(0, "rank 1 closed the device");
        ends.failedOf(1, "NO_MEMORY: too small");
        assertEquals("1: rank 1 exited with status 1: NO_MEMORY: too small", of(rank(0, 1), rank(1, 1), rank(2, 1)));
    }

    @Test
    void whoFailsOfARankThatEndedWellIsTheCause() {
        gone(2, true);
        blames(0, 1, true);
        blames(1, 2, true);
        assertEquals("1: rank 1 exited with status 1", of(rank(2, 0), rank(0, 1), rank(1, 1)));
    }

    @Test
    void whoLeftADeviceOpenIsNamedWithTheNearest() {
        gone(2, false);
        blames(0, 1, true);
        blames(1, 2, true);
        assertEquals(
                "1: rank 1 exited with status 1, as rank 2 had ended with its device open",
                of(rank(0, 1), rank(2, 0), rank(1, 1)));
    }

    /** Its JVM, which ended of its victims, has then told no more than they. */
    @Test
    void aThreadThatLeftItsDeviceOpenIsNamedWhateverItsJvmEndedWith() {
        gone(1, false);
        ends.lastWord(1, null, false);
        blames(0, 1, true);
        blames(3, 1, true);
        String open = " exited with status 1, as rank 1 had ended with its device open";
        assertEquals("1: rank 0" + open, of(rank(0, 1), rank(3, 1)));
        assertEquals("1: rank 3" + open, of(rank(3, 1), rank(0, 1)));
        assertEquals("1: rank 3" + open, of(rank(3, 1), new JvmEnd(0, 3, 1)));
    }

    @Test
    void aThreadThatFailedHasNotJustLeftItsDeviceOpen() {
        gone(1, false);
        blames(0, 1, true);
        ends.lastWord(1, null, true);
        assertEquals("1: rank 0 exited with status 1", of(rank(0, 1)));
        gone(2, false);
        blames(0, 2, true);
        blames(2, 1, true);
        assertEquals("1: rank 0 exited with status 1", of(rank(0, 1)));
        assertEquals("1: ranks 1 to 2 (one JVM) exited with status 1", of(rank(0, 1), new JvmEnd(1, 2, 1)));
    }

    @Test
    void aRankThatIsNotKnownToHaveEndedExcusesNobody() {
        blames(0, 5, true);
        assertEquals("1: rank 0 exited with status 1", of(rank(0, 1), rank(1, 2)));
    }

    @Test
    void withinOneJvmThereIsNobodyElseToBlame() {
        blames(0, 1, true);
        assertEquals("1: ranks 0 to 1 (one JVM) exited with status 1", of(new JvmEnd(0, 2, 1), rank(2, 5)));
        blames(1, 2, true);
        assertEquals("5: rank 2 exited with status 5", of(new JvmEnd(0, 2, 1), rank(2, 5)));
    }

    @Test
    void anExitThatCutRanksOffComesBeforeItsVictimsAndAfterOneThatFailedByItself() {
        gone(0, true);
        gone(1, false);
        blames(2, 1, true);
        String cutOff =
                "1: ranks 0 to 1 (one JVM) exited with status 0 while rank 1 had its device open: System.exit of one"
                        + " rank ends them all";
        assertEquals(cutOff, of(rank(2, 7), new JvmEnd(0, 2, 0)));
        assertEquals("8: rank 3 exited with status 8", of(new JvmEnd(0, 2, 0), rank(2, 7), rank(3, 8)));
    }

    @Test
    void aThreadThatSaidItsLastWordWasNotCutOff() {
        gone(1, false);
        ends.lastWord(1, null, false);
        assertNull(of(new JvmEnd(0, 2, 0)));
    }

    @Test
    void aRankThatOpenedAgainAfterItsConnectionBrokeLeftNothingOpen() {
        gone(1, false);
        gone(1, true);
        assertNull(of(new JvmEnd(0, 2, 0)));
    }
}
