package org.sluice.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;

/** Which rank an exception puts a failure down to. */
final class BlameTest {
    private static SluiceException failure(ErrorCode code, int peer) {
        return new SluiceException(code, peer, "planned", null);
    }

    @Test
    void itIsFoundHoweverDeepAmongCauses() {
        assertEquals(new Blame(3, true), Blame.of(failure(ErrorCode.PEER_DEAD, 3)));
        assertEquals(
                new Blame(2, true),
                Blame.of(new IllegalStateException(new CompletionException(failure(ErrorCode.PEER_CLOSED, 2)))));
    }

    @Test
    void amongWhatWasSuppressedItIsLessCertain() {
        Exception own = new IllegalStateException("planned");
        own.addSuppressed(new CompletionException(failure(ErrorCode.PEER_DEAD, 2)));
        assertEquals(new Blame(2, false), Blame.of(new CompletionException(own)));
        Exception caused = new IllegalStateException(failure(ErrorCode.PEER_CLOSED, 1));
        caused.addSuppressed(failure(ErrorCode.PEER_DEAD, 2));
        assertEquals(new Blame(1, true), Blame.of(caused), "causes come first");
    }

    @Test
    void whatNamesNoPeersEndBlamesNobody() {
        assertNull(Blame.of(new OutOfMemoryError("planned")));
        assertNull(Blame.of(failure(ErrorCode.TRUNCATED, 1)));
        assertNull(Blame.of(failure(ErrorCode.PEER_DEAD, -1)));
    }

    @Test
    void exceptionsThatGoInCirclesEnd() {
        Exception first = new IllegalStateException("planned");
        Exception second = new IllegalStateException(first);
        first.addSuppressed(second);
        first.initCause(second);
        assertNull(Blame.of(first));
    }
}
