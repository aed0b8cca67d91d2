package org.sluice.hybrid.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.device.Status;
import org.sluice.hybrid.request.Completion;
import org.sluice.hybrid.request.RequestFuture;

/** What Device.peek may still return. */
final class CompletedRequestsTest {
    private final CompletedRequests requests = new CompletedRequests(true);

    private Completion completed() {
        Completion completion = new Completion(null);
        completion.succeed(0, 0, 0, 0, 1);
        requests.add(completion);
        return completion;
    }

    @Test
    void eachComesOnceInTheOrderOfCompletion() {
        List<Completion> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Completion completion = completed();
            if (i % 3 == 0) {
                completion.result(new Status());
            } else {
                expected.add(completion);
            }
        }
        for (Completion completion : expected) {
            assertSame(completion, requests.poll());
        }
        assertNull(requests.poll());
    }

    @Test
    void noneAreKeptUnlessAskedFor() {
        CompletedRequests none = new CompletedRequests(false);
        none.add(new Completion(null));
        assertEquals(0, none.size());
        assertThrows(IllegalStateException.class, none::poll);
    }

    @Test
    void thoseThatServeBlockingCallsAreNone() {
        requests.add(Completion.reusable(null));
        assertNull(requests.poll());
    }

    /** The oldest is never looked at, which must not keep the others. */
    @Test
    void aProgramThatWaitsForItsRequestsKeepsFew() {
        Completion forgotten = completed();
        for (int i = 0; i < 100_000; i++) {
            completed().result(new Status());
            assertTrue(requests.size() <= 128, requests.size() + " kept after " + i);
        }
        assertSame(forgotten, requests.poll());
        assertNull(requests.poll());
        assertEquals(0, requests.size());
    }

    /** The reason why peek is asked for (ADR 0037). */
    @Test
    void whatAProgramDropsOrTakesFromAFutureStays() {
        for (int i = 0; i < 1000; i++) {
            completed();
            new RequestFuture().ended(completed());
        }
        assertEquals(2000, requests.size());
    }
}
