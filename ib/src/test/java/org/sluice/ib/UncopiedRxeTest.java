package org.sluice.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluice.device.channel.Lending;
import org.sluice.device.channel.RecordingListener;
import org.sluice.device.channel.RemoteReference;
import org.sluice.device.channel.TestRank;
import org.sluice.device.channel.UncopiedCases;
import org.sluice.device.memory.Memory;
import org.sluice.device.option.Options;
import org.sluice.jni.Errno;
import org.sluice.jni.verbs.FailingVerbs;
import org.sluice.jni.verbs.VerbsCalls;

/** What every channel does that copies less, over real verbs, and what only verbs can do wrong. */
@Tag("all")
@Tag("verbs")
final class UncopiedRxeTest extends UncopiedCases {
    private static final int BYTES = 4000;
    private static final int WINDOW = 16;
    private static final Options OPTIONS =
            VerbsRanks.options(Map.of("sluice.ib.slots", "128", "sluice.close.timeout.ms", "2000"));

    private final CountingVerbs calls = new CountingVerbs(VerbsRanks.verbs());
    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private final RemoteReference reference = new RemoteReference();

    @Override
    protected TestRank[] open(int count) {
        return VerbsRanks.joined(count, OPTIONS, calls.calls());
    }

    @Override
    protected int many(int count) {
        return count / 20;
    }

    private int lend(TestRank rank) {
        return rank.channel.lending().lend(1, 0, 5, memory, Memory.address(memory), BYTES, reference, "ticket");
    }

    @Test
    void memoryThatIsUsedOftenIsRegisteredWhenThatPays() {
        int copied = 0;
        while (lend(ranks[0]) == Lending.BY_COPY) {
            copied++;
            assertTrue(copied < 100, "never registered");
        }
        assertEquals(7, copied);
        ranks[1].receive();
        int registrations = calls.callsOf("registerMemory");
        for (int i = 0; i < 20; i++) {
            ranks[0].channel.reading().release(reference.lease);
            ranks[0].listener.loans.clear();
            int posts = calls.callsOf("postSend");
            assertEquals(Lending.LENT, lend(ranks[0]));
            assertEquals(posts + 1, calls.callsOf("postSend"));
            assertEquals(5, ranks[1].receive().tag());
            while (ranks[0].listener.loans.isEmpty()) {
                ranks[0].drive();
            }
            // The answer carries credit.
            ranks[1].send(0, 6, new byte[1]);
            ranks[0].receive();
        }
        assertEquals(registrations, calls.callsOf("registerMemory"));
        Reference.reachabilityFence(memory);
    }

    /** A sender that receives nothing asks for one packet at a time. */
    @Test
    void aLookTakesAllCompletionsThatAreThere() {
        closeAllNow();
        GatheredCompletions completions = new GatheredCompletions(VerbsRanks.verbs());
        CountingVerbs counting = new CountingVerbs(completions.calls());
        openTwo(counting.calls());
        assertTrue(ranks[0].channel.registering().register(memory));
        int lent = 0;
        int polls = 0;
        for (int round = 0; round < 15; round++) {
            int before = ranks[0].listener.loans.size();
            int posted = 0;
            while (posted < WINDOW && lend(ranks[0]) == Lending.LENT) {
                posted++;
            }
            ranks[1].await(posted);
            ranks[1].listener.packets.clear();
            completions.awaitSends(posted);
            int callsBefore = counting.callsOf("poll");
            while (ranks[0].listener.loans.size() < before + posted) {
                ranks[0].drive();
            }
            if (posted == WINDOW) {
                lent += posted;
                polls += counting.callsOf("poll") - callsBefore;
            }
            ranks[1].send(0, 6, new byte[1]);
            ranks[0].receive();
        }
        System.out.println("UncopiedRxeTest: " + polls + " polls for " + lent + " completions");
        assertTrue(lent >= 4 * WINDOW, "credit was never lent: " + lent);
        assertTrue(polls <= lent / 8, polls + " polls for " + lent + " completions");
        Reference.reachabilityFence(memory);
    }

    @Test
    void loansToAPeerThatGoesComeBackOrEndWithIt() throws InterruptedException {
        assertTrue(ranks[0].channel.registering().register(memory));
        int lent = 0;
        while (lend(ranks[0]) == Lending.LENT) {
            lent++;
        }
        ranks[1].channel.close();
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertEquals(1, failure.peer());
        ranks[0].channel.disconnect(1);
        int told = ranks[0].listener.loans.size();
        assertTrue(told <= lent, told + " of " + lent);
        ranks[0].channel.reading().release(reference.lease);
        ranks[0].channel.registering().deregister(memory);
        ranks[0].channel.poll(ranks[0].listener, 100);
        assertEquals(told, ranks[0].listener.loans.size());
        Reference.reachabilityFence(memory);
    }

    @Test
    void aLoanThatTheLibraryRefusesIsReadUntilTheQueuePairIsGone() throws InterruptedException {
        closeAllNow();
        VerbsCalls failing = FailingVerbs.failing(calls.calls(), "postSend", 1, Errno.EINVAL);
        openTwo(failing);
        assertTrue(ranks[0].channel.registering().register(memory));
        assertEquals(Lending.LENT, lend(ranks[0]));
        RecordingListener.Failure failure = ranks[0].awaitFailure();
        assertTrue(
                failure.reason().contains("ibv_post_send") && failure.reason().contains("EINVAL"), failure.toString());
        ranks[0].channel.disconnect(1);
        assertEquals(0, ranks[0].listener.loans.size());
        ranks[0].channel.reading().release(reference.lease);
        closeAllNow();
        assertTrue(calls.living().isEmpty(), "left: " + calls.living());
        Reference.reachabilityFence(memory);
    }

    private void openTwo(VerbsCalls ofRank0) {
        ranks = new TestRank[] {
            VerbsRanks.rank(0, 2, OPTIONS, ofRank0, null), VerbsRanks.rank(1, 2, OPTIONS, calls.calls(), null)
        };
        VerbsRanks.introduce(ranks);
        VerbsRanks.join(ranks[1], ranks[0]);
    }

    private void closeAllNow() {
        for (TestRank each : ranks) {
            each.channel.close();
        }
    }
}
